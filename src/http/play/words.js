// What the page says: names, results, and what happens in a move.

const NAMES = { wari: { one: "A", two: "B" } };
const COLOURS = { one: "White", two: "Black" };

/** What people call a player. */
export const nameOf = (id, player) => (NAMES[id] ?? COLOURS)[player];

/** The opponent of a player. */
export const other = (player) => (player === "one" ? "two" : "one");

/** How a game has ended, or whose turn it is. */
export function standing(id, { turn, stage, outcome }, onTime) {
  if (outcome.status === "in_progress") return `${nameOf(id, turn)} to ${stage === "roll" ? "roll" : "move"}`;
  const reason = onTime && outcome.reason === "resigned" ? "time is up" : outcome.reason.replaceAll("-", " ");
  return `${outcome.status === "won" ? `${nameOf(id, outcome.winner)} wins` : "Drawn"}: ${reason}`;
}

/** The points of both, with what they count. */
export function score(id, { points }) {
  if (!points) return "";
  const unit = { "cublino-pur": "pips on the far rank", mahbusa: "borne off", wari: "prisoners" }[id];
  return `${nameOf(id, "one")} ${points.one} : ${points.two} ${nameOf(id, "two")} ${unit ?? "points"}`;
}

const TOLD = {
  battle: (id, event) => {
    const totals = `${event.attacker_total} to ${event.defender_total}`;
    const end = event.loser ? `${nameOf(id, event.loser)} loses` : "nobody loses";
    return `${event.attacker} fights ${event.defender}, ${totals}: ${end}`;
  },
  removed: (id, event) => `${nameOf(id, event.player)}'s die on ${event.square} is gone`,
  pass: () => "as no move is possible",
  turn_skipped: (id, event) => `${nameOf(id, event.player)} cannot move and is skipped`,
  roll: (_, event) => `the dice show ${event.roll.join(" and ")}`,
  pinned: (id, event) => `${nameOf(id, event.player)}'s checker on ${event.point} is pinned`,
  freed: (id, event) => `${nameOf(id, event.player)}'s checker on ${event.point} is free`,
  borne_off: (_, event) => `a checker leaves from ${event.from}`,
  sown: (_, { count, from }) => `${count === 1 ? "1 marble is" : `${count} marbles are`} sown from cup ${from}`,
  captured: (id, event) => `${nameOf(id, event.player)} captures ${event.total}`,
  swept: (id, event) => `${nameOf(id, event.player)} takes ${event.total} left on their own side`,
};

/** What happened in a ply, in one sentence. */
export function plyInWords(id, ply) {
  const happened = ply.events.map((event) => TOLD[event.kind]?.(id, event)).filter(Boolean);
  const isRoll = ply.events.some((event) => event.kind === "roll");
  const begins = `${nameOf(id, ply.player)} ${isRoll ? "rolls" : "plays"} ${ply.move}`;
  return `${[begins, ...happened].join(", ")}.`;
}

/** A value as people read it, from the side of player one. */
export const signed = (number) => `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(2)}`;
