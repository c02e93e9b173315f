// The board of Wari: marbles that are sown one by one.

import { boxOf, crossed, placeOf, ringed } from "./board.js";
import { animate, eased, html, svg } from "./dom.js";
import { nameOf, several } from "./words.js";

/** How many marbles there are, and how many win. */
const MARBLES = 48;
const MAJORITY = MARBLES / 2 + 1;

/** How far apart marbles lie, and how far from the centre at most, as the service draws them. */
const MARBLE = 12.5;
const HEAP = 42;

/** How far below the middle of the board the counts of the stores are. */
const STORE_COUNT = 134;
const GOLDEN_ANGLE = 2.399963;

/** The duration of the fall of a marble, of all marbles of a cup at most, and of a capture, in milliseconds. */
const FALL = 120;
const LAP = 1_600;
const CAPTURE = 420;

/** A marble of glass, in one of two colours, with the light on it. */
const marble = (cx, cy, r, index) => [
  svg("circle", { class: index % 3 === 1 ? "marble warm" : "marble", cx, cy, r }),
  svg("circle", { class: "shine", cx: cx - r * 0.3, cy: cy - r * 0.35, r: r * 0.32 }),
];

const ownerOf = (cup) => (Number(cup) <= 6 ? "one" : "two");

export class View {
  /** The board is long, and stands upright on a phone. */
  static isLong = true;

  constructor(board, info, flip) {
    this.board = board;
    this.id = info.id;
    this.flip = flip;
    /** How far from the centre of its cup an arrow begins. */
    this.clearance = 30;
    /** What to do, in sentences. */
    this.words = { pick: "Pick a cup with a green ring: its marbles are sown.", go: "" };
  }

  places() {
    const places = new Map();
    for (let cup = 1; cup <= 12; cup += 1) {
      places.set(String(cup), placeOf(boxOf(this.board, `[data-cup="${cup}"] > .cup`)));
    }
    for (const player of ["one", "two"]) {
      places.set(player, placeOf(boxOf(this.board, `[data-store="${player}"] > rect`)));
    }
    return places;
  }

  /** At the end each player has taken the marbles of their own side, which the state leaves in the cups. */
  read({ cups, prisoners }, { points }) {
    const isSwept = points.one + points.two === MARBLES;
    const model = new Map(cups.map((marbles, index) => [String(index + 1), isSwept ? 0 : marbles]));
    const { one, two } = isSwept ? points : prisoners;
    return model.set("one", one).set("two", two);
  }

  copy(model) {
    return new Map(model);
  }

  draw(model) {
    this.board.clear("pieces");
    const y = (this.board.places.get("1").y + this.board.places.get("12").y) / 2;
    for (const [name, count] of model) {
      const place = this.board.places.get(name);
      const isStore = name === "one" || name === "two";
      const spread = Math.min(MARBLE, HEAP / (Math.sqrt(count) + 1));
      const marbles = Array.from({ length: count }, (_, index) => {
        const distance = spread * Math.sqrt(index + 0.5);
        const angle = index * GOLDEN_ANGLE;
        return marble(place.x + distance * Math.cos(angle), place.y + distance * Math.sin(angle), spread * 0.77, index);
      });
      // Between the rows, and below the stores.
      const at = y + (isStore ? STORE_COUNT : Math.sign(place.y - y) * 30);
      const number = svg("text", { class: "count on-wood strong", x: place.x, y: at + 13, "font-size": 36 }, String(count));
      this.board.layers.pieces.append(svg("g", { class: "piece", "data-cup": name }, ...marbles.flat(), number));
    }
  }

  route(move) {
    return move.steps[0].kind === "pass" ? [] : [String(move.steps[0].from)];
  }

  afterPath(model) {
    return model;
  }

  async play(model, event) {
    const { places } = this.board;
    if (event.kind === "sown") {
      let from = places.get(String(event.from));
      model.set(String(event.from), 0);
      this.draw(model);
      let left = event.cups.length;
      const ms = Math.min(FALL, LAP / left);
      for (const cup of event.cups.map(String)) {
        const to = places.get(cup);
        await this.#fly(from, to, ms, left);
        model.set(cup, model.get(cup) + 1);
        this.draw(model);
        from = to;
        left -= 1;
      }
    } else if (event.kind === "captured" || event.kind === "swept") {
      const ms = Math.min(CAPTURE, LAP / event.cups.length);
      for (const { cup, count } of event.cups) {
        const name = String(cup);
        model.set(name, 0);
        this.draw(model);
        await this.#fly(places.get(name), places.get(event.player), ms, count);
        model.set(event.player, model.get(event.player) + count);
        this.draw(model);
      }
    }
  }

  /** Moves marbles as a heap with their number. */
  async #fly(from, to, ms, count) {
    const hand = svg("g", {},
      ...marble(0, 0, 17, 0),
      svg("text", { class: "strong", y: 7, "font-size": 20 }, String(count)));
    this.board.layers.moving.append(hand);
    await animate(ms, (part) => {
      const at = eased(part);
      const [x, y] = [from.x + (to.x - from.x) * at, from.y + (to.y - from.y) * at];
      hand.setAttribute("transform", `translate(${x} ${y - 14 * Math.sin(Math.PI * part)})`);
    });
    hand.remove();
  }

  look() {
    return { node: null, words: "", taken: [] };
  }

  attempt(path, cup) {
    return path.length === 0 && Number(cup) ? cup : null;
  }

  isNewStep() {
    return false;
  }

  facts(model) {
    const inCups = (player) => [...model].reduce((sum, [cup, count]) => sum + (Number(cup) && ownerOf(cup) === player ? count : 0), 0);
    const left = inCups("one") + inCups("two");
    const missing = (player) => Math.max(0, MAJORITY - model.get(player));
    const toWin = (player) => (missing(player) > left ? "out of reach" : missing(player));
    return [
      ["Prisoners", model.get("one"), model.get("two")],
      [`Still needed of ${MAJORITY}`, toWin("one"), toWin("two")],
      ["Marbles in own cups", inCups("one"), inCups("two")],
    ];
  }

  /** The cup into which the last marble falls. */
  lands({ events }) {
    const sown = events.find(({ kind }) => kind === "sown");
    return sown ? [String(sown.cups.at(-1))] : [];
  }

  /** The cups that a legal move captures: those of the opponent that it sows into and leaves empty. */
  taken(move, model, turn) {
    const after = move.state.split("-");
    const sown = this.#sown(this.route(move)[0], model);
    return [...new Set(sown.filter((cup) => ownerOf(cup) !== turn && after[cup] === "0"))];
  }

  /** The cups into which the marbles of a cup are sown. */
  #sown(from, cups) {
    const sown = [];
    let cup = Number(from);
    while (sown.length < (cups.get(from) ?? 0)) {
      cup = (cup % 12) + 1;
      if (String(cup) !== from) sown.push(String(cup));
    }
    return sown;
  }

  touched({ events }) {
    const sown = events.find(({ kind }) => kind === "sown");
    const captured = events.find(({ kind }) => kind === "captured");
    const touched = sown ? [sown.from, ...new Set(sown.cups)].map(String) : [];
    return { touched, taken: (captured?.cups ?? []).map(({ cup }) => String(cup)) };
  }

  lines(move, model) {
    const [from] = this.route(move);
    if (!from) return [];
    const points = [this.board.places.get(from)];
    let before = from;
    for (const cup of this.#sown(from, model)) {
      if (ownerOf(cup) !== ownerOf(before)) {
        // Around the end of the rows, so that the numbers between them stay in sight.
        for (const end of [before, cup]) {
          const { x, y } = this.board.places.get(end);
          const centre = (this.board.places.get("1").x + this.board.places.get("6").x) / 2;
          points.push({ x: x + Math.sign(x - centre) * 54, y });
        }
      }
      points.push(this.board.places.get(cup));
      before = cup;
    }
    return [points];
  }

  mark(kind, { x, y, box }) {
    const isCup = Math.abs(box.width - box.height) < 1;
    const r = box.width / 2 - 1;
    if (isCup && kind === "movable") return ringed(kind, { x, y }, r);
    const ring = svg("circle", { class: `mark ring ${kind}`, cx: x, cy: y, r });
    if (isCup) return kind === "taken" ? svg("g", {}, ring, crossed(kind, { x: x + r * 0.7, y: y - r * 0.7 }, 9)) : ring;
    return svg("rect", { class: `mark ring ${kind}`, ...box, rx: 40 });
  }

  describe(model, name) {
    const marbles = several(model.get(name), "marble");
    if (name === "one" || name === "two") return `${nameOf(this.id, name)}'s store, ${marbles}`;
    return `cup ${name} of ${nameOf(this.id, ownerOf(name))}, ${marbles}`;
  }

  /** The name of a cup in a sentence. */
  described(cup) {
    return `cup ${cup}`;
  }
}

/** How to read cups and stores. */
export function legend() {
  return [
    html("p", {}, "Each cup shows its marbles as a number, too. Cups 1 to 6 are A's, cups 7 to 12 are B's. "
      + "You sow towards higher numbers, and 12 is followed by 1."),
    html("p", {}, "The long cups at the ends are the stores. They show what each player has captured."),
    html("p", {}, "A green ring: this cup can be sown. Point at it to see where its last marble falls (dots), and what that captures."),
  ];
}

const emptied = (cups, cup) => cups.set(cup, 0);

/** For the editor of positions: the effect of a click, and how to write a state, without its first letter. */
export const setup = {
  tools: {
    more: ["One more", (cups, cup) => cups.set(cup, cups.get(cup) + 1)],
    less: ["One less", (cups, cup) => cups.set(cup, Math.max(0, cups.get(cup) - 1))],
    none: ["None", emptied],
  },
  clear: emptied,
  write: (cups) => [...cups.values()].map((count) => `-${count}`).join(""),
};
