// Lessons: small steps on the board, in which a person makes the move and the service explains it; and the rules.

import * as api from "./api.js";
import { byId, html, refill } from "./dom.js";
import { familyName, once } from "./opening.js";
import { page, stored } from "./page.js";
import { several } from "./words.js";

/** The key in the browser's storage for the number of finished steps of each game. */
const DONE = "cublino-learned";

const doneOf = (id) => stored(DONE)?.[id] ?? 0;

/** The steps of a game's lesson. */
async function lessonOf(id) {
  const url = new URL(`./${familyName(id)}.json`, import.meta.url);
  const lessons = await once(url.href, async () => (await fetch(url)).json());
  return lessons[id] ?? [];
}

/** Whether an event has all wanted values. */
const fits = (event, wanted) => Object.entries(wanted).every(([name, value]) => event[name] === value);

/** A step of a game's lesson. */
class Step {
  constructor(id, steps, index) {
    Object.assign(this, { id, steps, index, ...steps[index], flip: false });
    this.tab = "learn";
    this.address = `learn=${index + 1}`;
    this.isLast = index + 1 === steps.length;
  }

  /** Shows the task, or its result. */
  show() {
    byId("status").textContent = `${this.index + 1} of ${this.steps.length}: ${this.title}`;
    byId("next-step").textContent = this.isLast ? "Play a game" : "Next";
    const wrong = this.isWrong ? "The rules allow that, but it is not the task. " : "";
    byId("task").textContent = this.isDone ? `Right! ${this.learned}` : wrong + this.task;
  }

  /** Checks by the events of a ply whether the task is done. */
  check(ply) {
    this.isDone = this.want.every((wanted) => ply.events.some((event) => fits(event, wanted)));
    this.isWrong = !this.isDone;
    this.isOver = true;
    if (this.isDone) stored(DONE, { ...stored(DONE), [this.id]: Math.max(doneOf(this.id), this.index + 1) });
  }

  /** In a lesson, no opponent answers. */
  proceed() {}

  again() {
    page.on.begin(this.id, { learn: this.index + 1 });
  }

  next() {
    if (this.isLast) page.on.choose(this.id);
    else page.on.begin(this.id, { learn: this.index + 2 });
  }
}

/** A step by its number. */
export async function taskOf(id, number) {
  const steps = await lessonOf(id);
  return steps.length > 0 ? new Step(id, steps, Math.min(Math.max(number, 1), steps.length) - 1) : null;
}

/** Lists the steps of the game's lesson. */
export async function fill() {
  const { game: { id, info }, task } = page;
  const steps = await lessonOf(id);
  const done = doneOf(id);
  const step = ({ title }, index) => html("li", {}, html("button", {
    type: "button",
    class: index < done ? "link done" : "link",
    "data-step": index + 1,
    "aria-current": task?.tab === "learn" && index === task.index ? "step" : null,
    onclick: () => page.on.begin(id, { learn: index + 1 }),
  }, `${index + 1}. ${title}`));
  refill(byId("lessons"),
    html("p", {}, `Learn ${info.name} in ${several(steps.length, "small step")}, on the board.`),
    html("ul", { class: "lesson-list" }, steps.map(step)),
  );
}

function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`")) return html("code", {}, part.slice(1, -1));
    return part.startsWith("**") ? html("strong", {}, part.slice(2, -2)) : part;
  });
}

/** A picture of the board that shows a move. */
async function drawn(id, { state, move }, alt) {
  const text = await api.picture(id, { state, move, header: "off" });
  return html("img", { src: `data:image/svg+xml,${encodeURIComponent(text)}`, alt, width: 170, height: 170 });
}

/** Turns Markdown into elements: paragraphs, lists, headings, code, and pictures of the game's board. */
function elements(markdown, id) {
  return Promise.all(markdown.trim().split(/\n\s*\n/).map((block) => {
    const heading = /^#+ (.*)$/.exec(block);
    if (heading) return html("h2", {}, inline(heading[1]));
    const picture = /^!\[(.*)\]\((.*)\)$/.exec(block);
    if (picture) {
      return drawn(id, Object.fromEntries(new URL(picture[2], location).searchParams), picture[1]);
    }
    if (!/^\s*[-*] /.test(block)) return html("p", {}, inline(block));
    const items = block.split(/\n(?=\s*[-*] )/).map((item) => item.replace(/^\s*[-*] /, ""));
    return html("ul", {}, items.map((item) => html("li", {}, inline(item))));
  }));
}

/** Shows the rules, and pictures of the moves of the lesson. */
export async function showRules() {
  const { game: { id, info } } = page;
  byId("pictures").replaceChildren();
  const rules = await elements(info.rules, id);
  const figures = await Promise.all((await lessonOf(id)).map(async ({ title, state, move, learned }) =>
    html("figure", {},
      await drawn(id, { state, move }, `${title}: ${move}`),
      html("figcaption", {}, html("strong", {}, title), ` ${learned.replace(/ Now play a game!$/, "")}`))));
  if (id !== page.game.id) return;
  byId("rules").replaceChildren(...rules);
  byId("pictures").replaceChildren(...figures);
}
