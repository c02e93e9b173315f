// The page: puts its parts together, and connects the controls.

import { hasCoach, setCoach, showEvaluation, showHint, showMistake, showThreats } from "./advice.js";
import * as api from "./api.js";
import { Board, UPRIGHT } from "./board.js";
import { choose, wireChoice } from "./choose.js";
import { Clock } from "./clock.js";
import { byId, html, load } from "./dom.js";
import { cancel, describe, grab, hover, pick, showButtons } from "./hand.js";
import { fillTab, first, games } from "./opening.js";
import { hideToast, isLoud, isPerson, openTab, page, setLoud, tell, theme, toast, turn } from "./page.js";
import { copy, download, linkForFriend, readMoves, saveGame } from "./share.js";
import { refresh, showClock, showSheet } from "./show.js";
import {
  beginAnew, beginFromAddress, endSetup, goTo, loadBoard, openLine, play, playAgain, playedOn, proceed, resign, retry, rollDice,
  settle, showLine, step, takeBack, timeIsUp,
} from "./turns.js";
import { nameOf, other } from "./words.js";

Object.assign(page, {
  on: { play, goTo, begin: beginAnew, choose, roll: rollDice, openLine },
  board: new Board({ pick, hover, grab, describe }),
  clock: new Clock(showClock, timeIsUp),
});

/** Analyses the game. The module is loaded on first use. */
async function analyse() {
  openTab("analysis");
  page.hasCard = false;
  byId("end").hidden = true;
  const { Analysis } = await load("./analysis.js");
  page.analysis ??= new Analysis({ goTo, showLine, judged: showSheet, showMistake });
  page.analysis.run(page.game, Number(byId("nodes").value));
}

/** Starts or ends the editor of positions. */
async function switchSetup() {
  const part = byId("setup-part");
  if (part.open === Boolean(page.setup?.isOn)) return;
  if (!part.open) {
    page.setup.end();
    goTo(page.game.at);
    return;
  }
  const { Setup } = await load("./setup.js");
  const show = (model) => {
    page.board.view.shown = model;
    for (const layer of ["tints", "marks"]) page.board.clear(layer);
    page.board.view.draw(model, "one");
  };
  const start = (state) => {
    endSetup();
    beginAnew(page.game.id, { start: state }, "Your position is on the board.");
  };
  page.setup ??= new Setup({ show, start, view: () => page.board.view });
  page.serial += 1;
  page.clock.stop();
  page.picker = null;
  byId("end").hidden = true;
  page.board.setOpen(page.board.places.keys());
  page.setup.begin(page.game.id, page.game.snapshot, page.family.setup, page.board.view.copy(page.model));
}

/** Opens the game in the address after navigation. */
async function openAddress() {
  try {
    await beginFromAddress();
  } catch (problem) {
    tell(problem.message, true);
    toast(problem.message, "Try again", openAddress);
  }
}

async function shareText(text, what) {
  byId("shared").value = text;
  if (await copy(text, what)) toast(`${what} copied.`, "");
  else byId("shared").select();
}

/** Passes the game to a friend: by what the device has for that, or by a copy of the link. */
async function sendLink() {
  const url = linkForFriend(page);
  if (navigator.share) {
    const isSent = await navigator.share({ title: document.title, url }).then(() => true, ({ name }) => name === "AbortError");
    if (isSent) return;
  }
  openTab("share");
  await shareText(url, "Link");
}

/** Turns the board, or redraws it. */
async function turnBoard(flip) {
  const mine = (page.serial += 1);
  await settle();
  page.flip = flip;
  await loadBoard();
  if (mine !== page.serial) return;
  await refresh();
  page.clock.show();
  proceed(mine);
}

/** Asks before a player resigns. */
function askToResign() {
  const player = isPerson(turn()) ? turn() : isPerson(other(turn())) ? other(turn()) : turn();
  toast(`${nameOf(page.game.id, player)} resigns?`, "Resign", () => resign(player));
  byId("toast-action").focus();
}

/** The keys, and the buttons that they press. */
const KEYS = { h: "hint", f: "flip", u: "take-back", n: "new-game", r: "roll", Home: "first", End: "last", "?": "show-keys" };

function showKeys() {
  const press = (button) => byId(button).getAttribute("aria-label") ?? byId(button).textContent;
  const rows = [
    ["← →", "Previous and next move; on the board, left and right"], ["↑ ↓", "Up and down on the board"],
    ["Enter", "Pick"], ["Esc", "Cancel"], ...Object.entries(KEYS).map(([key, button]) => [key, press(button)]),
  ];
  byId("keys-list").replaceChildren(...rows.flatMap(([key, words]) => [html("dt", {}, key), html("dd", {}, words)]));
  byId("keys").showModal();
}

function wire() {
  const click = (id, action) => byId(id).addEventListener("click", action);
  click("play", () => page.picker?.complete && play(page.picker.complete.move));
  click("cancel", cancel);
  click("roll", rollDice);
  click("pass", () => play("pass"));
  click("continue", () => {
    page.paused = false;
    if (!page.game.isAtEnd) playedOn();
    page.game.cut(true);
    goTo(page.game.at);
  });
  click("first", () => goTo(0));
  click("previous", () => step(-1));
  click("next", () => step(1));
  click("last", () => goTo(page.game.plies.length));
  click("take-back", takeBack);
  click("hint", () => (page.task?.hint ? page.task.hint() : showHint()));
  click("threats", showThreats);
  click("show-evaluation", () => {
    const bar = byId("evaluation");
    bar.hidden = !bar.hidden;
    byId("evaluation-words").textContent = "";
    byId("show-evaluation").setAttribute("aria-pressed", String(!bar.hidden));
    showEvaluation();
  });
  const toggle = (id, isOn, set) => {
    const show = () => byId(id).setAttribute("aria-pressed", String(isOn()));
    click(id, () => {
      set(!isOn());
      show();
    });
    show();
  };
  toggle("sound", isLoud, setLoud);
  toggle("coach", hasCoach, setCoach);
  click("flip", () => turnBoard(!page.flip));
  UPRIGHT.addEventListener("change", () => page.family?.View.isLong && turnBoard(page.flip));
  click("pause", () => {
    page.paused = !page.paused;
    if (page.paused) page.clock.stop();
    showButtons();
  });
  click("resign", askToResign);
  click("new-game", () => choose());
  click("restart", () => playAgain(page.players, "Game restarted."));
  click("rematch", () => playAgain(page.players, "Rematch."));
  click("swap", () => playAgain({ one: page.players.two, two: page.players.one }, "Sides swapped."));
  click("next-level", async () => playAgain((await load("./end.js")).nextLevel(), "Next level."));
  click("end-close", () => {
    page.hasCard = false;
    byId("end").hidden = true;
  });
  click("end-share", () => openTab("share"));
  click("send", sendLink);
  click("toast-close", hideToast);
  click("show-keys", showKeys);
  byId("theme").value = theme();
  byId("theme").addEventListener("change", () => theme(byId("theme").value));
  click("try-again", () => page.task.again());
  click("next-step", () => page.task.next());
  click("analyse", () => (page.analysis?.abort ? page.analysis.abort.abort() : analyse()));
  click("analyse-now", () => analyse());
  click("mistake-previous", () => page.analysis.step(-1));
  click("mistake-next", () => page.analysis.step(1));
  click("mistake-learn", () => page.analysis.mistake && retry(page.analysis.mistake));
  click("copy-link", () => shareText(location.href, "Link"));
  click("copy-state", () => shareText(page.game.snapshot.state, "State"));
  click("copy-moves", () => shareText(page.game.allMoves.join(" "), "Moves"));
  click("save-game", () => saveGame(page.game));
  click("download", () => download(page.game, page.flip));
  wireChoice();
  wireTabs();
  wireKeys();
  byId("paste").addEventListener("submit", async (event) => {
    event.preventDefault();
    byId("paste-problem").textContent = "";
    const { id, start } = page.game;
    const [, link] = /(#game=\S+)/.exec(byId("pasted").value) ?? [];
    if (link) {
      location.hash = link;
      return;
    }
    try {
      await beginAnew(id, { start, moves: readMoves(byId("pasted").value), players: { one: "p", two: "p" } });
    } catch (problem) {
      const which = problem.at === null ? "" : `Move ${problem.at + 1}: `;
      byId("paste-problem").textContent = which + problem.message;
    }
  });
  byId("rules-part").addEventListener("toggle", async () => {
    if (byId("rules-part").open) await (await load("./learn.js")).showRules();
  });
  byId("setup-part").addEventListener("toggle", switchSetup);
  addEventListener("focusin", ({ target }) => {
    page.isInList = byId("legal").contains(target);
  });
  addEventListener("hashchange", openAddress);
  // Uncaught errors are shown.
  addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    tell(event.reason.message, true);
  });
}

function wireTabs() {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => {
      openTab(tab.id.slice(4));
      page.hasCard = false;
      byId("end").hidden = true;
      fillTab();
    });
    tab.addEventListener("keydown", ({ key }) => {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[key];
      if (!way) return;
      const next = tabs[(index + way + tabs.length) % tabs.length];
      next.click();
      next.focus();
    });
  });
}

/** Keys press buttons, and arrow keys step through the moves, unless they have another use. */
function wireKeys() {
  const steps = { ArrowLeft: "previous", ArrowRight: "next", ...KEYS };
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.target.closest("dialog")) cancel();
    const isElsewhere = event.target.closest("input, select, textarea, dialog")
      || (event.key.startsWith("Arrow") && event.target.closest("#board, [role=tab], [tabindex='0']"));
    const button = steps[event.key] && byId(steps[event.key]);
    if (!button || button.disabled || button.hidden || isElsewhere || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    button.click();
  });
}

/** Asks for an API key, and resolves to null if there is none. */
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
  const isFirst = location.hash.length < 2;
  try {
    page.games = await games();
    const begun = beginFromAddress(first);
    if (isFirst) await choose();
    await begun;
    document.querySelector("main").inert = false;
    document.body.dataset.ready = "true";
    // The page works without a service worker, too.
    navigator.serviceWorker?.register("worker.js").catch(() => {});
  } catch (problem) {
    byId("status").textContent = problem.message;
    toast(problem.message, "Try again", () => location.reload());
  }
}

start();
