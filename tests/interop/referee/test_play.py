"""Random legal play: no card is lost, nobody is ever stuck."""

import random
import unittest
from collections import Counter

import judge
import mutate
import play
import rules as r
import state
from test_vectors import (BLACK, CLASSIC, FEET, MILLER, SIX, TWO, V1,
                          WILD)

KNOBS = (CLASSIC, TWO, SIX, MILLER, WILD, dict(CLASSIC, frozen_always=True),
         dict(V1, melds_per_rank="one_open"),
         dict(V1, wild_cap_scope="to_canasta"),
         dict(V1, take_canasta_rank="unless_wilds_full"),
         dict(V1, take_canasta_rank="never"))

# Small hands, feet and canastas, so that all feet are played out.
SMALL = dict(FEET, canasta_size=3, initial_bands=[{"minimum": 0}])
NEW_KNOBS = (SMALL, dict(SMALL, hand_size=7, foot_size=5, more_feet=[4]),
             dict(SMALL, go_out_hands_finished=True, foot_threes="replaced"),
             dict(BLACK, go_out_total=2),
             dict(SMALL, black_three_table=BLACK["black_three_table"],
                  pile_threes_replaced=True))


def zones(pos):
    cards = Counter(pos.stock) + Counter(pos.pile)
    for hand in pos.hands:
        cards += hand
    for feet in pos.feet:
        for foot in feet:
            cards += Counter(foot)
    for laid in pos.laid:
        cards += Counter(laid)
    for melds in pos.melds:
        for meld in melds:
            cards += Counter(meld.cards)
    return cards


class RandomPlay(unittest.TestCase):
    def test_rounds(self):
        ends = Counter()
        for number in range(60):
            ends[self.play_round(KNOBS[number % len(KNOBS)], number)] += 1
        self.assertGreater(ends["went_out"], 30)

    def test_rounds_with_feet_and_black_threes(self):
        ends = Counter()
        for number in range(30):
            knobs = NEW_KNOBS[number % len(NEW_KNOBS)]
            ends[self.play_round(knobs, number)] += 1
        self.assertGreater(ends["went_out"], 10)

    def play_round(self, knobs, number):
        rng = random.Random(number)
        rules = r.Rules(knobs)
        game = state.Game(rules)
        wall = r.pack(rules.packs, rules.jokers)
        rng.shuffle(wall)
        game.round, _ = state.deal(rules, wall, 0, game.scores)
        pos = game.round
        for _ in range(5000):
            seat, action = self.choose(rng, game, pos)
            play.play(game, seat, action)
            self.assertEqual(zones(pos), Counter(wall))
            self.assert_melds(pos)
            if pos.end:
                return pos.end["reason"]
        self.fail("the round does not end")

    def choose(self, rng, game, pos):
        if pos.phase == state.ASKED:
            return pos.asked_seats[0], {"type": "answer",
                                    "yes": rng.random() < 0.5}
        line = {"seq": 0, "seat": pos.turn, "action": {"type": "pass"}}
        found = [(seat, action) for _, seat, action
                 in mutate.tries(rng, pos, line)
                 if not judge.judge(game, seat, action)[0]]
        play_on = [f for f in found if f[1]["type"] in (
            "take_pile", "meld", "ask")]
        if play_on and rng.random() < 0.8:
            return rng.choice(play_on)
        if not found:                        # bound to go out, say
            found = [(pos.turn, mutate.discard(card))
                     for card in pos.hands[pos.turn]]
            found = [f for f in found if not judge.judge(game, *f)[0]]
        if not found:
            found = [(pos.turn, action) for _ in range(3000)
                     for action in [mutate.meld(*mutate.random_groups(
                         rng, pos, sorted(pos.hands[pos.turn].elements()),
                         5))]
                     if not judge.judge(game, pos.turn, action)[0]]
        self.assertTrue(found, (pos.phase, pos.permission,
                                pos.hands[pos.turn]))
        return rng.choice(found)

    def assert_melds(self, pos):
        rules = pos.rules
        for melds in pos.melds:
            for meld in melds:
                ranks = {c[0] for c in meld.cards if r.is_natural(c)}
                self.assertLessEqual(len(ranks), 1)
                self.assertGreaterEqual(len(meld.cards), 3)
                if meld.kind == "set" and \
                        rules.wild_cap_scope == "always":
                    self.assertLessEqual(meld.wilds(), rules.max_wilds)


if __name__ == "__main__":
    unittest.main()
