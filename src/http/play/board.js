// The board: the service's own picture without its pieces, and above it the pieces, marks and places to click on. The view
// of a family of games draws them.

import * as api from "./api.js";
import { byId, svg } from "./dom.js";

/** Matches when a long board stands upright. */
export const UPRIGHT = matchMedia("(max-width: 40rem) and (orientation: portrait)");

/** The length of an arrow's head, in units of the picture. */
const HEAD = 26;

/** How far the pointer moves before a press is a drag, in pixels. */
const DRAG = 8;

export class Board {
  /** `handlers`: `pick(place, touched)`, `hover(place, isKey)`, `grab(place)`, `describe(place)` */
  constructor(handlers, root = byId("board")) {
    this.handlers = handlers;
    this.root = root;
    this.cursor = null;
    this.open = [];
    /** Whether the board is used with keys: only then is there a cursor. */
    this.hasKeys = false;
    this.root.addEventListener("pointerdown", () => { this.hasKeys = false; });
    this.root.addEventListener("keydown", (event) => {
      this.hasKeys = true;
      this.#key(event);
    });
    this.root.addEventListener("focus", () => {
      this.hasKeys = this.root.matches(":focus-visible");
      // It begins at a piece of the player.
      this.cursor ??= this.open[0] ?? [...this.places?.keys() ?? []][0] ?? null;
      this.#showCursor();
    });
    this.root.addEventListener("blur", () => this.#showCursor());
  }

  /** Requests the picture of the board of a game before it is needed. */
  static prefetch(info, flip) {
    const ask = api.picture(info.id, pictureOf(info, flip));
    // The call that needs it reports the error.
    ask.catch(() => {});
  }

  /** Loads the board of a game from the side of a player; `View` is the family's class. */
  async load(id, info, View, flip) {
    const text = await api.picture(id, pictureOf(info, flip));
    const drawn = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    // The pieces are drawn again in every position; the rest names the places.
    for (const piece of drawn.querySelectorAll(".die, .marbles, [data-point][data-player], .count")) {
      piece.remove();
    }
    for (const words of drawn.querySelectorAll("title, desc")) words.remove();
    for (const name of ["role", "width", "height"]) drawn.removeAttribute(name);
    drawn.setAttribute("aria-hidden", "true");
    this.svg = document.importNode(drawn, true);
    this.isUpright = Boolean(View.isLong) && UPRIGHT.matches;
    const ground = this.isUpright ? this.#stand() : this.svg;
    // A finger that drags a piece does not scroll the page. CSS cannot say that for a part of a picture.
    this.svg.addEventListener("touchstart", (event) => {
      if (event.target.classList.contains("open")) event.preventDefault();
    }, { passive: false });
    const layer = (name) => ground.appendChild(svg("g", { class: `layer-${name}` }));
    this.layers = {};
    for (const name of ["tints", "pieces", "marks", "moving", "hits"]) this.layers[name] = layer(name);
    this.view = new View(this, info, flip);
    this.places = this.view.places();
    this.#addHits();
    this.root.replaceChildren(this.svg);
    this.cursor = null;
  }

  /** Turns the picture by a right angle, so that its right end is below; the style sheet turns the texts back. */
  #stand() {
    const [, , width, height] = this.svg.getAttribute("viewBox").split(" ").map(Number);
    const turned = svg("g", { transform: `translate(${height} 0) rotate(90)` });
    turned.append(...this.svg.childNodes);
    this.svg.append(turned);
    this.svg.setAttribute("viewBox", `0 0 ${height} ${width}`);
    this.svg.classList.add("upright");
    return turned;
  }

  /** Empties a layer. */
  clear(name) {
    this.layers[name].replaceChildren();
  }

  /** Marks places; `kind` is the class of the marks. */
  mark(kind, names, layer = "marks") {
    for (const name of names) {
      const place = this.places.get(name);
      if (!place) continue;
      const mark = this.view.mark(kind, place);
      mark.dataset.at = name;
      this.layers[layer].append(mark);
    }
  }

  /** Draws an arrow through points. */
  arrow(points, kind = "hint") {
    if (points.length < 2) return;
    // It begins beside its piece, so that the piece's numbers are seen.
    const [first, second] = points;
    const way = Math.hypot(second.x - first.x, second.y - first.y) || 1;
    // To a neighbour it would be too short to be seen.
    const part = Math.min(this.view.clearance, way / 4) / way;
    const start = { x: first.x + (second.x - first.x) * part, y: first.y + (second.y - first.y) * part };
    const all = [start, ...points.slice(1)];
    const [before, end] = all.slice(-2);
    const length = Math.hypot(end.x - before.x, end.y - before.y) || 1;
    const u = { x: (end.x - before.x) / length, y: (end.y - before.y) / length };
    const neck = { x: end.x - u.x * HEAD, y: end.y - u.y * HEAD };
    const line = [...all.slice(0, -1), neck].map(({ x, y }) => `${x},${y}`).join(" ");
    const corner = (side) => `${neck.x + side * u.y * HEAD * 0.5},${neck.y - side * u.x * HEAD * 0.5}`;
    this.layers.marks.append(
      svg("g", { class: `pointer pointer-${kind}` },
        svg("polyline", { class: "back", points: line }),
        svg("circle", { cx: start.x, cy: start.y, r: 8 }),
        svg("polyline", { points: line }),
        svg("polygon", { points: `${end.x},${end.y} ${corner(1)} ${corner(-1)}` })),
    );
  }

  /** A press that ends where it began is a click; one that ends elsewhere has dragged a piece. */
  #addHits() {
    for (const [name, place] of this.places) {
      const hit = svg("rect", {
        class: "hit",
        "data-place": name,
        x: place.box.x,
        y: place.box.y,
        width: place.box.width,
        height: place.box.height,
      });
      hit.addEventListener("pointerdown", (event) => this.#press(event, name));
      hit.addEventListener("pointerenter", (event) => {
        if (event.pointerType === "mouse" && !this.pressed) this.handlers.hover(name);
      });
      hit.addEventListener("pointerleave", (event) => {
        if (event.pointerType === "mouse" && !this.pressed) this.handlers.hover(null);
      });
      this.layers.hits.append(hit);
    }
  }

  /** Sets which places can be picked. */
  setOpen(names) {
    this.open = [...names];
    const open = new Set(this.open);
    for (const hit of this.layers.hits.children) {
      hit.classList.toggle("open", open.has(hit.dataset.place));
    }
  }

  #press(event, name) {
    if (event.button !== 0 || this.pressed) return;
    const start = { x: event.clientX, y: event.clientY };
    const touched = event.pointerType !== "mouse";
    const hit = event.currentTarget;
    let ghost = null;
    hit.releasePointerCapture?.(event.pointerId);
    this.pressed = true;
    const move = (moved) => {
      if (moved.pointerId !== event.pointerId) return;
      const far = Math.hypot(moved.clientX - start.x, moved.clientY - start.y);
      if (!ghost && far > DRAG && this.handlers.grab(name)) {
        ghost = this.view.ghost?.(name);
        if (ghost) this.layers.moving.append(ghost);
      }
      if (ghost) {
        const at = this.pointAt(moved);
        ghost.setAttribute("transform", `translate(${at.x} ${at.y})`);
        this.handlers.hover(this.placeAt(at));
      }
    };
    const end = (ended) => {
      if (ended.pointerId !== event.pointerId) return;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      this.pressed = false;
      ghost?.remove();
      if (ended.type === "pointercancel") return;
      this.#showCursor();
      const place = this.placeAt(this.pointAt(ended));
      if (ghost && place !== name) this.handlers.pick(place, false);
      else if (!ghost && place === name) this.handlers.pick(name, touched);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }

  /** The position of a pointer, in units of the picture. */
  pointAt({ clientX, clientY }) {
    const matrix = this.layers.hits.getScreenCTM().inverse();
    return new DOMPoint(clientX, clientY).matrixTransform(matrix);
  }

  /** The place at this position. */
  placeAt({ x, y }) {
    for (const [name, { box }] of this.places) {
      if (x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height) return name;
    }
    return null;
  }

  /** Arrow keys lead from place to place, Enter and Space pick. */
  #key(event) {
    const ways = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
    const way = ways[event.key];
    if (way) {
      event.preventDefault();
      this.#step(this.isUpright ? [way[1], -way[0]] : way);
    } else if ((event.key === "Enter" || event.key === " ") && this.cursor) {
      event.preventDefault();
      this.handlers.pick(this.cursor, false);
      this.#showCursor();
    }
  }

  #step([dx, dy]) {
    const names = [...this.places.keys()];
    if (this.cursor) {
      const from = this.places.get(this.cursor);
      const cost = (name) => {
        const to = this.places.get(name);
        const [x, y] = [to.x - from.x, to.y - from.y];
        const along = x * dx + y * dy;
        return along > 1 ? along + 3 * Math.abs(x * dy - y * dx) : Infinity;
      };
      const best = names.reduce((a, b) => (cost(b) < cost(a) ? b : a));
      if (cost(best) < Infinity) this.cursor = best;
    }
    this.#showCursor();
    this.handlers.describe(this.cursor);
    this.handlers.hover(this.cursor, true);
  }

  #showCursor() {
    const isFocused = document.activeElement === this.root && this.hasKeys;
    for (const hit of this.layers?.hits.children ?? []) {
      hit.classList.toggle("cursor", isFocused && hit.dataset.place === this.cursor);
    }
  }
}

/** The parameters of the picture that a board is made from. */
const pictureOf = (info, flip) => ({ state: info.start, header: "off", flip });

/** The bounding box of a shape in the service's picture. */
export function boxOf(board, selector) {
  const shape = board.svg.querySelector(selector);
  const number = (name) => Number(shape.getAttribute(name));
  if (shape.tagName === "circle") {
    const r = number("r");
    return { x: number("cx") - r, y: number("cy") - r, width: 2 * r, height: 2 * r };
  }
  if (shape.tagName === "polygon") {
    const points = shape.getAttribute("points").split(" ").map((point) => point.split(",").map(Number));
    const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
    const [x, y] = [Math.min(...xs), Math.min(...ys)];
    return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
  }
  return { x: number("x"), y: number("y"), width: number("width"), height: number("height") };
}

/** A mark of one line with a light edge, so that it is seen on every ground. */
export const edged = (kind, path) =>
  svg("g", { class: `mark ${kind}` }, svg("path", { class: "back", d: path }), svg("path", { d: path }));

/** A ring in the same way. */
export const ringed = (kind, { x, y }, r) => edged(`ring ${kind}`, `M${x - r} ${y}a${r} ${r} 0 1 1 ${2 * r} 0a${r} ${r} 0 1 1 ${-2 * r} 0`);

/** A cross over something that is taken. */
export const crossed = (kind, { x, y }, arm) =>
  edged(kind, `M${x - arm} ${y - arm}L${x + arm} ${y + arm}M${x + arm} ${y - arm}L${x - arm} ${y + arm}`);

/** A place with its centre and its box. */
export const placeOf = (box) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2, box });
