#!/usr/bin/env python3
"""Holds an engine against the conformance kit (formats/CONFORMANCE.md).

  run.py [--kit DIR] [--part PART ...] [--preset ID ...] [--all-codes]
         [--quiet] -- COMMAND [ARGUMENT ...]

COMMAND answers questions on its standard input, one JSON object a line, with
one line each on its standard output. Parts: positions, perft, games, foreign;
all that the engine says it answers. Exit code: 0 everything asked was answered
as it must be, 1 something was not, 2 the engine or the kit cannot be used.
Python 3.11, standard library only.
"""

import argparse
import json
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import cases

PROTOCOL = "canasta-conform/1"
# Records of other implementations that number melds or name the pending top in
# another way: for reading, see formats/CONFORMANCE.md.
OTHER_FORM = ("american-wikipedia-4p", "classic-3p", "classic-3p-11", "gr-4p",
              "hoyle-2p")
# Played before CLAR-29: a wild card rides on a take that closes a canasta.
OLDER_RULE = ("samba-4p", "bolivia-4p")
# Where an event stands among the others is not compared.
ANYWHERE = ("froze", "sides_fixed", "merged")


class Failed(Exception):
    """An answer is not the one of the kit."""


class Unusable(Exception):
    """The engine does not keep to the protocol."""


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.asked = 0
        said = self.ask("hello", protocol=PROTOCOL)
        if said.get("protocol") != PROTOCOL:
            raise Unusable(f"hello: expected protocol {PROTOCOL}, found {said}")
        self.name = said.get("engine", "")
        self.ops = set(said.get("ops", []))
        self.presets = set(said.get("presets", []))

    def ask(self, op, **question):
        self.asked += 1
        line = json.dumps({"op": op} | question, separators=(",", ":"))
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer:
            raise Unusable(f"the engine ended; it was asked {line[:500]}")
        try:
            answer = json.loads(answer)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise Unusable(f"no JSON object in answer to {line[:500]}")
        return answer

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=10)


def same(what, expected, found):
    if expected != found:
        raise Failed(f"{what}: expected {expected}, found {found}")


def codes_agree(expected, found, strict):
    """The first code is normative, or the same codes in another order."""
    if strict or not expected or not found:
        return expected == found
    return expected[0] == found[0] or set(expected) == set(found)


# Positions ---------------------------------------------------------------

def positions(kit, engine, options, tally):
    presets = json.loads((kit / "rules/presets.json").read_text("utf-8"))
    for path in sorted((kit / "rules").glob("*.toml")):
        for case in tomllib.loads(path.read_text("utf-8"))["case"]:
            preset = cases.preset(case)
            if not cases.is_asked(case) or not options.wants(preset, engine):
                tally.skip("positions")
                continue
            where = f"{path.name} {case['id']}"
            tally.try_one("positions", where, position, engine, case, presets,
                          options)


def position(engine, case, presets, options):
    question = {"position": case["position"], "do": case.get("do", [])}
    if "wall" in case:
        question["wall"] = cases.wall(case, presets)
    answer = engine.ask("position", **question)
    if "no_state" in case:
        same("an impossible position is an error", True, "error" in answer)
        return
    if "error" in answer:
        raise Failed(f"error: {answer['error']}")
    expected = case.get("refused", "").split()
    found = [violation["code"] for violation in answer.get("refused", [])]
    if not codes_agree(expected, found, options.all_codes):
        raise Failed(f"refused: expected {expected}, found {found}")
    if found:
        same("refused at", len(case["do"]) - 1, answer["at"])
        facts = answer["refused"][0].get("facts", {})
        # Stated for each violation; those of the first are compared.
        first = case.get("facts", "-").split(" / ")[0]
        for pair in first.split() if first != "-" else []:
            name, value = pair.split("=", 1)
            if name in facts:
                same(f"fact {name}", value, str(facts[name]).replace(" ", ","))
    for what, expected, found in cases.compared(case, answer):
        same(what, expected, found)


# Perft -------------------------------------------------------------------

def perft(kit, engine, options, tally):
    for path in sorted((kit / "perft").glob("*.txt")):
        if not options.wants(path.stem, engine):
            tally.skip("perft")
            continue
        wall = played = seed = None
        for line in path.read_text("ascii").splitlines():
            words = line.split()
            if not words or words[0] == "#":
                continue
            if words[0] == "wall":
                wall = words[1:]
            elif words[0] == "after":
                played, seed = int(words[1]), int(words[2])
            else:
                where = f"{path.name} after {played} {seed} depth {words[0]}"
                question = {"preset": path.stem, "wall": wall,
                            "played": played, "seed": seed,
                            "depth": int(words[0])}
                tally.try_one("perft", where, paths, engine, question,
                              int(words[1]), words[2])


def paths(engine, question, count, digest):
    answer = engine.ask("perft", **question)
    if "error" in answer:
        raise Failed(f"error: {answer['error']}")
    same("count", count, answer.get("count"))
    if "digest" in answer:
        same("digest", digest, answer["digest"])


# Games -------------------------------------------------------------------

def games(kit, engine, options, tally):
    for path in sorted((kit / "games").glob("*.jsonl")):
        game(path, engine, options, tally, "games",
             kit / "judged" / path.name)


def foreign(kit, engine, options, tally):
    for path in sorted((kit / "foreign").glob("*.jsonl")):
        if path.stem in OTHER_FORM + OLDER_RULE:
            tally.skip("foreign")
        else:
            game(path, engine, options, tally, "foreign", None)


def read(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def game(path, engine, options, tally, part, judged):
    lines = read(path)
    head = lines[0]["ruleset"]
    preset = head.get("base", head["id"])
    if not options.wants(preset, engine):
        tally.skip(part)
        return
    answer = engine.ask("new", ruleset=head)
    if "unsupported" in answer:
        tally.skip(part)
        return
    proposals = {}
    for line in read(judged) if judged and judged.exists() else []:
        proposals.setdefault(line["seq"], []).append(line)
    play = Play(engine, lines, proposals, reduced=part == "foreign")
    tally.try_one(part, path.name, play.run, answer)
    tally.judged += play.judged


class Play:
    def __init__(self, engine, lines, proposals, reduced):
        self.engine, self.lines, self.proposals = engine, lines, proposals
        self.reduced = reduced               # events of another form
        self.walls = {self.key(line): line["wall"] for line in lines
                      if line["kind"] == "round_end" and "wall" in line}
        self.last = {}                       # the answer to the last action
        self.dealer = None
        self.judged = 0

    @staticmethod
    def key(line):
        return line["round"], line.get("attempt", 1)

    def run(self, begun):
        if "error" in begun:
            raise Failed(f"new: {begun['error']}")
        for number, line in enumerate(self.lines[1:], 2):
            handler = getattr(self, "on_" + line["kind"], None)
            if handler:
                try:
                    handler(line)
                except Failed as failed:
                    raise Failed(f"line {number}: {failed}") from None
        # The position after the last action.
        last = max((l["seq"] for l in self.lines if "seq" in l), default=0)
        self.judge(last + 1)

    def on_register(self, line):
        self.register = line
        due = self.last.get("round_end", {}).get("next_dealer")
        if due is not None:
            same("next dealer", line["dealer"], due)

    def on_action(self, line):
        self.judge(line["seq"])
        action, question = line["action"], {}
        if "seat" in line:
            question["seat"] = line["seat"]
        op = "act"
        if action["type"] in ("deal", "draw_cards"):
            op = "deal"
            if "dealer" in self.register:
                question["dealer"] = self.register["dealer"]
        if action["type"] == "deal":
            question["wall"] = self.walls[self.key(self.register)]
        if action["type"] == "draw_cards":
            action = {"type": "draw_cards", "picks": line["events"][0]["picks"]}
        self.last = self.engine.ask(op, action=action, **question)
        for fault in ("error", "codes"):
            if fault in self.last:
                raise Failed(f"{action}: {fault} {self.last[fault]}")
        if not self.reduced:
            compare_events(line["events"], self.last["events"])

    def judge(self, seq):
        for line in self.proposals.pop(seq, []):
            self.judged += 1
            question = {"action": line["action"]}
            if "seat" in line:
                question["seat"] = line["seat"]
            answer = self.engine.ask("try", **question)
            if "error" in answer:
                raise Failed(f"try {line['action']}: {answer['error']}")
            found = answer["codes"]
            if not codes_agree(line["codes"], found, False):
                raise Failed(f"before action {seq}, seat {line.get('seat')} "
                             f"tries {line['action']}: expected "
                             f"{line['codes']}, found {found}")

    def on_round_end(self, line):
        end = self.last.get("round_end")
        if end is None:
            raise Failed("expected the round to be over")
        same("reason", line["reason"], end["reason"])
        if not self.reduced or "seat" in line:
            same("seat", line.get("seat"), end.get("seat"))
        same("concealed", line.get("concealed", False),
             end.get("concealed", False))
        if "sides" in line:
            same("start scores", line["start_scores"], end["start_scores"])
            same("sheets", [self.sheet(side) for side in line["sides"]],
                 [self.sheet(side) for side in end["sides"]])

    def sheet(self, side):
        lines = {line["item"]: line["points"] if self.reduced else
                 (line["points"], line.get("count"))
                 for line in side["lines"]}
        unit = "seat" if "seat" in side else "side"
        return unit, side[unit], lines, side["total"], side["cumulative"]

    def on_game_end(self, line):
        end = self.last.get("game_end")
        if end is None:
            raise Failed("expected the game to be over")
        same("winner", line.get("winner"), end.get("winner"))
        same("margin", line["margin"], end["margin"])


def clean(event):
    event = dict(event)
    if event["type"] == "merged":
        event.pop("b", None)
    if event["type"] in ("melded", "unmelded", "special_hand"):
        event["cards"] = sorted(event["cards"])
    for name in ("foot_sizes", "talon_sizes"):
        if not any(event.get(name, [])):
            event.pop(name, None)
    return event


def compare_events(expected, found):
    expected, found = list(map(clean, expected)), list(map(clean, found))
    for kind in ANYWHERE:
        same(kind, [e for e in expected if e["type"] == kind],
             [e for e in found if e["type"] == kind])
    same("events", [e for e in expected if e["type"] not in ANYWHERE],
         [e for e in found if e["type"] not in ANYWHERE])


# The whole ---------------------------------------------------------------

class Options:
    def __init__(self, args):
        self.all_codes, self.chosen = args.all_codes, set(args.preset)

    def wants(self, preset, engine):
        return preset in engine.presets and (
            not self.chosen or preset in self.chosen)


class Tally:
    def __init__(self, quiet):
        self.quiet = quiet
        self.passed, self.failed, self.left = Counter(), Counter(), Counter()
        self.judged = 0

    def skip(self, part):
        self.left[part] += 1

    def try_one(self, part, where, run, *args):
        try:
            run(*args)
        except Failed as failed:
            self.failed[part] += 1
            if not self.quiet and self.failed[part] <= 20:
                print(f"FAILED {part}: {where}: {str(failed)[:1500]}")
        else:
            self.passed[part] += 1


PARTS = {"positions": ("position", positions), "perft": ("perft", perft),
         "games": ("game", games), "foreign": ("game", foreign)}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kit", default=".", type=Path)
    parser.add_argument("--part", action="append", default=[], choices=PARTS)
    parser.add_argument("--preset", action="append", default=[])
    parser.add_argument("--all-codes", action="store_true")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()
    tally = Tally(args.quiet)
    engine = Engine(args.command)
    for name, (op, ask) in PARTS.items():
        if name in (args.part or PARTS):
            if op in engine.ops:
                ask(args.kit, engine, Options(args), tally)
            else:
                tally.skip(name)
    engine.end()
    if not engine.asked > 1:
        raise Unusable("nothing was asked: no preset or no part fits")
    for part in PARTS:
        print(f"{part:10} {tally.passed[part]} as they must be, "
              f"{tally.failed[part]} not, {tally.left[part]} not asked")
    print(f"{engine.name}: {engine.asked} questions, "
          f"{tally.judged} of them tried actions")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Unusable, OSError, KeyError, TypeError) as error:
        print(f"cannot be run: {error!r}", file=sys.stderr)
        sys.exit(2)
