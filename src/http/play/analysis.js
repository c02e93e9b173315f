// The analysis of a game: the curve of the expected result, mistakes on it, and for each ply what was best and why.

import * as api from "./api.js";
import { byId, html, refill, say, svg } from "./dom.js";
import { isPerson } from "./page.js";
import { chance, nameOf, sentence, several, tableOf, valueInWords } from "./words.js";

/** The size of the curve, in its own units, and the room on its sides. */
const WIDTH = 320;
const HEIGHT = 130;
const EDGE = 8;

const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The value after a ply, for player one. */
function worth(ply) {
  const value = ply.played?.value ?? ply.value;
  return value.expected * (ply.player === "one" ? 1 : -1);
}

export class Analysis {
  /** `handlers`: `goTo(at)`, `showLine(at, moves)`, `judged(ply)`, `showMistake(ply)` */
  constructor(handlers) {
    this.handlers = handlers;
    this.clear();
  }

  /** Clears the analysis, for another game. */
  clear() {
    this.abort?.abort();
    this.abort = null;
    this.plies = [];
    this.players = null;
    this.moves = null;
    byId("analysis-result").hidden = true;
    byId("analysis-curve").replaceChildren();
    byId("analysis-ply").replaceChildren();
    byId("analyse").textContent = "Analyse this game";
    byId("analysis-progress").textContent = "";
  }

  async run(game, nodes) {
    this.clear();
    this.id = game.id;
    this.at = game.at;
    this.nodes = nodes;
    this.hasDice = game.info.dice;
    const record = game.record(game.plies.length);
    // A long game is analysed from the state where its last moves begin.
    const base = game.base(game.plies.length);
    this.moves = game.allMoves;
    if (record.moves.length === 0) {
      byId("analysis-progress").textContent = "There are no moves yet.";
      return;
    }
    const abort = new AbortController();
    this.abort = abort;
    byId("analyse").textContent = "Stop";
    const count = this.moves.length;
    try {
      await api.analysis(game.id, { ...record, nodes }, (entry) => {
        if (entry.players) {
          this.players = entry.players;
        } else {
          entry.index += base;
          this.plies[entry.index] = entry;
          this.handlers.judged(entry);
        }
        byId("analysis-progress").textContent = `${this.plies.length} of ${count} moves`;
        this.#draw(count);
      }, abort.signal);
      const accuracy = (player) => `${nameOf(this.id, player)} ${this.players[player].accuracy?.toFixed(0) ?? "–"}`;
      byId("analysis-progress").textContent = `Accuracy, of 100: ${accuracy("one")}, ${accuracy("two")}`;
      say("The analysis is finished");
    } catch (problem) {
      if (this.abort === abort && problem.name !== "AbortError") byId("analysis-progress").textContent = problem.message;
    }
    // Another game or another analysis has begun meanwhile.
    if (this.abort !== abort) return;
    byId("analyse").textContent = "Analyse again";
    this.abort = null;
  }

  /** The mark of a ply in the list of moves. */
  sign(index) {
    return SIGNS[this.plies[index]?.judgment] ?? "";
  }

  /** Shows the mistake before or after the position shown: the position in which it was made, and what was best. */
  async step(way) {
    const mistakes = this.plies.filter((ply) => ply?.judgment);
    const isNext = (ply) => (ply.index + 1 - this.at) * way > 0;
    const ply = way > 0 ? mistakes.find(isNext) : mistakes.findLast(isNext);
    const found = ply ?? (way > 0 ? mistakes[0] : mistakes.at(-1));
    if (!found) return;
    await this.#show(found);
  }

  async #show(ply) {
    await this.handlers.goTo(ply.index);
    this.handlers.showMistake(ply);
    this.select(ply.index + 1);
  }

  /** The mistake that is shown; else the first of a person, or of anybody. */
  get mistake() {
    const shown = this.plies[this.at - 1];
    const mistakes = this.plies.filter((ply) => ply?.judgment);
    return shown?.judgment ? shown : mistakes.find(({ player }) => isPerson(player)) ?? mistakes[0];
  }

  /** Shows what is known about the ply that led to the position shown. */
  select(at) {
    this.at = at;
    const cursor = byId("analysis-curve").querySelector(".curve-cursor");
    if (cursor) {
      const x = this.#x(at, this.moves.length);
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
    }
    this.#detail();
  }

  #x(at, count) {
    return EDGE + ((WIDTH - 2 * EDGE) * at) / Math.max(1, count);
  }

  #y(expected) {
    return HEIGHT / 2 - expected * (HEIGHT / 2 - EDGE);
  }

  #draw(count) {
    byId("analysis-result").hidden = false;
    const known = this.plies.filter(Boolean);
    const point = (ply) => `${this.#x(ply.index + 1, count)},${this.#y(worth(ply))}`;
    const first = `${this.#x(0, count)},${this.#y(0)}`;
    const mistakes = known.filter((ply) => ply.judgment).map((ply) => {
      const [cx, cy] = [this.#x(ply.index + 1, count), this.#y(worth(ply))];
      return svg("circle", { class: `curve-${ply.judgment}`, cx, cy, r: 5 });
    });
    const cursor = svg("line", { class: "curve-cursor", y1: 0, y2: HEIGHT });
    const names = { one: nameOf(this.id, "one"), two: nameOf(this.id, "two") };
    const curve = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", preserveAspectRatio: "none" },
      svg("title", {}, `The expected result after each ply: above the middle, ${names.one} is ahead`),
      svg("rect", { class: "curve-paper", width: WIDTH, height: HEIGHT }),
      svg("line", { class: "curve-middle", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      svg("polyline", { class: "curve-line", points: [first, ...known.map(point)].join(" ") }),
      ...mistakes, cursor);
    curve.addEventListener("click", (event) => {
      const box = curve.getBoundingClientRect();
      const part = ((event.clientX - box.left) / box.width) * WIDTH;
      this.handlers.goTo(Math.round(((part - EDGE) / (WIDTH - 2 * EDGE)) * count));
    });
    byId("analysis-curve").replaceChildren(curve);
    for (const player of ["one", "two"]) byId(`curve-${player}`).textContent = `${names[player]} better`;
    byId("mistake-buttons").hidden = mistakes.length === 0;
    refill(byId("mistakes"), ...known.filter((ply) => ply.judgment).map((ply) => html("li", {}, html("button", {
      type: "button",
      class: "link",
      onclick: () => this.#show(ply),
    }, `${ply.index + 1}. ${ply.move} ${SIGNS[ply.judgment]}`), ` ${names[ply.player]}`)));
    this.#players();
    this.select(this.at);
  }

  #players() {
    if (!this.players) {
      byId("analysis-players").replaceChildren();
      return;
    }
    // Not `-0`.
    const rounded = (number, digits = 0) => (Number.isFinite(number) ? Number((50 * number).toFixed(digits)) || 0 : "–");
    const row = (name, of) => [name, of(this.players.one), of(this.players.two)];
    const rows = [
      row("Mean loss of winning chances, %", ({ mean_loss: loss }) => rounded(loss, 1)),
      row("Inaccuracies ?!", ({ judgments }) => judgments.inaccuracy),
      row("Mistakes ?", ({ judgments }) => judgments.mistake),
      row("Blunders ??", ({ judgments }) => judgments.blunder),
    ];
    if (this.hasDice) rows.push(row("Luck, % of winning chances", ({ luck }) => rounded(luck)));
    byId("analysis-players").replaceChildren(tableOf(this.id, rows));
  }

  /** The ply in words, with its lines to click through. */
  #detail() {
    const ply = this.plies[this.at - 1];
    const place = byId("analysis-ply");
    if (!ply) {
      place.replaceChildren();
      return;
    }
    const name = nameOf(this.id, ply.player);
    if (ply.roll) {
      const way = ply.luck < 0 ? "costs" : "gains";
      const text = `${name} rolls ${ply.roll}, which ${way} ${chance(ply.luck)} of the winning chances.`;
      place.replaceChildren(html("p", {}, text));
      return;
    }
    const article = ply.judgment === "inaccuracy" ? "an" : "a";
    const judged = ply.judgment ? `, ${article} ${ply.judgment} (${SIGNS[ply.judgment]})` : "";
    const kind = ply.forced ? " The only legal move." : ply.critical ? " Only one move keeps the value here." : "";
    const rank = ply.rank === 1
      ? `the best of ${several(ply.of, "legal move")}`
      : `the ${ordinal(ply.rank)} best of ${ply.of}; it costs ${chance(ply.loss)} of the winning chances`;
    const text = `${name} played ${ply.move}${judged}, ${rank}.${kind}`;
    const why = ply.why.map(({ message }) => html("li", {}, sentence(message)));
    const line = (title, moves, value) => html("p", { class: "line" },
      `${title} (${valueInWords(this.id, value, ply.player)}): `,
      ...moves.map((move, index) => html("button", {
        type: "button",
        class: "link",
        onclick: () => this.handlers.showLine(ply.index, moves.slice(0, index + 1)),
      }, move)));
    refill(place,
      html("p", {}, text),
      why.length > 0 ? html("ul", {}, why) : "",
      line("Best", ply.best.pv, ply.best.value),
      line("Played", ply.played.pv, ply.played.value),
    );
  }
}

function ordinal(number) {
  const endings = { 1: "st", 2: "nd", 3: "rd" };
  const isTeen = Math.floor(number / 10) % 10 === 1;
  return `${number}${(!isTeen && endings[number % 10]) || "th"}`;
}
