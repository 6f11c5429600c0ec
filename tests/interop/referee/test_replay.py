"""Whole games: replay, judging and mutation of a game played elsewhere."""

import json
import pathlib
import unittest

import judge
import mutate
import replay

GAME = (pathlib.Path(__file__).parents[2] / "data" / "foreign"
        / "classic-4p.jsonl")


def own_form(text):
    """The game with the referee's own events: the full interchange form."""
    run = replay.Replay(replay.Log(text), "none")
    made = []
    run.compare = lambda line, events: made.append(events)
    run.run()
    lines, events = [], iter(made)
    for line in map(json.loads, text.splitlines()):
        if line["kind"] == "action":
            line["events"] = list(map(replay.clean, next(events)))
        if line["kind"] == "round_end" and line["reason"] != "went_out":
            line["seat"] = last_seat
        last_seat = line.get("seat")
        lines.append(line)
    return lines


def dump(lines):
    return "\n".join(map(json.dumps, lines))


class Replay(unittest.TestCase):
    def setUp(self):
        self.text = GAME.read_text(encoding="utf-8")

    def found(self, text, events):
        return replay.Replay(replay.Log(text), events).run()

    def test_foreign_game(self):
        self.assertEqual(self.found(self.text, "lenient"), [])

    def test_strict_form(self):
        self.assertEqual(self.found(dump(own_form(self.text)), "strict"), [])

    def test_every_field_counts(self):
        """A change anywhere in an event or a score line is found."""
        lines = own_form(self.text)
        for number, line in enumerate(lines):
            if line["kind"] == "action" and line["seq"] % 25 == 7:
                events = line["events"]
                line["events"] = events[1:]
                self.assertTrue(self.found(dump(lines), "strict"), number)
                line["events"] = events
            if line["kind"] == "round_end":
                line["sides"][1]["lines"][0]["points"] += 5
                self.assertTrue(self.found(dump(lines), "strict"), number)
                line["sides"][1]["lines"][0]["points"] -= 5

    def test_an_illegal_action_is_found(self):
        lines = own_form(self.text)
        line = next(x for x in lines
                    if x["kind"] == "action" and x["seq"] == 3)
        line["action"]["card"] = "2h"
        found = self.found(dump(lines), "strict")
        self.assertIn("ILLEGAL TURN_CARD_NOT_IN_HAND", found[0])

    def test_mutations_are_repeatable(self):
        def make():
            run = replay.Replay(replay.Log(self.text), "none")
            return list(mutate.mutations(run, 1, 400))
        first = make()
        self.assertEqual(first, make())
        self.assertEqual(len(first), 400)

    def test_judging_changes_nothing(self):
        run = replay.Replay(replay.Log(self.text), "lenient")
        wanted = {}
        for line in mutate.mutations(
                replay.Replay(replay.Log(self.text), "none"), 2, 2000):
            wanted.setdefault(line["seq"], []).append(line)

        def before(line):
            for one in wanted.get(line["seq"], []):
                judge.judge(run.game, one["seat"], one["action"])

        self.assertEqual(run.run(before), [])


if __name__ == "__main__":
    unittest.main()
