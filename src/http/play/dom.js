// Small helpers around the document.

const SVG = "http://www.w3.org/2000/svg";

/** The element with an id. */
export const byId = (id) => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** A new HTML element with attributes, listeners (`onclick`) and children. */
export const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** The same in SVG. */
export const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS(SVG, tag), attributes, children);

/** Refills a list. If one of its buttons has the focus, the button in its place gets it. */
export function refill(list, ...nodes) {
  const at = [...list.querySelectorAll("button")].indexOf(document.activeElement);
  list.replaceChildren(...nodes);
  if (at >= 0) [...list.querySelectorAll("button")].slice(0, at + 1).at(-1)?.focus();
}

/** Whether the reader prefers reduced motion. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Waits for some milliseconds. */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

let isHurried = false;

/** Ends animations at once, because the reader wants to continue. */
export function hurry(wanted) {
  isHurried = wanted;
}

/**
 * Calls `frame` with 0 to 1 while the time passes, at last with 1. Readers who prefer reduced motion see the end at once,
 * and so do those who have the page in the background, where no frames are drawn.
 */
export function animate(ms, frame) {
  if (isHurried || isStill() || document.hidden) {
    frame(1);
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    const began = performance.now();
    const tick = (now) => {
      const part = isHurried ? 1 : Math.min(1, Math.max(0, (now - began) / ms));
      frame(part);
      if (part < 1) requestAnimationFrame(tick);
      else resolve();
    };
    requestAnimationFrame(tick);
  });
}

/** Easing: slow at both ends. */
export const eased = (part) => part * part * (3 - 2 * part);

/** Announces a sentence to screen readers, also if it is the same as before. */
export function say(text) {
  const live = byId("live");
  live.textContent = live.textContent === text ? `${text}\u00a0` : text;
}

/** Loads a module on demand. After an update of the service the old one is gone. */
export async function load(path) {
  try {
    return await import(path);
  } catch {
    throw new Error("A part of the page could not be loaded. Please reload the page.");
  }
}
