"""Asks a running service for a good move and plays it, with a client that is made from the OpenAPI document."""

import sys

from cublino_client import Client
from cublino_client.api.play import apply_moves, suggest_move
from cublino_client.models import Applied, Apply, GameId, Problem, Suggestion

START = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"

client = Client(base_url=sys.argv[1])

suggestion = suggest_move.sync(GameId.CUBLINO_PUR, client=client, state=START, depth=2)
assert isinstance(suggestion, Suggestion), suggestion

played = Apply(state=START, moves=[suggestion.move])
applied = apply_moves.sync(GameId.CUBLINO_PUR, client=client, body=played)
assert isinstance(applied, Applied), applied
assert applied.turn == "two", applied

impossible = Apply(state=START, moves=["a1a7"])
refused = apply_moves.sync(GameId.CUBLINO_PUR, client=client, body=impossible)
assert isinstance(refused, Problem) and refused.code == "illegal-move", refused

print(f"played {suggestion.move}: {applied.state}")
