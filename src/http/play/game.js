// A game as it has been played so far, and the positions on its way.

import * as api from "./api.js";

/** The game is drawn when a position occurs for the third time; in Mahbusa and Wari this changes nothing. */
const REPETITION_LIMIT = 3;

/** A game from a start state. `at` is how many of its plies are shown: those after it can be had again. */
export class Game {
  constructor(info, start = info.start) {
    this.info = info;
    this.id = info.id;
    this.start = start;
    this.plies = [];
    this.at = 0;
    /** Who has given up after the last ply, if somebody has, and whether for want of time. */
    this.resigned = null;
    this.onTime = false;
    this.snapshots = new Map();
  }

  /** The moves up to the ply that is shown. */
  get moves() {
    return this.plies.slice(0, this.at).map((ply) => ply.move);
  }

  /** All moves, also those that have been taken back. */
  get allMoves() {
    return this.plies.map((ply) => ply.move);
  }

  get isAtEnd() {
    return this.at === this.plies.length;
  }

  /** The position that is shown, as `apply` has answered. */
  get snapshot() {
    return this.snapshots.get(this.at);
  }

  /** The ply that led to the position that is shown. */
  get lastPly() {
    return this.plies[this.at - 1] ?? null;
  }

  /** What operations on a position with its history ask about. */
  record(at = this.at) {
    const moves = this.allMoves.slice(0, at);
    return { state: this.start, moves, repetition_limit: REPETITION_LIMIT };
  }

  async #apply(record, from, resign) {
    const answer = await api.apply(this.id, { ...record, plies_from: from, ...(resign && { resign }) });
    return { plies: answer.plies, snapshot: answer };
  }

  /** Plays moves from the start on; nothing has changed if one of them is not legal. */
  async load(moves, resigned = null) {
    const { plies, snapshot } = await this.#apply({ ...this.record(0), moves }, 0, resigned);
    this.start = moves.length === 0 ? snapshot.state : this.start;
    this.plies = plies;
    this.at = plies.length;
    this.resigned = resigned;
    this.snapshots = new Map([[this.at, snapshot]]);
  }

  /** Plays a move or roll after the ply that is shown; what came after that before is forgotten. */
  async play(move) {
    const record = this.record();
    record.moves.push(move);
    const { plies, snapshot } = await this.#apply(record, this.at, null);
    this.plies = [...this.plies.slice(0, this.at), plies[0]];
    for (const at of [...this.snapshots.keys()]) if (at > this.at) this.snapshots.delete(at);
    this.at += 1;
    this.resigned = null;
    this.snapshots.set(this.at, snapshot);
    return plies[0];
  }

  /** A player gives up. */
  async resign(player, onTime = false) {
    const { snapshot } = await this.#apply(this.record(), this.at, player);
    this.plies.length = this.at;
    this.resigned = player;
    this.onTime = onTime;
    this.snapshots.set(this.at, snapshot);
  }

  /** Forgets the plies after the one that is shown. */
  cut() {
    this.plies.length = this.at;
    this.takeUp();
  }

  /** A game that was given up goes on. */
  takeUp() {
    if (this.resigned === null) return;
    this.resigned = null;
    this.snapshots.delete(this.plies.length);
  }

  /** Shows the position after so many plies. */
  async show(at) {
    const wanted = Math.max(0, Math.min(at, this.plies.length));
    if (!this.snapshots.has(wanted)) {
      const resign = wanted === this.plies.length ? this.resigned : null;
      this.snapshots.set(wanted, (await this.#apply(this.record(wanted), wanted, resign)).snapshot);
    }
    this.at = wanted;
  }
}
