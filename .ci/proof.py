#!/usr/bin/env python3
"""Joins the lines of docs/internals/proof.tsv whose seeds follow each other, and writes the sums into docs/internals/PROOF.md."""

import collections
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "internals"
PAGE = FOLDER / "PROOF.md"
TABLE = FOLDER / "proof.tsv"
BEGIN, END = "<!-- written by .ci/proof -->\n", "<!-- end -->"


def joined(lines):
    """Returns the lines, those of a day, a revision and a kind with seeds in a row as one: seeds 1, 2 and 3 as 1-3."""
    known = {}
    for line in lines:
        *key, seeds, games, actions, seconds = line.split("\t")
        first, last = int(seeds.split("-")[0]), int(seeds.split("-")[-1])
        found = known.setdefault(tuple(key), [])
        if found and found[-1][1] + 1 == first:
            before = found[-1]
            before[1] = last
            before[2:] = [one + int(more) for one, more in zip(before[2:], (games, actions, seconds))]
        else:
            found.append([first, last, int(games), int(actions), int(seconds)])
    return [(*key, *part) for key, parts in known.items() for part in parts]


def main():
    head, *lines = TABLE.read_text().splitlines()
    sums = collections.defaultdict(lambda: [0, 0, 0, 0, "", ""])
    table = [head]
    for date, revision, kind, first, last, *counts in joined(lines):
        seeds = str(first) if first == last else f"{first}-{last}"
        table.append("\t".join(map(str, (date, revision, kind, seeds, *counts))))
        one = sums[kind]
        one[0] += last - first + 1
        for at, value in enumerate(counts, 1):
            one[at] += value
        one[4], one[5] = one[4] or date, date
    TABLE.write_text("\n".join(table) + "\n")
    rows = [f"| {kind} | {parts} | {games:,} | {actions:,} | {seconds / 3600:.2f} | {first} to {last} |\n"
            for kind, (parts, games, actions, seconds, first, last) in sorted(sums.items())]
    text = PAGE.read_text()
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    head = "\n| kind | parts | games | actions | CPU hours | dates |\n|---|---:|---:|---:|---:|---|\n"
    PAGE.write_text(text[:begin] + head + "".join(rows) + "\n" + text[end:])


if __name__ == "__main__":
    main()
