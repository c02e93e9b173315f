// What must be loaded before a game can be shown. All of it is requested at once; for the game in the address as soon as
// this module is here, while the rest of the page still loads.
//
// The families of games: the module of a family is loaded when one of its games is played; nothing else names a family. It
// exports `View`, which draws the board; `setup`, for the editor of positions; `legend`, how to read the board; and, for
// games with rolls, `dice`. Beside it are the lessons of its games. Each step has a `state`, a `task`, the events that
// must happen (`want`), a `move` that solves it, and what is `learned` by it.
//
// A view draws a model: a Map from the names of places to what is there. `new View(board, info, flip)` has the `id` of the
// game, and `clearance`, how far from the centre of a place an arrow begins. Optional: `static isLong`, if the board
// stands upright on a phone; and `seesAll`, if `look` knows all effects of a move. It has these methods:
// Its `words` say what to do: what to `pick` first, and to `go` on.
//
// - places(): where to click, each made with `placeOf` and `boxOf` from what `draw_board` names with `data-…`
// - read(position, outcome), copy(model), draw(model, turn): a model, another one, and its pieces
// - play(model, event): shows an event, and applies it to the model
// - route(move, turn): the places to click for a move, none for a pass; isNewStep(path): whether another piece is next
// - afterPath(model, path, move, turn): the model after a part of a move
// - look(before, after, place, turn): a preview, as `{ node, words, taken }`; ghost(place), if there is one: a piece to drag
// - attempt(path, place, model, turn): the text of the move that a click tries where none is legal, or null
// - taken(move, model, turn), touched(ply): the places that a move takes, and `{ touched, taken }` of a ply
// - lands(ply), if it gets a mark: the places that a ply ends on
// - lines(move, model, turn): arrows as lists of points; mark(kind, place): a mark as SVG
// - facts(model, points): what counts and what is still possible, in rows of words and of a number for each player
// - describe(model, place), described(place): words for a place
// - rolled(state), if there are dice: the states after each roll, with the number of `rolls` that lead there
//
// A task is a step of a lesson, or a puzzle: a position with a move to find. Its module exports `taskOf`, and `fill`,
// which fills its tab. A task has its `address`; it shows what to do (`show`), checks each ply (`check`), and then may
// answer (`proceed`). It knows whether it `isDone`, `isWrong` and `isOver`, and begins `again` and the `next`.

import * as api from "./api.js";
import { Board } from "./board.js";
import { byId, load } from "./dom.js";
import { Game } from "./game.js";

/** Promises of the details of games, and of the lessons of families. */
const known = new Map();

/** Requests something once; if that fails, the next call requests it again. */
export function once(name, ask) {
  if (!known.has(name)) {
    const asked = ask();
    known.set(name, asked);
    asked.catch(() => known.delete(name));
  }
  return known.get(name);
}

/** The games. */
export const games = async () => (await once("games", api.games)).games;

/** The details of a game. */
export const info = (id) => once(id, () => api.game(id));

/** The name of a family: the id of its games, up to the first hyphen. */
export const familyName = (id) => id.replace(/-.*/, "");

/** The module of a game's family. */
const familyOf = (id) => load(`./${familyName(id)}.js`);

/** The names of the kinds of tasks: in the address, and of the module and the tab. */
const TASKS = ["learn", "puzzle"];

/** Opens a game, perhaps with moves already played, or a task. An unknown game is replaced by the first one. */
export async function open(wanted, options) {
  const list = await games();
  const about = list.find(({ id }) => id === wanted) ?? list[0];
  const { id } = about;
  const kind = TASKS.find((name) => options[name]);
  const task = kind ? await (await load(`./${kind}.js`)).taskOf(id, options[kind]) : null;
  const { start, moves = [], at = moves.length, resigned = null, flip } = task ? { ...task, start: task.state } : options;
  const game = new Game(about, start ?? about.start);
  // Later requests get the picture of the board from the browser's cache.
  Board.prefetch(about, flip);
  const play = async () => {
    await game.load(moves, resigned);
    if (at !== moves.length) game.at = await game.know(at);
  };
  const [family, details] = await Promise.all([familyOf(id), info(id), play()]);
  game.info = details;
  return { game, family, task };
}

/** Fills the tab of lessons or of puzzles: the open one, if none is named. */
export async function fillTab(name = TASKS.find((tab) => !byId(`panel-${tab}`).hidden)) {
  if (name) await (await load(`./${name}.js`)).fill();
}

/** The separator of moves in the address; no move contains it. */
export const SEPARATOR = ".";

/** Whether to turn the board: if a person plays Black against a level or a friend. */
export const sideOf = ({ one, two }) => one !== "p" && two === "p";

/** A player in the address: `p` for a person, a number for a level, `f` for a friend with whom links are exchanged. */
const player = (text) => (/^[1-8]$/.test(text) ? Number(text) : text === "f" ? "f" : "p");

/** The separator of lines in the address, and of the number of moves that a line shares with the game from its own. */
export const LINES = { between: "__", shared: "_" };

/** The lines beside the moves of the game. */
const linesOf = (text, moves) => text.split(LINES.between).filter(Boolean).map((line) => {
  const [shared, own = ""] = line.split(LINES.shared);
  return [...moves.slice(0, Number(shared)), ...own.split(SEPARATOR).filter(Boolean)];
});

/** The entries that an address may have. */
const ENTRIES = ["game", "start", "state", "moves", "lines", "at", "players", "resigned", "flip", "learn", "puzzle"];

/** What is wrong with an address that can be opened, in one sentence, or nothing. */
function problemOf(entries, list) {
  const [game, names] = [entries.get("game"), list.map(({ name }) => name).join(", ")];
  if (game !== null && !list.some(({ id }) => id === game)) return `There is no game “${game}”. There are ${names}.`;
  const unknown = [...entries.keys()].find((name) => !ENTRIES.includes(name));
  if (unknown) return `The address contains “${unknown}”, which the page does not know. It may contain ${ENTRIES.join(", ")}.`;
  if (entries.get("puzzle") === "") return "The address names no puzzle. It may be “today”, a date or a number.";
  if (entries.get("learn") !== null && !/^\d+$/.test(entries.get("learn"))) return "The address names no step of a lesson: a step is a number.";
  return "";
}

/** Parses an address. */
export function readAddress(hash) {
  const entries = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (name) => (/^\d+$/.test(entries.get(name) ?? "") ? Number(entries.get(name)) : null);
  const moves = (entries.get("moves") ?? "").split(SEPARATOR).filter(Boolean);
  const [one, two] = (entries.get("players") ?? "").split(SEPARATOR);
  const resigned = entries.get("resigned");
  const players = entries.has("players") ? { one: player(one), two: player(two) } : null;
  return {
    game: entries.get("game"),
    // Both names are tried by people who write addresses.
    start: entries.get("start") ?? entries.get("state"),
    moves,
    lines: linesOf(entries.get("lines") ?? "", moves),
    problem: (list) => problemOf(entries, list),
    at: number("at") ?? moves.length,
    players,
    resigned: ["one", "two"].includes(resigned) ? resigned : null,
    flip: entries.has("flip") ? entries.get("flip") === "1" : players !== null && sideOf(players),
    learn: number("learn"),
    puzzle: entries.get("puzzle"),
  };
}

const address = readAddress(location.hash);

/** The game in the address. */
export const first = open(address.game, address);

// Those that await it handle the error.
first.catch(() => {});
