// Asks a running service for a good move and plays it, with types that are made from the OpenAPI document.

import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./cublino.d.ts";

type Game = components["schemas"]["GameId"];

const [, , baseUrl] = process.argv;
assert(baseUrl, "usage: node call.js URL");
const client = createClient<paths>({ baseUrl });

const game: Game = "cublino-pur";
const state = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7";
const suggestion = await client.GET("/v1/games/{game}/suggestion", {
  params: { path: { game }, query: { state, depth: 2 } },
});
assert(suggestion.data, JSON.stringify(suggestion.error));

const { move } = suggestion.data;
const applied = await client.POST("/v1/games/{game}/apply", {
  params: { path: { game } },
  body: { state, moves: [move] },
});
assert(applied.data, JSON.stringify(applied.error));
assert.equal(applied.data.turn, "two");

const refused = await client.POST("/v1/games/{game}/apply", {
  params: { path: { game } },
  body: { state, moves: ["a1a7"] },
});
assert.equal(refused.error?.code, "illegal-move");
console.log(`played ${move}: ${applied.data.state}`);
