// The families of games. What belongs to one is loaded when one of its games is played; nothing else names a family.
//
// Its module exports `View`, which draws the board; `setup`, with which positions are set up; `legend`, how the board is
// read; and, where dice are rolled, `dice`. Beside it lie the lessons of its games. Each step has a `state`, a `task`, the
// events that have to happen (`want`), a `move` that does it, and what is `learned` by it.

import { load } from "./dom.js";

const lessons = new Map();

/** A family is named as its games are, up to the first hyphen. */
const nameOf = (id) => id.replace(/-.*/, "");

/** The module of a game's family. */
export const familyOf = (id) => load(`./${nameOf(id)}.js`);

/** The steps in which a game is learned. */
export async function lessonOf(id) {
  const name = nameOf(id);
  if (!lessons.has(name)) {
    const asked = fetch(new URL(`./${name}.json`, import.meta.url)).then((response) => response.json());
    lessons.set(name, asked);
    asked.catch(() => lessons.delete(name));
  }
  return (await lessons.get(name))[id] ?? [];
}
