// The clock: time for all moves, and some more for each.

/** How often the clock is updated, in milliseconds. */
const TICK = 200;

export class Clock {
  /** `shown` is called with the seconds that a player has left, `expired` when none are left. */
  constructor(shown, expired) {
    this.shown = shown;
    this.expired = expired;
    this.runs = null;
    this.left = null;
  }

  /** Sets the clock: minutes for each player and seconds for each move, as in `3+2`; anything else switches it off. */
  set(text) {
    this.stop();
    const [, minutes, seconds] = /^(\d+)\+(\d+)$/.exec(text) ?? [];
    this.left = minutes ? { one: minutes * 60, two: minutes * 60 } : null;
    this.bonus = Number(seconds ?? 0);
    this.show();
  }

  /** Starts the time of a player, and stops that of the opponent. */
  start(player) {
    if (!this.left || this.runs === player) return;
    this.stop();
    this.runs = player;
    this.since = performance.now();
    this.timer = setInterval(() => this.#tick(), TICK);
  }

  /** Stops the clock. */
  stop() {
    if (this.runs) this.#take();
    clearInterval(this.timer);
    this.runs = null;
  }

  /** A player has moved, and gets the extra time for a move. */
  moved(player) {
    if (!this.left) return;
    this.stop();
    this.left[player] += this.bonus;
    this.show();
  }

  #take() {
    const now = performance.now();
    this.left[this.runs] = Math.max(0, this.left[this.runs] - (now - this.since) / 1000);
    this.since = now;
  }

  #tick() {
    this.#take();
    this.show();
    const player = this.runs;
    if (this.left[player] === 0) {
      this.stop();
      this.expired(player);
    }
  }

  /** Shows the time left of both players. */
  show() {
    for (const player of ["one", "two"]) {
      const left = this.left && Math.ceil(this.left[player]);
      const text = this.left ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : "";
      this.shown(player, text, this.left !== null && left < 10);
    }
  }
}
