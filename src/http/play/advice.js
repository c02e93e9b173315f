// Advice on request: a hint, threats, and what the position is worth.

import * as api from "./api.js";
import { byId } from "./dom.js";
import { showPicked } from "./hand.js";
import { isPerson, page, preview, stored, tell, turn } from "./page.js";
import { nameOf, other, valueInWords } from "./words.js";

/** The limits of the search that hint and evaluation bar share, and of the coach's. */
const SEARCH = { nodes: 20_000 };
const COACH = { nodes: 5_000 };

/** The key in the browser's storage for whether the coach speaks. */
const SPEAKS = "cublino-coach";

export const hasCoach = () => stored(SPEAKS) === true;
export const setCoach = (isWanted) => stored(SPEAKS, isWanted);

/** The best line of the position shown, with its value: one search for the hint, the bar and the coach. Where nobody moves there is only a value. */
function advice() {
  const { game } = page;
  const { snapshot } = game;
  if (!snapshot.advice) {
    snapshot.advice = snapshot.stage === "move"
      ? api.suggestion(game.id, game.record(), { ...SEARCH, lines: 1 }).then(({ lines: [best] }) => best)
      : api.evaluation(game.id, game.record(), SEARCH);
    snapshot.advice.catch(() => { snapshot.advice = null; });
  }
  return snapshot.advice;
}

export async function showHint() {
  const { game, task } = page;
  if (task) {
    drawMove(task.move, "hint");
    tell(`The move is ${task.move}.`);
    return;
  }
  const at = page.serial;
  preview("Thinking…");
  const { move, pv, value } = await advice();
  if (at !== page.serial) return;
  page.picker?.clear();
  showPicked();
  drawMove(move, "hint");
  const follows = pv.length > 1 ? `; ${pv[1]} should follow` : "";
  const kind = game.lastPly ? "reply" : "move";
  tell(`${nameOf(game.id, turn())}'s best ${kind} is ${move}${follows}. ${valueInWords(game.id, value, turn())}.`);
}

/** Says what is wrong with a move that a person has played against a level, if the reader wants a coach. */
export async function coach(ply) {
  const { game, serial } = page;
  if (!hasCoach() || page.task || !isPerson(ply.player) || isPerson(other(ply.player)) || ply.events[0]?.kind === "roll") return;
  byId("coach-words").textContent = "";
  const state = game.plies[game.at - 2]?.state ?? game.start;
  let said = "Well played.";
  await api.analysis(game.id, { state, moves: [ply.move], ...COACH }, ({ judgment, why, best }) => {
    if (judgment) said = `${ply.move} is ${judgment === "inaccuracy" ? "an" : "a"} ${judgment}: ${why[0]?.message ?? `${best.move} is better`}.`;
  });
  if (game === page.game && page.serial - serial < 3) byId("coach-words").textContent = `Coach: ${said}`;
}

/** Draws a legal move of the position shown, as arrows. */
export function drawMove(text, kind) {
  const { snapshot } = page.game;
  const move = snapshot.moves?.find(({ move: known }) => known === text);
  if (!move) return;
  for (const line of page.board.view.lines(move, page.model, snapshot.turn)) page.board.arrow(line, kind);
}

/** Draws the move that was played instead of the best one, and the best one if wanted. */
export function showMistake(ply, withBest = true) {
  showPicked();
  drawMove(ply.move, "played");
  if (withBest) drawMove(ply.best.move, "best");
}

/** Marks what the opponent of the player to move could take if it were their turn. */
export async function showThreats() {
  const button = byId("threats");
  if (button.getAttribute("aria-pressed") === "true") {
    button.setAttribute("aria-pressed", "false");
    showPicked();
    return;
  }
  const { game } = page;
  const at = page.serial;
  const opponent = other(turn());
  const { state } = game.snapshot;
  // The letter of a state is that of the game; its case says who is to move.
  const turned = state.replace(/^./, (letter) => (turn() === "one" ? letter.toLowerCase() : letter.toUpperCase()));
  const chances = page.board.view.rolled?.(turned) ?? [{ state: turned, rolls: 1 }];
  const found = await api.movesOfMany(game.id, chances.map((chance) => chance.state));
  if (at !== page.serial) return;
  const rolls = new Map();
  found.forEach((moves, index) => {
    const victims = new Set();
    for (const move of moves ?? []) {
      if (move.steps[0].kind === "pass") continue;
      for (const place of page.board.view.taken(move, page.model, opponent)) victims.add(place);
    }
    for (const place of victims) rolls.set(place, (rolls.get(place) ?? 0) + chances[index].rolls);
  });
  button.setAttribute("aria-pressed", "true");
  page.board.mark("threat", rolls.keys());
  const all = chances.reduce((sum, chance) => sum + chance.rolls, 0);
  const of = all > 1 ? (count) => ` (${count} of ${all} rolls)` : () => "";
  const places = [...rolls].map(([place, count]) => `${page.board.view.described(place)}${of(count)}`);
  const name = nameOf(game.id, opponent);
  tell(places.length > 0 ? `${name} threatens ${places.join(", ")}` : `${name} threatens nothing at once`);
}

/** Shows the value of the position in the bar, from the first player's side. */
export async function showEvaluation() {
  const bar = byId("evaluation");
  if (bar.hidden) return;
  const { game } = page;
  const at = page.serial;
  const { value } = await advice();
  if (at !== page.serial) return;
  const expected = value.expected * (turn() === "one" ? 1 : -1);
  bar.firstElementChild.style.height = `${50 + expected * 50}%`;
  const words = `Evaluation: ${valueInWords(game.id, value, turn())}`;
  bar.setAttribute("aria-label", words);
  bar.title = words;
  byId("evaluation-words").textContent = words;
}
