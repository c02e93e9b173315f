// Puzzles: positions in which only one first move solves the task. Later, any move that also solves it is right.

import { drawMove } from "./advice.js";
import * as api from "./api.js";
import { byId, html, refill, svg } from "./dom.js";
import { isOver, page, stored, tell, turn } from "./page.js";
import { nameOf, several, valueInWords } from "./words.js";

/** The key in the browser's storage for the last day with a solved puzzle of the day, and the number of days in a row. */
const STREAK = "cublino-streak";

/** The key for the player's rating. A puzzle has one, too: that of a first difficulty, and a step for each after it. */
const RATING = "cublino-rating";
const ratingOf = (difficulty) => 900 + 150 * (difficulty - 1);
const ownRating = () => stored(RATING) ?? ratingOf(2);

/** How much one puzzle changes the rating at most. */
const CHANGE = 32;

/** Rates the first try at a puzzle, as chess players are rated. */
function rate(difficulty, isSolved) {
  const expected = 1 / (1 + 10 ** ((ratingOf(difficulty) - ownRating()) / 400));
  stored(RATING, Math.round(ownRating() + CHANGE * (Number(isSolved) - expected)));
}

/** The difficulty that fits the player. */
const fitting = () => Math.min(8, Math.max(1, Math.round((ownRating() - ratingOf(1)) / 150) + 1));

/** The limits of a search for a reply, or for whether a move still wins. */
const SEARCH = { nodes: 50_000, lines: 1 };

/** A day as in the address and in requests (the Swedish format is that of ISO 8601); `ago` days before today. */
function day(ago = 0) {
  const date = new Date();
  date.setDate(date.getDate() - ago);
  return date.toLocaleDateString("sv");
}

/** The days in a row, up to today or yesterday, on which a puzzle of the day has been solved. */
function streak() {
  const { last, days } = stored(STREAK) ?? {};
  // After a flight to the west, the last day can be tomorrow.
  return last >= day(1) && last <= day(-1) ? days : 0;
}

/** How many moves a win takes. */
const movesOf = (plies) => Math.ceil(plies / 2);

/** The themes of puzzles: in how many moves they are won. */
const THEMES = [1, 2, 3, 4];

/**
 * The parameters of a request, and the theme: a date, or a seed that may follow a difficulty and come before a theme, as in
 * `4.12345.in3`.
 */
function questionOf(name) {
  if (name.includes("-")) return [{ date: name }];
  const [, rest, theme] = /^(.*?)(?:\.in(\d+))?$/.exec(name);
  const [seed, difficulty] = rest.split(".").reverse();
  return [{ seed, ...(difficulty && { difficulty }), ...(theme && { count: 100 }) }, theme];
}

class Puzzle {
  constructor(id, name, { state, turn: player, task, solution, difficulty }) {
    Object.assign(this, { id, state, player, solution, difficulty });
    this.tab = "puzzle";
    this.isDaily = name === day();
    this.address = `puzzle=${name}`;
    this.flip = player === "two";
    this.isBest = task.result === "best";
    this.plies = this.isBest ? solution.length : task.plies;
    const time = several(movesOf(this.plies), "move");
    const mover = nameOf(id, player);
    this.title = this.isBest ? `${mover} to move: find the best play` : `${mover} to win in ${time}`;
    this.proof = this.isBest
      ? "A deep search found every other play clearly worse."
      : `${mover} wins in ${time}. No other first move does.`;
    this.hints = 0;
    /** What the page says about the last move. */
    this.said = this.isBest ? "One play is clearly better than all others." : "Only one first move does it. Find it!";
  }

  /** Shows what to do, or the result. */
  show() {
    byId("status").textContent = this.isDone ? `Solved: ${this.title}` : this.title;
    byId("task").textContent = this.said;
    byId("next-step").textContent = "Another puzzle";
  }

  /** The move of the solution in the position shown. */
  get expected() {
    return this.solution[page.game.at];
  }

  /**
   * Checks a move: it is right if it leads where the solution leads, or if it wins in time as well. A puzzle with an even
   * number of plies is solved when the opponent has answered.
   */
  async check(ply) {
    const { game } = page;
    this.hints = 0;
    if (this.isOver) return;
    const isReply = ply.player !== this.player;
    const at = game.at - 1;
    // Moves can be written in several ways.
    const wanted = game.snapshots.get(at).moves.find(({ move }) => move === this.solution[at]);
    const isSame = isReply || ply.state === wanted?.state;
    this.answer = null;
    try {
      if (!isSame && !this.isBest && !isOver()) await this.#search();
    } catch (problem) {
      Object.assign(this, { isWrong: true, isOver: true, said: `The move could not be checked. ${problem.message}` });
      return;
    }
    const isRight = isSame || (at > 0 && this.#winsInTime());
    this.isWrong = !isRight;
    this.isDone = isRight && (isOver() || game.at >= this.plies);
    this.isOver = this.isWrong || this.isDone;
    if (this.isDone && this.isDaily && !(streak() > 0 && stored(STREAK).last >= day())) stored(STREAK, { last: day(), days: streak() + 1 });
    // A hint or a second try earns no rating.
    if (this.isOver && !this.isRated) rate(this.difficulty, this.isDone && !this.isHelped);
    this.isRated ||= this.isOver;
    if (this.isDone) this.said = this.proof;
    else if (!isReply) this.said = isRight ? `${ply.move} is right. Go on!` : this.#refuted(ply.move);
  }

  /** Searches for the best answer to a move; the principal variation becomes the rest of the line. */
  async #search() {
    const { game } = page;
    const { lines: [{ pv, value }] } = await api.suggestion(this.id, game.record(), SEARCH);
    this.answer = { move: pv[0], value, player: turn() };
    this.line = [...game.allMoves, ...pv];
  }

  #winsInTime() {
    if (isOver()) return page.game.snapshot.outcome.winner === this.player;
    const { value: { proven }, player } = this.answer;
    const wins = proven?.result === (player === this.player ? "win" : "loss");
    if (!wins || proven.plies > this.plies - page.game.at) return false;
    this.solution = this.line;
    return true;
  }

  #refuted(move) {
    if (this.isBest) return `Not ${move}: another play is better.`;
    if (!this.answer) return `Not ${move}: it does not win.`;
    const { move: reply, value, player } = this.answer;
    return `Not ${move}: ${nameOf(this.id, player)} answers ${reply} (${valueInWords(this.id, value, player)}).`;
  }

  /** Plays the opponent's answer: that of the solution, or the best that the service finds. */
  async proceed() {
    const { game } = page;
    if (this.isOver || !game.isAtEnd || isOver() || turn() === this.player) return;
    const { at } = game;
    if (this.expected === undefined) {
      await this.#search();
      this.solution = this.line;
    }
    if (page.game === game && game.at === at) await page.on.play(this.expected);
  }

  /** Shows first the piece, and then the move. */
  async hint() {
    const { game, board } = page;
    const move = game.snapshot.moves.find(({ move: text }) => text === this.expected);
    if (!move) return;
    const [place] = board.view.route(move, turn());
    this.hints += 1;
    this.isHelped = true;
    if (this.hints > 1) {
      drawMove(move.move, "hint");
      tell(`The move is ${this.expected}.`);
    } else if (place) {
      board.mark("from", [place]);
      tell(`Look at ${board.view.described(place)}.`);
    }
  }

  /** Takes a wrong move back. */
  async again() {
    const { game } = page;
    Object.assign(this, { isWrong: false, isOver: false, said: "Try again." });
    game.at = await game.know(game.plies.length - 1);
    game.cut();
    await page.on.goTo(game.at);
  }

  next() {
    more(this.id);
  }

  /** Plays the solution, to step through. */
  async reveal() {
    const { game } = page;
    if (!this.isRated) rate(this.difficulty, false);
    Object.assign(this, { isOver: true, isWrong: false, isShown: true, isRated: true, said: `This is the solution. ${this.proof}` });
    await game.load(this.solution);
    await page.on.goTo(0);
  }
}

/** Begins another puzzle of the chosen difficulty. */
function more(id) {
  const wanted = byId("puzzle-difficulty")?.value;
  const difficulty = wanted === "mine" ? fitting() : wanted;
  const theme = byId("puzzle-theme")?.value;
  page.on.begin(id, { puzzle: `${difficulty ? `${difficulty}.` : ""}${api.newSeed()}${theme ? `.in${theme}` : ""}` });
}

/** The puzzle in the address. */
export async function taskOf(id, wanted) {
  const name = wanted === "today" ? day() : wanted;
  const [question, theme] = questionOf(name);
  const { puzzles } = await api.puzzles(id, question);
  const puzzle = puzzles.find(({ task }) => !theme || movesOf(task.plies) === Number(theme));
  if (!puzzle) throw new Error("There is no such puzzle. Please choose another kind.");
  return new Puzzle(id, name, puzzle);
}

const flame = () => svg("svg", { class: "flame", "aria-hidden": "true" }, svg("use", { href: "#i-flame" }));

/** Fills the tab. */
export async function fill() {
  const { game: { id, info, plies, at }, task } = page;
  const puzzle = task?.tab === "puzzle" ? task : null;
  const button = (name, onclick, attributes) => html("button", { type: "button", onclick, ...attributes }, name);
  const choice = (name, key, values) => {
    const options = ["", ...values].map((value) => html("option", { value }, { "": "any", mine: "my level" }[value] ?? value));
    const select = html("select", { id: key }, options);
    select.value = byId(key)?.value ?? "";
    return html("label", {}, `${name} `, select);
  };
  const ends = puzzle?.isDone || puzzle?.isShown;
  refill(byId("panel-puzzle"),
    ends ? html("p", { class: "line", id: "puzzle-line" }, "The line: ", plies.map(({ move }, index) => button(move,
      () => page.on.goTo(index + 1), { class: "link", "aria-current": index + 1 === at ? "step" : null }))) : "",
    html("div", { class: "buttons" },
      button("Puzzle of the day", () => page.on.begin(id, { puzzle: "today" }), { id: "puzzle-today", class: puzzle ? null : "main" }),
      button("Another puzzle", () => more(id), { id: "puzzle-more" }),
      puzzle && !ends ? button("Solution", () => puzzle.reveal(), { id: "puzzle-reveal" }) : "",
      choice("Difficulty", "puzzle-difficulty", ["mine", ...info.levels.map(({ level }) => level)]),
      info.dice ? "" : choice("Moves to win", "puzzle-theme", THEMES)),
    puzzle ? html("p", {}, `Difficulty: level ${puzzle.difficulty}.`) : "",
    html("p", { id: "streak", class: streak() > 0 ? "burning" : null },
      flame(), `Streak: ${several(streak(), "day")}.`),
    html("p", { id: "rating" }, `Your rating: ${ownRating()}.`),
  );
}
