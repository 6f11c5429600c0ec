"""Runs every `buf curl` and `curl` of docs/API.md against a service.

  buf_curl.py ADDRESS BUF LOG

The page's commands are its indented blocks that begin with one of COMMANDS,
run as they stand, in order, in one folder; `game.clog`, which the page asks
about, is LOG. Where a block of JSON follows, every name in capitals in it must
be in the answer.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
COMMANDS = ("call ", "call()", "state()", "ask ", "ask()", "printf ", "buf curl", "curl ")


def blocks(page):
    """Indented paragraphs, and inline `call ...` of the text."""
    for part in re.split(r"\n\s*\n", page.read_text("utf-8")):
        lines = part.splitlines()
        if lines and all(line.startswith("    ") for line in lines):
            yield "\n".join(line[4:] for line in lines)
        else:
            yield from re.findall(r"`(call [A-Z]\w+ '\{[^`]*\}')`", part)


def run(script, folder, path):
    environment = dict(os.environ, PATH=f"{path}:{os.environ['PATH']}")
    done = subprocess.run(["bash", "-c", script], cwd=folder, text=True,
                          env=environment, capture_output=True, timeout=60)
    return done.stdout + done.stderr


def main(address, buf, log):
    functions, ran, checked = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "game.clog").write_bytes(Path(log).read_bytes())
        path = Path(buf).resolve().parent
        for name in ("API.md",):
            said = ""
            for block in blocks(DOCS / name):
                block = block.replace("127.0.0.1:50051", address)
                defined = re.match(
                    r"((?:\w+\(\) \{(?:[^\n]*\}(?:\n|$)|.*?^\}(?:\n|$)))+)(.*)",
                    block, re.S | re.M)
                if defined:
                    functions.append(defined[1])
                    block = defined[2]
                if block.startswith(COMMANDS):
                    script = "\n".join([*functions, block])
                    said = run(script, folder, path)
                    # The page says: say it is seat 3 that is to act.
                    while "dealt.json" in block and "> dealt.json" in block:
                        dealt = json.loads(Path(folder, "dealt.json").read_text())
                        if dealt["accepted"]["view"].get("toAct") == 3:
                            break
                        said = run(script, folder, path)
                    ran += 1
                    if re.search(r"command not found|syntax error", said):
                        sys.exit(f"{name}: {block}\n{said}")
                elif block.startswith("{") and said:
                    for word in re.findall(r'"([A-Z][A-Z_]{5,}|invalid_argument)"',
                                           block):
                        checked += 1
                        if word not in said:
                            sys.exit(f"{name}: expected {word} of\n{said}")
                    said = ""
    if ran < 12 or checked < 7:
        sys.exit(f"only {ran} commands ran, {checked} answers were compared")
    print(f"buf curl: {ran} commands of the pages, {checked} names in answers")


if __name__ == "__main__":
    main(*sys.argv[1:])
