// The boards of Cublino: dice that tip, jump and fight.

import { boxOf, placeOf } from "./board.js";
import { animate, eased, svg } from "./dom.js";
import { nameOf } from "./words.js";

/** A die, the face on its top, and how far the numbers of its sides are from its middle, as the service draws them. */
const DIE = 74;
const FACE = 40;
const OUT = 28.5;

/** How long a tip, a jump and a fight take, in milliseconds. */
const TIP = 340;
const JUMP = 320;
const FIGHT = 420;
const GONE = 260;

/** Where the pips of a number are, in columns and rows from the middle. */
const PIPS = {
  1: [[0, 0]],
  2: [[-1, 1], [1, -1]],
  3: [[-1, 1], [0, 0], [1, -1]],
  4: [[-1, -1], [-1, 1], [1, -1], [1, 1]],
  5: [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]],
  6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};

/** The side of a face that shows a number, around the origin. */
export function face(player, size, number) {
  const pips = PIPS[number].map(([column, row]) =>
    svg("circle", { class: `pip on-${player}`, cx: column * size * 0.27, cy: row * size * 0.27, r: size * 0.105 }));
  const square = { x: -size / 2, y: -size / 2, width: size, height: size, rx: size / 8 };
  return [svg("rect", { class: `face ${player}`, ...square }), ...pips];
}

/** The dice of a state as its notation has them, by square. */
export function readDice(state) {
  const dice = new Map();
  for (const [, letter, square] of state.slice(1).matchAll(/([a-xA-X])([a-g][1-7])/g)) {
    const orientation = letter.toLowerCase();
    dice.set(square, { player: letter === orientation ? "two" : "one", orientation });
  }
  return dice;
}

const middle = (from, to) => ({ x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });

export class CublinoView {
  constructor(board, info, flip) {
    this.board = board;
    this.id = info.id;
    this.flip = flip;
    /** How far from the middle of its die an arrow begins. */
    this.clearance = 42;
    this.orientations = new Map(info.orientations.map((entry) => [entry.orientation, entry]));
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

  /** A die around the origin. */
  die({ player, orientation }, square) {
    const { faces } = this.orientations.get(orientation);
    const { north, east, south, west } = faces;
    const [up, right, down, left] = this.flip ? [south, west, north, east] : [north, east, south, west];
    const [far, near] = [DIE / 2 - 2, FACE / 2];
    const gloom = [[far, -far], [far, far], [-far, far], [-near, near], [near, -near]];
    const numbers = [[up, 0, -OUT], [right, OUT, 0], [down, 0, OUT], [left, -OUT, 0]].map(([number, x, y]) =>
      svg("text", { class: `strong on-${player}`, x, y: y + 6.5, "font-size": 18 }, String(number)));
    const body = { x: -DIE / 2, y: -DIE / 2, width: DIE, height: DIE, rx: 9 };
    return svg("g", { class: "piece", "data-square": square, "data-player": player, "stroke-width": 1.5 },
      svg("rect", { class: `sides ${player}`, ...body }),
      svg("polygon", { class: "gloom", points: gloom.map((corner) => corner.join(",")).join(" ") }),
      ...face(player, FACE, faces.top),
      ...numbers);
  }

  node(square) {
    return this.board.layers.pieces.querySelector(`[data-square="${square}"]`);
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

  /** Shows an event, and takes it over into the model. */
  async play(model, event) {
    const { places } = this.board;
    const [from, to] = [places.get(event.from), places.get(event.to)];
    if (event.kind === "tip") {
      const die = model.get(event.from);
      await this.#tip(event, die, from, to);
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

  /**
   * A quarter turn, or a half turn where the way is diagonal, as it is seen from above: the old top sinks over the edge
   * ahead while the face behind comes up.
   */
  async #tip(event, die, from, to) {
    this.node(event.from).remove();
    const old = this.orientations.get(die.orientation).faces.top;
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    const u = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
    const isHalf = Math.abs(u.x * u.y) > 0.1;
    const angle = (Math.atan2(u.y, u.x) * 180) / Math.PI;
    const layer = (number) => svg("g", { "stroke-width": 1.5 }, ...face(die.player, FACE, number));
    const [sinks, rises] = [layer(old), layer(event.top)];
    const body = svg("rect", { class: `sides ${die.player}` });
    const node = svg("g", {}, body, rises, sinks);
    this.board.layers.moving.append(node);
    await animate(isHalf ? 1.6 * TIP : TIP, (part) => {
      const at = eased(part);
      const turn = at * (isHalf ? Math.PI : Math.PI / 2);
      const size = FACE + (DIE - 8 - FACE) * Math.sin(Math.PI * at);
      this.#put(node, { x: from.x + (to.x - from.x) * at, y: from.y + (to.y - from.y) * at });
      const wide = DIE - 4;
      for (const [name, value] of Object.entries({ x: -wide / 2, y: -wide / 2, width: wide, height: wide, rx: 9 })) {
        body.setAttribute(name, value);
      }
      const place = (layer, out, squeeze) => {
        const shift = `translate(${(u.x * out * size) / 2} ${(u.y * out * size) / 2})`;
        const grow = size / FACE;
        layer.setAttribute("transform",
          `${shift} rotate(${angle}) scale(${Math.max(squeeze, 0.001)} 1) rotate(${-angle}) scale(${grow})`);
        layer.setAttribute("visibility", squeeze > 0 ? "visible" : "hidden");
      };
      place(sinks, Math.sin(turn), Math.cos(turn));
      place(rises, isHalf ? -Math.sin(turn) : -Math.cos(turn), isHalf ? -Math.cos(turn) : Math.sin(turn));
    });
    node.remove();
  }

  async #fight(event, attacker, defender) {
    const { x, y } = middle(attacker, defender);
    const sum = `${event.attacker_total}:${event.defender_total}`;
    const kind = event.loser ?? "nobody";
    const sign = svg("g", { class: `fight-sign lost-${kind}` },
      svg("rect", { x: x - 26, y: y - 16, width: 52, height: 32, rx: 16 }),
      svg("text", { x, y: y + 7, "font-size": 20 }, sum));
    this.board.layers.moving.append(sign);
    await animate(FIGHT, (part) => sign.setAttribute("opacity", Math.min(1, 3 - 3 * part)));
    sign.remove();
  }

  /** What a legal move takes, as far as the state after it tells. */
  effects(move, snapshot) {
    const [before, after] = [readDice(snapshot.state), readDice(move.state)];
    const path = this.route(move);
    const [from, to] = [path[0], path.at(-1)];
    const taken = [...before.keys()].filter((square) => square !== from && !after.has(square));
    const won = taken.map((square) => `${nameOf(this.id, before.get(square).player)}'s die on ${square}`);
    const words = won.length > 0 ? [`takes ${won.join(", ")}`] : [];
    if (path.length > 0 && !after.has(to)) {
      taken.push(to);
      words.push("loses the die that moves");
    }
    return { taken, words: words.join(", ") };
  }

  /** The squares that a ply has touched, and those where dice were lost. */
  touched({ move, events }) {
    const squares = move === "pass" ? [] : move.match(/../g);
    return { touched: squares, taken: events.filter(({ kind }) => kind === "removed").map(({ square }) => square) };
  }

  lines(move) {
    return [this.route(move).map((square) => this.board.places.get(square))];
  }

  mark(kind, { x, y, box }) {
    if (kind === "target") return svg("circle", { class: "mark target", cx: x, cy: y, r: 15 });
    const size = kind === "last" ? box.width : box.width - 6;
    const shape = { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: kind === "last" ? 0 : 10 };
    return svg("rect", { class: `mark ${kind}`, ...shape });
  }

  describe(model, square) {
    const die = model.get(square);
    if (!die) return `${square}, empty`;
    return `${square}, ${nameOf(this.id, die.player)}'s die, ${this.orientations.get(die.orientation).faces.top} up`;
  }

  /** A square as a sentence names it. */
  described(square) {
    return `the die on ${square}`;
  }

  /** The state with the opponent to move. */
  threats(state) {
    const letter = state[0];
    const turned = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
    return [{ state: turned + state.slice(1), rolls: 1 }];
  }
}
