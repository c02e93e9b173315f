// The boards of Cublino: dice that tip, jump and fight.

import { boxOf, crossed, edged, placeOf } from "./board.js";
import { body, face, rolling } from "./dice.js";
import { animate, eased, html, svg } from "./dom.js";
import { nameOf } from "./words.js";

/** The sizes of a die and of its top face, and how far its side numbers are from its centre, as the service draws it. */
const DIE = 74;
const FACE = 40;
const OUT = 28.5;

/** The duration of a tip, a jump and a fight, in milliseconds. */
const TIP = 420;
const JUMP = 320;
const FIGHT = 420;
const GONE = 260;

/** A die in the notation of states. */
const written = ([square, { player, orientation }]) =>
  (player === "one" ? orientation.toUpperCase() : orientation) + square;

export class View {
  constructor(board, info, flip) {
    this.board = board;
    this.id = info.id;
    this.flip = flip;
    /** How far from the centre of its die an arrow begins. */
    this.clearance = 42;
    /** What to do, in sentences. */
    this.words = { pick: "Move a die with green corners.", go: "Now pick where it goes" };
    this.orientations = new Map(info.orientations.map((entry) => [entry.orientation, entry]));
    // Dice hide the goals on their squares, so the frame beside them has them, too.
    for (const goal of board.svg.querySelectorAll(".goal")) {
      const { square } = goal.parentNode.dataset;
      const { x, y } = placeOf(boxOf(board, `[data-square="${square}"] > rect`));
      const edge = y + ((square[1] === "7") === flip ? 46 : -46);
      const sign = goal.cloneNode();
      sign.setAttribute("transform", `translate(${x} ${edge}) scale(1 0.27) translate(${-x} ${-y})`);
      goal.after(sign);
    }
  }

  places() {
    const places = new Map();
    for (let rank = 7; rank >= 1; rank -= 1) {
      for (const file of "abcdefg") {
        const name = file + rank;
        places.set(name, placeOf(boxOf(this.board, `[data-square="${name}"] > rect`)));
      }
    }
    return places;
  }

  /** The dice by square. */
  read(position) {
    return new Map(position.dice.map(({ square, player, orientation }) => [square, { player, orientation }]));
  }

  copy(model) {
    return new Map(model);
  }

  draw(model) {
    this.board.clear("pieces");
    for (const [square, die] of model) {
      const node = this.die(die, square);
      this.#put(node, this.board.places.get(square));
      this.board.layers.pieces.append(node);
    }
  }

  #put(node, { x, y }, more = "") {
    node.setAttribute("transform", `translate(${x} ${y})${more}`);
  }

  /** A die, centred on the origin. */
  die({ player, orientation }, square) {
    const { faces } = this.orientations.get(orientation);
    const { north, east, south, west } = faces;
    const [up, right, down, left] = this.flip ? [south, west, north, east] : [north, east, south, west];
    const numbers = [[up, 0, -OUT], [right, OUT, 0], [down, 0, OUT], [left, -OUT, 0]].map(([number, x, y]) =>
      svg("text", { class: `strong on-${player}`, x, y: y + 6.1, "font-size": 17 }, String(number)));
    const named = { class: `piece ${player}-die`, "data-square": square, "data-player": player, "stroke-width": 1.5 };
    return svg("g", named, ...body(player, DIE, FACE), ...face(player, FACE, faces.top),
      ...numbers);
  }

  node(square) {
    return this.board.layers.pieces.querySelector(`[data-square="${square}"]`);
  }

  /** A preview of the die on the next square, with all its faces. */
  look(before, after, square) {
    const die = after.get(square);
    if (!die) return { node: null, words: "", taken: [] };
    const node = this.die(die, null);
    this.#put(node, this.board.places.get(square));
    return { node, words: `${square}: ${this.orientations.get(die.orientation).faces.top} up`, taken: [] };
  }

  /** The move that a click on a square tries, if no legal move leads there. */
  attempt(path, square, model, turn) {
    if (path.length > 0) return square === path.at(-1) ? null : [...path, square].join("");
    if (!model.has(square)) return null;
    const [rank, way] = [Number(square[1]), turn === "one" ? 1 : -1];
    const ahead = rank + way >= 1 && rank + way <= 7 ? rank + way : rank - way;
    return `${square}${square[0]}${ahead}`;
  }

  /** Whether another piece is picked next, instead of the next place of the same piece. */
  isNewStep() {
    return false;
  }

  facts(model, points) {
    const row = (name, count) => [name, ...["one", "two"].map((player) => {
      const ranks = [...model].filter(([, die]) => die.player === player).map(([[, rank]]) => (player === "one" ? 7 - rank : rank - 1));
      return count(ranks, player);
    })];
    const toCome = (ranks) => ranks.filter((rank) => rank > 0).length;
    const corners = (_, player) => ["a", "g"].filter((file) => model.get(`${file}${player === "one" ? 7 : 1}`)?.player === player).length;
    const dice = row("Dice", (ranks) => ranks.length);
    const nearest = row("Ranks to go, nearest die", (ranks) => (ranks.length > 0 ? Math.min(...ranks) : "–"));
    const rows = {
      "cublino-pur": () => [
        row("Pips on the far rank", (_, player) => points[player]), row("Dice still to come", toCome),
        row("Most pips possible", (ranks, player) => points[player] + 6 * toCome(ranks)),
      ],
      "cublino-contra": () => [dice, nearest],
      "cublino-ecke": () => [dice, row("Corners held, of two", corners), nearest],
    };
    return rows[this.id]();
  }

  ghost(square) {
    const node = this.node(square)?.cloneNode(true);
    node?.classList.add("ghost");
    return node;
  }

  route(move) {
    return move.steps[0].kind === "pass" ? [] : [move.steps[0].from, ...move.steps.map((step) => step.to)];
  }

  /** The dice after a part of a move. */
  afterPath(model, path, move) {
    const after = this.copy(model);
    for (const step of move.steps.slice(0, path.length - 1)) {
      const die = after.get(step.from);
      const orientation = step.kind === "tip" ? this.#tipped(die.orientation, step) : die.orientation;
      after.delete(step.from);
      after.set(step.to, { ...die, orientation });
    }
    return after;
  }

  #tipped(orientation, { from, to }) {
    const files = to.charCodeAt(0) - from.charCodeAt(0);
    const ranks = to[1] - from[1];
    const way = [["south", "", "north"][ranks + 1], ["west", "", "east"][files + 1]].filter(Boolean).join("_");
    return this.orientations.get(orientation).tipped[way];
  }

  /** Shows an event, and applies it to the model. */
  async play(model, event) {
    const { places } = this.board;
    const [from, to] = [places.get(event.from), places.get(event.to)];
    if (event.kind === "tip") {
      const die = model.get(event.from);
      this.node(event.from).remove();
      await this.#tip(die, from, to);
      model.delete(event.from);
      model.set(event.to, { ...die, orientation: event.orientation });
      this.draw(model);
    } else if (event.kind === "jump") {
      const node = this.node(event.from);
      this.board.layers.moving.append(node);
      await animate(JUMP, (part) => {
        const at = eased(part);
        const size = 1 + 0.22 * Math.sin(Math.PI * part);
        this.#put(node, { x: from.x + (to.x - from.x) * at, y: from.y + (to.y - from.y) * at }, ` scale(${size})`);
      });
      node.remove();
      model.set(event.to, model.get(event.from));
      model.delete(event.from);
      this.draw(model);
    } else if (event.kind === "battle") {
      await this.#fight(event, places.get(event.attacker), places.get(event.defender));
    } else if (event.kind === "removed") {
      const node = this.node(event.square);
      const at = places.get(event.square);
      await animate(GONE, (part) => {
        this.#put(node, at, ` scale(${1 - part * 0.6})`);
        node.setAttribute("opacity", 1 - part);
      });
      model.delete(event.square);
      this.draw(model);
    }
  }

  /** A quarter turn, or a half turn on a diagonal. */
  async #tip(die, from, to) {
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const way = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
    const isHalf = Math.abs(way.x * way.y) > 0.1;
    const { north, east, south, west, top } = this.orientations.get(die.orientation).faces;
    const faces = this.flip
      ? { north: south, east: west, south: north, west: east, top, bottom: 7 - top }
      : { north, east, south, west, top, bottom: 7 - top };
    const { node, draw } = rolling(die.player, faces, way, isHalf ? Math.PI : Math.PI / 2, { size: DIE, raised: FACE });
    this.board.layers.moving.append(node);
    await animate(isHalf ? 1.6 * TIP : TIP, (part) => {
      const at = eased(part);
      draw(at);
      this.#put(node, { x: from.x + (to.x - from.x) * at, y: from.y + (to.y - from.y) * at });
    });
    node.remove();
  }

  async #fight(event, attacker, defender) {
    const [x, y] = [(attacker.x + defender.x) / 2, (attacker.y + defender.y) / 2];
    const sum = `${event.attacker_total}:${event.defender_total}`;
    const kind = event.loser ?? "nobody";
    const sign = svg("g", { class: `fight-sign lost-${kind}` },
      svg("rect", { x: x - 26, y: y - 16, width: 52, height: 32, rx: 16 }),
      svg("text", { x, y: y + 7, "font-size": 20 }, sum));
    this.board.layers.moving.append(sign);
    await animate(FIGHT, (part) => sign.setAttribute("opacity", Math.min(1, 3 - 3 * part)));
    sign.remove();
  }

  /** The squares where a legal move takes dice of the opponent. */
  taken(move, model, turn) {
    const isTaken = (entry) => entry[1].player !== turn && !move.state.includes(written(entry));
    return [...model].filter(isTaken).map(([square]) => square);
  }

  /** The squares that a ply touched, and those where dice were lost. */
  touched({ move, events }) {
    const squares = move === "pass" ? [] : move.match(/../g);
    return { touched: squares, taken: events.filter(({ kind }) => kind === "removed").map(({ square }) => square) };
  }

  lines(move) {
    return [this.route(move).map((square) => this.board.places.get(square))];
  }

  mark(kind, { x, y, box }) {
    if (kind === "movable") {
      const [far, near] = [box.width / 2 - 2.5, box.width / 2 - 20];
      const corner = (right, down) =>
        `M${x + right * near} ${y + down * far}H${x + right * far}V${y + down * near}`;
      return edged(kind, [[1, 1], [1, -1], [-1, -1], [-1, 1]].map(([right, down]) => corner(right, down)).join(""));
    }
    // Beside the numbers, which decide.
    if (kind === "taken") return crossed(kind, { x: x + 26, y: y - 26 }, 10);
    const size = box.width - (kind === "target" ? 6 : 3);
    const shape = { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 8 };
    return svg("rect", { class: `mark ${kind}`, ...shape });
  }

  describe(model, square) {
    const die = model.get(square);
    if (!die) return `${square}, empty`;
    return `${square}, ${nameOf(this.id, die.player)}'s die, ${this.orientations.get(die.orientation).faces.top} up`;
  }

  /** The name of a square in a sentence. */
  described(square) {
    return `the die on ${square}`;
  }
}

/** A die as it lies, with its sides drawn beside its top. */
export function legend(view) {
  const die = view.die({ player: "one", orientation: "w" }, null);
  const figure = svg("svg", { class: "picture", viewBox: "-60 -50 120 100", role: "img" },
    svg("title", {}, "A white die: 6 up, 4 on the far side, 3 on the near side"), die);
  return [
    html("figure", {}, figure),
    html("p", {}, "The pips in the middle are the top of the die. The numbers at the edges are its sides: "
      + "tip the die away from you, and the number on the near edge comes up. Opposite faces add up to seven."),
    html("p", {}, "Green corners: this die can move. A pale die: the picked die can go there. Amber dashes: the last move. "
      + "A diamond: a goal, in the colour of the player who heads for it."),
  ];
}

/** The dice of each player at the start. */
const NEW_DIE = { one: "w", two: "v" };

const placed = (player) => (dice, square) => dice.set(square, { player, orientation: NEW_DIE[player] });

const turned = (way) => (dice, square, view) => {
  const old = dice.get(square);
  if (old) dice.set(square, { ...old, orientation: view.orientations.get(old.orientation).tipped[way] });
};

/** For the editor of positions: the effect of a click, and how to write a state, without its first letter. */
export const setup = {
  tools: {
    one: ["White die", placed("one")],
    two: ["Black die", placed("two")],
    north: ["Rotate forward", turned("north")],
    east: ["Rotate right", turned("east")],
    remove: ["Remove", (dice, square) => dice.delete(square)],
  },
  clear: (dice, square) => dice.delete(square),
  write: (dice) => [...dice].map(written).join(""),
};
