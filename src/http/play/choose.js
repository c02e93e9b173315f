// The choice of a game: a picture of each, who plays, and the recent games.

import * as api from "./api.js";
import { byId, html } from "./dom.js";
import { info, sideOf } from "./opening.js";
import { PLAYED, openTab, page, stored, toast, usualLevel } from "./page.js";
import { recentGames, setRecentGames } from "./share.js";
import { beginAnew } from "./turns.js";
import { levelName, nameOf, several } from "./words.js";

/** The positions in the pictures; another game shows its start. */
const POSITIONS = {
  "cublino-pur": "pWb1Wc1Gd1We1La2Bd3Dg3kb4fd5ib6id6ig6ve7vf7",
  "cublino-contra": "cWa1Wb1Wc1Wf1Ld2Le2pb4Mg4ic6va7vd7ve7vf7",
  "cublino-ecke": "eWa1Wb1Cc1Ge1Wg1Na2Nb2xg4ib6ad6af6va7vc7vd7",
  mahbusa: "M52-l1a2a8A1A2ap3L",
  wari: "w-0-10-3-1-0-0-9-0-2-1-8-1-7-6",
};

/** The id of the chosen game. */
const chosen = () => byId("games").querySelector("input:checked")?.value ?? page.games[0].id;

/** Opens the choice. */
export async function choose(id = page.game?.id ?? page.games[0].id) {
  if (byId("games").children.length === 1) showGames();
  byId("games").querySelector(`input[value="${id}"]`).checked = true;
  showRecent();
  if (!byId("choose").open) byId("choose").showModal();
  await showPlayers();
}

function showGames() {
  byId("games").append(...page.games.map(({ id, name, goal }) => html("label", { class: "card" },
    html("input", { type: "radio", name: "game", value: id, onchange: showPlayers }),
    html("span", { class: "thumb", "data-game": id }), html("strong", {}, name), html("small", {}, goal))));
  // The choice also works without pictures.
  showPictures().catch(() => {});
}

async function showPictures() {
  for (const thumb of byId("games").querySelectorAll(".thumb")) {
    const id = thumb.dataset.game;
    const state = POSITIONS[id] ?? page.games.find((game) => game.id === id).start;
    const src = `data:image/svg+xml,${encodeURIComponent(await api.picture(id, { state, header: "off" }))}`;
    thumb.append(html("img", { src, alt: "", width: 150, height: 150 }));
  }
}

/** Offers the players of the chosen game, and keeps what is selected. */
async function showPlayers() {
  const id = chosen();
  const { levels } = await info(id);
  if (id !== chosen()) return;
  for (const player of ["one", "two"]) {
    byId(`name-${player}`).textContent = nameOf(id, player);
    const options = levels.map((level) => html("option", { value: level.level }, levelName(level)));
    const select = byId(`player-${player}`);
    const usual = { one: "p", two: usualLevel() };
    // At the first visit no game has begun yet.
    const kept = select.value || (page.task || !page.game?.plies.length ? usual : page.players)[player];
    select.replaceChildren(
      html("option", { value: "p" }, "Person"), html("option", { value: "f" }, "A friend, by link"), ...options);
    select.value = kept;
  }
  showLevelNote();
}

/** Shows what was measured about the level. */
async function showLevelNote() {
  const { levels } = await info(chosen());
  const wanted = Math.max(...["one", "two"].map((player) => Number(byId(`player-${player}`).value) || 0));
  const { rating, measured } = levels[wanted - 1] ?? {};
  const below = wanted > 1 ? `level ${wanted - 1}` : "random play";
  byId("level-note").textContent = measured
    ? `Level ${wanted} scores ${Math.round(100 * measured.score_against_below)} % against ${below}. `
      + `Its rating is ${rating}; random play has 0.`
    : `${nameOf(chosen(), "one")} begins.`;
}

function showRecent() {
  const games = recentGames();
  byId("recent").hidden = games.length === 0;
  const name = (id) => page.games.find((game) => game.id === id)?.name ?? id;
  byId("recent").querySelector("ul").replaceChildren(...games.map(({ id, address, count, when }) => {
    const date = new Date(when).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
    const words = `${name(id)}, ${several(count, "ply", "plies")}, ${date}`;
    return html("li", {}, html("a", { href: address, onclick: close }, words));
  }));
}

const close = () => byId("choose").close();

/** Connects the controls of the choice. */
export function wireChoice() {
  byId("new").addEventListener("submit", (event) => {
    event.preventDefault();
    close();
    const player = (name) => Number(byId(name).value) || byId(name).value;
    const players = { one: player("player-one"), two: player("player-two") };
    // Somebody has to be here.
    if (players.one === "f" && players.two === "f") players.one = "p";
    openTab("moves");
    // A person who plays against a level sees the board from their own side.
    beginAnew(chosen(), { players, flip: sideOf(players) }, "New game.");
  });
  for (const player of ["one", "two"]) byId(`player-${player}`).addEventListener("change", showLevelNote);
  for (const radio of byId("played").querySelectorAll("input")) {
    radio.checked = (radio.value === "yes") === (stored(PLAYED) === true);
    radio.addEventListener("change", () => {
      stored(PLAYED, radio.value === "yes");
      byId("player-two").value = usualLevel();
      showLevelNote();
    });
  }
  byId("choose-close").addEventListener("click", close);
  byId("choose-learn").addEventListener("click", () => {
    close();
    beginAnew(chosen(), { learn: 1 });
  });
  byId("recent-erase").addEventListener("click", () => {
    const games = recentGames();
    setRecentGames([]);
    showRecent();
    close();
    toast("List erased.", "Undo", () => setRecentGames(games));
  });
}
