// The editor of positions: what stands where, whose turn it is, and why the rules forbid the position.

import * as api from "./api.js";
import { byId, html, pause } from "./dom.js";
import { nameOf } from "./words.js";

/** How long typing must pause before a state is checked, in milliseconds (debounce). */
const REST = 150;

export class Setup {
  /** `handlers`: `show(model)` draws a position, `start(state)` begins a game with it, `view()` is the board's view. */
  constructor(handlers) {
    this.handlers = handlers;
    this.isOn = false;
    byId("setup-state").addEventListener("input", () => this.#check(byId("setup-state").value.trim()));
    byId("setup-turn").addEventListener("change", () => this.#write());
    byId("setup-clear").addEventListener("click", () => {
      for (const place of [...this.model.keys()]) this.form.clear(this.model, place);
      this.#write();
    });
    byId("setup-start").addEventListener("click", () => this.handlers.start(this.valid));
  }

  /** Begins with the position shown. */
  begin(id, snapshot, form, model) {
    this.isOn = true;
    document.body.classList.add("setting-up");
    this.id = id;
    this.form = form;
    this.upper = snapshot.state[0].toUpperCase();
    const turn = byId("setup-turn");
    const option = (player) => html("option", { value: player }, `${nameOf(id, player)} to move`);
    turn.replaceChildren(option("one"), option("two"));
    turn.value = snapshot.turn;
    const tools = Object.entries(this.form.tools).map(([name, [title]], index) =>
      html("label", {}, html("input", { type: "radio", name: "tool", value: name, checked: index === 0 }), ` ${title}`));
    byId("setup-tools").replaceChildren(html("legend", {}, "What a click does:"), ...tools);
    this.model = model;
    byId("setup-state").value = snapshot.state;
    this.#check(snapshot.state);
  }

  /** Leaves the editor. */
  end() {
    this.abort?.abort();
    this.isOn = false;
    document.body.classList.remove("setting-up");
  }

  letter() {
    return byId("setup-turn").value === "one" ? this.upper : this.upper.toLowerCase();
  }

  /** Handles a click on the board. */
  pick(place) {
    const tool = byId("setup-tools").querySelector("input:checked")?.value;
    if (!tool || !place) return;
    this.form.tools[tool][1](this.model, place, this.handlers.view());
    this.#write();
  }

  /** Shows the model, and writes it as a state. */
  #write() {
    const state = this.letter() + this.form.write(this.model);
    byId("setup-state").value = state;
    this.handlers.show(this.model);
    this.#check(state);
  }

  /** Has the service check a state, and draws it as the service reads it. */
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
    if (!answer.valid) return;
    this.model = this.handlers.view().read(answer.position, answer.outcome);
    byId("setup-turn").value = answer.turn;
    this.handlers.show(this.model);
  }
}
