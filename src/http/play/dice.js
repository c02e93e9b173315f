// Dice and checkers as things with a body, in the shapes of the service's own pictures; light comes from the top left.

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

/** How far pips are from the middle of a face, and how large they are, in parts of its side. */
const PIP = { out: 0.26, radius: 0.11 };

/** How far the corners of the slopes are from the middle, in parts of the side of a die: within its rounded corners. */
const SLOPE = 0.464;

/** A rectangle around the origin. */
const block = (name, size, rx, more) =>
  svg("rect", { class: name, x: -size / 2, y: -size / 2, width: size, height: size, rx, ...more });

/** The face of a die with a number, centred on the origin. Before a roll there is none. */
export function face(player, size, number) {
  const unknown = svg("text", { class: `strong on-${player}`, y: size * 0.24, "font-size": size * 0.66 }, "?");
  const pips = number === null ? [unknown] : PIPS[number].map(([column, row]) => svg("circle", {
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

/** The normals of the faces of a die that tips: x to the right, y downwards, z up. */
const NORMALS = { top: [0, 0, 1], bottom: [0, 0, -1], north: [0, -1, 0], south: [0, 1, 0], east: [1, 0, 0], west: [-1, 0, 0] };

/** Where the light comes from. */
const LIGHT = [-0.42, -0.55, 0.72];

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const sum = (...parts) => [0, 1, 2].map((index) => parts.reduce((all, [vector, by]) => all + vector[index] * by, 0));

/** Turns a vector around a horizontal axis of length one. */
function turned(vector, axis, angle) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return sum([vector, cos], [cross(axis, vector), sin], [axis, dot(axis, vector) * (1 - cos)]);
}

/** Two vectors along the edges of a face. They are those of the screen where the face is on top at either end of the tip. */
function edgesOf(normal, axis, whole) {
  const upright = turned(normal, axis, whole);
  const end = normal[2] > 0.5 ? 0 : upright[2] > 0.5 ? whole : null;
  if (end !== null) return [[1, 0, 0], [0, 1, 0]].map((vector) => turned(vector, axis, -end));
  const flat = [-normal[1], normal[0], 0];
  return normal[2] < -0.5 ? [[1, 0, 0], [0, -1, 0]] : [flat, [0, 0, 1]];
}

/**
 * A die that tips, seen from above as the boards draw dice: what is higher is smaller, so that all sides are in sight. It goes
 * in the direction `way` (of length one) by `whole` radians; `faces` are its numbers by side, `top` and
 * `bottom`, `size` its side and `raised` that of its top as it is drawn. Returns the group, and what draws it at a part of
 * the way.
 */
export function rolling(player, faces, way, whole, { size, raised }) {
  const axis = [-way.y, way.x, 0];
  const half = size / 2;
  const slope = (1 - raised / size) / size;
  const node = svg("g", { "stroke-width": 1.5, "stroke-linejoin": "round" });
  const sides = Object.entries(NORMALS).map(([name, normal]) => {
    const [right, down] = edgesOf(normal, axis, whole);
    const shape = svg("polygon", { class: `face ${player}` });
    const shade = svg("polygon", { class: "shade-of-roll" });
    const pips = PIPS[faces[name]].map(() => svg("polygon", { class: `pip on-${player}` }));
    return { normal, right, down, number: faces[name], pips, shade, shape, group: svg("g", {}, shape, shade, ...pips) };
  });
  const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x * half, y * half, z * half])));
  const draw = (part) => {
    const angle = whole * part;
    const turn = (vector) => turned(vector, axis, angle);
    // The lowest corner touches the board.
    const height = Math.max(...corners.map((corner) => -turn(corner)[2]));
    const seen = ([x, y, z]) => {
      const scale = Math.max(0.2, 1 - slope * (z + height));
      return [x * scale, y * scale];
    };
    const text = (points) => points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
    const visible = sides.map((side) => {
      const [normal, right, down] = [side.normal, side.right, side.down].map(turn);
      const at = (x, y) => seen(sum([normal, half], [right, x * size], [down, y * size]));
      const quad = [at(-0.5, -0.5), at(0.5, -0.5), at(0.5, 0.5), at(-0.5, 0.5)];
      const [a, b, , d] = quad;
      const area = (b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]);
      const faces = dot(cross(right, down), normal) > 0 ? area > 0.5 : area < -0.5;
      if (!faces) return null;
      for (const shape of [side.shape, side.shade]) shape.setAttribute("points", text(quad));
      side.shade.setAttribute("fill-opacity", Math.max(0, 0.2 - 0.22 * dot(normal, LIGHT)).toFixed(2));
      side.pips.forEach((pip, index) => {
        const [column, row] = PIPS[side.number][index];
        const ring = Array.from({ length: 10 }, (_, step) => {
          const round = (step * Math.PI) / 5;
          return at(column * PIP.out + PIP.radius * Math.cos(round), row * PIP.out + PIP.radius * Math.sin(round));
        });
        pip.setAttribute("points", text(ring));
      });
      return { z: normal[2], group: side.group };
    }).filter(Boolean);
    visible.sort((a, b) => a.z - b.z);
    node.replaceChildren(...visible.map(({ group }) => group));
  };
  draw(0);
  return { node, draw };
}
