// The words of the page: names, results, values, and the events of a move.

import { html } from "./dom.js";
import { page } from "./page.js";

/** The name of a player in a game. */
export const nameOf = (id, player) => page.games.find((game) => game.id === id).players[player];

/** A table of the two players: each row has its name and a value for either. */
export function tableOf(id, rows) {
  const heads = ["one", "two"].map((player) => html("th", { scope: "col" }, nameOf(id, player)));
  const body = rows.map(([name, ...values]) =>
    html("tr", {}, html("th", { scope: "row" }, name), values.map((value) => html("td", {}, String(value)))));
  return html("table", {}, html("tr", {}, html("td", {}), heads), body);
}

/** A clause as a sentence. */
export const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1)}.`;

/** The opponent of a player. */
export const other = (player) => (player === "one" ? "two" : "one");

/** A number with its noun: `1 marble`, `2 marbles`. */
export const several = (count, noun, plural = `${noun}s`) => `${count} ${count === 1 ? noun : plural}`;

/** The levels in plain words: what a new player makes of them, whatever strong players would say. */
const LEVELS = ["beginner", "easy", "fair", "good", "strong", "very strong", "expert", "strongest"];

/** The name of a level. */
export const levelName = ({ level }) => `Level ${level}, ${LEVELS[level - 1]}`;

const REASONS = {
  "all-dice-home": "all dice home",
  "far-rank-reached": "far rank reached",
  "corners-held": "both corners held",
  "too-few-dice": "fewer than two dice left",
  "borne-off": "all checkers borne off",
  "nobody-can-move": "nobody can move",
  "no-legal-move": "no legal move",
};

/** Who resigned, in a sentence. */
export function hasResigned(id, player) {
  const isAlone = page.players[player] === "p" && page.players[other(player)] !== "p";
  return `${isAlone ? "You" : nameOf(id, player)} resigned.`;
}

/** The reason why a game has ended. */
export function reasonOf(id, { reason, winner }, onTime) {
  if (reason !== "resigned") return REASONS[reason] ?? reason.replaceAll("-", " ");
  return onTime ? `${nameOf(id, other(winner))} ran out of time` : hasResigned(id, other(winner)).slice(0, -1);
}

/** The winner, or whose turn it is. */
export function standing(id, { turn, stage, outcome }, onTime) {
  if (outcome.status === "in_progress") return `${nameOf(id, turn)} to ${stage === "roll" ? "roll" : "move"}`;
  return `${resultOf(id, outcome)}: ${reasonOf(id, outcome, onTime)}`;
}

/** The result of a game. */
export const resultOf = (id, { status, winner }) => (status === "won" ? `${nameOf(id, winner)} wins` : "Draw");

const TOLD = {
  battle: (id, event) => {
    const totals = `${event.attacker_total} to ${event.defender_total}`;
    const end = event.loser ? `${nameOf(id, event.loser)} loses` : "nobody loses";
    return `${event.attacker} fights ${event.defender}, ${totals}: ${end}`;
  },
  removed: (id, event) => `${nameOf(id, event.player)}'s die on ${event.square} is lost`,
  pass: () => "as no move is possible",
  turn_skipped: (id, event) => `${nameOf(id, event.player)} cannot move and is skipped`,
  roll: (_, event) => `the dice show ${event.roll.join(" and ")}`,
  pinned: (id, event) => `${nameOf(id, event.player)}'s checker on ${event.point} is pinned`,
  freed: (id, event) => `${nameOf(id, event.player)}'s checker on ${event.point} is free`,
  borne_off: (_, event) => `a checker is borne off from ${event.from}`,
  sown: (_, { count, from }) => `${count === 1 ? "1 marble is" : `${count} marbles are`} sown from cup ${from}`,
  captured: (id, event) =>
    `${nameOf(id, event.player)} captures ${event.total} from ${event.cups.map(({ cup }) => `cup ${cup}`).join(", ")}`,
  swept: (id, event) => `${nameOf(id, event.player)} takes ${event.total} left on their own side`,
};

/** What happened in a ply, in one sentence. */
export function plyInWords(id, ply) {
  const happened = ply.events.map((event) => TOLD[event.kind]?.(id, event)).filter(Boolean);
  const isRoll = ply.events.some((event) => event.kind === "roll");
  const begins = `${nameOf(id, ply.player)} ${isRoll ? "rolls" : "plays"} ${ply.move}`;
  return `${[begins, ...happened].join(", ")}.`;
}

const FORESEEN = {
  ...TOLD,
  tip: (_, event) => `${event.top} up`,
  // The sentence about the battle includes it.
  removed: () => "",
  sown: (_, event) => `${several(event.count, "marble")}, the last into cup ${event.cups.at(-1)}`,
  ended: (id, event) => resultOf(id, event.outcome),
};

/** What will happen in a ply; `before` and `after` are the outcomes, whose points may differ. */
export function foreseenInWords(game, ply, before, after) {
  const events = ply.events.filter(({ kind }) => kind !== "tip" || ply.events.length < 9);
  const happens = events.map((event) => FORESEEN[event.kind]?.(game.id, event)).filter(Boolean);
  const gained = (after.points?.[ply.player] ?? 0) - (before.points?.[ply.player] ?? 0);
  const isTold = ply.events.some(({ kind }) => kind === "captured" || kind === "swept");
  if (gained > 0 && !isTold) happens.push(`+${gained} ${game.info.points}`);
  return happens.length > 0 ? `${ply.move}: ${happens.join("; ")}` : ply.move;
}

const percent = (part) => `${Math.round(100 * part)}\u00a0%`;

/** A value in words, always from the first player's side. `turn` is the player to move, whose value it is. */
export function valueInWords(id, { chances, proven }, turn) {
  const name = nameOf(id, "one");
  if (proven && proven.result !== "draw") {
    const winner = proven.result === "win" ? turn : other(turn);
    return `${nameOf(id, winner)} wins${proven.plies > 0 ? ` in ${several(proven.plies, "ply", "plies")}` : ""}`;
  }
  if (proven) return "Draw";
  const { win, draw, loss } = chances;
  const drawn = draw >= 0.005 ? `, draw ${percent(draw)}` : "";
  return `${name} wins ${percent(turn === "one" ? win : loss)}${drawn}`;
}

/** A difference of expected results, which go from -1 to 1, as a part of the winning chances. */
export const chance = (difference) => `${(50 * Math.abs(difference)).toFixed(Math.abs(difference) < 0.02 ? 1 : 0)}\u00a0%`;
