// The page: puts its parts together, and leads what is clicked to them.

import { showEvaluation, showHint, showThreats } from "./advice.js";
import { Analysis } from "./analysis.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { byId, html } from "./dom.js";
import { canDrag, cancel, describe, hover, pick, showButtons } from "./hand.js";
import { isPerson, page, tell, turn } from "./page.js";
import { Setup } from "./setup.js";
import { copy, download, readMoves } from "./share.js";
import { refresh, showClock, showSheet } from "./show.js";
import {
  begin, beginFromAddress, endSetup, goTo, loadBoard, play, proceed, resign, rollDice, settle, showLine, takeBack,
  timeIsUp,
} from "./turns.js";
import { nameOf, other } from "./words.js";

Object.assign(page, {
  on: { play, goTo },
  board: new Board({ pick, hover, canDrag, describe }),
  clock: new Clock(showClock, timeIsUp),
  analysis: new Analysis({ goTo, showLine, judged: showSheet }),
  setup: new Setup({ show: showSetup, start: startFromSetup, view: () => page.board.view }),
});

const analyse = () => page.analysis.run(page.game, Number(byId("nodes").value));

function showSetup(model) {
  if (page.game.id === "mahbusa") {
    const count = (player) => [...model.values()].reduce((sum, { owner, count: number, pinned }) =>
      sum + (owner === player ? number : 0) + (owner === other(player) && pinned ? 1 : 0), 0);
    const off = { one: Math.max(0, 15 - count("one")), two: Math.max(0, 15 - count("two")) };
    Object.assign(model, { roll: null, left: null, off });
  }
  page.shownModel = model;
  for (const layer of ["tints", "marks"]) page.board.clear(layer);
  page.board.view.draw(model, "one");
}

function startFromSetup(state) {
  endSetup();
  begin(page.game.id, { start: state }).catch((problem) => tell(problem.message));
}

async function shareText(text, what) {
  byId("shared").value = text;
  if (!(await copy(text, what))) byId("shared").select();
}

function wire() {
  const click = (id, action) => byId(id).addEventListener("click", action);
  click("play", () => page.picker?.complete && play(page.picker.complete.move));
  click("cancel", cancel);
  click("roll", rollDice);
  click("pass", () => play("pass"));
  click("continue", () => {
    page.paused = false;
    page.game.cut();
    goTo(page.game.at);
  });
  click("undo", () => goTo(page.game.at - 1));
  click("redo", () => goTo(page.game.at + 1));
  click("take-back", takeBack);
  click("hint", showHint);
  click("threats", () => showThreats().catch((problem) => tell(problem.message)));
  click("show-evaluation", () => {
    const bar = byId("evaluation");
    bar.hidden = !bar.hidden;
    byId("show-evaluation").setAttribute("aria-pressed", String(!bar.hidden));
    showEvaluation();
  });
  click("flip", async () => {
    await settle();
    page.flip = !page.flip;
    await loadBoard();
    await refresh();
    page.clock.show();
  });
  click("pause", () => {
    page.paused = !page.paused;
    showButtons();
    // What is moving goes on by itself.
    if (!page.paused && !page.busy) proceed((page.serial += 1));
  });
  click("resign", () => resign(isPerson(turn()) ? turn() : isPerson(other(turn())) ? other(turn()) : turn()));
  click("restart", () => begin(page.game.id, { start: page.game.start }).catch((problem) => tell(problem.message)));
  click("analyse", () => {
    if (page.analysis.abort) page.analysis.abort.abort();
    else analyse();
  });
  click("analyse-now", () => {
    byId("analysis-part").open = true;
    byId("analysis-part").scrollIntoView({ block: "nearest" });
    analyse();
  });
  click("copy-link", () => shareText(location.href, "Link"));
  click("copy-state", () => shareText(page.game.snapshot.state, "State"));
  click("copy-moves", () => shareText(page.game.allMoves.join(" "), "Moves"));
  click("download", () => download(page.game, page.flip).catch((problem) => tell(problem.message)));
  byId("new").addEventListener("submit", (event) => {
    event.preventDefault();
    const player = (name) => (byId(name).value === "p" ? "p" : Number(byId(name).value));
    page.players = { one: player("player-one"), two: player("player-two") };
    // A person who plays against a level sees the board from their own side.
    page.flip = page.players.one !== "p" && page.players.two === "p";
    begin(byId("game").value).catch((problem) => tell(problem.message));
  });
  byId("game").addEventListener("change", () => {
    for (const player of ["one", "two"]) byId(`name-${player}`).textContent = nameOf(byId("game").value, player);
  });
  byId("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    byId("paste-problem").textContent = "";
    page.players = { one: "p", two: "p" };
    begin(page.game.id, { start: page.game.start, moves: readMoves(byId("pasted").value) }).catch((problem) => {
      const which = problem.at === null ? "" : `Move ${problem.at + 1}: `;
      byId("paste-problem").textContent = which + problem.message;
    });
  });
  byId("setup-part").addEventListener("toggle", () => {
    if (byId("setup-part").open === page.setup.isOn) return;
    if (byId("setup-part").open) {
      page.serial += 1;
      page.clock.stop();
      page.picker = null;
      page.board.setOpen(page.board.places.keys());
      page.setup.begin(page.game.id, page.game.snapshot);
    } else {
      page.setup.end();
      goTo(page.game.at);
    }
  });
  addEventListener("focusin", ({ target }) => {
    page.isInList = byId("legal").contains(target);
  });
  addEventListener("hashchange", beginFromAddress);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") cancel();
  });
}

/** Asks for a key, and resolves to null if there is none. */
function askForKey(isWrong) {
  const dialog = byId("key");
  byId("key-wrong").textContent = isWrong ? "The key was not accepted." : "";
  byId("key-text").value = "";
  return new Promise((resolve) => {
    const given = () => (dialog.returnValue === "use" ? byId("key-text").value.trim() : null);
    dialog.addEventListener("close", () => resolve(given()), { once: true });
    dialog.returnValue = "";
    dialog.showModal();
  });
}

async function start() {
  api.whenKeyIsNeeded(askForKey);
  wire();
  try {
    page.games = (await api.games()).games;
    byId("game").replaceChildren(...page.games.map(({ id, name }) => html("option", { value: id }, name)));
    await beginFromAddress();
    document.body.dataset.ready = "true";
  } catch (problem) {
    byId("status").textContent = problem.message;
  }
}

start();
