// The board in a conversation with a language model. It speaks JSON-RPC with the page around it, its host, as MCP Apps
// describes it: the host sends the results of tools, calls tools for it, and passes the move of a person to the model.

import { Board } from "./board.js";
import * as cublino from "./cublino.js";
import { byId, html, say } from "./dom.js";
import { games } from "./games.js";
import * as mahbusa from "./mahbusa.js";
import { page } from "./page.js";
import { Picker } from "./picker.js";
import * as wari from "./wari.js";
import { other } from "./words.js";

/** The revision of the extension. */
const REVISION = "2026-01-26";

/** The dice of a state in its notation, by square. */
function readDice(state) {
  const dice = new Map();
  for (const [, letter, square] of state.slice(1).matchAll(/([a-xA-X])([a-g][1-7])/g)) {
    const orientation = letter.toLowerCase();
    dice.set(square, { player: letter === orientation ? "two" : "one", orientation });
  }
  return dice;
}

/** The cups and stores of a state: the numbers 1 to 12, `one` and `two`. */
function readCups(state) {
  const numbers = state.split("-").slice(1).map(Number);
  const cups = new Map(numbers.slice(0, 12).map((marbles, index) => [String(index + 1), marbles]));
  return cups.set("one", numbers[12]).set("two", numbers[13]);
}

/** The points of a state: whose they are, how many checkers stand there, and whether a checker is pinned under them. */
function readPoints(state) {
  const text = state.slice(state.indexOf("-") + 1);
  const points = [];
  for (const [part] of text.matchAll(/\d+|[a-oA-O]p?/g)) {
    if (/\d/.test(part)) {
      for (let empty = 0; empty < Number(part); empty += 1) points.push({ owner: null, count: 0, pinned: false });
    } else {
      const lower = part[0].toLowerCase();
      const owner = part[0] === lower ? "two" : "one";
      points.push({ owner, count: lower.charCodeAt(0) - 96, pinned: part.length > 1 });
    }
  }
  return new Map(mahbusa.LETTERS.map((letter, index) => [letter, points[index]]));
}

/** The points of a state, with the rest of the checkers borne off. */
function readAll(state) {
  const points = readPoints(state);
  const count = (player) => [...points.values()].reduce((sum, { owner, count: number, pinned }) =>
    sum + (owner === player ? number : 0) + (owner === other(player) && pinned ? 1 : 0), 0);
  const off = (player) => Math.max(0, mahbusa.CHECKERS - count(player));
  return Object.assign(points, { roll: null, left: null, off: { one: off("one"), two: off("two") } });
}

/** The squares of a move of Cublino, in order. A die that goes farther than to the next square jumps. */
function dieSteps(move) {
  const squares = move.match(/../g);
  return squares.slice(1).map((to, index) => {
    const from = squares[index];
    const far = Math.max(Math.abs(from.charCodeAt(0) - to.charCodeAt(0)), Math.abs(from[1] - to[1]));
    return { kind: far === 1 ? "tip" : "jump", from, to };
  });
}

/** The steps of a play of Mahbusa; 0 is off the board. */
const checkerSteps = (move) => move.split("-").map(([from, to]) => {
  const isOff = to === "0";
  return { kind: isOff ? "bear_off" : "move", from, to, die: from.charCodeAt(0) - (isOff ? 64 : to.charCodeAt(0)) };
});

/** The families of games, and how to parse states and the steps of a move from their notation: tool answers are short. */
const FAMILIES = {
  cublino: { ...cublino, read: readDice, stepsOf: dieSteps },
  mahbusa: { ...mahbusa, read: readAll, stepsOf: checkerSteps },
  wari: { ...wari, read: readCups, stepsOf: (move) => [{ kind: "sow", from: Number(move) }] },
};

/** The requests that wait for an answer. */
const waiting = new Map();
let asked = 0;

const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");

/** Sends a request to the host. */
function ask(method, params) {
  asked += 1;
  const id = asked;
  send({ id, method, params });
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

/** The structured content of a tool's answer. */
async function call(name, args) {
  const { isError, content, structuredContent } = await ask("tools/call", { name, arguments: args });
  if (isError) throw new Error(content[0].text);
  return structuredContent;
}

const board = new Board({ pick, grab: () => false, hover: () => {}, describe: (place) => say(board.view.describe(model, place)) });

/** The answer that is shown, its player to move, what is on the board, and the move that is being picked. */
let shown = null;
let player = null;
let model = null;
let picker = null;

/** The state that the model knows, and the moves played since. */
let known = null;
let played = [];

const tell = (text) => { byId("preview").textContent = text; };

/** Shows an answer; a person may move if they have not moved yet. */
async function show(answer, mayMove) {
  const { state, stage, turn, result } = answer;
  const info = games.find(({ start }) => start[0] === state[0].toUpperCase());
  const family = FAMILIES[info.id.replace(/-.*/, "")];
  shown = answer;
  picker = null;
  if (board.view?.id !== info.id) await board.load(info.id, info, family.View, false);
  if (shown !== answer) return;
  player = state[0] === info.start[0] ? "one" : "two";
  const roll = state.match(/^M([1-6])([1-6])-/i)?.slice(1).map(Number) ?? null;
  model = Object.assign(family.read(state), { roll });
  byId("status").textContent = stage === "over" ? result : `${turn} to ${stage}, ${result}`;
  draw();
  if (!mayMove || stage !== "move") return;
  // The answer itself lists only as many moves as a model wants to read.
  const { moves } = await call("look", { state, all: true });
  if (shown !== answer) return;
  const stepsOf = (move) => (move === "pass" ? [{ kind: "pass" }] : family.stepsOf(move));
  picker = new Picker(moves.map((move) => ({ move, steps: stepsOf(move) })), (move) => board.view.route(move, player));
  draw();
}

/** Shows what has been picked, and what can be done. */
function draw() {
  const { view } = board;
  const path = picker?.path ?? [];
  const complete = picker?.complete;
  view.shown = path.length > 0 ? view.afterPath(model, path, picker.at.any, player) : model;
  view.draw(view.shown, player);
  board.clear("marks");
  board.setOpen(picker ? [...picker.open, ...(complete ? [picker.last] : [])] : []);
  if (picker) board.mark(path.length === 0 || view.isNewStep(path) ? "movable" : "target", picker.open);
  if (path.length > 0) board.mark("from", [picker.last]);
  const button = (name, action) => html("button", { type: "button", onclick: action }, name);
  byId("buttons").replaceChildren(
    ...(shown.stage === "roll" && played.length === 0 ? [button("Roll", () => play("roll"))] : []),
    ...(complete ? [button(`Play ${complete.move}`, () => play(complete.move))] : []),
    ...(path.length > 0 ? [button("Cancel", cancel)] : []),
  );
}

function cancel() {
  picker.clear();
  draw();
}

/** Handles a click on a place. */
function pick(place) {
  if (!picker) return;
  const picked = picker.pick(place);
  if (picked && picked !== true) {
    play(picked.move);
    return;
  }
  if (!picked) {
    picker.clear();
    picker.pick(place);
  }
  draw();
}

/** Plays a move, and passes it to the model; after a roll the person continues. */
async function play(move) {
  picker = null;
  board.setOpen([]);
  byId("buttons").replaceChildren();
  const isRoll = move === "roll";
  try {
    const answer = await call("play", { state: shown.state, moves: [move] });
    played.push(...answer.played);
    await show(answer, isRoll);
    if (isRoll) return;
    const text = `I play ${played.join(" ")} in the state ${known}`;
    tell(text);
    const content = [{ type: "text", text: `${text}.` }];
    const { isError } = await ask("ui/message", { role: "user", content });
    if (isError) tell(`Please tell the model: ${text}`);
  } catch (error) {
    tell(error.message);
  }
}

/** Handlers of the notifications of the host. */
const TOLD = {
  "ui/notifications/tool-result": ({ structuredContent: answer, content }) => {
    if (!answer) {
      tell(content[0].text);
      return;
    }
    [known, played] = [answer.state, []];
    tell(answer.played.length > 0 ? `Played: ${answer.played.join(" ")}` : "");
    show(answer, true).catch((error) => tell(error.message));
  },
};

addEventListener("message", ({ source, data }) => {
  if (source !== parent || data?.jsonrpc !== "2.0") return;
  const { id, method, params, result, error } = data;
  if (method) {
    TOLD[method]?.(params);
    // A request of the host, such as the one before it removes the board.
    if (id !== undefined) send({ id, result: {} });
    return;
  }
  const { resolve, reject } = waiting.get(id) ?? {};
  waiting.delete(id);
  if (error) reject?.(new Error(error.message));
  else resolve?.(result);
});

page.games = games;
const about = { appInfo: { name: "cublino", version: "1" }, appCapabilities: { availableDisplayModes: ["inline"] } };
ask("ui/initialize", { ...about, protocolVersion: REVISION }).then(() => {
  send({ method: "ui/notifications/initialized", params: {} });
  new ResizeObserver(() => {
    const { width, height } = document.body.getBoundingClientRect();
    send({ method: "ui/notifications/size-changed", params: { width: Math.ceil(width), height: Math.ceil(height) } });
  }).observe(document.body);
}, (error) => tell(error.message));
