// The whole game in the address, the list of recent games, and copies for elsewhere.

import * as api from "./api.js";
import { html, say } from "./dom.js";
import { LINES, SEPARATOR, sideOf } from "./opening.js";
import { stored } from "./page.js";

/** The key in the browser's storage for the recent games, and how many are kept. */
const RECENT = "cublino-recent";
const KEPT = 12;

/** The address of a game; it holds the whole game. */
export function addressOf(game, { players, flip, task }) {
  const entries = new URLSearchParams({ game: game.id });
  if (task) return `#${entries}&${task.address}`;
  if (game.start !== game.info.start) entries.set("start", game.start);
  if (game.plies.length > 0) entries.set("moves", game.allMoves.join(SEPARATOR));
  if (game.lines.length > 0) entries.set("lines", game.lines.map((line) => written(line, game.allMoves)).join(LINES.between));
  if (!game.isAtEnd) entries.set("at", game.at);
  entries.set("players", [players.one, players.two].join(SEPARATOR));
  if (game.resigned) entries.set("resigned", game.resigned);
  if (flip !== sideOf(players)) entries.set("flip", flip ? "1" : "0");
  return `#${entries}`;
}

/** How many moves two lines share at the beginning. */
export function sharedBy(line, moves) {
  const shared = line.findIndex((move, index) => move !== moves[index]);
  return shared < 0 ? line.length : shared;
}

const written = (line, moves) => {
  const shared = sharedBy(line, moves);
  return shared + LINES.shared + line.slice(shared).join(SEPARATOR);
};

/** The link for a friend: the same game, with the sides exchanged. */
export function linkForFriend({ game, players }) {
  const turned = { one: players.two, two: players.one };
  const address = addressOf(game, { players: turned, flip: sideOf(turned) });
  return new URL(address, location.href).href;
}

/** The recent games, the newest first. */
export const recentGames = () => stored(RECENT) ?? [];

export const setRecentGames = (games) => stored(RECENT, games);

/** Keeps the address of a game, and drops its earlier address. */
export function remember(game, players, address) {
  if (game.plies.length === 0) return;
  const moves = game.allMoves.join(SEPARATOR);
  const { id, start } = game;
  const isOlder = (entry) =>
    entry.id === id && entry.start === start && `${moves}${SEPARATOR}`.startsWith(`${entry.moves}${SEPARATOR}`);
  const others = recentGames().filter((entry) => !isOlder(entry));
  const entry = { id, start, moves, count: game.plies.length, players, address, when: Date.now() };
  setRecentGames([entry, ...others].slice(0, KEPT));
}

/**
 * The moves in a pasted text: separated by commas, spaces and line breaks, but not within brackets. Numbers of moves, as in
 * `1. e1e2 e7e6` or `2.e2e3`, are left out.
 */
export const readMoves = (text) =>
  (text.match(/[^\s,()]+(\([^)]*\))?/g) ?? []).map((word) => word.replace(/^\d+\.+/, "")).filter(Boolean);

/** Copies a text, and returns whether the browser lets the page do that. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
    return true;
  } catch {
    return false;
  }
}

/** Saves something as a file. */
function save(text, type, name) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  html("a", { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

/** Saves the game with all its lines: the link, which can be pasted, and the moves of each line to read. */
export function saveGame(game) {
  const lines = [game.allMoves, ...game.lines].map((moves) => moves.join(" "));
  save([location.href, ...lines, ""].join("\n"), "text/plain", `${game.id}-${game.plies.length}.txt`);
}

/** Saves the picture of the position shown, with the last move on it. */
export async function download(game, flip) {
  const { state } = game.snapshot;
  const parameters = { state, flip };
  const ply = game.lastPly;
  const isMove = ply && ply.move !== "pass" && !ply.events.some(({ kind }) => kind === "roll");
  if (isMove) {
    parameters.last = ply.move;
    parameters.previous = game.plies[game.at - 2]?.state ?? game.start;
  }
  const text = await api.picture(game.id, parameters);
  save(text, "image/svg+xml", `${game.id}-${game.at}.svg`);
}
