// The board of Mahbusa: checkers that slide, and pin one another.

import { boxOf, edged, placeOf, ringed } from "./board.js";
import { body, checker, face } from "./dice.js";
import { animate, eased, html, svg } from "./dom.js";
import { nameOf, other } from "./words.js";

/** The radius of a checker, their distance, how many are drawn, and how much of a pinned one is visible. */
const RADIUS = 25;
const PITCH = 49;
const DRAWN = 5;
const PEEP = 28;
const CHECKERS = 15;
const DIE = 54;

/** The gap between points. */
const GAP = 4;

/** How long a checker slides, in milliseconds. */
const SLIDE = 360;

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWX"];

/** Converts a player's letter of a point to White's, and the reverse. */
const whites = (letter, player) =>
  player === "one" ? letter : LETTERS[23 - LETTERS.indexOf(letter)];

export class View {
  constructor(board, info, flip) {
    this.board = board;
    this.id = info.id;
    this.flip = flip;
    /** How far from the centre of its checker an arrow begins. */
    this.clearance = 28;
    /** What to do, in sentences. */
    this.words = { pick: "Move a checker with a green ring.", go: "Now pick where it goes" };
    /** Whether `look` knows all effects of a move without a request. */
    this.seesAll = true;
  }

  places() {
    const places = new Map();
    for (const letter of LETTERS) {
      const { x, width, ...box } = boxOf(this.board, `[data-point="${letter}"] > polygon`);
      const place = placeOf({ ...box, x: x - GAP / 2, width: width + GAP });
      const points = this.board.svg.querySelector(`[data-point="${letter}"] > polygon`).getAttribute("points");
      const [base, , tip] = points.split(" ").map((corner) => Number(corner.split(",")[1]));
      place.base = base;
      place.inwards = Math.sign(tip - base);
      place.name = letter;
      places.set(letter, place);
    }
    for (const player of ["one", "two"]) {
      places.set(`off-${player}`, placeOf(boxOf(this.board, `[data-tray="${player}"] > rect`)));
    }
    for (const text of this.board.svg.querySelectorAll("[data-tray] text")) text.remove();
    return places;
  }

  read({ points, roll, borne_off: borneOff }, outcome) {
    const model = new Map(points.map(({ point, ...stack }) => [point, stack]));
    const over = outcome ? outcome.status !== "in_progress" : false;
    return Object.assign(model, { roll, off: { ...borneOff }, left: null, over });
  }

  copy(model) {
    const copy = new Map([...model].map(([point, stack]) => [point, { ...stack }]));
    return Object.assign(copy, { roll: model.roll, off: { ...model.off }, left: model.left, over: model.over });
  }

  /** The centre of a checker with `below` checkers of its colour below it. */
  #checker(point, below, covers) {
    const { x, base, inwards } = this.board.places.get(point);
    return { x, y: base + inwards * (RADIUS + 1 + (covers ? PEEP : 0) + below * PITCH) };
  }

  #top(model, point, below) {
    return this.#checker(point, Math.min(below, DRAWN - 1), model.get(point).pinned);
  }

  draw(model, turn) {
    this.turn = turn ?? this.turn;
    this.board.clear("pieces");
    const pieces = this.board.layers.pieces;
    const disc = (player, { x, y }, r, more) =>
      svg("g", { transform: `translate(${x} ${y})`, "stroke-width": 2.5 }, ...checker(player, r, more));
    for (const [point, { owner, count, pinned }] of model) {
      if (!owner) continue;
      const group = svg("g", { class: "piece", "data-point": point, "data-player": owner });
      if (pinned) group.append(disc(other(owner), this.#checker(point, 0, false), RADIUS - 2, " pinned"));
      for (let below = 0; below < Math.min(count, DRAWN); below += 1) {
        group.append(disc(owner, this.#checker(point, below, pinned), RADIUS));
      }
      if (count > DRAWN) {
        const { x, y } = this.#checker(point, DRAWN - 1, pinned);
        group.append(svg("text", { class: `strong on-${owner}`, x, y: y + 11, "font-size": 30 }, String(count)));
      }
      pieces.append(group);
    }
    this.#drawDice(model);
    for (const player of ["one", "two"]) this.#drawTray(player, model.off[player]);
  }

  /** The way of the checkers of the player to move: round the end of the rows. */
  #way() {
    const { places } = this.board;
    const [x, bend] = [places.get("Q").x, places.get("N").x];
    const middle = this.#middle();
    const [from, to] = ["X", "A"].map((letter) => middle + 19 * Math.sign(places.get(whites(letter, this.turn)).base - middle));
    const out = Math.sign(bend - x);
    const round = bend + 60 * out;
    return edged(`way-${this.turn}`, `M${x} ${from}H${bend}C${round} ${from} ${round} ${to} ${bend} ${to}H${x}m${14 * out} -11l${-14 * out} 11l${14 * out} 11`);
  }

  #drawDice(model) {
    if (model.over) return;
    this.board.layers.pieces.append(this.#way());
    // Before the roll they show nothing yet, and wait for a click.
    const roll = model.roll ?? [null, null];
    const { places } = this.board;
    const [near, far] = [places.get("A"), places.get("X")];
    const x = (near.x + places.get("F").x) / 2;
    const y = (near.base + far.base) / 2;
    roll.forEach((number, index) => {
      const used = model.left && !model.left.includes(number);
      this.board.layers.pieces.append(
        svg("g", {
          class: `die ${this.turn}-die${used ? " used" : ""}${model.roll ? "" : " rests"}`,
          "stroke-width": 2.5,
          transform: `translate(${x + (index - 0.5) * 1.3 * DIE} ${y})`,
        }, ...body(this.turn, DIE, DIE * 0.86), ...face(this.turn, DIE * 0.86, number)));
    });
  }

  #drawTray(player, count) {
    const { x, y, box } = this.board.places.get(`off-${player}`);
    const outwards = Math.sign(y - this.#middle());
    const height = box.height - 16;
    const pitch = (height - 50) / CHECKERS;
    const tray = svg("g", { class: "piece", "stroke-width": 1.5 });
    for (let index = 0; index < count; index += 1) {
      const at = y + outwards * (height / 2 - (index + 0.5) * pitch);
      const shape = { x: x - box.width / 2 + 8, y: at - pitch / 2 + 1, width: box.width - 16, height: pitch - 2, rx: 3 };
      tray.append(svg("rect", { class: `off ${player}`, ...shape }));
    }
    const words = svg("text", { class: "on-wood strong", x, y: y - outwards * (height / 2 - 22) + 9, "font-size": 26 },
      `${count}/${CHECKERS}`);
    tray.append(words);
    this.board.layers.pieces.append(tray);
  }

  #middle() {
    return (this.board.places.get("A").base + this.board.places.get("X").base) / 2;
  }

  ghost(point, player = this.shown?.get(point)?.owner ?? this.turn) {
    return svg("g", { class: "ghost", "stroke-width": 2.5 }, ...checker(player, RADIUS));
  }

  /** The points of a play in White's letters: the start and the end of each step. */
  route(move, turn) {
    if (move.steps[0].kind === "pass") return [];
    return move.steps.flatMap((step) => {
      const to = step.kind === "bear_off" ? `off-${turn}` : whites(step.to, turn);
      return [whites(step.from, turn), to];
    });
  }

  /** The checkers after a part of a play; `left` are the dice that have not been played. */
  afterPath(model, path, move, turn) {
    const after = this.copy(model);
    const steps = move.steps.slice(0, Math.floor(path.length / 2));
    const [a, b] = model.roll;
    after.left = a === b ? [a, a, a, a] : [a, b];
    this.#playAll(after, steps, turn);
    for (const { die } of steps) after.left.splice(after.left.indexOf(die), 1);
    return after;
  }

  #playAll(model, steps, turn) {
    for (const { kind, from, to } of steps) {
      this.#move(model, turn, whites(from, turn), kind === "bear_off" ? null : whites(to, turn));
    }
  }

  #move(model, player, from, to) {
    const stack = model.get(from);
    stack.count -= 1;
    if (stack.count === 0) {
      const freed = stack.pinned ? other(player) : null;
      Object.assign(stack, { owner: freed, count: freed ? 1 : 0, pinned: false });
    }
    if (to === null) {
      model.off[player] += 1;
      return;
    }
    const end = model.get(to);
    if (end.owner === other(player)) Object.assign(end, { owner: player, count: 1, pinned: true });
    else Object.assign(end, { owner: player, count: end.count + 1 });
  }

  async play(model, event) {
    if (event.kind === "roll") {
      model.roll = event.roll;
      model.left = null;
      this.draw(model, this.turn);
      const dice = [...this.board.layers.pieces.querySelectorAll(".die")];
      const home = dice.map((die) => die.getAttribute("transform"));
      await animate(SLIDE, (part) => dice.forEach((die, index) =>
        die.setAttribute("transform", `${home[index]} rotate(${(1 - part) * 200})`)));
    } else if (event.kind === "move" || event.kind === "borne_off") {
      const { player, from } = event;
      const start = this.#top(model, from, model.get(from).count - 1);
      const after = this.copy(model);
      this.#move(after, player, from, event.to ?? null);
      const tray = this.board.places.get(`off-${player}`);
      const end = event.to ? this.#top(after, event.to, after.get(event.to).count - 1) : tray;
      const moving = this.ghost(from, player);
      // While it slides, the checker is at neither point.
      const without = this.copy(model);
      this.#move(without, player, from, null);
      without.off[player] -= 1;
      this.draw(without);
      this.board.layers.moving.append(moving);
      await animate(SLIDE, (part) => {
        const at = eased(part);
        const [x, y] = [start.x + (end.x - start.x) * at, start.y + (end.y - start.y) * at];
        moving.setAttribute("transform", `translate(${x} ${y})`);
      });
      moving.remove();
      for (const [point, stack] of after) model.set(point, stack);
      model.off = after.off;
      this.draw(model);
    }
  }

  /** A preview of the next point: the checker that arrives there, and whom it pins. */
  look(before, after, point, turn) {
    const end = after.get(point);
    if (!end) return { node: null, words: "bears a checker off", taken: [] };
    const { x, y } = this.#top(after, point, end.count - 1);
    const node = svg("g", { "stroke-width": 2.5 }, svg("circle", { class: `checker ${turn}`, cx: x, cy: y, r: RADIUS }));
    const pins = end.pinned && end.owner === turn && !before.get(point).pinned;
    const words = pins ? `pins ${nameOf(this.id, other(turn))}'s checker on ${point}` : `to ${point}`;
    return { node, words, taken: pins ? [point] : [] };
  }

  /** The play that a click tries, if no legal one leads there: a step to that place, or with a die from there. */
  attempt(path, place, model, turn) {
    const own = (point) => (point.startsWith("off-") ? "0" : whites(point, turn));
    const steps = [];
    for (let index = 0; index + 1 < path.length; index += 2) steps.push(own(path[index]) + own(path[index + 1]));
    if (path.length % 2 === 1) return place === path.at(-1) ? null : [...steps, own(path.at(-1)) + own(place)].join("-");
    if (!model.get(place)?.owner) return null;
    const die = Math.max(...(model.left?.length ? model.left : model.roll));
    const to = LETTERS[LETTERS.indexOf(own(place)) - die] ?? "0";
    return [...steps, own(place) + to].join("-");
  }

  isNewStep(path) {
    return path.length % 2 === 0;
  }

  facts(model) {
    const count = (player, of) => [...model.values()].reduce((sum, { owner, count: number, pinned }, index) => {
      const own = owner === player ? number : owner && pinned ? 1 : 0;
      return sum + own * of(player === "one" ? index + 1 : 24 - index, owner !== player);
    }, 0);
    const row = (name, of) => [name, count("one", of), count("two", of)];
    return [
      ["Checkers borne off, of 15", model.off.one, model.off.two],
      row("Pips to go", (pips) => pips),
      row("Checkers not yet home", (pips) => Number(pips > 6)),
      row("Pinned", (_, isPinned) => Number(isPinned)),
    ];
  }

  /** The points where a legal move pins checkers. */
  taken(move, model, turn) {
    const after = this.copy(model);
    this.#playAll(after, move.steps, turn);
    const isPinned = (points, point) => points.get(point).pinned && points.get(point).owner === turn;
    return LETTERS.filter((point) => isPinned(after, point) && !isPinned(model, point));
  }

  touched({ events }) {
    const moves = events.filter(({ kind }) => kind === "move" || kind === "borne_off");
    const touched = moves.flatMap(({ from, to, player }) => [from, to ?? `off-${player}`]);
    return { touched, taken: events.filter(({ kind }) => kind === "pinned").map(({ point }) => point) };
  }

  lines(move, model, turn) {
    const route = this.route(move, turn);
    const after = this.copy(model);
    const lines = [];
    for (let step = 0; step < route.length; step += 2) {
      const [from, to] = [route[step], route[step + 1]];
      const start = this.#top(after, from, after.get(from).count - 1);
      this.#move(after, turn, from, after.has(to) ? to : null);
      const end = after.has(to) ? this.#top(after, to, after.get(to).count - 1) : this.board.places.get(to);
      lines.push([start, ...this.#round(from, to), end]);
    }
    return lines;
  }

  /** The places on the way round the end of the rows, if a step leads from one to the other. */
  #round(from, to) {
    const { places } = this.board;
    const [a, b, end] = [places.get(from), places.get(to), places.get("M")];
    if (b.inwards === undefined || a.inwards === b.inwards) return [];
    const x = end.x + (Math.sign(end.x - places.get("X").x) * end.box.width) / 2;
    return [a, b].map(({ base, inwards }) => ({ x, y: base + inwards * 2 * RADIUS }));
  }

  mark(kind, place) {
    const { x, y, box } = place;
    if ((kind === "movable" || kind === "from") && place.base !== undefined) {
      const stack = this.board.view.shown?.get(place.name);
      const at = stack ? this.#top(this.board.view.shown, place.name, stack.count - 1) : place;
      if (kind === "from") return svg("circle", { class: `mark ring ${kind}`, cx: at.x, cy: at.y, r: RADIUS + 1 });
      return ringed(kind, at, RADIUS + 1);
    }
    if ((kind === "taken" || kind === "threat") && place.base !== undefined) {
      const at = place.base + place.inwards * (RADIUS + 1);
      return svg("circle", { class: `mark ring ${kind}`, cx: x, cy: at, r: RADIUS + 2 });
    }
    if (place.base === undefined) return svg("rect", { class: `mark ring ${kind}`, ...box, rx: 8 });
    const tip = place.base + place.inwards * box.height;
    const half = (box.width - GAP) / 2;
    const corners = `${x - half},${place.base} ${x + half},${place.base} ${x},${tip}`;
    return svg("polygon", { class: `mark ${kind}`, points: corners, "data-y": y });
  }

  describe(model, name) {
    if (name.startsWith("off-")) {
      const player = name.slice(4);
      return `tray of ${nameOf(this.id, player)}, ${model.off[player]} borne off`;
    }
    const { owner, count, pinned } = model.get(name);
    const pins = pinned ? `, pinning one of ${nameOf(this.id, other(owner))}` : "";
    return owner ? `point ${name}, ${count} of ${nameOf(this.id, owner)}${pins}` : `point ${name}, empty`;
  }

  /** The name of a point in a sentence. */
  described(point) {
    return `the checker on ${point}`;
  }

  /** The states after the rolls of a state's player, each with how many of the 36 rolls lead to it. */
  rolled(state) {
    const points = state.slice(state.indexOf("-"));
    const numbers = [1, 2, 3, 4, 5, 6];
    const of = (a, b) => ({ state: `${state[0]}${a}${b}${points}`, rolls: a === b ? 1 : 2 });
    return numbers.flatMap((a) => numbers.slice(0, a).map((b) => of(a, b)));
  }
}

/** The dice: a random roll, and the position after it. */
export const dice = {
  roll() {
    const [a, b] = crypto.getRandomValues(new Uint32Array(2)).map((number) => 1 + (number % 6));
    return a > b ? [a, b] : [b, a];
  },
  after: (roll, position) => ({ move: roll.join(""), position: { ...position, roll } }),
};

/** How to read the numbers of points and the trays. */
export function legend() {
  return [
    html("p", {}, "The letters are those of the player at the bottom: your checkers go from X down to A, and then off the board. "
      + "The arrow shows the direction of the player to move."),
    html("p", {}, "A number on a checker: how many stand there. A red ring: this checker is pinned. "
      + "It cannot move until all checkers on top of it have left."),
    html("p", {}, "A green ring: this checker can move. A pale checker: the picked checker can go there. Long dashes: the last move."),
  ];
}

const added = (player) => (points, point) => {
  const stack = points.get(point);
  if (!stack) return;
  const pins = stack.owner === other(player) && stack.count === 1 && !stack.pinned;
  if (stack.owner === other(player) && !pins) Object.assign(stack, { owner: player, count: 1, pinned: false });
  else Object.assign(stack, { owner: player, count: pins ? 1 : stack.count + 1, pinned: pins || stack.pinned });
};

function removed(points, point) {
  const stack = points.get(point);
  if (!stack?.owner) return;
  if (stack.count > 1) stack.count -= 1;
  else if (stack.pinned) Object.assign(stack, { owner: other(stack.owner), count: 1, pinned: false });
  else Object.assign(stack, { owner: null, count: 0 });
}

function emptied(points, point) {
  const stack = points.get(point);
  if (stack) Object.assign(stack, { owner: null, count: 0, pinned: false });
}

/** The points in the notation of states: a number stands for consecutive empty ones. */
function written(points) {
  let text = "";
  let empty = 0;
  for (const { owner, count, pinned } of [...points.values(), { owner: "end" }]) {
    if (!owner) {
      empty += 1;
      continue;
    }
    const letter = count ? String.fromCharCode(96 + Math.min(count, CHECKERS)) : "";
    text += (empty || "") + (owner === "one" ? letter.toUpperCase() : letter) + (pinned ? "p" : "");
    empty = 0;
  }
  return text;
}

/** For the editor of positions: the effect of a click, and how to write a state, without its first letter. */
export const setup = {
  tools: {
    one: ["White checker", added("one")],
    two: ["Black checker", added("two")],
    remove: ["Remove", removed],
  },
  clear: emptied,
  write: (points) => `-${written(points)}`,
};
