#!/usr/bin/env python3
"""Writes the rule sets of tests/data/rules/pairs.txt as files of house rules.

  pairs.py DIR        DIR/000.toml and on, and DIR/000.rounds.toml with two rounds
"""

import json
import pathlib
import sys

DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
FILE = pathlib.Path(__file__).parent.parent / "data" / "rules" / "pairs.txt"


def toml(value):
    """A value of JSON as a value of TOML on one line."""
    if isinstance(value, dict):
        pairs = (f"{json.dumps(k)} = {toml(v)}" for k, v in value.items())
        return "{ " + ", ".join(pairs) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def house(base, knobs):
    lines = [f'base = "{base}"', 'name = "pairs"', "[knobs]"]
    return "\n".join(lines + [f"{k} = {toml(v)}" for k, v in knobs.items()])


def main():
    place = pathlib.Path(sys.argv[1])
    values, number = [], 0
    for line in FILE.read_text(encoding="utf-8").splitlines():
        words = line.split(" ")
        if words[0] == "=":
            digits = zip(values, words[2])
            knobs = {k: json.loads(v[DIGITS.index(d)]) for (k, v), d in digits}
            name = place / f"{number:03}"
            name.with_suffix(".toml").write_text(house(words[1], knobs))
            knobs["rounds"] = 2
            # Where cards have no points, players who cannot go out tie for ever.
            if not any(knobs["card_points"].values()):
                knobs["tie"] = "draw"
            name.with_suffix(".rounds.toml").write_text(house(words[1], knobs))
            number += 1
        elif words[0] != "#":
            values.append((words[0], words[1:]))


if __name__ == "__main__":
    main()
