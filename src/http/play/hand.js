// What a person picks on the board: a move, place by place.

import * as api from "./api.js";
import { byId, say } from "./dom.js";
import { isLevel, isPerson, page, preview, tell, turn } from "./page.js";
import { Picker } from "./picker.js";
import { foreseenInWords, nameOf } from "./words.js";

/** The place whose preview is shown. */
let looked = null;

/** Whether a person may move in the position shown. In a past position a person may move for both sides. */
export const mayMove = () => !page.task?.isOver && (isPerson(turn()) || !page.game.isAtEnd);

/** Lets a person pick a move, if it is their turn. */
export async function letPick() {
  const { game } = page;
  const { snapshot } = game;
  page.picker = null;
  if (snapshot.stage === "move" && mayMove()) {
    const mine = page.serial;
    const isPass = snapshot.moves[0]?.steps[0].kind === "pass";
    const moves = isPass ? snapshot.moves : await game.spelledMoves();
    if (mine !== page.serial) return;
    page.picker = new Picker(moves, (move) => page.board.view.route(move, snapshot.turn));
  }
  showPicked();
  document.body.dataset.waits = snapshot.stage === "over" ? "over" : mayMove() ? snapshot.stage : "";
  keepFocus();
}

/** Keeps the keyboard focus in the list of moves, and moves it from a hidden button to the board. */
function keepFocus() {
  const active = document.activeElement;
  if (page.isInList) byId("legal").querySelector("button:enabled")?.focus();
  else if (active !== document.body && active?.closest("[hidden]")) page.board.root.focus();
}

/** Shows the steps that a person has picked so far. */
export function showPicked() {
  const { picker, game } = page;
  const { snapshot } = game;
  looked = null;
  page.board.clear("marks");
  byId("threats").setAttribute("aria-pressed", "false");
  const isRoll = snapshot.stage === "roll" && mayMove() && !page.line;
  page.board.setOpen(isRoll ? page.board.places.keys() : picker ? [...picker.open, ...(picker.complete ? [picker.last] : [])] : []);
  const path = picker?.path ?? [];
  const model = path.length > 0 ? modelAfter(path, picker.at) : page.model;
  page.board.view.shown = model;
  page.board.view.draw(model, snapshot.turn);
  if (path.length > 0) {
    const isNewStep = page.board.view.isNewStep(path);
    if (!isNewStep) page.board.mark("from", [picker.last]);
    page.board.mark(isNewStep ? "movable" : "target", picker.open);
    if (isNewStep) goOn(model, path);
    else offer(model, path, picker.at);
  } else if (picker) {
    page.board.mark("movable", picker.open);
  }
  preview("");
  showButtons();
  if (path.length > 0 && picker.complete) foresee(picker.at, path);
}

/** The node of the piece that has just moved, where it may move on without being picked again. */
const movesOn = (picker) =>
  (page.board.view.isNewStep(picker.path) && picker.path.length > 0 ? picker.at.next.get(picker.last) : null);

/** Shows where the piece that has just moved can go on to. */
function goOn(model, path) {
  const { board, picker } = page;
  const at = movesOn(picker);
  if (!at) return;
  const places = [...at.next.keys()].filter((place) => !picker.at.next.has(place));
  board.setOpen([...picker.open, ...places, ...(picker.complete ? [picker.last] : [])]);
  board.mark("target", places);
  offer(model, [...path, picker.last], at);
}

/** Shows each piece that can be brought somewhere as it will lie there. */
function offer(model, path, at) {
  const { board } = page;
  for (const [place, next] of at.next) {
    const { node } = board.view.look(model, modelAfter([...path, place], next), place, turn());
    if (!node) continue;
    node.classList.add("ghost", "offered");
    node.dataset.at = place;
    board.layers.marks.append(node);
  }
}

const modelAfter = (path, at) => page.board.view.afterPath(page.model, path, at.any, turn());

/** Previews a path: the piece as it will lie there, and what happens in words. */
async function foresee(at, path) {
  const { board, game, picker } = page;
  const { view } = board;
  const place = path.at(-1);
  looked = place;
  forget();
  const mark = (kind, places) => {
    const before = board.layers.marks.children.length;
    board.mark(kind, places);
    [...board.layers.marks.children].slice(before).forEach((node) => node.classList.add("foreseen"));
  };
  const after = modelAfter(path, at);
  const { node, words, taken } = view.look(view.shown, after, place, turn());
  if (node && place !== picker.last) {
    node.classList.add("ghost", "still", "foreseen");
    for (const offered of board.layers.marks.querySelectorAll(`.offered[data-at="${place}"]`)) offered.classList.add("under");
    board.layers.marks.append(node);
  }
  mark("taken", taken);
  preview(words);
  if (!at.move || view.seesAll) return words;
  const { plies: [ply], snapshot } = await game.foresee(at.move.move);
  if (looked !== place || page.picker !== picker || page.busy) return words;
  mark("taken", view.touched(ply).taken);
  // Where one click is the whole move, the place has not been picked before.
  if (view.lands) mark("from", [place]);
  mark("lands", view.lands?.(ply) ?? []);
  const told = foreseenInWords(game, ply, game.snapshot.outcome, snapshot.outcome);
  preview(told);
  return told;
}

/** What a person has to do, in one sentence. */
function todo() {
  const { game, picker, line, retry, task } = page;
  const { stage, moves } = game.snapshot;
  if (stage === "over" || line || retry || task) return "";
  if (page.players[turn()] === "f" && game.isAtEnd) {
    return `Send the link to ${nameOf(game.id, turn())}. The link is the game: nothing is stored.`;
  }
  if (!mayMove()) return page.paused ? "The game is paused." : isLevel(turn()) ? `${nameOf(game.id, turn())} is thinking.` : "";
  if (!game.isAtEnd && !picker?.path.length) return `After ply ${game.at} of ${game.plies.length}. Another move begins a variation.`;
  if (stage === "roll") return "Roll the dice: click the board.";
  if (moves?.[0]?.move === "pass") return `${nameOf(game.id, turn())} has no move: pass.`;
  const { pick: first, go } = page.board.view.words;
  if (!picker || picker.path.length === 0) return first;
  const isNewStep = page.board.view.isNewStep(picker.path);
  return `${isNewStep ? `${first.replace("Move", "Now move").replace(/\.$/, "")} for the next step` : go}${picker.complete ? ", or press Play to stop here." : "."}`;
}

/** Shows the buttons that have an effect in the position shown. */
export function showButtons() {
  const { game, picker, line, task, retry } = page;
  const { snapshot } = game;
  const levelsPlay = !isPerson("one") && !isPerson("two");
  const isPass = snapshot.moves?.length === 1 && snapshot.moves[0].move === "pass";
  const levelWaits = !isPerson(snapshot.turn) && (!game.isAtEnd || page.paused);
  const show = (id, isShown) => { byId(id).hidden = !isShown; };
  show("play", picker?.complete && picker.path.length > 0);
  byId("play").setAttribute("aria-label", `Play ${picker?.complete?.move ?? ""}`);
  show("cancel", picker?.path.length > 0 || line || retry);
  byId("cancel").textContent = line || retry ? "Back to the game" : "Cancel";
  byId("todo").textContent = todo();
  show("send", Object.values(page.players).includes("f") && game.isAtEnd && !mayMove() && !task && !line);
  show("roll", snapshot.stage === "roll" && mayMove() && !line);
  show("pass", isPass && mayMove() && !line);
  show("continue", snapshot.stage !== "over" && levelWaits && !line && !retry);
  byId("continue").textContent = page.paused && game.isAtEnd ? "Continue" : "Play from here";
  show("pause", levelsPlay && snapshot.stage !== "over" && game.isAtEnd && !page.paused);
  show("try-again", task?.isWrong);
  show("next-step", task?.isDone);
  show("resign", !(levelsPlay && snapshot.stage !== "over"));
  // In a task they keep their places, so that nothing shifts when it begins.
  byId("take-back").disabled = Boolean(task) || !game.plies.some(isDecision);
  for (const id of ["first", "previous"]) byId(id).disabled = game.at === 0;
  for (const id of ["next", "last"]) byId(id).disabled = game.isAtEnd;
  byId("hint").disabled = Boolean(line) || snapshot.stage !== "move" || Boolean(task?.isOver);
  byId("threats").disabled = Boolean(line) || snapshot.stage === "over";
  byId("restart").disabled = Boolean(task);
  byId("resign").disabled = Boolean(task) || snapshot.stage === "over" || !game.isAtEnd;
}

/** Whether a person decided a ply. Nobody decides a roll. */
export const isDecision = (ply) =>
  (isPerson(ply.player) || (!isPerson("one") && !isPerson("two"))) && !ply.events.some(({ kind }) => kind === "roll");

/** Handles a click, a tap or a drop on a place. */
export async function pick(place, touched) {
  if (page.setup?.isOn) {
    page.setup.pick(place);
    return;
  }
  const { picker } = page;
  // The dice lie on the board: a click anywhere rolls them.
  if (!picker && !page.busy && !page.line && !byId("roll").hidden) {
    page.on.roll();
    return;
  }
  if (!picker || page.busy || page.line || !place) return;
  const next = picker.at.next.get(place);
  if (touched && next?.move && next.next.size === 0 && page.tapped !== place) {
    // Fingers cannot hover: the first tap shows what the move does.
    page.tapped = place;
    const words = await foresee(next, [...picker.path, place]);
    if (page.tapped === place && page.picker === picker) tell(`${words || "A legal move"}. Tap again to play.`);
    return;
  }
  page.tapped = null;
  if (!next && movesOn(picker)?.next.has(place)) picker.pick(picker.last);
  const path = picker.path;
  const picked = picker.pick(place);
  if (picked && picked !== true) {
    page.on.play(picked.move);
  } else if (picked) {
    showPicked();
  } else {
    const isStart = picker.root.next.has(place);
    const attempt = isStart ? null : page.board.view.attempt(path, place, page.board.view.shown, turn());
    picker.clear();
    if (isStart) picker.pick(place);
    showPicked();
    if (attempt) await sayWhyNot(attempt);
  }
}

/** Shows why a move is not legal. */
async function sayWhyNot(move) {
  const { game, picker } = page;
  const problem = await api.legalMoves(game.id, game.recordWith(move)).then(() => null, (refused) => refused);
  if (!problem || picker !== page.picker || picker.path.length > 0) return;
  tell(api.mayPass(problem) ? problem.message : `Not possible: ${problem.message}.`, true);
}

/** Clears the picked path, or goes back to the game. */
export function cancel() {
  if (page.setup?.isOn) return;
  if (page.line || page.retry) {
    page.on.goTo(page.game.at);
    return;
  }
  page.picker?.clear();
  page.tapped = null;
  showPicked();
}

/** Shows what picking the place under the pointer would do. */
export async function hover(place, isKey = false) {
  const { picker } = page;
  if (!picker || page.busy || page.setup?.isOn || page.line || page.tapped || place === looked) return;
  const next = picker.at.next.get(place);
  if (next && (picker.path.length > 0 || next.move)) {
    const words = await foresee(next, [...picker.path, place]);
    if (isKey && words) say(words);
  } else if (looked !== null && !(picker.complete && place === picker.last)) {
    looked = null;
    forget();
    preview("");
    if (picker.path.length > 0 && picker.complete) await foresee(picker.at, picker.path);
  }
}

/** Removes the preview of a move. */
function forget() {
  const { marks } = page.board.layers;
  for (const mark of marks.querySelectorAll(".foreseen")) mark.remove();
  for (const mark of marks.querySelectorAll(".under")) mark.classList.remove("under");
}

/** Picks a piece to drag it, and returns whether that is possible. It is not if one click is the whole move. */
export function grab(place) {
  const { picker } = page;
  if (page.busy || page.setup?.isOn || page.line || !picker) return false;
  const next = picker.at.next.get(place) ?? picker.root.next.get(place);
  const isHeld = place === picker.last && picker.at.next.size > 0 && !picker.at.next.has(place);
  if (!isHeld && !next?.next.size) return false;
  if (!isHeld) pick(place, false);
  return true;
}

/** Announces what is at a place. */
export function describe(place) {
  const words = page.board.view.describe(page.board.view.shown ?? page.model, place);
  say(`${words}${page.picker?.open.includes(place) ? ", can be picked" : ""}`);
}
