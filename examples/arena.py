"""Lets two language models play each other through the tools of the service, and reports how they did.

A player is a function from a prompt to a text, whose last word is the move. By default both are fakes: they
pick one of the legal moves that the prompt lists, and every fifth time something else. `--player COMMAND`
makes a player of a program that reads the prompt and prints its answer; give it twice for two programs.
"""

import argparse
import json
import random
import shlex
import subprocess
from urllib.request import Request, urlopen

VERSION = "2026-07-28"
META = {"io.modelcontextprotocol/protocolVersion": VERSION, "io.modelcontextprotocol/clientCapabilities": {}}
# Illegal tries in a row that lose a game, and plies after which it is drawn.
TRIES, PLIES = 5, 400


class Tools:
    """The tools of a service, and how many bytes they and their answers have."""

    def __init__(self, url):
        self.url, self.answered = url, 0
        self.listed = len(self.ask("tools/list"))

    def ask(self, method, **params):
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": META}}
        headers = {"Content-Type": "application/json", "MCP-Protocol-Version": VERSION, "Mcp-Method": method}
        request = Request(f"{self.url}/mcp", json.dumps(body).encode(), headers)
        request.add_header("Mcp-Name", params.get("name", ""))
        return urlopen(request).read()

    def call(self, tool, **arguments):
        """The result of a call, and its text."""
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        self.answered += len(answer)
        result = json.loads(answer)["result"]
        return result, result["content"][0]["text"]


def fake(prompt):
    listed = prompt.rsplit("): ", 1)[1].splitlines()[0].split()
    return "Nf3" if random.random() < 0.2 else random.choice(listed)


def program(command):
    def player(prompt):
        return subprocess.run(shlex.split(command), input=prompt, capture_output=True, text=True, check=True).stdout

    return player


def play(tools, game, players, seats, illegal):
    """Plays a game between the players in these seats: its moves, and who has lost it by illegal tries."""
    rules = tools.call("rules", game=game)[1]
    result, text = tools.call("look", state=game)
    view, moves, tries = result["structuredContent"], [], 0
    first, seen = view["turn"], {view["state"]}
    while view["stage"] != "over" and len(moves) < PLIES:
        number = seats[0] if view["turn"] == first else seats[1]
        if view["stage"] == "roll":
            move = "roll"
        else:
            prompt = f"{rules}\n\nYou are {view['turn']}. Say your move as the last word of your answer.\n\n{text}\n"
            move = (players[number](prompt).split() or [""])[-1]
        result, text = tools.call("play", state=view["state"], moves=[move])
        if result.get("isError"):
            illegal[number] += 1
            tries += 1
            if tries == TRIES:
                return moves, number
        else:
            view, tries = result["structuredContent"], 0
            moves += view["played"]
            if view["state"] in seen:
                # A state does not say what came before, and in Wari a repetition ends the game.
                view = tools.call("play", state=game, moves=moves)[0]["structuredContent"]
            seen.add(view["state"])
    return moves, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--game", default="wari")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--player", action="append", default=[], metavar="COMMAND")
    options = parser.parse_args()
    players = ([program(command) for command in options.player] + [fake, fake])[:2]
    tools, illegal = Tools(options.url), [0, 0]
    print(f"{options.games} games of {options.game}; the tools have {tools.listed} bytes")
    for number in range(1, options.games + 1):
        seats = [0, 1] if number % 2 else [1, 0]
        moves, lost = play(tools, options.game, players, seats, illegal)
        result, _ = tools.call("analyse", state=options.game, moves=moves)
        judged = result["structuredContent"]
        outcome = judged["result"] if lost is None else f"player {lost + 1} has lost by illegal tries"
        print(f"game {number}, player {seats[0] + 1} begins: {outcome}, {len(moves)} plies")
        print("\n".join(f"  player {seat + 1} as {line}" for seat, line in zip(seats, judged["notes"][:2])))
    print(f"illegal tries: {illegal[0]} and {illegal[1]}; answers: {tools.answered} bytes")


if __name__ == "__main__":
    main()
