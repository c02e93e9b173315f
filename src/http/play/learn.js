// Lessons: small steps on the board, in which a person makes the move and the service says what it does.

import { byId, html } from "./dom.js";
import { page, tell } from "./page.js";
import { stored } from "./share.js";
import { several } from "./words.js";

/** In the storage of the browser: how many steps of each game are done. */
const DONE = "cublino-learned";

/** The steps for a game. Each has a `state`, a `task`, what has to happen (`want`), and what is `learned` by it. */
export const lessonsOf = (family, id) => family.lessons[id] ?? [];

const doneOf = (id) => stored(DONE)?.[id] ?? 0;

/** Lists the steps of the game's lesson. */
export function showLessons() {
  const { game: { id, info }, family, lesson } = page;
  const steps = lessonsOf(family, id);
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
  const { lesson, family, game } = page;
  if (!lesson) return;
  const { step, index, isDone, isWrong } = lesson;
  const steps = lessonsOf(family, game.id);
  byId("status").textContent = `${index + 1} of ${steps.length}: ${step.title}`;
  byId("next-step").textContent = index + 1 < steps.length ? "Next" : "Play a game";
  if (isDone) tell(`Right! ${step.learned}`);
  else if (isWrong) tell(`The rules allow that, but it is not the task. ${step.task}`);
  else tell(step.task);
  showLessons();
}

/** Whether an event is as it is wanted. */
const fits = (event, wanted) => Object.entries(wanted).every(([name, value]) => event[name] === value);

/** Checks by the events of a ply whether the task is done. */
export function checkStep(ply) {
  const { lesson, game: { id } } = page;
  lesson.isDone = lesson.step.want.every((wanted) => ply.events.some((event) => fits(event, wanted)));
  lesson.isWrong = !lesson.isDone;
  if (lesson.isDone) stored(DONE, { ...stored(DONE), [id]: Math.max(doneOf(id), lesson.index + 1) });
}

/** Goes on after a step: to the next, or to a game. */
export function nextStep() {
  const { lesson, family, game: { id } } = page;
  if (lesson.index + 1 < lessonsOf(family, id).length) page.on.learn(id, lesson.index + 2);
  else page.on.choose(id);
}
