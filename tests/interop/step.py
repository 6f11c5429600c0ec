#!/usr/bin/env python3
"""canasta-replay step in a real pseudo-terminal: what it paints, and that it leaves the terminal as it found it.

    step.py PATH/canasta-replay

Games are dealt by simulate with a fixed seed. The standard library alone is used; the screen is put together from
the escape sequences by the small reader below, which knows what a full repaint and cursor moves need.
"""

import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
COLOR = re.compile(rb"\x1b\[(?:[0-9;]*;)?(?:38;5;[0-9]+|3[0-7]|9[0-7])(?:;[0-9;]*)?m")
PATIENCE = 30.0  # seconds: machines that test are slow


class Screen:
    """The letters on a terminal, from what is written to it."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.x = self.y = 0

    def write(self, text):
        at = 0
        while at < len(text):
            sequence = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])").match(text, at)
            if sequence:
                self.control(*sequence.groups())
                at = sequence.end()
                continue
            letter = text[at]
            at += 1
            if letter == "\x1b":
                at += 1
            elif letter == "\r":
                self.x = 0
            elif letter == "\n":
                self.y = min(self.y + 1, self.rows - 1)
            elif letter >= " ":
                if self.x < self.columns and self.y < self.rows:
                    self.cells[self.y][self.x] = letter
                self.x += 1

    def control(self, arguments, final):
        numbers = [int(n) for n in re.findall(r"\d+", arguments)]
        if final == "H":
            row, column = (numbers + [1, 1])[:2] if numbers else (1, 1)
            self.y, self.x = min(row, self.rows) - 1, column - 1
        elif final == "J":
            self.cells = [[" "] * self.columns for _ in range(self.rows)]

    def lines(self):
        return ["".join(line).rstrip() for line in self.cells]


class Session:
    """The program in a pseudo-terminal of its own."""

    def __init__(self, program, arguments, columns=80, rows=24, environment=None):
        self.screen, self.raw = Screen(columns, rows), b""
        self.decoded = 0
        self.master, slave = pty.openpty()
        self.slave = slave
        self.size(columns, rows)
        self.before = termios.tcgetattr(slave)
        env = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
        env.update(environment or {})

        def own_terminal():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            [program, "step", *arguments],
            stdin=slave, stdout=slave, stderr=slave, env=env, preexec_fn=own_terminal,
        )

    def size(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen = Screen(columns, rows)

    def read(self, seconds):
        """Takes what is written within that time; whether anything was."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        try:
            piece = os.read(self.master, 1 << 16)
        except OSError:
            return False
        self.raw += piece
        return bool(piece)

    def text(self):
        # What ends inside an escape sequence or a letter waits for the rest.
        new = self.raw[self.decoded:]
        cut = re.search(rb"\x1b(\[[0-9;?]*)?\Z", new)
        new = new[: cut.start()] if cut else new
        for cut in range(4):
            try:
                text = new[: len(new) - cut].decode()
            except UnicodeDecodeError:
                continue
            self.decoded += len(new) - cut
            self.screen.write(text)
            break
        return "\n".join(self.screen.lines())

    def until(self, wanted, what):
        """Waits until the screen is as wanted."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            painting = self.read(0.1)
            text = self.text()
            # A screen is painted as a whole: half of one is not judged.
            if not painting and wanted(text):
                return text
            if self.process.poll() is not None:
                break
        raise AssertionError(f"{what}: the screen is\n{self.text()}")

    def press(self, keys, wanted, what):
        os.write(self.master, keys.encode())
        return self.until(wanted, what)

    def end(self, what):
        """Waits for the end, and sees that the terminal is as it was."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.1)
        assert self.process.poll() is not None, f"{what}: it does not end"
        while self.read(0.1):
            pass
        after = termios.tcgetattr(self.slave)
        assert after == self.before, f"{what}: the terminal's modes are not restored"
        assert self.raw.count(ENTER) == self.raw.count(LEAVE) == 1, f"{what}: the screen is not left"
        for mode in (b"1000", b"1002", b"1003", b"1006"):
            if b"\x1b[?" + mode + b"h" in self.raw:
                assert self.raw.rfind(b"\x1b[?" + mode + b"l") > self.raw.rfind(b"\x1b[?" + mode + b"h"), what
        assert self.raw.rfind(b"\x1b[?25h") > self.raw.rfind(b"\x1b[?25l"), f"{what}: the cursor stays hidden"
        os.close(self.slave)
        os.close(self.master)
        return self.process.returncode


def records(program, log):
    """The log's records as the export has them."""
    text = subprocess.run([program, "export", log], check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in text.splitlines()]


def walks(program, log):
    canasta = [
        n for n, record in enumerate(records(program, log))
        if any(event["type"] == "canasta" for event in record.get("events", []))
    ]
    session = Session(program, [log])
    session.until(lambda text: "record 2 of" in text and "in hand" in text, "the first deal")
    text = session.press("c", lambda text: f"record {canasta[0]} of" in text, "the first canasta")
    assert " canasta" in text, text
    session.press("c", lambda text: f"record {canasta[1]} of" in text, "the second canasta")
    session.press("?", lambda text: "the next canasta" in text, "the keys")
    session.press("\x1b", lambda text: "the next canasta" not in text, "back")
    session.press("wdance\r", lambda text: "expected" in text, "no action")
    session.press("\x1b", lambda text: "what was done" in text, "back")
    # A click on the top line looks through other eyes; the wheel steps.
    session.press("\x1b[<0;70;1M", lambda text: "as the table" in text, "a click")
    session.press("\x1b[<65;10;10M", lambda text: f"record {canasta[1] + 1} of" in text, "the wheel")
    session.size(20, 5)
    session.until(lambda text: "20x5 is too small" in text, "a small window")
    session.size(120, 40)
    session.until(lambda text: f"record {canasta[1] + 1} of" in text, "a large window")
    os.write(session.master, b"q")
    assert session.end("q") == 0
    assert COLOR.search(session.raw), "cards are in colour"


def ends(program, log):
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        session = Session(program, [log])
        session.until(lambda text: "record 2 of" in text, "the first deal")
        session.process.send_signal(number)
        code = session.end(number.name)
        assert code == -number, f"{number.name}: ended with {code}"
    # A terminal that goes away ends it too.
    session = Session(program, [log])
    session.until(lambda text: "record 2 of" in text, "the first deal")
    os.close(session.slave)
    os.close(session.master)
    session.process.wait(PATIENCE)


def refuses(program, log, place):
    done = subprocess.run([program, "step", log], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert "step needs a terminal" in done.stderr, done
    other = os.path.join(place, "other.clog")
    with open(other, "w", encoding="utf-8") as file:
        file.write("no log\n")
    session = Session(program, [other])
    session.process.wait(PATIENCE)
    session.read(1)
    assert session.process.returncode == 1 and b"this is not a log" in session.raw, session.raw
    assert ENTER not in session.raw, "the screen is not taken before there is something to show"


def without_colours(program, log):
    session = Session(program, [log], environment={"NO_COLOR": "1"})
    session.until(lambda text: "record 2 of" in text, "the first deal")
    session.press("r", lambda text: "no refusal after" in text, "a message")
    os.write(session.master, b"q")
    assert session.end("q") == 0
    assert not COLOR.search(session.raw), COLOR.search(session.raw)


def forks(program, log, place):
    session = Session(program, [log, "--at", "30"])
    session.until(lambda text: "record 30 of" in text, "record 30")
    session.press("f", lambda text: "FORK before record 30" in text, "a fork")
    session.press("\r", lambda text: "> " in text, "a step")
    session.press("B", lambda text: "the round is over" in text, "bots")
    session.press("s", lambda text: "save fork as: " in text, "a name")
    session.press("\r", lambda text: "o opens it" in text, "it is saved")
    session.press("o", lambda text: "(a fork)" in text, "it is opened")
    os.write(session.master, b"q")
    session.until(lambda text: "(a fork)" not in text, "back")
    os.write(session.master, b"\x03")
    assert session.end("control C") == 0
    (fork,) = [name for name in os.listdir(place) if "-fork-30" in name]
    fork = os.path.join(place, fork)
    subprocess.run([program, "audit", fork], check=True, stdout=subprocess.DEVNULL)
    assert records(program, fork)[0]["fork_of"]["n"] == 29, records(program, fork)[0]


def quick(program, log):
    """A game of more than ten thousand actions is there at once, and at its end at once."""
    actions = sum(record["kind"] == "action" for record in records(program, log))
    assert actions > 10_000, actions
    begin = time.monotonic()
    session = Session(program, [log])
    session.until(lambda text: "record 2 of" in text, "the first deal")
    opened = time.monotonic() - begin
    begin = time.monotonic()
    session.press("G", lambda text: "this is" in text or "the game is over" in text, "the end")
    jumped = time.monotonic() - begin
    os.write(session.master, b"q")
    assert session.end("q") == 0
    print(f"step.py: {actions} actions: open after {opened:.2f} s, at the end after {jumped:.2f} s")
    assert opened < 5 and jumped < 2, (opened, jumped)


def long_game(program, place):
    """A house rule with a target that takes many rounds."""
    rules = os.path.join(place, "long.toml")
    with open(rules, "w", encoding="utf-8") as file:
        file.write('base = "classic-4p"\nname = "long"\n\n[knobs]\ntarget = 150000\n')
    out = os.path.join(place, "long")
    subprocess.run(
        [program, "simulate", "--ruleset", rules, "--games", "1", "--rounds", "5000", "--seed", "1", "--out", out],
        check=True, stdout=subprocess.DEVNULL,
    )
    return os.path.join(out, os.listdir(out)[0])


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(
            [program, "simulate", "--games", "1", "--seed", "1", "--out", place],
            check=True, stdout=subprocess.DEVNULL,
        )
        log = os.path.join(place, "game-000000.clog")
        refuses(program, log, place)
        walks(program, log)
        without_colours(program, log)
        forks(program, log, place)
        ends(program, log)
        quick(program, long_game(program, place))
    print("step.py: walks, paints, forks, and leaves the terminal as it was")


if __name__ == "__main__":
    main()
