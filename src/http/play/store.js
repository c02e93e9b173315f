// What the browser keeps for the page.

/** The key for whether the reader has played before. */
export const PLAYED = "cublino-played";

/** The key for the board that the reader likes. */
const THEME = "cublino-board";

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
