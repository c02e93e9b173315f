// What is to be seen of a position: the board, whose turn it is, the moves played and the legal ones.

import { showEvaluation } from "./advice.js";
import { byId, html } from "./dom.js";
import { letPick, showButtons } from "./hand.js";
import { isPerson, page, preview } from "./page.js";
import { addressOf } from "./share.js";
import { nameOf, score, standing } from "./words.js";

/** Shows the position, and lets a person pick if it is their turn. */
export async function refresh() {
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
  byId("status").textContent = standing(id, snapshot, game.onTime);
  preview("");
  showBars();
  showSheet();
  showLegal();
  showButtons();
  byId("threats").setAttribute("aria-pressed", "false");
  byId("shared").value = "";
  history.replaceState(null, "", addressOf(game, page.players, page.flip));
  page.analysis.select(game.at);
  showEvaluation();
  await letPick();
}

/** Names the players beside the board, with their points. */
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

/** Shows the time that a player has left. */
export function showClock(player, text, isShort) {
  const bar = byId(player === (page.flip ? "two" : "one") ? "bar-near" : "bar-far");
  const place = bar.querySelector(".clock");
  place.textContent = text;
  place.classList.toggle("short", isShort);
}

/** Lists the moves that have been played, each to go back to. */
export function showSheet() {
  const { game } = page;
  let turns = 0;
  const items = game.plies.map((ply, index) => {
    const button = html("button", {
      type: "button",
      class: "link",
      "data-ply": index + 1,
      "aria-current": index + 1 === game.at ? "step" : null,
      onclick: () => page.on.goTo(index + 1),
    }, `${ply.move}${page.analysis.sign(index)}`);
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
    onclick: () => page.on.goTo(0),
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
    title: page.board.view.effects(move, snapshot).words,
    onclick: () => page.on.play(move.move),
  }, move.move))));
}
