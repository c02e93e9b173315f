// What a person picks on the board: a move, place by place.

import * as api from "./api.js";
import { byId, say } from "./dom.js";
import { isPerson, page, preview } from "./page.js";
import { Picker } from "./picker.js";

/** Lets a person pick a move, if it is their turn; in a position of the past, whoever's turn it is. */
export async function letPick() {
  const { game } = page;
  const { snapshot } = game;
  page.picker = null;
  const canPick = snapshot.stage === "move" && (isPerson(snapshot.turn) || !game.isAtEnd);
  if (canPick) {
    const mine = page.serial;
    let moves = snapshot.moves;
    if (game.id === "mahbusa" && moves[0].steps[0].kind !== "pass") {
      snapshot.spellings ??= api.allSpellings(game.id, snapshot.state);
      moves = (await snapshot.spellings).moves;
      if (mine !== page.serial) return;
    }
    page.picker = new Picker(moves, (move) => page.board.view.route(move, snapshot.turn));
  }
  showPicked();
  const isPersons = isPerson(snapshot.turn) || !game.isAtEnd;
  document.body.dataset.waits = snapshot.stage === "over" ? "over" : isPersons ? snapshot.stage : "";
  keepFocus();
}

/** Who plays by the list of moves finds it again, and who has used a button that is gone is back on the board. */
function keepFocus() {
  const active = document.activeElement;
  if (page.isInList) byId("legal").querySelector("button:enabled")?.focus();
  else if (active !== document.body && active?.closest("[hidden]")) page.board.root.focus();
}

/** Shows how far the move has been built that a person is picking. */
export function showPicked() {
  const { picker, game } = page;
  const snapshot = game.snapshot;
  page.board.clear("marks");
  page.board.setOpen(picker ? [...picker.open, ...(picker.complete ? [picker.last] : [])] : []);
  const path = picker?.path ?? [];
  const model = path.length > 0
    ? page.board.view.afterPath(page.model, path, picker.at.any, snapshot.turn)
    : page.model;
  page.shownModel = model;
  page.board.view.shown = model;
  page.board.view.draw(model, snapshot.turn);
  if (path.length > 0) {
    page.board.mark("from", [picker.last]);
    page.board.mark("target", picker.open);
  }
  preview("");
  showButtons();
}

/** What a move does, before it is made. */
function showEffects(move) {
  const { taken, words } = page.board.view.effects(move, page.game.snapshot);
  page.board.mark("taken", taken);
  preview(words ? `${move.move}: ${words}` : move.move);
}

/** Shows the buttons that do something in the position that is shown. */
export function showButtons() {
  const { game, picker, line } = page;
  const { snapshot } = game;
  const isMine = isPerson(snapshot.turn) || !game.isAtEnd;
  const levelsPlay = !isPerson("one") && !isPerson("two");
  const isPass = snapshot.moves?.length === 1 && snapshot.moves[0].move === "pass";
  const levelWaits = !isPerson(snapshot.turn) && (!game.isAtEnd || page.paused);
  byId("play").hidden = !picker?.complete || picker.path.length === 0;
  byId("play").textContent = `Play ${picker?.complete?.move ?? ""}`;
  byId("cancel").hidden = !(picker?.path.length > 0) && !line;
  byId("cancel").textContent = line ? "Back to the game" : "Cancel";
  byId("roll").hidden = snapshot.stage !== "roll" || !isMine || Boolean(line);
  byId("pass").hidden = !isPass || !isMine || Boolean(line);
  byId("continue").hidden = snapshot.stage === "over" || !levelWaits || Boolean(line);
  byId("analyse-now").hidden = snapshot.stage !== "over" || Boolean(line) || page.analysis.isOf(game.allMoves);
  byId("pause").hidden = !levelsPlay || snapshot.stage === "over";
  byId("pause").setAttribute("aria-pressed", String(page.paused));
  byId("undo").disabled = game.at === 0;
  byId("take-back").disabled = game.at === 0;
  byId("redo").disabled = game.isAtEnd;
  byId("hint").disabled = snapshot.stage !== "move";
  byId("threats").disabled = snapshot.stage === "over";
  byId("resign").disabled = snapshot.stage === "over" || !game.isAtEnd;
}

/** A place has been clicked, tapped, or dropped on. */
export function pick(place, touched) {
  if (page.setup.isOn) {
    page.setup.pick(place);
    return;
  }
  const { picker } = page;
  if (!picker || page.busy || page.line || !place) return;
  const [move, more] = picker.movesAfter(place);
  const isLast = picker.at.next.get(place)?.move && picker.at.next.get(place).next.size === 0;
  if (touched && isLast && !more && page.tapped !== place) {
    // A finger does not hover: what the move does is shown at the first tap, if it does something.
    const { taken, words } = page.board.view.effects(move, page.game.snapshot);
    if (taken.length > 0 || words !== "") {
      page.tapped = place;
      showPicked();
      showEffects(move);
      say(`${words}; tap again to play`);
      return;
    }
  }
  page.tapped = null;
  const picked = picker.pick(place);
  if (picked && picked !== true) {
    page.on.play(picked.move);
  } else if (picked) {
    showPicked();
    if (picker.complete) showEffects(picker.complete);
  } else {
    const isStart = picker.root.next.has(place);
    picker.clear();
    if (isStart) picker.pick(place);
    showPicked();
  }
}

/** Takes back what has been picked, or leads back from a line of the analysis. */
export function cancel() {
  if (page.setup.isOn) return;
  if (page.line) {
    page.on.goTo(page.game.at);
    return;
  }
  page.picker?.clear();
  page.tapped = null;
  showPicked();
}

/** Shows what a move would do that the place under the pointer completes. */
export function hover(place) {
  const { picker } = page;
  if (!picker || page.busy || page.setup.isOn || page.line) return;
  page.board.layers.marks.querySelectorAll(".taken").forEach((mark) => mark.remove());
  const next = picker.at.next.get(place);
  const moves = place ? picker.movesAfter(place) : [];
  const move = next?.move ?? (moves.length === 1 ? moves[0] : picker.complete);
  if (move && (next || picker.complete)) showEffects(move);
  else preview("");
}

/** Whether a piece can be dragged from a place. In Wari nothing is: a click on a cup is its whole move. */
export function canDrag(place) {
  if (page.busy || page.setup.isOn || page.game.id === "wari" || !page.picker) return false;
  return page.picker.open.includes(place) || page.picker.root.next.has(place);
}

/** Says what is at a place. */
export function describe(place) {
  const words = page.board.view.describe(page.shownModel ?? page.model, place);
  const isOpen = page.picker?.open.includes(place) ? ", can be picked" : "";
  const effects = byId("preview").textContent;
  say(`${words}${isOpen}${effects ? `; ${effects}` : ""}`);
}
