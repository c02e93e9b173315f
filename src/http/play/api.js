// Calls the service that serves the page: its public API and nothing else.

/** The address of the API, also if the service is under a path of another server. */
const BASE = new URL("../../v1/", import.meta.url);

/** The name of the API key in the tab's session storage. */
const KEY = "cublino-key";

/** How many times a busy service is asked, the first time included. */
const TRIES = 4;

/** A problem in an answer of the service, with its reasons. */
class Problem extends Error {
  constructor(body) {
    super(body.detail ?? body.title ?? "The service did not answer");
    this.code = body.code;
    this.at = body.at ?? null;
  }
}

/** The codes of problems that may pass, whatever is asked. */
const PASSING = ["away", "busy", "internal", "request-timeout", "too-many-requests", "unauthorized"];

/** Whether a retry may succeed. */
export const mayPass = ({ code }) => PASSING.includes(code);

/** The API key. The tab's session storage keeps it, unless it is switched off. */
let key = null;
try {
  key = sessionStorage.getItem(KEY);
} catch {
  // Without storage, the reader is asked again after a reload.
}

function keep(given) {
  key = given;
  try {
    sessionStorage.setItem(KEY, given);
  } catch {
    // As above.
  }
}

/** Sets the function that asks the reader for a key; it resolves to null if they have none. */
export let whenKeyIsNeeded;
const canAsk = new Promise((resolve) => { whenKeyIsNeeded = resolve; });

/** The question to the reader, which several calls may await. */
let asking = null;

/** The path of a game, or of an operation on it. */
const of = (id, operation = "") => `games/${encodeURIComponent(id)}${operation && `/${operation}`}`;

/** Calls the API. The key is only for the API: a path that leads elsewhere is refused. */
async function send(path, { body, accept = "application/json", signal } = {}) {
  const url = new URL(path, BASE);
  if (!url.href.startsWith(BASE.href)) throw new Problem({ detail: `${path} is not a path of the API` });
  for (let tries = 1; ; tries += 1) {
    const headers = { Accept: accept };
    if (key) headers.Authorization = `Bearer ${key}`;
    if (body) headers["Content-Type"] = "application/json";
    const asked = fetch(url, { method: body ? "POST" : "GET", headers, body: body && JSON.stringify(body), signal });
    const response = await asked.catch((error) => {
      if (error.name === "AbortError") throw error;
      throw new Problem({ detail: "The service does not answer. Your game is safe in the address.", code: "away" });
    });
    if (response.ok) return response;
    if (response.status === 401) {
      asking ??= canAsk.then((ask) => ask(key !== null)).finally(() => { asking = null; });
      const given = await asking;
      if (given) {
        keep(given);
        continue;
      }
    } else if ((response.status === 429 || response.status === 503) && tries < TRIES) {
      const seconds = Number(response.headers.get("Retry-After")) || 1;
      await new Promise((resolve) => setTimeout(resolve, 1000 * Math.min(seconds, 10)));
      continue;
    }
    throw new Problem(await response.json().catch(() => ({})));
  }
}

const json = async (path, options) => (await send(path, options)).json();
const query = (parameters) => new URLSearchParams(parameters).toString();

/** The games, and one of them with its rules, levels and, where dice tip, orientations. */
export const games = () => json("games");
export const game = (id) => json(of(id));

/** Plays a list of moves; the answer has the legal moves of the position reached. */
export const apply = (id, body) => json(of(id, "apply"), { body: { ...body, legal_moves: true } });

/** Checks a state: the reasons are in the answer. */
export const validation = (id, state, signal) =>
  json(of(id, `validation?${query({ state })}`), { signal });

/** The legal moves of several states: of each the moves, or null if the rules do not allow the state. */
export async function movesOfMany(id, states) {
  const body = { positions: states.map((state) => ({ state })) };
  const { results } = await json(of(id, "legal-moves"), { body });
  return results.map((result) => result.answer?.moves ?? null);
}

/** The answer of an operation about one position with the moves before it, so that repetitions count. */
async function one(id, operation, record, parameters) {
  const body = { positions: [record], ...parameters };
  const [result] = (await json(of(id, operation), { body })).results;
  if (result.problem) throw new Problem(result.problem);
  return result.answer;
}

/** The legal moves of a position. `spellings: "all"` lists every order in which they can be written. */
export const legalMoves = (id, record, parameters) => one(id, "legal-moves", record, parameters);

/** The best moves: `{level, seed}` for an opponent, `{nodes, lines}` for advice. */
export const suggestion = (id, record, parameters) => one(id, "suggestion", record, parameters);

/** The value of a position. */
export const evaluation = (id, record, parameters) => one(id, "evaluation", record, parameters);

/** Puzzles: for a `date`, or for a `seed` and perhaps a `difficulty`. */
export const puzzles = (id, parameters) => json(of(id, `puzzles?${query(parameters)}`));

/** A random seed. */
export const newSeed = () => Math.floor(Math.random() * 2 ** 32);

/** The picture of a state as text. */
export async function picture(id, parameters) {
  return (await send(of(id, `board.svg?${query(parameters)}`), { accept: "image/svg+xml" })).text();
}

/** Analyses a game: calls `told` with each line of the answer as soon as it has arrived. */
export async function analysis(id, body, told, signal) {
  const response = await send(of(id, "analysis"), { body, accept: "application/x-ndjson", signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    rest = done ? "" : lines.pop();
    for (const line of lines.filter((text) => text.trim() !== "")) {
      const entry = JSON.parse(line);
      if (entry.problem) throw new Problem(entry.problem);
      told(entry);
    }
    if (done) return;
  }
}
