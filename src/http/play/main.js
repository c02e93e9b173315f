// The page: who is to move, what they have picked, and what happens then.

import { Analysis } from "./analysis.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import { Clock } from "./clock.js";
import { CublinoView } from "./cublino.js";
import { byId, html, hurry, pause, say } from "./dom.js";
import { Game } from "./game.js";
import { MahbusaView } from "./mahbusa.js";
import { Picker } from "./picker.js";
import { rules } from "./rules.js";
import { Setup } from "./setup.js";
import { addressOf, copy, download, readAddress, readMoves } from "./share.js";
import { WariView } from "./wari.js";
import { nameOf, other, plyInWords, score, signed, standing } from "./words.js";

const VIEWS = { mahbusa: MahbusaView, wari: WariView };
const viewOf = (id) => VIEWS[id] ?? CublinoView;

/** How wide boards are at most, by their kind: such that the buttons below are in sight, too. */
const WIDTHS = { mahbusa: widthOf(1.13), wari: widthOf(2.1) };
const USUAL_WIDTH = widthOf(0.98);

/** The width of a board that is so many times as wide as it is high. */
function widthOf(ratio) {
  return `clamp(18rem, calc((100vh - 19rem) * ${ratio}), 60rem)`;
}

/** What advice and the evaluation bar may cost, in positions that are visited. */
const HINT = { nodes: 50_000, lines: 1 };
const BAR = { nodes: 5_000 };

/** How long two levels that play each other leave a position to be seen, in milliseconds. */
const BETWEEN_LEVELS = 250;

const SEEDS = 2 ** 32;

const page = {
  /** The games there are, by name. */
  infos: new Map(),
  game: null,
  /** `"p"` for a person, a number for a level. */
  players: { one: "p", two: 3 },
  flip: false,
  paused: false,
  picker: null,
  /** What the pieces on the board are, as the view reads them. */
  model: null,
  /** A line of the analysis that is shown instead of the game. */
  line: null,
  /** Whether something is moving, and what then goes on is not to be overtaken. */
  busy: false,
  /** What is moving, and whose time was up before it had ended. */
  playing: null,
  late: null,
  /** Whether the list of legal moves has the focus, also while it is made anew. */
  isInList: false,
  /** Counts what has been begun: who finds another number has been overtaken. */
  serial: 0,
  /** The place whose effect has been shown to a finger, which taps again to play. */
  tapped: null,
};

const board = new Board({ pick, hover, canDrag, describe });
const clock = new Clock(showClock, timeIsUp);
const analysis = new Analysis({ goTo, showLine, judged: () => showSheet() });
const setup = new Setup({ show: showSetup, start: startFromSetup, view: () => board.view });

const isPerson = (player) => page.players[player] === "p";
const isOver = () => page.game.snapshot.stage === "over";
const turn = () => page.game.snapshot.turn;

// ---- Games begin ----

async function info(id) {
  if (!page.infos.has(id)) page.infos.set(id, await api.game(id));
  return page.infos.get(id);
}

/** Begins a game, perhaps with moves that have been played already. */
async function begin(id, { start, moves = [], at = moves.length, resigned = null } = {}) {
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
  analysis.clear();
  clock.set(byId("clock").value);
  byId("goal").textContent = `${about.name}. ${about.goal}`;
  byId("rules").replaceChildren(...rules(about.rules));
  showPlayers();
  await loadBoard();
  await refresh();
  proceed(mine);
}

async function loadBoard() {
  const { info: about, id } = page.game;
  document.documentElement.style.setProperty("--board-width", WIDTHS[id] ?? USUAL_WIDTH);
  await board.load(id, about, viewOf(id), page.flip);
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

async function beginFromAddress() {
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

// ---- Turns ----

/** Goes on with a game: a level thinks, a person is waited for. `answer` is the move of a level that thinks already. */
async function proceed(mine, answer = null) {
  if (mine !== page.serial || setup.isOn) return;
  const { game } = page;
  const { stage } = game.snapshot;
  if (stage === "over" || page.line) {
    clock.stop();
    return;
  }
  if (!game.isAtEnd || page.paused) return;
  clock.start(turn());
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
function play(move) {
  if (!page.busy) page.playing = playing(move);
  return page.playing;
}

/** Waits until nothing moves any more, which is at once. */
async function settle() {
  if (!page.busy) return;
  hurry(true);
  await page.playing;
  hurry(false);
}

async function playing(move) {
  const mine = (page.serial += 1);
  const { game } = page;
  const mover = turn();
  page.busy = true;
  let answer = null;
  try {
    page.picker = null;
    board.setOpen([]);
    document.body.dataset.waits = "";
    const ply = await game.play(move);
    clock.moved(mover);
    if (!isOver()) clock.start(turn());
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
  board.clear("marks");
  board.clear("tints");
  const { touched } = board.view.touched(ply);
  board.mark("last", new Set(touched), "tints");
  board.view.turn = ply.player;
  board.view.draw(page.model, ply.player);
  for (const event of ply.events) await board.view.play(page.model, event);
}

/** Shows the position after so many plies. */
async function goTo(at) {
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
  if (!page.game.isAtEnd) clock.stop();
  await refresh();
  say(page.game.lastPly ? `After ${plyInWords(page.game.id, page.game.lastPly)}` : "The start");
  if (page.game.isAtEnd) proceed(mine);
}

/** Goes back to where a person last decided something. */
function takeBack() {
  const { game } = page;
  let at = game.at - 1;
  const decided = (ply) => isPerson(ply.player) && !ply.events.some(({ kind }) => kind === "roll");
  while (at > 0 && !decided(game.plies[at])) at -= 1;
  goTo(Math.max(at, 0));
}

async function resign(player, onTime = false) {
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
  clock.stop();
  await refresh();
  say(byId("status").textContent);
}

/** Nobody is cut short in a move that has been made. */
function timeIsUp(player) {
  if (page.busy) page.late = player;
  else resign(player, true);
}

async function rollDice() {
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

// ---- What is to be seen ----

/** Shows the position, and lets a person pick if it is their turn. */
async function refresh() {
  const { game } = page;
  const { snapshot, id } = game;
  page.model = board.view.read(snapshot.position);
  page.tapped = null;
  board.view.draw(page.model, snapshot.turn);
  for (const layer of ["tints", "marks", "moving"]) board.clear(layer);
  if (game.lastPly) {
    const { touched, taken } = board.view.touched(game.lastPly);
    board.mark("last", new Set(touched), "tints");
    board.mark("taken", taken, "tints");
  }
  byId("status").textContent = standing(id, snapshot, game.onTime);
  preview("");
  showBars();
  showSheet();
  showLegal();
  showButtons();
  byId("threats").setAttribute("aria-pressed", "false");
  byId("shared").value = "";
  history.replaceState(null, "", addressOf(game, page.players, page.flip));
  analysis.select(game.at);
  showEvaluation();
  await letPick();
}

async function letPick() {
  const { game } = page;
  const { snapshot } = game;
  page.picker = null;
  const canPick = snapshot.stage === "move" && (isPerson(snapshot.turn) || !game.isAtEnd);
  if (canPick) {
    const mine = page.serial;
    let moves = snapshot.moves;
    if (game.id === "mahbusa" && moves[0].steps[0].kind !== "pass") {
      snapshot.spellings ??= api.allSpellings(game.id, snapshot.state);
      moves = (await snapshot.spellings).moves;
      if (mine !== page.serial) return;
    }
    page.picker = new Picker(moves, (move) => board.view.route(move, snapshot.turn));
  }
  showPicked();
  const isPersons = isPerson(snapshot.turn) || !game.isAtEnd;
  document.body.dataset.waits = snapshot.stage === "over" ? "over" : isPersons ? snapshot.stage : "";
  keepFocus();
}

/** Who plays by the list of moves finds it again, and who has used a button that is gone is back on the board. */
function keepFocus() {
  const active = document.activeElement;
  if (page.isInList) byId("legal").querySelector("button:enabled")?.focus();
  else if (active !== document.body && active?.closest("[hidden]")) board.root.focus();
}

/** Shows how far the move has been built that a person is picking. */
function showPicked() {
  const { picker, game } = page;
  const snapshot = game.snapshot;
  board.clear("marks");
  board.setOpen(picker ? [...picker.open, ...(picker.complete ? [picker.last] : [])] : []);
  const path = picker?.path ?? [];
  const model = path.length > 0
    ? board.view.afterPath(page.model, path, picker.at.any, snapshot.turn)
    : page.model;
  page.shownModel = model;
  board.view.shown = model;
  board.view.draw(model, snapshot.turn);
  if (path.length > 0) {
    board.mark("from", [picker.last]);
    board.mark("target", picker.open);
  }
  preview("");
  showButtons();
}

/** What a move does, before it is made. */
function showEffects(move) {
  const { taken, words } = board.view.effects(move, page.game.snapshot);
  board.mark("taken", taken);
  preview(words ? `${move.move}: ${words}` : move.move);
}

function showBars() {
  const { id, snapshot } = page.game;
  for (const player of ["one", "two"]) {
    const bar = byId(player === (page.flip ? "two" : "one") ? "bar-near" : "bar-far");
    const kind = isPerson(player) ? "" : ` (level ${page.players[player]})`;
    const points = snapshot.outcome.points ? `, ${snapshot.outcome.points[player]}` : "";
    bar.querySelector(".who").textContent = `${nameOf(id, player)}${kind}${points}`;
    bar.style.setProperty("--colour", `var(--${player})`);
    bar.classList.toggle("turn", snapshot.turn === player && snapshot.stage !== "over");
  }
  byId("evaluation").classList.toggle("flipped", page.flip);
  const points = score(id, snapshot.outcome);
  if (points) byId("status").textContent += ` (${points})`;
}

function showClock(player, text, isShort) {
  const bar = byId(player === (page.flip ? "two" : "one") ? "bar-near" : "bar-far");
  const place = bar.querySelector(".clock");
  place.textContent = text;
  place.classList.toggle("short", isShort);
}

function showSheet() {
  const { game } = page;
  let turns = 0;
  const items = game.plies.map((ply, index) => {
    const button = html("button", {
      type: "button",
      class: "link",
      "data-ply": index + 1,
      "aria-current": index + 1 === game.at ? "step" : null,
      onclick: () => goTo(index + 1),
    }, `${ply.move}${analysis.sign(index)}`);
    // A turn is numbered where its player's first move in it stands; in Mahbusa that is the roll.
    const before = game.plies[index - 1]?.player;
    const isNew = ply.player === "one" && before !== "one";
    turns += isNew || index === 0 ? 1 : 0;
    const number = isNew || index === 0 ? html("span", { class: "number" }, `${turns}.`) : null;
    return html("li", { "data-player": ply.player }, number, button);
  });
  const start = html("li", {}, html("button", {
    type: "button",
    class: "link",
    "data-ply": 0,
    "aria-current": game.at === 0 ? "step" : null,
    onclick: () => goTo(0),
  }, "start"));
  byId("sheet").replaceChildren(start, ...items);
  const current = byId("sheet").querySelector("[aria-current]");
  if (current) byId("sheet").scrollTop = current.offsetTop - byId("sheet").offsetTop - 60;
}

/** The list of the legal moves, for those who do not use the board. */
function showLegal() {
  const { snapshot, isAtEnd } = page.game;
  const moves = snapshot.moves ?? [];
  const canPlay = isPerson(snapshot.turn) || !isAtEnd;
  byId("legal-count").textContent = moves.length > 0 ? `(${moves.length})` : "";
  byId("legal").replaceChildren(...moves.map((move) => html("li", {}, html("button", {
    type: "button",
    class: "link",
    "data-move": move.move,
    disabled: !canPlay,
    title: board.view.effects(move, snapshot).words,
    onclick: () => play(move.move),
  }, move.move))));
}

function showButtons() {
  const { game, picker, line } = page;
  const { snapshot } = game;
  const isMine = isPerson(snapshot.turn) || !game.isAtEnd;
  const levelsPlay = !isPerson("one") && !isPerson("two");
  const isPass = snapshot.moves?.length === 1 && snapshot.moves[0].move === "pass";
  const levelWaits = !isPerson(snapshot.turn) && (!game.isAtEnd || page.paused);
  byId("play").hidden = !picker?.complete || picker.path.length === 0;
  byId("play").textContent = `Play ${picker?.complete?.move ?? ""}`;
  byId("cancel").hidden = !(picker?.path.length > 0) && !line;
  byId("cancel").textContent = line ? "Back to the game" : "Cancel";
  byId("roll").hidden = snapshot.stage !== "roll" || !isMine || Boolean(line);
  byId("pass").hidden = !isPass || !isMine || Boolean(line);
  byId("continue").hidden = snapshot.stage === "over" || !levelWaits || Boolean(line);
  byId("analyse-now").hidden = snapshot.stage !== "over" || Boolean(line) || analysis.isOf(game.allMoves);
  byId("pause").hidden = !levelsPlay || snapshot.stage === "over";
  byId("pause").setAttribute("aria-pressed", String(page.paused));
  byId("undo").disabled = game.at === 0;
  byId("take-back").disabled = game.at === 0;
  byId("redo").disabled = game.isAtEnd;
  byId("hint").disabled = snapshot.stage !== "move";
  byId("threats").disabled = snapshot.stage === "over";
  byId("resign").disabled = snapshot.stage === "over" || !game.isAtEnd;
}

function preview(text) {
  byId("preview").textContent = text;
}

/** Says something that has gone wrong, or could. */
function tell(text) {
  preview(text);
  say(text);
}

// ---- What a person picks ----

function pick(place, touched) {
  if (setup.isOn) {
    setup.pick(place);
    return;
  }
  const { picker } = page;
  if (!picker || page.busy || page.line || !place) return;
  const [move, more] = picker.movesAfter(place);
  const isLast = picker.at.next.get(place)?.move && picker.at.next.get(place).next.size === 0;
  if (touched && isLast && !more && page.tapped !== place) {
    // A finger does not hover: what the move does is shown at the first tap, if it does something.
    const { taken, words } = board.view.effects(move, page.game.snapshot);
    if (taken.length > 0 || words !== "") {
      page.tapped = place;
      showPicked();
      showEffects(move);
      say(`${words}; tap again to play`);
      return;
    }
  }
  page.tapped = null;
  const picked = picker.pick(place);
  if (picked && picked !== true) {
    play(picked.move);
  } else if (picked) {
    showPicked();
    if (picker.complete) showEffects(picker.complete);
  } else {
    const isStart = picker.root.next.has(place);
    picker.clear();
    if (isStart) picker.pick(place);
    showPicked();
  }
}

function cancel() {
  if (page.line) {
    goTo(page.game.at);
    return;
  }
  page.picker?.clear();
  page.tapped = null;
  showPicked();
}

/** Shows what a move would do that the place under the pointer completes. */
function hover(place) {
  const { picker } = page;
  if (!picker || page.busy || setup.isOn || page.line) return;
  board.layers.marks.querySelectorAll(".taken").forEach((mark) => mark.remove());
  const next = picker.at.next.get(place);
  const moves = place ? picker.movesAfter(place) : [];
  const move = next?.move ?? (moves.length === 1 ? moves[0] : picker.complete);
  if (move && (next || picker.complete)) showEffects(move);
  else preview("");
}

/** Whether a piece can be dragged from a place. In Wari nothing is: a click on a cup is its whole move. */
function canDrag(place) {
  if (page.busy || setup.isOn || page.game.id === "wari" || !page.picker) return false;
  return page.picker.open.includes(place) || page.picker.root.next.has(place);
}

/** Says what is at a place. */
function describe(place) {
  const words = board.view.describe(page.shownModel ?? page.model, place);
  const isOpen = page.picker?.open.includes(place) ? ", can be picked" : "";
  const effects = byId("preview").textContent;
  say(`${words}${isOpen}${effects ? `; ${effects}` : ""}`);
}

// ---- Advice ----

async function showHint() {
  const { game } = page;
  const at = page.serial;
  preview("Thinking…");
  try {
    const { lines } = await api.suggestion(game.id, game.record(), HINT);
    if (at !== page.serial) return;
    const [best] = lines;
    drawMove(best.move, "hint");
    tell(`Best: ${best.move} (${signed(best.value.expected)})`);
  } catch (problem) {
    tell(problem.message);
  }
}

/** Draws a legal move of the position that is shown as arrows. */
function drawMove(text, kind) {
  const { snapshot } = page.game;
  const move = snapshot.moves?.find(({ move: known }) => known === text);
  if (!move) return;
  page.picker?.clear();
  showPicked();
  for (const line of board.view.lines(move, page.model, snapshot.turn)) board.arrow(line, kind);
}

/** Marks what the opponent of the player to move could take if it were their turn. */
async function showThreats() {
  const button = byId("threats");
  if (button.getAttribute("aria-pressed") === "true") {
    button.setAttribute("aria-pressed", "false");
    showPicked();
    return;
  }
  const { game } = page;
  const at = page.serial;
  const opponent = other(turn());
  const chances = board.view.threats(game.snapshot.state);
  const states = chances.map(({ state }) => state);
  const found = await api.movesOfMany(game.id, states);
  if (at !== page.serial) return;
  const rolls = new Map();
  found.forEach((moves, index) => {
    const victims = new Set();
    for (const move of moves ?? []) {
      if (move.steps[0].kind === "pass") continue;
      const { taken } = board.view.effects(move, { state: states[index], turn: opponent });
      const own = board.view.route(move, opponent);
      for (const place of taken) if (game.id === "mahbusa" || !own.includes(place)) victims.add(place);
    }
    for (const place of victims) rolls.set(place, (rolls.get(place) ?? 0) + chances[index].rolls);
  });
  button.setAttribute("aria-pressed", "true");
  board.mark("threat", rolls.keys());
  const all = chances.reduce((sum, chance) => sum + chance.rolls, 0);
  const of = all > 1 ? (count) => ` (${count} of ${all} rolls)` : () => "";
  const places = [...rolls].map(([place, count]) => `${board.view.described(place)}${of(count)}`);
  const name = nameOf(game.id, opponent);
  tell(places.length > 0 ? `${name} threatens ${places.join(", ")}` : `${name} threatens nothing at once`);
}

async function showEvaluation() {
  const bar = byId("evaluation");
  if (bar.hidden) return;
  const { game } = page;
  const at = page.serial;
  try {
    const { value } = await api.evaluation(game.id, game.record(), BAR);
    if (at !== page.serial) return;
    const expected = value.expected * (turn() === "one" ? 1 : -1);
    bar.firstElementChild.style.height = `${50 + expected * 50}%`;
    const proven = value.proven ? `, proven ${value.proven.result} for ${nameOf(game.id, turn())}` : "";
    const words = `Evaluation for ${nameOf(game.id, "one")}: ${signed(expected)}${proven}`;
    bar.setAttribute("aria-label", words);
    bar.title = words;
  } catch (problem) {
    bar.setAttribute("aria-label", problem.message);
  }
}

/** Shows a line of the analysis: the position after its moves, and as an arrow the last of them. */
async function showLine(index, moves) {
  const mine = (page.serial += 1);
  await settle();
  const { game } = page;
  try {
    await game.show(index);
    const before = { ...game.record(index), moves: [...game.record(index).moves, ...moves.slice(0, -1)] };
    const answer = await api.apply(game.id, { ...before, plies_from: before.moves.length });
    if (mine !== page.serial) return;
    clock.stop();
    page.line = { index, moves };
    await refresh();
    page.picker = null;
    board.setOpen([]);
    const model = board.view.read(answer.position);
    board.clear("tints");
    board.clear("marks");
    board.view.draw(model, answer.turn);
    const last = answer.moves.find(({ move }) => move === moves.at(-1));
    if (last) for (const line of board.view.lines(last, model, answer.turn)) board.arrow(line, "best");
    analysis.select(index + 1);
    tell(`Line: ${moves.join(" ")}`);
    showButtons();
  } catch (problem) {
    tell(problem.message);
  }
}

const analyse = () => analysis.run(page.game, Number(byId("nodes").value));

// ---- Setting up ----

function showSetup(model) {
  if (page.game.id === "mahbusa") {
    const count = (player) => [...model.values()].reduce((sum, { owner, count: number, pinned }) =>
      sum + (owner === player ? number : 0) + (owner === other(player) && pinned ? 1 : 0), 0);
    const off = { one: Math.max(0, 15 - count("one")), two: Math.max(0, 15 - count("two")) };
    Object.assign(model, { roll: null, left: null, off });
  }
  page.shownModel = model;
  for (const layer of ["tints", "marks"]) board.clear(layer);
  board.view.draw(model, "one");
}

function startFromSetup(state) {
  endSetup();
  begin(page.game.id, { start: state }).catch((problem) => tell(problem.message));
}

/** Leaves the setting up. It has ended before its part of the page closes, which would else lead back to the game. */
function endSetup() {
  setup.end();
  byId("setup-part").open = false;
}

// ---- Wiring ----

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
    clock.show();
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
    if (analysis.abort) analysis.abort.abort();
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
    if (byId("setup-part").open === setup.isOn) return;
    if (byId("setup-part").open) {
      page.serial += 1;
      clock.stop();
      page.picker = null;
      board.setOpen(board.places.keys());
      setup.begin(page.game.id, page.game.snapshot);
    } else {
      setup.end();
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
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "use" ? byId("key-text").value.trim() : null), { once: true });
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
