"""Plays in a real terminal of 80 columns and 24 rows, which is tmux, and writes what is seen there as a picture that moves.

record.py PROGRAM SVG    PROGRAM is cublino; docs/terminal.svg is made in this way
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from html import escape
from pathlib import Path

COLUMNS, ROWS = 80, 24
# Seconds in which an answer has to come.
PATIENCE = 60
# Seconds for which a line is shown while it is typed, and for which its answer is.
TYPED, ANSWERED = 1.2, 3.5
# The size of a place for a character, and the room around all of them.
WIDTH, HEIGHT, EDGE = 8.4, 17, 12

PROMPT = r"White, \d+ moves>"
# Everything that a player has to see for the next move: the whole board, and below it who is asked.
BOARD = rf"^7 .*^1 .*^     a     b .*{PROMPT}$"
# What is typed, what comes of it when Tab is pressed, what the last line is afterwards, and what has to be seen.
SESSION = [
    ("cublino play cublino-pur --level 2 --seed 7", None, PROMPT, BOARD),
    ("hint", None, PROMPT, r"for White: win \d+ %"),
    ("e1", "e1e2", PROMPT, BOARD),
    ("moves", None, PROMPT, r"^  1 \w+ "),
    ("1", None, PROMPT, BOARD),
    ("undo", None, PROMPT, BOARD),
    ("level 5", None, PROMPT, "at level 5"),
    ("2", None, PROMPT, BOARD),
    ("save game.txt", None, PROMPT, "saved to game.txt"),
    ("quit", None, r"\$", ""),
    ("cublino analyse cublino-pur game.txt", None, r"\$", "accuracy"),
]


class Terminal:
    """A shell in a terminal of its own, which finds the program."""

    def __init__(self, program, folder):
        self.tmux = ["tmux", "-u", "-L", f"cublino-{os.getpid()}", "-f", "/dev/null"]
        path = f"PATH={program.resolve().parent}:{os.environ['PATH']}"
        shell = ["env", path, "PS1=$ ", "bash", "--norc", "--noprofile"]
        self.run("new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), "-c", folder, *shell, ";", "set", "status", "off")
        self.run("resize-window", "-x", str(COLUMNS), "-y", str(ROWS))

    def run(self, *command):
        return subprocess.run([*self.tmux, *command], check=True, capture_output=True, text=True).stdout

    def screen(self, *how):
        return self.run("capture-pane", "-p", *how)

    def until(self, last):
        """Waits until the last line is this."""
        end = time.monotonic() + PATIENCE
        while not re.fullmatch(last, self.screen().rstrip().rpartition("\n")[2]):
            assert time.monotonic() < end, f"there is no {last} in the last line of\n{self.screen()}"
            time.sleep(0.05)


def play(program):
    """What is seen, each for how many seconds."""
    seen = []
    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal(program, folder)
        try:
            before = r"\$"
            for typed, completed, after, shown in SESSION:
                terminal.until(before)
                terminal.run("send-keys", "-l", typed)
                if completed:
                    terminal.until(f"{before} {typed}")
                    seen.append((terminal.screen("-e"), TYPED))
                    terminal.run("send-keys", "Tab")
                terminal.until(f"{before} {completed or typed}")
                seen.append((terminal.screen("-e"), TYPED))
                terminal.run("send-keys", "Enter")
                terminal.until(after)
                screen = terminal.screen()
                assert re.search(shown, screen.rstrip(), re.MULTILINE | re.DOTALL), f"{typed} does not show {shown}:\n{screen}"
                seen.append((terminal.screen("-e"), ANSWERED))
                before = after
        finally:
            terminal.run("kill-server")
    return seen


def spans(line):
    """The parts of a line, each with the class of its colour."""
    kind = set()
    for escaped, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", line.rstrip()):
        for code in escaped.split(";") if not text else []:
            if code in ("", "0"):
                kind = set()
            elif code in ("1", "36"):
                kind = kind | {{"1": "bold", "36": "two"}[code]}
            elif code == "39":
                kind = kind - {"two"}
        if text:
            yield text, " ".join(sorted(kind))


def picture(seen):
    width, height = COLUMNS * WIDTH + 2 * EDGE, ROWS * HEIGHT + 2 * EDGE
    whole = sum(seconds for _, seconds in seen)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}">'
    yield "<title>cublino play in a terminal of 80 columns and 24 rows</title>"
    yield "<style>text{font:14px ui-monospace,Menlo,Consolas,monospace;fill:#d8dee9;white-space:pre}.bold{font-weight:bold;fill:#fff}.two{fill:#5cc8d8}</style>"
    yield f'<rect width="{width:g}" height="{height:g}" rx="6" fill="#1b1f27"/>'
    begun = 0
    for number, (screen, seconds) in enumerate(seen):
        times, values = [0, begun / whole, (begun + seconds) / whole], ["hidden", "visible", "hidden"]
        if number == 0:
            times, values = times[1:], values[1:]
        if number == len(seen) - 1:
            times, values = times[:-1], values[:-1]
        # Where nothing moves the last is seen.
        yield f'<g visibility="{values[-1]}"><animate attributeName="visibility" calcMode="discrete" dur="{whole:g}s" repeatCount="indefinite" values="{";".join(values)}" keyTimes="{";".join(f"{time:.4g}" for time in times)}"/>'
        for row, line in enumerate(screen.splitlines()):
            parts = list(spans(line))
            length, y = sum(len(text) for text, _ in parts), EDGE + (row + 0.75) * HEIGHT
            tspans = (f'<tspan class="{kind}">{escape(text)}</tspan>' if kind else escape(text) for text, kind in parts)
            if length > 0:
                yield f'<text x="{EDGE}" y="{y:g}" textLength="{length * WIDTH:g}">{"".join(tspans)}</text>'
        yield "</g>"
        begun += seconds
    yield "</svg>"


program, svg = map(Path, sys.argv[1:])
seen = play(program)
svg.write_text("\n".join(picture(seen)) + "\n")
print(f"{len(SESSION)} lines were typed in a terminal of {COLUMNS} columns and {ROWS} rows, and answered")
