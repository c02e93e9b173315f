// A game as played so far, and the positions on the way.

import * as api from "./api.js";

/** The game is drawn when a position occurs for the third time; games with other rules ignore this. */
const REPETITION_LIMIT = 3;

/** How many moves a request may have. Longer games continue from a later state, half as many moves before. */
const MOST = 1000;

/**
 * The legal moves in every order in which a person may click their steps. There can be very many: while the service is
 * busy with others' long answers, the usual orders have to do.
 */
async function legalMoves(id, record) {
  try {
    return await api.legalMoves(id, record, { spellings: "all" });
  } catch (problem) {
    if (!["busy", "too-many-requests"].includes(problem.code)) throw problem;
    return api.legalMoves(id, record, {});
  }
}

/** Whether a list of moves is the beginning of another, or the same. */
const begins = (moves, other) => moves.every((move, index) => move === other[index]);

/** A game from a start state. `at` is the number of plies shown; later plies are kept. */
export class Game {
  constructor(info, start = info.start) {
    this.info = info;
    this.id = info.id;
    this.start = start;
    this.plies = [];
    this.at = 0;
    /** The other lines that have been played, each a list of moves from the start: the leaves of the tree. */
    this.lines = [];
    /** The player who has resigned, if any, and whether because of the clock. */
    this.resigned = null;
    this.onTime = false;
    this.snapshots = new Map();
  }

  /** All moves, also those after the position shown. */
  get allMoves() {
    return this.plies.map((ply) => ply.move);
  }

  get isAtEnd() {
    return this.at === this.plies.length;
  }

  /** Whether the two games are the same, or one of them continues the other. */
  goesOnFrom(other) {
    const isAlike = ({ move }, index) => move === (other.plies[index]?.move ?? move);
    return this.id === other.id && this.start === other.start && this.plies.every(isAlike);
  }

  /** The answer of `apply` about the position shown. */
  get snapshot() {
    return this.snapshots.get(this.at);
  }

  /** The ply that led to the position shown. */
  get lastPly() {
    return this.plies[this.at - 1] ?? null;
  }

  /** The position and its history, as requests contain them. */
  record(at = this.at) {
    const base = this.base(at);
    const state = base === 0 ? this.start : this.plies[base - 1].state;
    return { state, moves: this.allMoves.slice(base, at), repetition_limit: REPETITION_LIMIT };
  }

  /** How many plies come before the state of a record. */
  base(at = this.at) {
    return at < MOST ? 0 : (Math.floor((2 * at) / MOST) - 1) * (MOST / 2);
  }

  /** The same record with one more move. */
  recordWith(move) {
    const record = this.record();
    return { ...record, moves: [...record.moves, move] };
  }

  async #apply(record, from, resign) {
    const answer = await api.apply(this.id, { ...record, plies_from: from, ...(resign && { resign }) });
    return { plies: answer.plies, snapshot: answer };
  }

  /** Plays moves from the start; nothing changes if one of them is not legal. */
  async load(moves, resigned = null) {
    const plies = [];
    let snapshot = null;
    for (let from = 0; from === 0 || from < moves.length; from += MOST) {
      const record = { ...this.record(0), state: plies.at(-1)?.state ?? this.start, moves: moves.slice(from, from + MOST) };
      const part = await this.#apply(record, 0, from + MOST < moves.length ? null : resigned);
      plies.push(...part.plies);
      ({ snapshot } = part);
    }
    this.start = moves.length === 0 ? snapshot.state : this.start;
    this.plies = plies;
    this.at = plies.length;
    this.resigned = resigned;
    this.snapshots = new Map([[this.at, snapshot]]);
  }

  /** The result of a move in the position shown. Previewing a move and then playing it takes one request. */
  foresee(move) {
    const { snapshot } = this;
    snapshot.foreseen ??= new Map();
    if (!snapshot.foreseen.has(move)) {
      const asked = this.#apply(this.recordWith(move), this.at - this.base(), null);
      snapshot.foreseen.set(move, asked);
      asked.catch(() => snapshot.foreseen.delete(move));
    }
    return snapshot.foreseen.get(move);
  }

  /** Plays a move after the ply shown. Plies that came after it become a line of their own. */
  async play(move) {
    if (this.plies[this.at]?.move === move) {
      this.at = await this.know(this.at + 1);
      return this.lastPly;
    }
    const { plies, snapshot } = await this.foresee(move);
    this.#add(plies[0], snapshot);
    return plies[0];
  }

  /**
   * Plays a roll. The legal moves are requested only for a person. For a level the snapshot stays incomplete; `know`
   * completes it.
   */
  async roll(roll, { move, position }, isComplete) {
    const { turn, outcome, state: before } = this.snapshot;
    // The roll stands after the letter of the game.
    const state = before[0] + move + before.slice(1);
    const ply = { move, player: turn, state, events: [{ kind: "roll", roll }] };
    const known = { turn, outcome, position, stage: "move", state, moves: [], isIncomplete: true };
    const listed = isComplete ? await legalMoves(this.id, this.recordWith(move)) : null;
    const snapshot = listed ? { ...known, ...listed, isIncomplete: false, isSpelled: true } : known;
    this.#add(ply, snapshot);
    return ply;
  }

  #add(ply, snapshot) {
    const before = this.allMoves;
    this.plies = [...this.plies.slice(0, this.at), ply];
    this.#keep(before);
    for (const at of [...this.snapshots.keys()]) if (at > this.at) this.snapshots.delete(at);
    this.at += 1;
    this.resigned = null;
    this.snapshots.set(this.at, snapshot);
  }

  /** Keeps a line beside the one that is shown, unless it is a part of it or of another. */
  #keep(line) {
    const isNew = ![this.allMoves, ...this.lines].some((other) => begins(line, other));
    const others = isNew ? [...this.lines.filter((other) => !begins(other, line)), line] : this.lines;
    this.lines = others.filter((other) => !begins(other, this.allMoves));
  }

  /** Shows another line to its end, and keeps the one shown so far. */
  async switchTo(line) {
    const before = this.allMoves;
    await this.load(line);
    this.#keep(before);
  }

  /** The legal moves of the position shown, in every order in which a person may click them. */
  async spelledMoves() {
    const { snapshot } = this;
    if (this.info.dice && !snapshot.isSpelled) {
      snapshot.moves = (await legalMoves(this.id, this.record())).moves;
      snapshot.isSpelled = true;
    }
    return snapshot.moves;
  }

  /** Resigns for a player. */
  async resign(player, onTime = false) {
    const { snapshot } = await this.#apply(this.record(), this.record().moves.length, player);
    this.plies.length = this.at;
    this.resigned = player;
    this.onTime = onTime;
    this.snapshots.set(this.at, snapshot);
  }

  /** Ends the game at the ply shown, without a resignation. The later plies may be kept as a line of their own. */
  cut(isKept = false) {
    const before = this.allMoves;
    this.plies.length = this.at;
    if (isKept) this.#keep(before);
    if (this.resigned === null) return;
    this.resigned = null;
    this.snapshots.delete(this.at);
  }

  /** Fetches the position after `at` plies (at most all of them), and returns this number. The position shown stays. */
  async know(at) {
    const wanted = Math.max(0, Math.min(at, this.plies.length));
    if (!this.snapshots.has(wanted) || this.snapshots.get(wanted).isIncomplete) {
      const resign = wanted === this.plies.length ? this.resigned : null;
      const record = this.record(wanted);
      this.snapshots.set(wanted, (await this.#apply(record, record.moves.length, resign)).snapshot);
    }
    return wanted;
  }
}
