// Turns: games begin, moves are played and taken back, levels answer.

import * as api from "./api.js";
import { Board } from "./board.js";
import { CublinoView } from "./cublino.js";
import { byId, html, hurry, pause, say } from "./dom.js";
import { Game } from "./game.js";
import { showButtons } from "./hand.js";
import { MahbusaView } from "./mahbusa.js";
import { isOver, isPerson, page, tell, turn } from "./page.js";
import { rules } from "./rules.js";
import { readAddress } from "./share.js";
import { refresh } from "./show.js";
import { WariView } from "./wari.js";
import { nameOf, other, plyInWords, standing } from "./words.js";

/** What draws the boards of a family. */
const VIEWS = { mahbusa: MahbusaView, wari: WariView };
const viewOf = (id) => VIEWS[id] ?? CublinoView;

/** How wide boards are at most, by their kind: such that the buttons below are in sight, too. */
const WIDTHS = { mahbusa: widthOf(1.13), wari: widthOf(2.1) };
const USUAL_WIDTH = widthOf(0.98);

/** The width of a board that is so many times as wide as it is high. */
function widthOf(ratio) {
  return `clamp(18rem, calc((100vh - 19rem) * ${ratio}), 60rem)`;
}

/** How long two levels that play each other leave a position to be seen, in milliseconds. */
const BETWEEN_LEVELS = 250;

/** Seeds are below this. */
const SEEDS = 2 ** 32;

/** What the service tells about a game. */
function info(id) {
  if (!page.infos.has(id)) {
    const asked = api.game(id);
    page.infos.set(id, asked);
    asked.catch(() => page.infos.delete(id));
  }
  return page.infos.get(id);
}

/** Begins a game, perhaps with moves that have been played already. */
export async function begin(id, { start, moves = [], at = moves.length, resigned = null } = {}) {
  const mine = (page.serial += 1);
  await settle();
  const about = await info(id);
  const game = new Game(about, start ?? about.start);
  // The picture of the board is asked for meanwhile, and then comes from the browser's store.
  Board.prefetch(about, page.flip);
  await game.load(moves, resigned);
  if (at !== moves.length) await game.show(at);
  if (mine !== page.serial) return;
  Object.assign(page, { game, line: null, paused: false, late: null });
  endSetup();
  page.analysis.clear();
  page.clock.set(byId("clock").value);
  byId("goal").textContent = `${about.name}. ${about.goal}`;
  byId("rules").replaceChildren(...rules(about.rules));
  showPlayers();
  await loadBoard();
  await refresh();
  proceed(mine);
}

export async function loadBoard() {
  const { info: about, id } = page.game;
  document.documentElement.style.setProperty("--board-width", WIDTHS[id] ?? USUAL_WIDTH);
  await page.board.load(id, about, viewOf(id), page.flip);
}

/** The form says what is being played. */
function showPlayers() {
  const { id, info: about } = page.game;
  byId("game").value = id;
  for (const player of ["one", "two"]) {
    byId(`name-${player}`).textContent = nameOf(id, player);
    const levels = about.levels.map(({ level }) => html("option", { value: level }, `Level ${level}`));
    byId(`player-${player}`).replaceChildren(html("option", { value: "p" }, "Person"), ...levels);
    byId(`player-${player}`).value = page.players[player];
  }
}

export async function beginFromAddress() {
  const address = readAddress(location.hash);
  const id = page.games.some((game) => game.id === address.game) ? address.game : page.games[0].id;
  page.players = address.players ?? page.players;
  page.flip = address.flip;
  try {
    await begin(id, address);
  } catch (problem) {
    await begin(id);
    tell(`The link could not be opened: ${problem.message}`);
  }
}

/** Leaves the setting up. It has ended before its part of the page closes, which would else lead back to the game. */
export function endSetup() {
  page.setup.end();
  byId("setup-part").open = false;
}

/** Goes on with a game: a level thinks, a person is waited for. `answer` is the move of a level that thinks already. */
export async function proceed(mine, answer = null) {
  if (mine !== page.serial || page.setup.isOn) return;
  const { game } = page;
  const { stage } = game.snapshot;
  if (stage === "over" || page.line) {
    page.clock.stop();
    return;
  }
  if (!game.isAtEnd || page.paused) return;
  // Whoever begins may look at the board first.
  if (game.plies.length > 0) page.clock.start(turn());
  if (isPerson(turn())) return;
  try {
    if (!isPerson(other(turn())) && game.plies.length > 0) await pause(BETWEEN_LEVELS);
    const move = stage === "roll" ? (await api.roll(game.id, game.snapshot.state)).move : await (answer ?? think());
    if (mine === page.serial && !page.paused) await play(move);
  } catch (problem) {
    tell(problem.message);
  }
}

/** The move of the level whose turn it is. */
async function think() {
  const { game } = page;
  const parameters = { level: page.players[turn()], seed: Math.floor(Math.random() * SEEDS) };
  return (await api.suggestion(game.id, game.record(), parameters)).move;
}

/** Plays a move or roll, and shows what happens. */
export function play(move) {
  if (!page.busy) page.playing = playing(move);
  return page.playing;
}

/** Waits until nothing moves any more, which is at once. */
export async function settle() {
  if (!page.busy) return;
  hurry(true);
  await page.playing;
  hurry(false);
}

async function playing(move) {
  const mine = (page.serial += 1);
  const { game } = page;
  const mover = turn();
  endSetup();
  page.busy = true;
  let answer = null;
  try {
    page.picker = null;
    page.board.setOpen([]);
    document.body.dataset.waits = "";
    const ply = await game.play(move);
    page.clock.moved(mover);
    if (!isOver()) page.clock.start(turn());
    // A level thinks while the move before its own is still to be seen.
    const levelIsNext = game.snapshot.stage === "move" && !isPerson(turn()) && !page.paused;
    if (levelIsNext) {
      answer = think();
      answer.catch(() => {});
    }
    say(`${plyInWords(game.id, ply)} ${standing(game.id, game.snapshot)}.`);
    await showPly(ply);
  } catch (problem) {
    tell(problem.message);
  } finally {
    page.busy = false;
  }
  if (mine !== page.serial) return;
  if (page.late) {
    await resign(page.late, true);
    return;
  }
  await refresh();
  proceed(mine, answer);
}

/** Shows what happens in a ply, one event after another. */
async function showPly(ply) {
  page.board.clear("marks");
  page.board.clear("tints");
  const { touched } = page.board.view.touched(ply);
  page.board.mark("last", new Set(touched), "tints");
  page.board.view.turn = ply.player;
  page.board.view.draw(page.model, ply.player);
  for (const event of ply.events) await page.board.view.play(page.model, event);
}

/** Shows the position after so many plies. */
export async function goTo(at) {
  const mine = (page.serial += 1);
  await settle();
  if (mine !== page.serial) return;
  page.line = null;
  endSetup();
  try {
    await page.game.show(at);
  } catch (problem) {
    tell(problem.message);
    return;
  }
  if (mine !== page.serial) return;
  if (!page.game.isAtEnd) page.clock.stop();
  await refresh();
  say(page.game.lastPly ? `After ${plyInWords(page.game.id, page.game.lastPly)}` : "The start");
  if (page.game.isAtEnd) proceed(mine);
}

/** Goes back to where a person last decided something. */
export function takeBack() {
  const { game } = page;
  let at = game.at - 1;
  const decided = (ply) => isPerson(ply.player) && !ply.events.some(({ kind }) => kind === "roll");
  while (at > 0 && !decided(game.plies[at])) at -= 1;
  goTo(Math.max(at, 0));
}

/** A player gives up, or has no time left. */
export async function resign(player, onTime = false) {
  page.serial += 1;
  page.late = null;
  await settle();
  if (isOver()) return;
  try {
    await page.game.resign(player, onTime);
  } catch (problem) {
    tell(problem.message);
    return;
  }
  page.clock.stop();
  await refresh();
  say(byId("status").textContent);
}

/** Nobody is cut short in a move that has been made. */
export function timeIsUp(player) {
  if (page.busy) page.late = player;
  else resign(player, true);
}

/** Rolls the dice for a person. */
export async function rollDice() {
  if (page.busy) return;
  // Dice are rolled once.
  byId("roll").hidden = true;
  document.body.dataset.waits = "";
  try {
    play((await api.roll(page.game.id, page.game.snapshot.state)).move);
  } catch (problem) {
    tell(problem.message);
  }
}

/** Shows a line of the analysis: the position after its moves, and as an arrow the last of them. */
export async function showLine(index, moves) {
  const mine = (page.serial += 1);
  await settle();
  const { game } = page;
  try {
    await game.show(index);
    const before = { ...game.record(index), moves: [...game.record(index).moves, ...moves.slice(0, -1)] };
    const answer = await api.apply(game.id, { ...before, plies_from: before.moves.length });
    if (mine !== page.serial) return;
    page.clock.stop();
    page.line = { index, moves };
    await refresh();
    page.picker = null;
    page.board.setOpen([]);
    const model = page.board.view.read(answer.position, answer.outcome);
    page.board.clear("tints");
    page.board.clear("marks");
    page.board.view.draw(model, answer.turn);
    const last = answer.moves.find(({ move }) => move === moves.at(-1));
    if (last) for (const line of page.board.view.lines(last, model, answer.turn)) page.board.arrow(line, "best");
    page.analysis.select(index + 1);
    tell(`Line: ${moves.join(" ")}`);
    showButtons();
  } catch (problem) {
    tell(problem.message);
  }
}
