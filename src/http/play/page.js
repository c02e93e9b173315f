// What all parts of the page know: the game, who plays, and what is going on.

import { byId, say } from "./dom.js";

/** What is going on. */
export const page = {
  /** The games there are, and what is told about them as soon as it has come, by name. */
  games: [],
  infos: new Map(),
  game: null,
  /** The parts of the page, and what parts ask of others: to play a move, and to show the position after some plies. */
  board: null,
  clock: null,
  analysis: null,
  setup: null,
  on: { play: null, goTo: null },
  /** `"p"` for a person, a number for a level. */
  players: { one: "p", two: 3 },
  flip: false,
  paused: false,
  picker: null,
  /** What the pieces on the board are, as the view reads them. */
  model: null,
  /** A line of the analysis that is shown instead of the game. */
  line: null,
  /** Whether something is moving, and what then goes on is not to be overtaken. */
  busy: false,
  /** What is moving, and whose time was up before it had ended. */
  playing: null,
  late: null,
  /** Whether the list of legal moves has the focus, also while it is made anew. */
  isInList: false,
  /** Counts what has been begun: who finds another number has been overtaken. */
  serial: 0,
  /** The place whose effect has been shown to a finger, which taps again to play. */
  tapped: null,
};

/** Whether a person plays a side. */
export const isPerson = (player) => page.players[player] === "p";

/** Whether the game is over in the position that is shown. */
export const isOver = () => page.game.snapshot.stage === "over";

/** Whose turn it is there. */
export const turn = () => page.game.snapshot.turn;

/** Shows a line below the board. */
export function preview(text) {
  byId("preview").textContent = text;
}

/** Says something that has gone wrong, or could. */
export function tell(text) {
  preview(text);
  say(text);
}
