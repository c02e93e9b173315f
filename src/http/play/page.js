// The state that all parts of the page share: the game, the players, what is going on, and what the browser keeps.

import { byId, say } from "./dom.js";

/** The state of the page. */
export const page = {
  /** The games. */
  games: [],
  game: null,
  /** The module of the game's family. */
  family: null,
  /** The parts of the page (the last two exist after first use), and functions that parts call in each other. */
  board: null,
  clock: null,
  analysis: null,
  setup: null,
  on: {},
  /** `"p"` for a person, a number for a level, `"f"` for a friend who gets links. */
  players: { one: "p", two: 1 },
  flip: false,
  paused: false,
  picker: null,
  /** The pieces on the board, as the view reads them. */
  model: null,
  /** A line of the analysis that is shown instead of the game. */
  line: null,
  /** The step of a lesson, or the puzzle. */
  task: null,
  /** The mistake that a person tries to improve: what the analysis says about the ply. */
  retry: null,
  /** Whether the next address is a new entry in the browser's history, so that Back undoes the action. */
  isEntry: false,
  /** The address before that entry, to which Undo leads. */
  before: null,
  /** Whether the card at the end of a game has not been closed. */
  hasCard: true,
  /** Whether a ply is being played and shown. */
  busy: false,
  /** The promise of that ply, and the player whose time ran out meanwhile. */
  playing: null,
  late: null,
  /** Whether the list of legal moves has the focus, also while it is rebuilt. */
  isInList: false,
  /** Counts actions. An action that finds another number is out of date and stops. */
  serial: 0,
  /** The ply that the action with this serial number is about to show. */
  heading: null,
  /** The place that has been tapped once; a second tap plays. */
  tapped: null,
};

/** Whether a person plays a side. */
export const isPerson = (player) => page.players[player] === "p";

/** Whether a level plays a side. */
export const isLevel = (player) => Number.isInteger(page.players[player]);

/** Whether the game is over in the position shown. */
export const isOver = () => page.game.snapshot.stage === "over";

/** Whose turn it is in that position. */
export const turn = () => page.game.snapshot.turn;

/** Shows a line above the board: what a move would do, or why it is refused. */
export function preview(text, isRefused = false) {
  byId("preview").textContent = text;
  byId("preview").parentElement.classList.toggle("refused", isRefused);
}

/** Shows a line and announces it. */
export function tell(text, isRefused = false) {
  preview(text, isRefused);
  say(text);
}

/** How long a notice stays, in milliseconds. */
const NOTICE = 12_000;

let noticing = 0;

/** Removes the notice above the board. */
export function hideToast() {
  byId("toast").hidden = true;
}

/** Shows above the board what has happened, with a button to undo it or to do something else. */
export function toast(text, name = "Undo", action = null) {
  // Undo leads to the address before the last action, whatever the browser's Back has done meanwhile.
  const { before } = page;
  clearTimeout(noticing);
  byId("toast-text").textContent = text;
  const button = byId("toast-action");
  button.textContent = name;
  button.hidden = !name;
  button.onclick = () => {
    hideToast();
    if (action) action();
    else location.hash = before;
  };
  byId("toast").hidden = false;
  noticing = setTimeout(hideToast, NOTICE);
}

/** Opens a tab beside the board. */
export function openTab(name) {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const isOpen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(isOpen));
    tab.tabIndex = isOpen ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !isOpen;
  }
}

/** The key for whether the reader has played before. */
export const PLAYED = "cublino-played";

/** The key for the board that the reader likes. */
const THEME = "cublino-board";

/** The key for whether sounds are wanted. */
const SOUND = "cublino-sound";

export const isLoud = () => stored(SOUND) === true;
export const setLoud = (isWanted) => stored(SOUND, isWanted);

/** The level to begin against. */
export const usualLevel = () => (stored(PLAYED) ? 2 : 1);

/** Shows the boards as the reader likes them, and keeps what is given. */
export function theme(wanted) {
  if (wanted) stored(THEME, wanted);
  document.documentElement.dataset.board = stored(THEME) ?? wanted ?? "walnut";
  return document.documentElement.dataset.board;
}

/** Reads or writes the browser's storage. If it is switched off or full, nothing is kept. */
export function stored(name, value) {
  try {
    if (value === undefined) return JSON.parse(localStorage.getItem(name));
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // The page works without storage.
  }
  return null;
}
