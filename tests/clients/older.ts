// Asks a running service with a client that a generator for OpenAPI 3.0 has made.

import assert from "node:assert/strict";
import { Configuration, GameId, ManyApi, PlayApi, StatesApi } from "./older/index.js";

const [, , basePath] = process.argv;
assert(basePath, "usage: node older.js URL");
const configuration = new Configuration({ basePath });

const state = "M-o22O";
const { data: rolled } = await new PlayApi(configuration).rollDice(GameId.Mahbusa, { state, seed: 42 });
const { data: listed } = await new StatesApi(configuration).listLegalMoves(GameId.Mahbusa, rolled.state);
assert.equal(listed.moves.length, listed.count);
const { data: validation } = await new StatesApi(configuration).validateState(GameId.Mahbusa, "M?");
assert.equal(validation.position, null);
const positions = [{ state }, { state, moves: [rolled.move] }];
const { data: scores } = await new ManyApi(configuration).getScores(GameId.Mahbusa, { positions });
assert.equal(scores.results.length, 2);
console.log(`rolled ${rolled.move}: ${listed.count} moves`);
