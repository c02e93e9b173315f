// The whole game in the address, and what can be taken away from the page.

import * as api from "./api.js";
import { html, say } from "./dom.js";

/** Between moves in the address; no move has it. */
const SEPARATOR = ".";

/** Players in the address: `p` for a person, a number for a level. */
const player = (text) => (/^[1-8]$/.test(text) ? Number(text) : "p");

/** What an address says. */
export function readAddress(hash) {
  const entries = new URLSearchParams(hash.replace(/^#/, ""));
  const moves = (entries.get("moves") ?? "").split(SEPARATOR).filter(Boolean);
  const [one, two] = (entries.get("players") ?? "").split(SEPARATOR);
  const resigned = entries.get("resigned");
  const at = Number(entries.get("at") ?? NaN);
  return {
    game: entries.get("game"),
    start: entries.get("start"),
    moves,
    at: Number.isInteger(at) ? at : moves.length,
    players: entries.has("players") ? { one: player(one), two: player(two) } : null,
    resigned: ["one", "two"].includes(resigned) ? resigned : null,
    flip: entries.get("flip") === "1",
  };
}

/** The address of a game, of which nothing is kept anywhere else. */
export function addressOf(game, players, flip) {
  const entries = new URLSearchParams({ game: game.id });
  if (game.start !== game.info.start) entries.set("start", game.start);
  if (game.plies.length > 0) entries.set("moves", game.allMoves.join(SEPARATOR));
  if (!game.isAtEnd) entries.set("at", game.at);
  entries.set("players", [players.one, players.two].join(SEPARATOR));
  if (game.resigned) entries.set("resigned", game.resigned);
  if (flip) entries.set("flip", "1");
  return `#${entries}`;
}

/** The moves in a text that somebody has pasted: between commas, spaces and line breaks, but not within brackets. */
export const readMoves = (text) => text.match(/[^\s,()]+(\([^)]*\))?/g) ?? [];

/** Copies a text, or shows it where the browser does not let the page copy. */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied`);
    return true;
  } catch {
    return false;
  }
}

/** Saves the picture of the position that is shown, with the last move on it. */
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
  const url = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  html("a", { href: url, download: `${game.id}-${game.at}.svg` }).click();
  URL.revokeObjectURL(url);
}
