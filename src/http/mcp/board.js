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

/** The revision of the extension. */
const REVISION = "2026-01-26";

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

/** The families of games, and the steps of a move in their notation: there can be tens of thousands of moves. */
const FAMILIES = {
  cublino: { ...cublino, stepsOf: dieSteps },
  mahbusa: { ...mahbusa, stepsOf: checkerSteps },
  wari: { ...wari, stepsOf: (move) => [{ kind: "sow", from: Number(move) }] },
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
  // The answer itself has only what a model wants to read.
  const { moves, position, outcome } = await call("look", { state, all: true });
  if (shown !== answer) return;
  player = state[0] === info.start[0] ? "one" : "two";
  model = board.view.read(position, outcome);
  byId("status").textContent = stage === "over" ? result : `${turn} to ${stage}, ${result}`;
  draw();
  if (!mayMove || stage !== "move") return;
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
