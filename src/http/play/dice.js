// Dice and checkers as things with a body, in the shapes of the service's own pictures; light comes from the top left.

import { svg } from "./dom.js";

/** Where the pips of a number are, in columns and rows from the middle. */
export const PIPS = {
  1: [[0, 0]],
  2: [[-1, 1], [1, -1]],
  3: [[-1, 1], [0, 0], [1, -1]],
  4: [[-1, -1], [-1, 1], [1, -1], [1, 1]],
  5: [[-1, -1], [-1, 1], [0, 0], [1, -1], [1, 1]],
  6: [[-1, -1], [-1, 0], [-1, 1], [1, -1], [1, 0], [1, 1]],
};

/** How far pips are from the middle of a face, and how large they are, in parts of its side. */
export const PIP = { out: 0.26, radius: 0.11 };

/** How far the corners of the slopes are from the middle, in parts of the side of a die: within its rounded corners. */
const SLOPE = 0.464;

/** A rectangle around the origin. */
const block = (name, size, rx, more) =>
  svg("rect", { class: name, x: -size / 2, y: -size / 2, width: size, height: size, rx, ...more });

/** The face of a die with a number, centred on the origin. */
export function face(player, size, number) {
  const pips = PIPS[number].map(([column, row]) => svg("circle", {
    class: `pip on-${player}`, cx: column * size * PIP.out, cy: row * size * PIP.out, r: size * PIP.radius,
  }));
  return [block(`face ${player}`, size, size / 6), ...pips];
}

/** The body of a die with its shadow, and the slopes between its edge and its raised top. */
export function body(player, size, top) {
  const [far, near] = [size * SLOPE, top / 2];
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
  const slopes = ["north", "east", "south", "west"].map((name, index) => {
    const [a, b] = [corners[index], corners[(index + 1) % 4]];
    const slope = [[a, far], [b, far], [b, near], [a, near]].map(([[x, y], out]) => `${x * out},${y * out}`);
    return svg("polygon", { class: `slope ${name}`, points: slope.join(" ") });
  });
  const shadow = block("shadow", size + 1, size / 7, { transform: `translate(${size * 0.03} ${size * 0.055})` });
  return [shadow, block(`sides ${player}`, size, size / 8), ...slopes];
}

/** A checker, centred on the origin. */
export function checker(player, radius, more = "") {
  return [
    svg("circle", { class: "shadow", cx: 1.5, cy: 3, r: radius }),
    svg("circle", { class: `checker ${player}${more}`, r: radius }),
    svg("circle", { class: "groove", r: radius * 0.62 }),
  ];
}
