// Asks a running service everything that a program may ask it, with types that are made from the OpenAPI document.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./cublino.d.ts";

type Game = components["schemas"]["GameId"];

const [, , baseUrl] = process.argv;
assert(baseUrl, "usage: node call.js URL");
const client = createClient<paths, "application/json" | "application/problem+json">({ baseUrl });

const game: Game = "cublino-pur";
const params = { path: { game } };
const state = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7";
// The start, a position after two moves, and one that there is not.
const positions = [
  { state },
  { state, moves: ["e1e2", "b7b6"], repetition_limit: 3 },
  { state, moves: ["a1a7"] },
];

/** What a good answer says. */
function good<T>({ data, error }: { data?: T; error?: unknown }): T {
  assert(data !== undefined, JSON.stringify(error));
  return data;
}

async function play() {
  const { move } = good(
    await client.GET("/v1/games/{game}/suggestion", { params: { ...params, query: { state, depth: 2 } } }),
  );
  const path = "/v1/games/{game}/apply";
  const applied = good(await client.POST(path, { params, body: { state, moves: [move] } }));
  assert.equal(applied.turn, "two");
  const refused = await client.POST(path, { params, body: { state, moves: ["a1a7"] } });
  assert.equal(refused.error?.code, "illegal-move");
  console.log(`played ${move}: ${applied.state}`);
}

async function describe() {
  const limits = good(await client.GET("/v1/limits"));
  assert.deepEqual([limits.positions, limits.caller.requests_per_minute], [1000, null]);
  const pur = good(await client.GET("/v1/games/{game}", { params }));
  assert.equal(pur.orientations?.length, 24);
  assert.equal(pur.orientations[22]?.tipped.north, "l");
  const wari = good(await client.GET("/v1/games/{game}", { params: { path: { game: "wari" } } }));
  assert.equal(wari.orientations, null);
  console.log(`the longest search takes ${limits.time_ms} ms`);
}

type Answer = { state: string; canonical?: string | null };
type Result = { answer: Answer } | { problem: components["schemas"]["Problem"] };

/** The last position is none, and spoils no other. */
function check(results: Result[]) {
  const [first, second, third] = results;
  assert(first && "answer" in first && first.answer.state === state);
  // A validation has the text that was given, and then the state after the moves.
  assert(second && "answer" in second && (second.answer.canonical ?? second.answer.state) !== state);
  assert(third && "problem" in third && third.problem.code === "illegal-move");
}

async function askAboutMany() {
  const cheap = { params, body: { positions } };
  check(good(await client.POST("/v1/games/{game}/validation", cheap)).results);
  check(good(await client.POST("/v1/games/{game}/legal-moves", cheap)).results);
  check(good(await client.POST("/v1/games/{game}/score", cheap)).results);
  const searched = { params, body: { positions, depth: 2 } };
  check(good(await client.POST("/v1/games/{game}/suggestion", searched)).results);
  const evaluations = good(await client.POST("/v1/games/{game}/evaluation", searched));
  check(evaluations.results);

  // By QUERY, which the types do not know, and line by line.
  const path = `${baseUrl}/v1/games/${game}/evaluation`;
  const body = JSON.stringify(searched.body);
  const query = await fetch(path, { method: "QUERY", headers: { "Content-Type": "application/json" }, body });
  assert.deepEqual(await query.json(), evaluations);
  const headers = { Accept: "application/x-ndjson" };
  const text = await client.POST("/v1/games/{game}/evaluation", { ...searched, headers, parseAs: "text" });
  const lines: unknown[] = good(text)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(lines, evaluations.results);

  const one = { params: { ...params, query: { state, depth: 2 } } };
  const alone = good(await client.GET("/v1/games/{game}/evaluation", one));
  const [first] = evaluations.results;
  assert(first && "answer" in first);
  assert.deepEqual(first.answer, alone);
  console.log(`the start is worth ${alone.value.expected.toFixed(3)}`);
}

async function analyse() {
  const body = { moves: ["e1e2", "b7b6", "d1e1e3"], nodes: 1000 };
  const { plies, players } = good(await client.POST("/v1/games/{game}/analysis", { params, body }));
  const losses = plies.map((ply) => {
    assert("loss" in ply, "a game without dice has no rolls");
    return ply.loss;
  });
  assert.equal(losses.length, 3);
  assert(losses.every((loss) => loss >= 0));
  assert.equal(players.one.moves, 2);
  console.log(`the moves lose ${losses}`);
}

async function draw() {
  const path = "/v1/games/{game}/random-positions";
  const body = { count: 5, seed: 7, plies: { from: 2, to: 6 }, play: "good" } as const;
  const drawn = good(await client.POST(path, { params, body }));
  assert.equal(new Set(drawn.positions.map((position) => position.state)).size, 5);
  assert.deepEqual(good(await client.POST(path, { params, body })), drawn);
  for (const { state: reached, moves } of drawn.positions) {
    const applied = good(await client.POST("/v1/games/{game}/apply", { params, body: { state, moves } }));
    assert.equal(applied.state, reached);
  }
  console.log(`drew ${drawn.positions[0]?.state}`);
}

for (const ask of [play, describe, askAboutMany, analyse, draw]) {
  await ask();
}
