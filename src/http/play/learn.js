// Lessons: small steps on the board, in which a person makes the move and the service says what it does.

import * as api from "./api.js";
import { byId, html, say } from "./dom.js";
import { lessonOf } from "./family.js";
import { page, tell } from "./page.js";
import { stored } from "./share.js";
import { several } from "./words.js";

/** In the storage of the browser: how many steps of each game are done. */
const DONE = "cublino-learned";

const doneOf = (id) => stored(DONE)?.[id] ?? 0;

/** Lists the steps of the game's lesson, where they are to be seen. */
export async function showLessons() {
  const { game: { id, info }, lesson } = page;
  if (byId("panel-learn").hidden) return;
  const steps = await lessonOf(id);
  const done = doneOf(id);
  const step = ({ title }, index) => html("li", {}, html("button", {
    type: "button",
    class: index < done ? "link done" : "link",
    "data-step": index + 1,
    "aria-current": index === lesson?.index ? "step" : null,
    onclick: () => page.on.learn(id, index + 1),
  }, `${index + 1}. ${title}`));
  byId("lessons").replaceChildren(
    html("p", {}, `Learn ${info.name} in ${several(steps.length, "small step")}, on the board.`),
    html("ul", { class: "lesson-list" }, steps.map(step)),
  );
}

/** Shows the task of the step, or what came of it. */
export function showStep() {
  const { lesson } = page;
  byId("task").hidden = !lesson;
  if (!lesson) return;
  const { steps, step, index, isDone, isWrong } = lesson;
  byId("status").textContent = `${index + 1} of ${steps.length}: ${step.title}`;
  byId("next-step").textContent = index + 1 < steps.length ? "Next" : "Play a game";
  const wrong = isWrong ? "The rules allow that, but it is not the task. " : "";
  byId("task").textContent = isDone ? `Right! ${step.learned}` : wrong + step.task;
  byId("task").className = isDone ? "good" : "";
  say(byId("task").textContent);
  showLessons().catch((problem) => tell(problem.message));
}

/** Whether an event is as it is wanted. */
const fits = (event, wanted) => Object.entries(wanted).every(([name, value]) => event[name] === value);

/** Checks by the events of a ply whether the task is done. */
export function checkStep(ply) {
  const { lesson, game: { id } } = page;
  lesson.isDone = lesson.step.want.every((wanted) => ply.events.some((event) => fits(event, wanted)));
  lesson.isWrong = !lesson.isDone;
  lesson.isOver = true;
  if (lesson.isDone) stored(DONE, { ...stored(DONE), [id]: Math.max(doneOf(id), lesson.index + 1) });
}

/** Goes on after a step: to the next, or to a game. */
export function nextStep() {
  const { lesson, game: { id } } = page;
  if (lesson.index + 1 < lesson.steps.length) page.on.learn(id, lesson.index + 2);
  else page.on.choose(id);
}

/** Shows the rules in pictures: the moves of the lesson. */
export async function showPictures() {
  const { game: { id } } = page;
  byId("pictures").replaceChildren();
  for (const { title, state, move, learned } of await lessonOf(id)) {
    const text = await api.picture(id, { state, move, header: "off" });
    if (id !== page.game.id) return;
    const src = `data:image/svg+xml,${encodeURIComponent(text)}`;
    byId("pictures").append(html("figure", {},
      html("img", { src, alt: `${title}: ${move}`, width: 170, height: 170 }),
      html("figcaption", {}, html("strong", {}, title), ` ${learned.replace(/ Now play a game!$/, "")}`)));
  }
}
