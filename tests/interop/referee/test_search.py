"""The searches (ALG-15, ALG-16) against brute force over whole actions."""

import itertools
import random
import unittest
from collections import Counter

import judge
import out
import rules as r
import state
from test_vectors import CLASSIC, MILLER, V1, WILD, position, take

SETS = ([], ["A:As Ah Ad"], ["K:Ks Ks Kh Kh Kd Kc"],
        ["K:Ks Ks Kh Kh Kd Kd Kc", "9:9s 9h 2c"],
        ["J:Js Jh Jd Jc 2s 2c X", "5:5s 5h 5d 5c 2d X"])
WILD_SETS = (["W:2s 2c X", "K:Ks Ks Kh Kh Kd Kd Kc"],
             ["W:2s 2s 2c X X", "A:As Ah Ad"],
             ["W:2s 2s 2c X X X 2d", "A:As Ah Ad Ac As Ah"])
S1 = dict(V1, melds_per_rank="one_open")
S2 = dict(V1, wild_cap_scope="to_canasta")
EASY = dict(MILLER, go_out_total=2, go_out_clean=1)


def ways(pos, cards):
    """Every way to lay all these cards as one action's groups."""
    targets = []
    for card in cards:
        if r.is_black_three(card):
            options = [("black_threes", "auto", None)]
        elif r.is_natural(card):
            options = [("set", m.id, card[0]) for m in pos.melds[0]
                       if m.rank == card[0]]
            options.append(("set", "new", card[0]))
        else:
            options = [(m.kind, m.id, m.rank) for m in pos.melds[0]
                       if m.kind != "black_threes"]
            options += [("set", "new", c) for c in sorted(
                {c[0] for c in cards if r.is_natural(c)})]
            options.append(("wild", "new", None))
        targets.append(options)
    for choice in itertools.product(*targets):
        groups = {}
        for card, target in zip(cards, choice):
            groups.setdefault(target, []).append(card)
        yield {"type": "meld", "groups": [
            {"kind": kind, "onto": onto, "cards": body}
            for (kind, onto, _), body in groups.items()]}


def brute(game):
    pos = game.round
    hand = sorted(pos.hands[0].elements())
    for last in [None] + sorted(set(hand)):
        rest = list(hand)
        if last:
            rest.remove(last)
        if not rest:
            if out.may_go_out(pos.rules, pos.melds[0], None):
                return True
            continue
        for action in ways(pos, rest):
            if not judge.judge(game, 0, action)[0]:
                return True
    return False


class Searches(unittest.TestCase):
    def test_can_go_out(self):
        rng = random.Random(5)
        answers = Counter()
        pool = {"A": "As Ah Ad", "K": "Ks Kh Kd", "9": "9s 9h", "J": "Js Jd",
                "5": "5s 5h", "w": "2s 2d X X", "3": "3s 3c 3s"}
        for knobs in (CLASSIC, WILD, EASY, S1, S2):
            tables = SETS + (WILD_SETS if knobs.get("wild_melds") else ())
            for _ in range(500):
                kinds = rng.sample(sorted(pool), rng.randint(1, 3))
                cards = [c for k in kinds for c in pool[k].split()]
                hand = rng.sample(cards, min(len(cards), rng.randint(1, 6)))
                table = rng.choice(tables)
                game = position(" ".join(hand), table, knobs=knobs)
                if not table:                # any batch may open
                    game.round.rules.initial_bands = [{"minimum": 0}]
                pos = game.round
                found = out.can_go_out(pos.rules, pos.melds[0],
                                       pos.hands[0], None)
                expected = brute(game)
                answers[expected] += 1
                self.assertEqual(found, expected, (hand, table, knobs))
        self.assertGreater(min(answers.values()), 400)

    def test_must_take(self):
        rng = random.Random(6)
        answers = Counter()
        for _ in range(3000):
            table = rng.choice(SETS)
            top = rng.choice("Kh 9c Jh 5c As".split())
            pile = " ".join(rng.choice(([], ["6c"])) + [top])
            hand = rng.sample("Kd 9d Jc 5d Ad 2h X 3c 6d".split(),
                              rng.choice((1, 1, 2)))
            knobs = rng.choice((CLASSIC, V1, S1))
            game = position(" ".join(hand), table, pile, stock="",
                            at="start", knobs=knobs)
            pos = game.round
            found = judge.must_take(pos, 0)
            expected = self.forced(game, top, hand)
            answers[expected] += 1
            self.assertEqual(found, expected, (hand, table, pile))
        self.assertGreater(min(answers.values()), 300)

    def forced(self, game, top, hand):
        """An own meld that may receive the top, and any legal take."""
        pos = game.round
        if pos.frozen(0):
            return False
        size = pos.rules.canasta_size
        own = [m for m in pos.melds[0] if m.rank == top[0]]
        if pos.rules.take_layoff == "incomplete":
            own = [m for m in own if len(m.cards) < size]
        if not own:
            return False
        where = ["auto", "new"] + [m.id for m in pos.melds[0]]
        for count in range(len(hand) + 1):
            for laid in itertools.combinations(hand, count):
                rest = [c for c in hand if c not in laid]
                more = [[]] + ([w["groups"] for w in ways(pos, rest)]
                               if rest else [])
                for onto, also in itertools.product(where, more):
                    action = dict(take(" ".join(laid), onto=onto),
                                  also=also)
                    if not judge.judge(game, 0, action)[0]:
                        return True
        return False


if __name__ == "__main__":
    unittest.main()
