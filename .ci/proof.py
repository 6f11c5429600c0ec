#!/usr/bin/env python3
"""Writes the sums of docs/internals/proof.tsv into docs/internals/PROOF.md."""

import collections
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "internals"
PAGE = FOLDER / "PROOF.md"
BEGIN, END = "<!-- written by .ci/proof -->\n", "<!-- end -->"


def main():
    sums = collections.defaultdict(lambda: [0, 0, 0, 0, "", ""])
    for line in (FOLDER / "proof.tsv").read_text().splitlines()[1:]:
        date, revision, kind, _seed, games, actions, seconds = line.split("\t")
        one = sums[kind]
        one[0] += 1
        for at, value in enumerate((games, actions, seconds), 1):
            one[at] += int(value)
        one[4], one[5] = one[4] or date, date
    rows = [f"| {kind} | {parts} | {games:,} | {actions:,} | {seconds / 3600:.2f} | {first} to {last} |\n"
            for kind, (parts, games, actions, seconds, first, last) in sorted(sums.items())]
    text = PAGE.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    head = "\n| kind | parts | games | actions | CPU hours | dates |\n|---|---:|---:|---:|---:|---|\n"
    PAGE.write_text(text[:begin] + head + "".join(rows) + "\n" + text[end:])


if __name__ == "__main__":
    main()
