// Shows a position: the board, whose turn it is, the moves played and the legal moves.

import { showEvaluation } from "./advice.js";
import { byId, html, load, refill, say } from "./dom.js";
import { letPick, mayMove, showButtons } from "./hand.js";
import { fillTab } from "./opening.js";
import { isPerson, page, preview } from "./page.js";
import { addressOf, remember, sharedBy } from "./share.js";
import { levelName, nameOf, other, standing, tableOf } from "./words.js";

/** The faces of dice as characters. */
const FACES = " ⚀⚁⚂⚃⚄⚅";

/** Shows the position, and lets a person pick if it is their turn. */
export async function refresh() {
  page.line = null;
  const { game } = page;
  const { snapshot, id } = game;
  page.model = page.board.view.read(snapshot.position, snapshot.outcome);
  page.tapped = null;
  page.board.view.draw(page.model, snapshot.turn);
  for (const layer of ["tints", "marks", "moving"]) page.board.clear(layer);
  if (game.lastPly) {
    const { touched, taken } = page.board.view.touched(game.lastPly);
    page.board.mark("last", new Set(touched), "tints");
    page.board.mark("taken", taken, "tints");
  }
  const isMine = game.isAtEnd && snapshot.stage !== "over" && isPerson(snapshot.turn) && !isPerson(other(snapshot.turn));
  byId("evaluation-words").textContent = "";
  byId("status").textContent = isMine ? `Your turn, ${nameOf(id, snapshot.turn)}` : standing(id, snapshot, game.onTime);
  preview("");
  showBars();
  showSheet();
  showLegal();
  showButtons();
  byId("end").hidden = true;
  byId("shared").value = "";
  const address = addressOf(game, page);
  history[page.isEntry ? "pushState" : "replaceState"](null, "", address);
  page.isEntry = false;
  if (!page.task) remember(game, page.players, address);
  page.analysis?.select(game.at);
  showEvaluation();
  showTask();
  if (snapshot.stage === "over") (await load("./end.js")).showEnd();
  await letPick();
}

/** Shows what to do in the task, or its result. */
function showTask() {
  const { task } = page;
  byId("task").hidden = !task;
  if (!task) return;
  task.show();
  byId("task").className = task.isDone ? "good" : "";
  say(byId("task").textContent);
  fillTab();
}

const barOf = (player) => byId(player === (page.flip ? "two" : "one") ? "bar-near" : "bar-far");

/** Names the players beside the board, with their points; the table says what is still possible. */
export function showBars() {
  const { game } = page;
  const { id, snapshot, info } = game;
  const facts = page.board.view.facts(page.model, snapshot.outcome.points);
  byId("facts").replaceChildren(tableOf(id, facts));
  for (const player of ["one", "two"]) {
    const bar = barOf(player);
    const level = info.levels.find(({ level: number }) => number === page.players[player]);
    const isAlone = isPerson(player) && !isPerson(other(player));
    const kind = level ? ` (level ${level.level})` : isAlone ? " (you)" : page.players[player] === "f" ? " (friend)" : "";
    bar.querySelector(".who").textContent = `${nameOf(id, player)}${kind}`;
    bar.title = level ? levelName(level) : "";
    const { points } = snapshot.outcome;
    const [[name, ...values]] = facts;
    const counted = points
      ? [html("b", {}, String(points[player])), ` ${info.points}`]
      : [`${name}: `, html("b", {}, String(values[player === "one" ? 0 : 1]))];
    const lost = game.plies.slice(0, game.at).flatMap(({ events }) => events)
      .filter((event) => event.kind === "removed" && event.player === player).length;
    if (lost > 0) counted.push(html("span", { class: `lost ${player}`, role: "img", "aria-label": `${lost} lost` }, "■".repeat(lost)));
    bar.querySelector(".points").replaceChildren(...counted);
    bar.style.setProperty("--colour", `var(--${player})`);
    bar.classList.toggle("turn", snapshot.turn === player && snapshot.stage !== "over");
    bar.classList.remove("thinking");
  }
  byId("evaluation").classList.toggle("flipped", page.flip);
}

/** Shows that a level is thinking. */
export function showThinking(player) {
  barOf(player).classList.add("thinking");
}

/** Shows the time that a player has left. */
export function showClock(player, text, isShort) {
  const place = barOf(player).querySelector(".clock");
  place.textContent = text;
  place.classList.toggle("short", isShort);
}

/** Lists the moves played in two columns, each as a button to go back. */
export function showSheet() {
  const { game } = page;
  let turns = 0;
  let cell = null;
  const items = [];
  const open = (player) => {
    cell = html("span", { class: `cell ${player}` });
    const number = player === "one" || turns === 0 ? html("span", { class: "number" }, `${turns += 1}.`) : null;
    items.push(html("li", {}, number, cell));
  };
  game.plies.forEach((ply, index) => {
    if (ply.player !== game.plies[index - 1]?.player) open(ply.player);
    const roll = ply.events.find(({ kind }) => kind === "roll")?.roll;
    const text = roll ? roll.map((number) => FACES[number]).join("") : ply.move;
    cell.append(html("button", {
      type: "button",
      class: roll ? "link dice" : "link",
      "data-ply": index + 1,
      "data-move": ply.move,
      "aria-label": roll ? `roll ${ply.move}` : null,
      "aria-current": index + 1 === game.at ? "step" : null,
      onclick: () => page.on.goTo(index + 1),
    }, `${text}${page.analysis?.sign(index) ?? ""}`));
  });
  const sheet = byId("sheet");
  refill(sheet, ...items, ...game.lines.map(lineItem));
  const current = sheet.querySelector("[aria-current]");
  // On a phone the list scrolls, on a desktop the panel around it.
  if (current) for (const box of [sheet, sheet.parentElement]) box.scrollTop += scrollTo(box, current);
}

/** Another line, from where it leaves the moves that are shown. */
function lineItem(line) {
  const { game } = page;
  const shared = sharedBy(line, game.allMoves);
  const moves = line.slice(shared).map((move, index) => html("button", {
    type: "button",
    class: "link",
    "data-line": shared + index + 1,
    onclick: () => page.on.openLine(line, shared + index + 1),
  }, move));
  const after = shared === 0 ? "From the start: " : `After ply ${shared}: `;
  return html("li", {}, html("span", { class: "other-line" }, html("span", { class: "muted" }, after), ...moves));
}

/** How far a box must scroll to centre an element that is out of sight. */
function scrollTo(box, element) {
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return 0;
  return (inner.top + inner.bottom - outer.top - outer.bottom) / 2;
}

/** The list of the legal moves, for those who do not use the board. */
function showLegal() {
  const { snapshot } = page.game;
  // One spelling of each is enough here.
  const moves = [...new Map((snapshot.moves ?? []).map((move) => [move.state, move])).values()];
  const canPlay = mayMove();
  byId("legal-count").textContent = moves.length > 0 ? `(${moves.length})` : "";
  byId("legal").replaceChildren(...moves.map((move) => html("li", {}, html("button", {
    type: "button",
    class: "link",
    "data-move": move.move,
    disabled: !canPlay,
    onclick: () => page.on.play(move.move),
  }, move.move))));
}
