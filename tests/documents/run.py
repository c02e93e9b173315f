"""Runs what a document shows: its commands, which must print what stands under them, and its programs.

run.py console FILE URL             runs the commands of FILE, which begin with `$ `, at the service under URL; `…` stands for anything.
                                    They run in an empty folder with the programs of FILE that begin with their name, such as `# bot.py`
run.py programs FILE KIND FOLDER    writes the programs of FILE that are marked as KIND, such as python, into files 1.python, 2.python and so on
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

# A program has fewer lines.
LONG = 40
# Where the documents say that the service is.
HERE = "http://127.0.0.1:8080"


def blocks(text, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def goes_on(command):
    """Whether the next line belongs to a command: after a backslash, a bar, or an open quote."""
    return command.endswith(("\\", "|")) or command.count("'") % 2 == 1


def commands(block):
    """The commands of a block, each with the lines that it is said to print."""
    found = []
    for line in block.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        elif found and goes_on(found[-1][0]):
            found[-1] = (f"{found[-1][0]}\n{line}", [])
        elif found:
            found[-1][1].append(line)
    return found


def check(command, expected, url, folder):
    shell = ["bash", "-o", "pipefail", "-c", command.replace(HERE, url)]
    done = subprocess.run(shell, capture_output=True, text=True, timeout=60, cwd=folder)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    if expected:
        pattern = ".*?".join(re.escape(part) for part in "\n".join(expected).split("…"))
        told = done.stdout.strip().replace(url, HERE)
        assert re.fullmatch(pattern, told, re.DOTALL), f"{command}\nis said to print\n{chr(10).join(expected)}\nand prints\n{told}"


task, file, argument, *folder = sys.argv[1:]
text = Path(file).read_text()
if task == "programs":
    for number, program in enumerate(blocks(text, argument), 1):
        assert program.count("\n") < LONG, f"program {number} in {argument} has {LONG} lines or more"
        Path(folder[0], f"{number}.{argument}").write_text(program)
else:
    count = 0
    with tempfile.TemporaryDirectory() as place:
        for name, rest in re.findall(r"^```\w+\n# (\w+\.py)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            Path(place, name).write_text(rest)
        for block in blocks(text, "console"):
            for command, expected in commands(block):
                if HERE in command:
                    check(command, expected, argument, place)
                    count += 1
    assert count > 0, f"{file} has no commands"
    print(f"{file}: {count} commands print what it says")
