// The start page: each game on a board that plays by itself, and the way to it.

import * as api from "./api.js";
import { Board } from "./board.js";
import { isStill, load, pause } from "./dom.js";
import { PLAYED, page, stored, theme, usualLevel } from "./page.js";

/** How long a position stays, in milliseconds. */
const REST = 1_300;

/** The opening that is shown of each game. */
const OPENINGS = {
  "cublino-pur": "c1c2.b7b6.f1f2.a7b7b5.d1c1c3.c7c6.c2c4.e7c7c5.g1g2e2.b5b4d4.a1c1.b6b5d5d3b3.c1c2.g7e7c7.f2f3.b3b2d2",
  "cublino-contra": "c1c2.f7f6.c2c3.e7e6.a1a2.f6f5.d1c1.a7a6.a2a3.g7f7.e1d1.a6b6.f1f2.b6c6.f2e2.f7f6",
  "cublino-ecke": "d1c2.b7c6.b1b2.f7g6.c1a3.g6f6.b2c3.d7b7.c3b4.b7d5.f1f2.e7d7.e1d2.g7g6.g1e3.d5e5",
  mahbusa: "22.XV-XV-VT-VT.63.XR-XU.54.TO-TP.52.XS-US.43.XT-TQ.31.SP-PO.63.PJ-OL.55.SN-RM-NI-MH",
  wari: "5.11.2.7.3.10.5.8.4.8.1.12.5.11.4.7",
};

/** How long the page is quiet after it has loaded a board, in milliseconds. */
const QUIET = 2_500;

/** How often it is looked whether a board has come into sight, in milliseconds. */
const GLANCE = 200;

/** The boards that are in sight. */
const inSight = new Set();
const watcher = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) inSight[isIntersecting ? "add" : "delete"](target);
}, { rootMargin: "80px" });

/** A board that shows an opening again and again. */
class Show {
  constructor(root) {
    this.root = root;
    this.id = root.dataset.game;
    const nothing = () => {};
    this.board = new Board({ pick: nothing, hover: nothing, grab: () => false, describe: nothing }, root);
  }

  async open() {
    const moves = OPENINGS[this.id].split(".");
    const [info, { View }] = await Promise.all([api.game(this.id), load(`./${this.id.replace(/-.*/, "")}.js`)]);
    const [{ position, outcome }, { plies }] = await Promise.all([
      ...[[], moves].map((played) => api.apply(this.id, { state: info.start, moves: played, plies_from: 0 })),
      this.board.load(this.id, info, View, false),
    ]);
    Object.assign(this, { plies, at: 0, start: () => this.board.view.read(position, outcome) });
    this.model = this.start();
    this.board.view.draw(this.model, "one");
    // Not empty, where nothing moves.
    if (isStill()) for (const _ of plies) await this.step();
  }

  /** Shows the next ply. */
  async step() {
    const { view } = this.board;
    if (this.at === this.plies.length) {
      Object.assign(this, { model: this.start(), at: 0 });
      view.draw(this.model, "one");
      return;
    }
    const ply = this.plies[this.at];
    this.at += 1;
    view.turn = ply.player;
    for (const event of ply.events) await view.play(this.model, event);
  }
}

/** Leads to the lessons, or to a game against the level that fits. */
function showWays() {
  const hasPlayed = stored(PLAYED) === true;
  document.querySelector(`[name=played][value=${hasPlayed ? "yes" : "no"}]`).checked = true;
  for (const card of document.querySelectorAll("[data-card]")) {
    const [learn, play] = [`play/#game=${card.dataset.card}&learn=1`, `play/#game=${card.dataset.card}&players=p.${usualLevel()}`];
    card.querySelector(".learn").href = learn;
    card.querySelector(".play").href = play;
    card.querySelector(".board-link").href = hasPlayed ? play : learn;
    card.classList.toggle("new", !hasPlayed);
  }
}

async function start() {
  theme();
  showWays();
  for (const radio of document.querySelectorAll("[name=played]")) {
    radio.addEventListener("change", () => {
      stored(PLAYED, radio.value === "yes");
      showWays();
    });
  }
  const shows = [...document.querySelectorAll("[data-game]")].map((root) => new Show(root));
  page.games = (await api.games()).games;
  for (const { root } of shows) watcher.observe(root);
  for (;;) {
    const seen = shows.filter(({ root }) => inSight.has(root));
    const fresh = seen.filter(({ plies }) => !plies);
    for (const show of fresh) await show.open();
    if (fresh.length > 0) await pause(QUIET);
    if (isStill() || seen.length === 0 || document.hidden) await pause(GLANCE);
    // One moves after another, so that the eye can follow.
    for (const show of isStill() || document.hidden ? [] : seen) {
      await show.step();
      await pause(REST / seen.length);
    }
  }
}

start().catch(() => document.body.classList.add("still"));
