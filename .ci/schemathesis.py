"""Hooks for schemathesis: they add to the OpenAPI 3.1 document what only OpenAPI 3.2 can express.

Most POST operations also accept the method QUERY, and lists are available as JSON Lines. Half of the QUERY requests ask for lines.
"""

import copy
import json

import schemathesis

LINES = "application/x-ndjson"
# Operations for POST only, because they draw random numbers.
DRAWING = {"rollDice", "drawPositions"}
# Number of QUERY requests so far.
asked = 0


@schemathesis.hook
def before_load_schema(context, raw_schema):
    raw_schema["openapi"] = "3.2.0"
    for operations in raw_schema["paths"].values():
        post = operations.get("post")
        if post is None:
            continue
        content = post["responses"]["200"]["content"]
        if LINES in content:
            # In 3.2, the schema of a stream of lines is that of the whole list.
            content[LINES]["schema"] = {"type": "array", "items": content[LINES]["schema"]}
        if post["operationId"] not in DRAWING:
            query = copy.deepcopy(post)
            query["operationId"] += "ByQuery"
            for response in query["responses"].values():
                response.pop("links", None)
            operations["query"] = query


@schemathesis.hook
def before_call(context, case, kwargs):
    global asked
    if case.operation.method.upper() == "QUERY":
        asked += 1
        if asked % 2 == 0:
            case.headers.setdefault("Accept", LINES)


@schemathesis.deserializer(LINES)
def lines(context, response):
    # Not splitlines: strings may contain characters that Python, but not JSON Lines, takes for line ends.
    return [json.loads(line) for line in response.content.split(b"\n") if line]
