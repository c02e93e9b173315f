// Turns: games begin, moves are played and taken back, levels answer.

import { coach, showMistake } from "./advice.js";
import * as api from "./api.js";
import { byId, html, hurry, load, pause, say } from "./dom.js";
import { isDecision, showButtons } from "./hand.js";
import { fillTab, open, readAddress, sideOf } from "./opening.js";
import { hideToast, isLevel, isLoud, isOver, isPerson, openTab, page, tell, toast, turn } from "./page.js";
import { refresh, showBars, showThinking } from "./show.js";
import { hasResigned, nameOf, other, plyInWords, standing } from "./words.js";

/** How long a position stays visible between the moves of two levels, in milliseconds. */
const BETWEEN_LEVELS = 250;

const PERSONS = { one: "p", two: "p" };

/**
 * Begins a game, perhaps with moves already played, with other players, or a task. If it cannot be opened, the game before
 * continues.
 */
export async function begin(id, options = {}, asked = open(id, { flip: page.flip, ...options })) {
  const mine = (page.serial += 1);
  await settle();
  const { game, family, task } = await asked.catch((problem) => {
    if (page.game) proceed(mine);
    throw problem;
  });
  if (mine !== page.serial) return;
  const { info: about } = game;
  const isSame = page.game !== null && game.goesOnFrom(page.game);
  const { players, flip } = task ? { players: PERSONS, flip: task.flip } : options;
  Object.assign(page, { players: players ?? page.players, flip: flip ?? page.flip });
  game.lines = options.lines ?? [];
  Object.assign(page, { game, family, task, line: null, retry: null, paused: false, late: null, hasCard: true });
  endSetup();
  page.analysis?.clear();
  // Going back in a game does not give time back.
  if (options.isBack && isSame && !task) page.clock.stop();
  else page.clock.set(task ? "off" : byId("clock").value);
  byId("goal").replaceChildren(html("strong", {}, `${about.name}: `), about.goal);
  document.title = `${about.name}: learn, play and analyse`;
  byId("rules-part").open = false;
  byId("coach-words").textContent = "";
  await loadBoard();
  if (mine !== page.serial) return;
  byId("legend").replaceChildren(...family.legend(page.board.view));
  // It is opened when it is filled, so that nothing shifts.
  await fillTab(task?.tab);
  if (mine !== page.serial) return;
  if (task) openTab(task.tab);
  await refresh();
  proceed(mine);
}

export async function loadBoard() {
  const { info: about, id } = page.game;
  await page.board.load(id, about, page.family.View, page.flip);
}

/** Begins a game as a new entry in the browser's history, so that Back leads to the game before. */
export async function beginAnew(id, options, said) {
  const hadMoves = page.game?.plies.length > 0;
  page.isEntry = page.game !== null;
  page.before = location.hash;
  hideToast();
  try {
    await begin(id, options);
    if (hadMoves && said) toast(said);
  } finally {
    page.isEntry = false;
  }
}

/** Begins the game in the address, which may have been requested already. */
export async function beginFromAddress(asked) {
  const address = readAddress(location.hash);
  page.isEntry = false;
  hideToast();
  const mine = page.serial + 1;
  try {
    await begin(address.game, { ...address, isBack: true }, asked);
    if (mine === page.serial && address.problem(page.games)) tell(address.problem(page.games), true);
  } catch (problem) {
    if (mine !== page.serial) return;
    // The link may be good: keep the game in the address.
    if (api.mayPass(problem)) throw problem;
    await begin(address.game, { players: address.players, flip: address.flip });
    tell(`The link could not be opened: ${problem.message}`, true);
  }
}

/** The same game again, with these players. */
export function playAgain(players, said) {
  return beginAnew(page.game.id, { start: page.game.start, players, flip: sideOf(players) }, said);
}

/** Ends the editor of positions. It ends before its part closes, because closing it goes back to the game. */
export function endSetup() {
  page.setup?.end();
  byId("setup-part").open = false;
}

/** Continues a game: a level thinks, or a person is to move. `answer` is the move of a level that thinks already. */
export async function proceed(mine, answer = null) {
  if (mine !== page.serial || page.setup?.isOn || page.retry) return;
  if (page.task) {
    page.task.proceed();
    return;
  }
  const { game } = page;
  const { stage } = game.snapshot;
  if (stage === "over") {
    page.clock.stop();
    return;
  }
  if (!game.isAtEnd || page.paused) return;
  // The clock starts with the second ply.
  if (game.plies.length > 0) page.clock.start(turn());
  if (!isLevel(turn())) return;
  try {
    if (!isPerson(other(turn())) && game.plies.length > 0) await pause(BETWEEN_LEVELS);
    if (stage === "roll") {
      if (mine === page.serial && !page.paused) await rollDice();
      return;
    }
    showThinking(turn());
    const move = await (answer ?? think());
    if (mine === page.serial && !page.paused) await play(move);
  } catch (problem) {
    if (mine !== page.serial) return;
    // The button to continue retries.
    page.paused = true;
    page.clock.stop();
    showBars();
    showButtons();
    tell(problem.message, true);
  }
}

/** The move of the level whose turn it is. */
async function think() {
  const { game } = page;
  const parameters = { level: page.players[turn()], seed: api.newSeed() };
  return (await api.suggestion(game.id, game.record(), parameters)).move;
}

/** Plays a move, and shows its events. */
export function play(move) {
  if (page.retry) return tryBetter(move);
  if (!page.busy) page.playing = happen(() => page.game.play(move));
  return page.playing;
}

/** Rolls the dice. The legal moves are requested only if a person is to move. */
export function rollDice() {
  const { game, family } = page;
  if (!page.busy && game.snapshot.stage === "roll") {
    const roll = family.dice.roll();
    const isComplete = isPerson(turn()) || !game.isAtEnd;
    page.playing = happen(() => game.roll(roll, family.dice.after(roll, game.snapshot.position), isComplete));
  }
  return page.playing;
}

/** Ends animations, and waits until they have ended. */
export async function settle() {
  if (!page.busy) return;
  hurry(true);
  await page.playing;
  hurry(false);
}

/** Plays a ply by calling `make`, and shows it. */
async function happen(make) {
  const mine = (page.serial += 1);
  const { game } = page;
  const mover = turn();
  endSetup();
  page.busy = true;
  let answer = null;
  let failure = null;
  try {
    page.picker = null;
    page.board.setOpen([]);
    document.body.dataset.waits = "";
    byId("roll").hidden = true;
    if (isPerson(mover)) hideToast();
    const { lines } = game;
    const ply = await make();
    if (game.lines.length > lines.length && !page.task) playedOn();
    page.hasCard = true;
    if (isPerson(mover)) page.paused = false;
    if (ply.events[0]?.kind !== "roll") page.clock.moved(mover);
    if (!isOver()) page.clock.start(turn());
    // A level thinks while the move before its own is still shown.
    const levelIsNext = game.snapshot.stage === "move" && game.isAtEnd && isLevel(turn()) && !page.paused;
    if (levelIsNext) {
      answer = think();
      answer.catch(() => {});
    }
    say(`${plyInWords(game.id, ply)} ${standing(game.id, game.snapshot)}.`);
    // The game does not wait for what the coach says, and goes on if it says nothing.
    coach(ply).catch(() => {});
    await showPly(ply);
    if (page.task) await page.task.check(ply);
  } catch (problem) {
    failure = problem;
  } finally {
    page.busy = false;
  }
  if (mine !== page.serial) return;
  if (page.late) {
    await resign(page.late, true);
    return;
  }
  await refresh();
  if (failure) {
    tell(failure.message, true);
    toast(failure.message, "Try again", () => page.on.goTo(page.game.at));
  } else {
    proceed(mine, answer);
  }
}

/** Reports that the moves after the position shown have become another line, and that their analysis is gone. */
export function playedOn() {
  page.isEntry = true;
  page.before = location.hash;
  page.analysis?.clear();
  toast("A new line. The old one is in the list of moves.");
}

/** Shows another line of the game, after `at` plies. */
export async function openLine(line, at) {
  const mine = (page.serial += 1);
  await settle();
  await page.game.switchTo(line);
  if (mine !== page.serial) return;
  page.analysis?.clear();
  page.isEntry = true;
  await goTo(at);
}

/** Shows the events of a ply, one after another. */
async function showPly(ply) {
  page.board.clear("marks");
  page.board.clear("tints");
  const { touched } = page.board.view.touched(ply);
  page.board.mark("last", new Set(touched), "tints");
  page.board.view.turn = ply.player;
  page.board.view.draw(page.model, ply.player);
  for (const event of ply.events) {
    if (isLoud()) load("./sound.js").then(({ sound }) => sound(event.kind));
    await page.board.view.play(page.model, event);
  }
}

/** Goes some plies forth, or back. Steps that follow quickly add up. */
export function step(by) {
  const { game, heading, serial } = page;
  const from = heading?.serial === serial ? heading.at : game.at;
  return goTo(Math.max(0, Math.min(from + by, game.plies.length)));
}

/** Shows the position after `at` plies. */
export async function goTo(at) {
  const mine = (page.serial += 1);
  page.heading = { at, serial: mine };
  await settle();
  if (mine !== page.serial) return;
  page.retry = null;
  document.body.classList.remove("trying");
  page.hasCard = false;
  endSetup();
  const { game } = page;
  const wanted = await game.know(at).finally(() => {
    if (mine === page.serial) page.heading = null;
  });
  if (mine !== page.serial) return;
  game.at = wanted;
  if (!page.game.isAtEnd) page.clock.stop();
  await refresh();
  say(page.game.lastPly ? `After ${plyInWords(page.game.id, page.game.lastPly)}` : "The start");
  if (page.game.isAtEnd) proceed(mine);
}

/** Takes moves back to the last decision of a person, and drops them. */
export async function takeBack() {
  const mine = (page.serial += 1);
  await settle();
  const { game } = page;
  let at = game.plies.length - 1;
  while (at > 0 && !isDecision(game.plies[at])) at -= 1;
  const wanted = await game.know(at);
  if (mine !== page.serial) return;
  game.at = wanted;
  game.cut();
  Object.assign(page, { retry: null, isEntry: true, before: location.hash });
  page.clock.stop();
  page.analysis?.clear();
  await refresh();
  toast("Taken back.");
  proceed(mine);
}

/** Ends the game because a player resigns, or has no time left. */
export async function resign(player, onTime = false) {
  page.serial += 1;
  page.late = null;
  await settle();
  if (isOver()) {
    await refresh();
    return;
  }
  await page.game.resign(player, onTime);
  page.clock.stop();
  page.hasCard = true;
  Object.assign(page, { isEntry: true, before: location.hash });
  await refresh();
  say(byId("status").textContent);
  if (!onTime) toast(hasResigned(page.game.id, player));
}

/** Ends the game because a player's time is up, after the move that is being played. */
export function timeIsUp(player) {
  if (page.busy) page.late = player;
  else resign(player, true);
}

/** A move is as good as the best one if its expected result is worse by at most this much. */
const AS_GOOD = 0.05;

/** Shows the position of a mistake, so that a person can find a better move. */
export async function retry(ply) {
  await goTo(ply.index);
  page.retry = ply;
  document.body.classList.add("trying");
  page.clock.stop();
  showButtons();
  tell(`${nameOf(page.game.id, ply.player)} played ${ply.move}. Find a better move.`);
}

/** Evaluates the move that a person found instead of a mistake. */
async function tryBetter(move) {
  const { game, retry: ply } = page;
  page.picker?.clear();
  const parameters = { nodes: page.analysis.nodes, moves: [move] };
  const { lines: [line] } = await api.suggestion(game.id, game.record(), parameters);
  if (page.retry !== ply) return;
  const loss = ply.best.value.expected - line.value.expected;
  const isGood = move === ply.best.move || loss <= AS_GOOD;
  await refresh();
  showMistake(ply, isGood);
  tell(isGood
    ? `${move} is right: it is as good as the best move.`
    : `${move} is not the best either: it costs ${Math.round(50 * loss)} % of the winning chances. Try again.`, !isGood);
  if (isGood) page.retry = null;
  document.body.classList.toggle("trying", !isGood);
  showButtons();
}

/** Shows a line of the analysis: the position after its moves, and the last of them as an arrow. */
export async function showLine(index, moves) {
  const mine = (page.serial += 1);
  await settle();
  const { game } = page;
  const wanted = await game.know(index);
  const before = { ...game.record(index), moves: [...game.record(index).moves, ...moves.slice(0, -1)] };
  const answer = await api.apply(game.id, { ...before, plies_from: before.moves.length });
  if (mine !== page.serial) return;
  game.at = wanted;
  page.clock.stop();
  page.hasCard = false;
  await refresh();
  if (mine !== page.serial) return;
  page.line = { index, moves };
  page.picker = null;
  page.board.setOpen([]);
  const model = page.board.view.read(answer.position, answer.outcome);
  page.board.clear("tints");
  page.board.clear("marks");
  page.board.view.shown = model;
  page.board.view.draw(model, answer.turn);
  const last = answer.moves.find(({ move }) => move === moves.at(-1));
  if (last) for (const line of page.board.view.lines(last, model, answer.turn)) page.board.arrow(line, "best");
  page.analysis.select(index + 1);
  tell(`Line: ${moves.join(" ")}`);
  showButtons();
}
