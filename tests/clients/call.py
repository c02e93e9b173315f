"""Asks a running service everything that a program may ask it, with a client that is made from the OpenAPI document."""

import json
import sys

from cublino_client import Client
from cublino_client.api.games import describe_game
from cublino_client.api.many import (
    analyse_game,
    draw_positions,
    evaluate_positions,
    list_legal_moves_of_many,
    suggest_moves,
    get_scores,
    validate_states,
)
from cublino_client.api.operation import get_limits
from cublino_client.api.play import apply_moves, evaluate_position, suggest_move
from cublino_client.models import (
    AnalysedMove,
    Analysis,
    AnalysisQuestion,
    Applied,
    Apply,
    Evaluation,
    EvaluationsQuestion,
    GameDetails,
    GameId,
    LegalMovesOfManyQuestion,
    PlayStyle,
    PlyRange,
    PositionQuestion,
    PositionsQuestion,
    Problem,
    RandomPositions,
    RandomPositionsQuestion,
    ServiceLimits,
    Suggestion,
    SuggestionsQuestion,
)

PUR = GameId.CUBLINO_PUR
START = "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7"
# The start, a position after two moves, and one that there is not.
POSITIONS = [
    PositionQuestion(state=START),
    PositionQuestion(state=START, moves=["e1e2", "b7b6"], repetition_limit=3),
    PositionQuestion(state=START, moves=["a1a7"]),
]

client = Client(base_url=sys.argv[1])


def of_type(kind, answer):
    assert isinstance(answer, kind), answer
    return answer


def play():
    suggestion = of_type(Suggestion, suggest_move.sync(PUR, client=client, state=START, depth=2))
    applied = of_type(Applied, apply_moves.sync(PUR, client=client, body=Apply(state=START, moves=[suggestion.move])))
    assert applied.turn == "two", applied
    refused = of_type(Problem, apply_moves.sync(PUR, client=client, body=Apply(state=START, moves=["a1a7"])))
    assert refused.code == "illegal-move", refused
    print(f"played {suggestion.move}: {applied.state}")


def describe():
    limits = of_type(ServiceLimits, get_limits.sync(client=client))
    assert limits.positions == 1000 and limits.caller.requests_per_minute is None, limits
    pur = of_type(GameDetails, describe_game.sync(PUR, client=client))
    assert len(pur.orientations) == 24 and pur.orientations[22].tipped.north == "l", pur.orientations
    wari = of_type(GameDetails, describe_game.sync(GameId.WARI, client=client))
    assert wari.orientations is None, wari
    print(f"the longest search takes {limits.time_ms} ms")


def ask_about_many():
    """Each kind of question, of which the last position spoils no other."""
    positions = PositionsQuestion(positions=POSITIONS)
    answers = {
        "validation": validate_states.sync(PUR, client=client, body=positions),
        "legal-moves": list_legal_moves_of_many.sync(PUR, client=client, body=LegalMovesOfManyQuestion(positions=POSITIONS)),
        "score": get_scores.sync(PUR, client=client, body=positions),
        "evaluation": evaluate_positions.sync(PUR, client=client, body=EvaluationsQuestion(positions=POSITIONS, depth=2)),
        "suggestion": suggest_moves.sync(PUR, client=client, body=SuggestionsQuestion(positions=POSITIONS, depth=2)),
    }
    for operation, answer in answers.items():
        assert not isinstance(answer, Problem | None), (operation, answer)
        first, second, third = (result.to_dict() for result in answer.results)
        assert first["answer"]["state"] == START, (operation, answer)
        # A validation has the text that was given, and then the state after the moves.
        assert (second["answer"].get("canonical") or second["answer"]["state"]) != START, (operation, answer)
        assert third["problem"]["code"] == "illegal-move", (operation, answer)

    # By QUERY, and line by line: the client has neither, but reads what is answered.
    body = EvaluationsQuestion(positions=POSITIONS, depth=2).to_dict()
    path = f"/v1/games/{PUR}/evaluation"
    query = client.get_httpx_client().request("QUERY", path, json=body)
    assert query.json() == answers["evaluation"].to_dict(), query.text
    headers = {"Accept": "application/x-ndjson"}
    with client.get_httpx_client().stream("POST", path, json=body, headers=headers) as response:
        lines = [json.loads(line) for line in response.iter_lines()]
    assert lines == query.json()["results"], lines
    value = Evaluation.from_dict(lines[0]["answer"]).value.expected
    alone = of_type(Evaluation, evaluate_position.sync(PUR, client=client, state=START, depth=2))
    assert value == alone.value.expected, alone
    print(f"the start is worth {value:.3f}")


def analyse():
    body = AnalysisQuestion(moves=["e1e2", "b7b6", "d1e1e3"], nodes=1000)
    analysis = of_type(Analysis, analyse_game.sync(PUR, client=client, body=body))
    losses = [of_type(AnalysedMove, ply).loss for ply in analysis.plies]
    assert len(losses) == 3 and min(losses) >= 0 and analysis.players.one.moves == 2, analysis
    print(f"the moves lose {losses}")


def draw():
    plies = PlyRange(from_=2, to=6)
    body = RandomPositionsQuestion(count=5, seed=7, plies=plies, play=PlayStyle.GOOD)
    drawn = of_type(RandomPositions, draw_positions.sync(PUR, client=client, body=body))
    assert drawn.seed == 7 and len({position.state for position in drawn.positions}) == 5, drawn
    again = of_type(RandomPositions, draw_positions.sync(PUR, client=client, body=body))
    assert again == drawn, again
    for position in drawn.positions:
        played = Apply(state=START, moves=position.moves)
        applied = of_type(Applied, apply_moves.sync(PUR, client=client, body=played))
        assert applied.state == position.state, applied
    print(f"drew {drawn.positions[0].state}")


for ask in play, describe, ask_about_many, analyse, draw:
    ask()
