// The faces of dice.

import { svg } from "./dom.js";

/** Where the pips of a number are, in columns and rows from the middle. */
const PIPS = {
  1: [[0, 0]],
  2: [[-1, 1], [1, -1]],
  3: [[-1, 1], [0, 0], [1, -1]],
  4: [[-1, -1], [-1, 1], [1, -1], [1, 1]],
  5: [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]],
  6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};

/** The face of a die with a number, centred on the origin. */
export function face(player, size, number) {
  const pips = PIPS[number].map(([column, row]) =>
    svg("circle", { class: `pip on-${player}`, cx: column * size * 0.27, cy: row * size * 0.27, r: size * 0.105 }));
  const square = { x: -size / 2, y: -size / 2, width: size, height: size, rx: size / 8 };
  return [svg("rect", { class: `face ${player}`, ...square }), ...pips];
}
