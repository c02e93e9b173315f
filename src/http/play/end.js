// The end of a game: how it ended, and what can be done next.

import { byId } from "./dom.js";
import { isPerson, page } from "./page.js";
import { levelName, nameOf, reasonOf, resultOf, sentence } from "./words.js";

/** The level that a person plays against, as the service describes it. */
function opponent() {
  const { levels } = page.game.info;
  const numbers = Object.values(page.players).filter((kind) => kind !== "p");
  return numbers.length === 1 ? levels.find(({ level }) => level === numbers[0]) : null;
}

/** The level one higher, if there is one. */
const stronger = () => page.game.info.levels.find(({ level }) => level === opponent()?.level + 1);

/** The players, with the level one higher, or null if there is no higher level. */
export function nextLevel() {
  if (!stronger()) return null;
  const raised = ([player, kind]) => [player, kind === "p" ? kind : kind + 1];
  return Object.fromEntries(Object.entries(page.players).map(raised));
}

/** Shows the card if the game is over in the position shown, and hides it otherwise. */
export function showEnd() {
  const { game, line, task, hasCard } = page;
  const { outcome, stage } = game.snapshot;
  const isShown = stage === "over" && game.isAtEnd && hasCard && !line && !task && !page.setup?.isOn;
  byId("end").hidden = !isShown;
  if (!isShown) return;
  const won = outcome.status === "won" && opponent();
  byId("end-title").textContent = !won
    ? resultOf(game.id, outcome)
    : isPerson(outcome.winner) ? "You win" : `${nameOf(game.id, outcome.winner)} wins`;
  const { points } = outcome;
  const score = points && outcome.reason !== "resigned" ? `, ${points.one}\u00a0:\u00a0${points.two}` : "";
  byId("end-reason").textContent = sentence(`${reasonOf(game.id, outcome, game.onTime)}${score}`);
  const next = stronger();
  byId("next-level").hidden = !next;
  if (next) byId("next-level").title = levelName(next);
  byId("swap").hidden = !opponent();
}
