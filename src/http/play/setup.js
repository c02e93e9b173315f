// Sets a position up by hand: what stands where, whose turn it is, and what the rules have against it.

import * as api from "./api.js";
import { readDice } from "./cublino.js";
import { byId, html, pause } from "./dom.js";
import { readPoints } from "./mahbusa.js";
import { nameOf, other } from "./words.js";
import { readCups } from "./wari.js";

/** How long typing has to rest before a state is checked, in milliseconds. */
const REST = 150;

/** The dice of each player at the start. */
const NEW_DIE = { one: "w", two: "v" };

/** What can be done with a click, for each kind of board, and how the state changes. */
const TOOLS = {
  cublino: {
    one: ["White die", (dice, square) => dice.set(square, die("one", NEW_DIE.one))],
    two: ["Black die", (dice, square) => dice.set(square, die("two", NEW_DIE.two))],
    north: ["Tip it away", (dice, square, view) => turned(dice, square, view, "north")],
    east: ["Tip it to the right", (dice, square, view) => turned(dice, square, view, "east")],
    remove: ["Remove", (dice, square) => dice.delete(square)],
  },
  mahbusa: {
    one: ["White checker", (points, point) => added(points, point, "one")],
    two: ["Black checker", (points, point) => added(points, point, "two")],
    remove: ["Remove", (points, point) => removed(points, point)],
  },
  wari: {
    more: ["One more", (cups, cup) => cups.set(cup, cups.get(cup) + 1)],
    less: ["One less", (cups, cup) => cups.set(cup, Math.max(0, cups.get(cup) - 1))],
    none: ["None", (cups, cup) => cups.set(cup, 0)],
  },
};

const die = (player, orientation) => ({ player, orientation });

function turned(dice, square, view, way) {
  const old = dice.get(square);
  if (old) dice.set(square, { ...old, orientation: view.orientations.get(old.orientation).tipped[way] });
}

function added(points, point, player) {
  const stack = points.get(point);
  if (!stack) return;
  const pins = stack.owner === other(player) && stack.count === 1 && !stack.pinned;
  if (stack.owner === other(player) && !pins) Object.assign(stack, { owner: player, count: 1, pinned: false });
  else Object.assign(stack, { owner: player, count: pins ? 1 : stack.count + 1, pinned: pins || stack.pinned });
}

function removed(points, point) {
  const stack = points.get(point);
  if (!stack?.owner) return;
  if (stack.count > 1) stack.count -= 1;
  else if (stack.pinned) Object.assign(stack, { owner: other(stack.owner), count: 1, pinned: false });
  else Object.assign(stack, { owner: null, count: 0 });
}

/** How the state of each kind of board is read, and written without its first letter. */
const FORMS = {
  cublino: {
    read: readDice,
    write: (dice) => [...dice].map(([square, { player, orientation }]) =>
      (player === "one" ? orientation.toUpperCase() : orientation) + square).join(""),
    empty: "",
  },
  mahbusa: {
    read: readPoints,
    write: (points) => {
      const parts = [...points.values()].map(({ owner, count, pinned }) => {
        if (!owner) return "1";
        const letter = String.fromCharCode(96 + Math.min(count, 15));
        return (owner === "one" ? letter.toUpperCase() : letter) + (pinned ? "p" : "");
      });
      const runs = parts.join(" ").replace(/\b1( 1)*\b/g, (run) => run.split(" ").length);
      return `-${runs.replaceAll(" ", "")}`;
    },
    empty: "-24",
  },
  wari: {
    read: readCups,
    write: (cups) => [...cups.values()].map((count) => `-${count}`).join(""),
    empty: "-0".repeat(14),
  },
};

const familyOf = (id) => id.replace(/-.*/, "");

export class Setup {
  /** `handlers`: `show(model)` draws a position, `start(state)` begins a game with it, `view()` is the board's view. */
  constructor(handlers) {
    this.handlers = handlers;
    this.isOn = false;
    byId("setup-state").addEventListener("input", () => this.#check(byId("setup-state").value.trim()));
    byId("setup-turn").addEventListener("change", () => this.#write());
    byId("setup-clear").addEventListener("click", () => this.#set(this.letter() + FORMS[this.family].empty));
    byId("setup-start").addEventListener("click", () => this.handlers.start(this.valid));
  }

  /** Begins with the position that is shown. */
  begin(id, snapshot) {
    this.isOn = true;
    document.body.classList.add("setting-up");
    this.id = id;
    this.family = familyOf(id);
    this.upper = snapshot.state[0].toUpperCase();
    const turn = byId("setup-turn");
    const option = (player) => html("option", { value: player }, `${nameOf(id, player)} to move`);
    turn.replaceChildren(option("one"), option("two"));
    turn.value = snapshot.turn;
    const tools = Object.entries(TOOLS[this.family]).map(([name, [title]], index) =>
      html("label", {}, html("input", { type: "radio", name: "tool", value: name, checked: index === 0 }), ` ${title}`));
    byId("setup-tools").replaceChildren(html("legend", {}, "A click on the board:"), ...tools);
    this.#set(snapshot.state);
  }

  /** Leaves it. */
  end() {
    this.isOn = false;
    document.body.classList.remove("setting-up");
  }

  letter() {
    return byId("setup-turn").value === "one" ? this.upper : this.upper.toLowerCase();
  }

  /** A click on the board. */
  pick(place) {
    const tool = byId("setup-tools").querySelector("input:checked")?.value;
    if (!tool || !place) return;
    TOOLS[this.family][tool][1](this.model, place, this.handlers.view());
    this.#write();
  }

  /** The model as the state that it stands for. */
  #write() {
    this.#set(this.letter() + FORMS[this.family].write(this.model));
  }

  /** Shows a state of the page's own making at once: the next click goes on from it. */
  #set(state) {
    byId("setup-state").value = state;
    this.model = FORMS[this.family].read(state);
    this.handlers.show(this.model);
    this.#check(state);
  }

  /** Draws what can be read of a state, and asks the service what is wrong with it. */
  async #check(state) {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.valid = null;
    byId("setup-start").disabled = true;
    await pause(REST);
    if (abort.signal.aborted) return;
    let answer;
    try {
      answer = await api.validation(this.id, state, abort.signal);
    } catch (problem) {
      if (problem.name !== "AbortError") byId("setup-problems").replaceChildren(html("li", {}, problem.message));
      return;
    }
    const reasons = answer.problems.map(({ message }) => html("li", {}, message));
    const good = html("li", { class: "good" }, "The rules allow this position.");
    byId("setup-problems").replaceChildren(...(reasons.length > 0 ? reasons : [good]));
    byId("setup-start").disabled = !answer.valid;
    this.valid = answer.canonical;
    if (answer.well_formed) {
      this.model = FORMS[this.family].read(state);
      byId("setup-turn").value = state[0] === this.upper ? "one" : "two";
      this.handlers.show(this.model);
    }
  }
}
