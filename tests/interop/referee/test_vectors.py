"""The T-vectors of the rulebook's Classic part, sections A to G (and those
of H, I, K and L that need no other form), on positions built directly."""

import unittest
from collections import Counter

import judge
import play
import rules as r
import score
import state

CLASSIC = {
    "seats": 4, "side_count": 2, "packs": 2, "jokers": 4, "hand_size": 11,
    "start_cover": ["wild", "red_three"],
    "start_freezes": ["wild", "red_three"], "discard_freezes": ["wild"],
    "draw_count": 1, "meld_min": 3, "canasta_size": 7, "min_naturals": 2,
    "max_wilds": 3, "wild_add_base": 2,
    "initial_bands": [{"below": 0, "minimum": 15},
                      {"below": 1500, "minimum": 50},
                      {"below": 3000, "minimum": 90}, {"minimum": 120}],
    "initial_exempt": ["concealed_stock"], "black_three_meld": "going_out",
    "held_three_black": 5, "go_out_total": 1, "ask": "binding",
    "forced_take": "own_meld",
    "card_points": {"A": 20, "K": 10, "Q": 10, "J": 10, "T": 10, "9": 10,
                    "8": 10, "7": 5, "6": 5, "5": 5, "4": 5, "2": 20,
                    "X": 50, "3b": 5},
    "bonus_natural": 500, "bonus_mixed": 300, "bonus_out": 100,
    "bonus_concealed": 100, "three_table": [100, 200, 300, 800],
    "three_sign": "unmelded_minus", "target": 5000}
TWO = dict(CLASSIC, seats=2, hand_size=15, draw_count=2, go_out_total=2,
           ask="off")
SIX = dict(CLASSIC, seats=6, side_count=3, packs=3, jokers=6, hand_size=13,
           go_out_total=2, three_table=[100, 200, 300, 400, 1000, 1200],
           target=7500)
MILLER = dict(SIX, side_count=2, wild_melds=True, bonus_wild=2000,
              penalty_incomplete={"W": 2000}, go_out_total=3,
              go_out_clean=2, target=10000)
V1 = dict(CLASSIC, take_layoff="incomplete")
V2 = dict(CLASSIC, take_natural_wild="never")
FEET = dict(CLASSIC, hand_size=3, foot_size=2, more_feet=[3, 1])
BLACK = dict(CLASSIC, black_three_table=[5, 15, 45, 100])
WILD = dict(CLASSIC, wild_melds=True, wild_lock=True, bonus_wild=2000)
DRAWN = "drawn"                              # in PLAY after a stock draw
AAA = "A:As Ah Ad"
KINGS = "K:Ks Ks Kh Kh Kd Kd Kc"
SEVEN_Q = "Qs Qs Qh Qh Qd Qd Qc"
SEVEN_4 = "4s 4s 4h 4h 4d 4d 4c"
JACKS3W = "J:Js Jh Jd Jc 2s 2c X"


def cards(text):
    return text.split()


def parse_meld(text):
    label, body = text.split(":")
    kind = {"W": "wild", "3": "black_threes"}.get(label, "set")
    return kind, label, cards(body)


def position(hand, melds=(), pile="5c", stock="9h 8c 6s", at=DRAWN,
             score_=0, knobs=CLASSIC, answer=None, others=(),
             mates_turn=False):
    """A game with seat 0 to act."""
    rules = r.Rules(knobs)
    game = state.Game(rules)
    game.scores[0] = score_
    pos = state.Round(rules, rules.seats - 1, game.scores)
    game.round = pos
    for seat in range(rules.seats):
        pos.hands[seat] = Counter(["4c", "7d", "Kc"])
    pos.hands[0] = Counter(cards(hand))
    for text in melds:
        kind, _, body = parse_meld(text)
        pos.melds[0].append(state.Meld(len(pos.melds[0]), kind, body))
    pos.pile = cards(pile)
    pos.freezers = sum(r.is_wild(c) or r.is_red_three(c) for c in pos.pile)
    pos.stock = cards(stock)
    pos.begin_turn()
    if at == DRAWN:
        pos.phase, pos.source = state.PLAY, "stock"
    if answer:
        pos.permission, pos.has_asked = answer, True
    return game


def meld(game, *texts, onto=None):
    groups = []
    for text in texts:
        kind, label, body = parse_meld(text)
        where = "auto"
        if kind == "set" and not any(map(r.is_natural, body)):
            own = game.round.melds[0]
            where = next(m.id for m in own if m.rank == label)
        groups.append({"kind": kind, "onto": onto or where, "cards": body})
    return {"type": "meld", "groups": groups}


def take(laid="", *also, onto="auto"):
    groups = [{"kind": parse_meld(t)[0], "onto": "auto",
               "cards": parse_meld(t)[2]} for t in also]
    return {"type": "take_pile", "with": cards(laid), "onto": onto,
            "also": groups}


def discard(card):
    return {"type": "discard", "card": card}


DRAW = {"type": "draw_stock"}
END = {"type": "end_round"}
ASK = {"type": "ask", "about": "go_out"}
YES = {"type": "answer", "yes": True}
NO = {"type": "answer", "yes": False}


class Positions(unittest.TestCase):
    def codes(self, game, action, seat=0):
        return judge.judge(game, seat, action)[0]

    def ok(self, game, *actions, seat=0):
        events = []
        for action in actions:
            self.assertEqual(self.codes(game, action, seat), [], action)
            events += play.play(game, seat, action)
        return events

    def refused(self, game, action, *codes, seat=0):
        self.assertEqual(self.codes(game, action, seat), list(codes))

    def first(self, game, action, code, seat=0):
        self.assertEqual(self.codes(game, action, seat)[:1], [code])

    def wins(self, game, concealed):
        self.assertEqual(game.round.end, {
            "reason": "went_out", "seat": 0, "concealed": concealed})


class Vectors(Positions):
    # A Melds

    def test_a_melds(self):
        for hand, texts in (
                ("Qs Qh Qd 2c 9s 5h", ["Q:Qs Qh Qd 2c"]),            # 001
                ("8s 8h 8d 8c 8s 2c X 9s 5h", ["8:8s 8h 8d 8c 8s 2c X"]),
                ("Ks Kh Kd 5s 5h 5d 5c 5s 5h 9s 7c",
                 ["K:Ks Kh Kd", "5:5s 5h 5d 5c 5s 5h"]),             # 003
                ("8s 8h 8d Qs Qh 2c 9s 7c",
                 ["8:8s 8h 8d", "Q:Qs Qh 2c"]),                      # 004
                ("Qs Qh 2s 2c X 9s 7c", ["Q:Qs Qh 2s 2c X"]),        # 008
                ("Qs Qh Qd 2s 2c X 9s 7c", ["Q:Qs Qh Qd 2s 2c X"])):  # 016
            game = position(hand, [AAA])
            self.ok(game, meld(game, *texts))
        for hand, text, code in (
                ("Qs Qh 9s 7c", "Q:Qs Qh", "MELD_TOO_SMALL"),        # 005
                ("Qs 2c X 9s 7c", "Q:Qs 2c X", "MELD_TOO_FEW_NATURALS"),
                ("Qs Qh 2s 2c X X 9s 7c", "Q:Qs Qh 2s 2c X X",
                 "MELD_TOO_MANY_WILDS")):                            # 009
            game = position(hand, [AAA])
            self.refused(game, meld(game, text), code)

    def test_a_completed(self):
        game = position("2h 9s 7c", [JACKS3W])                       # 010
        self.refused(game, meld(game, "J:2h"), "MELD_TOO_MANY_WILDS")
        game = position("Js Jh 9s 7c", [JACKS3W])                    # 011
        events = self.ok(game, meld(game, "J:Js Jh"))
        self.assertEqual([e["type"] for e in events], ["melded"])
        game = position("2h 9s 7c", [KINGS])                         # 012
        events = self.ok(game, meld(game, "K:2h"))
        self.assertEqual(events[1]["grade"], "mixed")
        game = position("Qs Qc 2h X 9s 7c", ["Q:Qs Qh Qd 2s 2c"])    # 014
        self.refused(game, meld(game, "Q:Qs Qc 2h X"),
                     "MELD_TOO_MANY_WILDS")
        self.refused(game, meld(game, "Q:Qs Qc 2h X", onto="new"),
                     "MELD_RANK_DUPLICATE")

    # B Initial meld

    def test_b_initial_take(self):
        hand = "Ks Kh Qs Qh 2c 9s 7c 5h 4d 6s Tc"
        action = take("Ks Kh", "Q:Qs Qh 2c")
        game = position(hand, pile="Kd Qd 9h Kc", at="start")        # 020
        self.ok(game, action, meld(game, "K:Kd", "Q:Qd"))
        game = position(hand, pile="Kd Qd 9h Kc", at="start", score_=1500)
        self.refused(game, action, "INITIAL_BELOW_MINIMUM")          # 021

    def test_b_initial_meld(self):
        low = ["INITIAL_BELOW_MINIMUM"]
        aces = "As Ah Ad Ks Kh Kd 9s 7c 8d"
        for hand, texts, points, codes in (
                ("4s 4h 4d 9s 7c 8c", ["4:4s 4h 4d"], -20, []),      # 022
                ("4s 4h 4d 9s 7c 8c", ["4:4s 4h 4d"], 0, low),       # 023
                (aces, ["A:As Ah Ad", "K:Ks Kh Kd"], 1500, []),      # 024
                (aces, ["A:As Ah Ad"], 1500, low),                   # 026
                (SEVEN_4 + " 9s 7c 8d Jc Td", ["4:" + SEVEN_4], 0, low)):
            game = position(hand, score_=points)
            self.assertEqual(self.codes(game, meld(game, *texts)), codes)
        game = position("4s 4h 4d 9s 7c", [AAA], score_=3000)        # 030
        self.ok(game, meld(game, "4:4s 4h 4d"))

    def test_b_bands(self):                                          # 029
        rules = r.Rules(CLASSIC)
        self.assertEqual(
            [rules.minimum(s) for s in
             (-5, 0, 1495, 1500, 2995, 3000, 8000)],
            [15, 50, 50, 90, 90, 120, 120])

    def test_b_concealed(self):
        hand = "4s 4s 4h 4h 4d 4d 5s 5h 5d 5c 8d"
        action = take("4s 4s 4h 4h 4d 4d", "5:5s 5h 5d 5c")
        game = position(hand, pile="4c", at="start", score_=3000)    # 033
        self.refused(game, action, "INITIAL_BELOW_MINIMUM")
        game = position(hand, pile="4c", at="start")                 # 034
        self.ok(game, action, discard("8d"))
        self.wins(game, True)
        hand = SEVEN_4 + " 5s 5h 5d 5c 8d"
        texts = ["4:" + SEVEN_4, "5:5s 5h 5d 5c"]
        game = position(hand, score_=3000)                           # 031
        self.ok(game, meld(game, *texts), discard("8d"))
        self.wins(game, True)
        game = position(hand, score_=3000, answer="no")              # 035
        self.refused(game, meld(game, *texts), "INITIAL_BELOW_MINIMUM",
                     "GO_OUT_REFUSED", "MELD_LEAVES_TOO_FEW_CARDS")

    # C Taking the pile

    def test_c_take(self):
        at = {"at": "start"}
        fives = {"melds": [AAA], "pile": "5c Jd 5s", **at}
        game = position("5h Kd 9c 8s", **fives)                      # 040
        self.refused(game, take("5h"), "PILE_TOP_NOT_MELDED")
        game = position("5h 5d Kd 9c 8s", **fives)                   # 041
        self.ok(game, take("5h 5d"), meld(game, "5:5c"))
        game = position("3c 3s 9c 8s", [AAA], "5c Jd 3s", **at)      # 046
        self.refused(game, take("3c 3s"), "PILE_TOP_BLACK_THREE")
        game = position("9c 8s", ["J:Js Jh Jc"], "5c 3s Jd", **at)   # 047
        self.ok(game, take())
        sevens = {"melds": ["7:7s 7c 7d 7c"], "pile": "5c 2h 7s", **at}
        game = position("7h 9c 8s", **sevens)                        # 048
        self.refused(game, take("7h"), "PILE_FROZEN_NEEDS_PAIR")
        self.refused(game, take(), "PILE_FROZEN_NEEDS_PAIR")
        game = position("7h 7d 9c 8s", **sevens)                     # 049
        events = self.ok(game, take("7h 7d"))
        self.assertEqual(events[1]["grade"], "natural")
        self.assertEqual(game.round.hands[0],
                         Counter(cards("9c 8s 5c 2h")))
        game = position("7h 2c 9c 8s", **sevens)                     # 050
        self.refused(game, take("7h 2c"), "PILE_FROZEN_NEEDS_PAIR")

    def test_c_red_three_in_the_pile(self):
        at = {"pile": "3h 9d 7s", "stock": "Kc 4s", "at": "start"}
        game = position("7h 7d 9c 8s", [AAA], **at)                  # 051
        events = self.ok(game, take("7h 7d"))
        self.assertEqual([e["type"] for e in events],
                         ["melded", "took_pile", "three_laid"])
        self.assertEqual(events[1]["cards"], ["3h", "9d"])
        self.assertEqual(len(game.round.stock), 2)
        self.assertEqual(game.round.hands[0], Counter(cards("9c 8s 9d")))
        game = position("7h X 9c 8s", [AAA], **at)                   # 052
        self.refused(game, take("7h X"), "PILE_FROZEN_NEEDS_PAIR")

    def test_c_unopened(self):
        game = position("Js 2h X 9c 8s", pile="5c Jd", at="start")   # 053
        self.refused(game, take("Js 2h X"), "PILE_FROZEN_NEEDS_PAIR")
        game = position("Js Jh 9c 8s", pile="5c Jd", at="start")     # 054
        self.refused(game, take("Js Jh"), "INITIAL_BELOW_MINIMUM")
        game = position("Js 9c 8s", [AAA], "Jc 5c Jd", at="start")   # 056
        self.refused(game, take("Js Jc"), "PILE_BURIED_CARD")
        game = position("Js Jh 9c", [AAA], "Jc 5c Jd")               # 057
        self.refused(game, take("Js Jh"), "TURN_ALREADY_DREW")

    # D Threes

    def test_d_threes(self):
        game = position("9c 8s", [AAA], stock="3h 3d Kc 4s", at="start")
        self.ok(game, DRAW)                                          # 060
        self.assertEqual(game.round.laid[0], ["3h", "3d"])
        self.assertEqual(game.round.stock, ["4s"])
        game = position("3s 3c 2h 9c", [KINGS])                      # 064
        self.refused(game, meld(game, "3:3s 3c 2h"), "THREE_BLACK_WILD")
        game = position("3s 3c", [KINGS])                            # 065
        self.refused(game, meld(game, "3:3s 3c"), "THREE_BLACK_COUNT")

    def test_d_last_card_a_red_three(self):                          # CL-093
        game = position("9c 8s", [AAA], stock="3h", at="start")
        self.ok(game, DRAW)
        self.assertEqual(game.round.end["reason"], "last_three")
        self.refused(game, discard("9c"), "GAME_ROUND_OVER")

    # E Going out and asking

    def test_e_going_out(self):
        nines = "9:9s 9h 9d 9c 9c 2h"
        game = position("9s 9h 9d 5c 6c", [AAA])                     # 071
        self.ok(game, meld(game, "9:9s 9h 9d"), discard("5c"))
        game = position("9h 5c", [nines])                            # 072
        self.ok(game, meld(game, "9:9h"), discard("5c"))
        self.wins(game, False)
        hand = "9h 5c 6c 6d 6h"
        game = position(hand, [nines])                               # 074
        self.ok(game, ASK)
        self.refused(game, discard("5c"), "ASK_PENDING")
        self.ok(game, YES, seat=2)
        self.refused(game, discard("5c"), "GO_OUT_BOUND")
        self.ok(game, meld(game, "9:9h", "6:6c 6d 6h"), discard("5c"))
        self.wins(game, False)                                       # 075
        game = position(hand, [nines])                               # 076
        self.ok(game, ASK)
        self.refused(game, NO, "ASK_NOT_ADDRESSED", seat=1)
        self.ok(game, NO, seat=2)
        self.refused(game, meld(game, "9:9h", "6:6c 6d 6h"),
                     "GO_OUT_REFUSED", "MELD_LEAVES_TOO_FEW_CARDS")
        self.ok(game, meld(game, "6:6c 6d 6h"))
        game = position(hand, [nines])                               # 077
        self.ok(game, meld(game, "6:6c 6d 6h"))
        self.refused(game, ASK, "ASK_TOO_LATE")
        game = position("9h 5c 6c", [AAA])                           # 078
        self.refused(game, ASK, "ASK_CANNOT_GO_OUT")
        game = position("9c 5d", [KINGS, "9:9s 9h 9d"])              # 084
        self.ok(game, discard("5d"))
        self.assertIsNone(game.round.end)

    def test_e_concealed(self):
        queens = "Q:" + SEVEN_Q
        game = position(SEVEN_Q + " 6c 6d 6h 5c", ["6:6s 6c 6h"])    # 082
        self.ok(game, meld(game, queens, "6:6c 6d 6h"), discard("5c"))
        self.wins(game, False)
        game = position(SEVEN_Q + " 7c 7d 7h 5c", ["6:6s 6c 6h"])    # 083
        self.ok(game, meld(game, queens, "7:7c 7d 7h"), discard("5c"))
        self.wins(game, True)

    # F End of the stock

    def test_f_forced(self):
        empty = {"stock": "", "at": "start"}
        jjj = ["J:Js Jh Jc"]
        game = position("9c 8s", jjj, "5c Jd", **empty)              # 085
        self.refused(game, END, "STOCK_MUST_TAKE_PILE")
        self.refused(game, DRAW, "STOCK_EMPTY")
        self.ok(game, take(), discard("5c"))                         # 094
        game = position("Js Jh 9c", [AAA], "5c Jd", **empty)         # 087
        self.ok(game, END)
        self.assertEqual(game.round.end["reason"], "stock_exhausted")
        game = position("9c 8s", jjj, "5c Jd 3s", **empty)           # 088
        self.ok(game, END)
        game = position("9c", jjj, "Jd", **empty)                    # 089
        self.refused(game, take(), "MELD_LEAVES_TOO_FEW_CARDS",
                     "GO_OUT_NEEDS_CANASTAS")
        self.refused(game, END)
        game = position("9c", jjj + [KINGS], "Jd", **empty)          # 091
        self.refused(game, END, "STOCK_MUST_TAKE_PILE")
        self.ok(game, take(), discard("9c"))
        self.wins(game, False)
        ban = dict(CLASSIC, one_card_pile="forbid")                  # 093
        game = position("9c", jjj + [KINGS], "Jd", knobs=ban, **empty)
        self.refused(game, take(), "PILE_ONE_CARD")
        self.ok(game, END)
        game = position("Js Jh 9c", [AAA], "5c Jd", **empty)         # 095
        self.ok(game, take("Js Jh"))

    def test_f_the_last_card_completes_the_canasta(self):
        game = position("Jd", ["J:Js Jh Jc Js Jh"], "Jd", stock="",
                        at="start")
        self.refused(game, take(), "MELD_LEAVES_TOO_FEW_CARDS",
                     "GO_OUT_NEEDS_CANASTAS")
        self.refused(game, END, "STOCK_MUST_TAKE_PILE")
        self.ok(game, take("Jd"))
        self.wins(game, False)

    def test_f_small_hands(self):
        game = position("9c 8s", [AAA], "", at="start")              # 096
        self.refused(game, take(), "PILE_EMPTY")
        queens = ["Q:" + SEVEN_Q]
        game = position("Ks Kh", queens, "Kc", at="start")           # 097
        self.ok(game, take("Ks Kh"))
        self.wins(game, False)
        game = position("Ks Kh", ["Q:Qs Qh Qd"], "Kc", at="start")
        self.first(game, take("Ks Kh"), "MELD_LEAVES_TOO_FEW_CARDS")
        game = position("Ks Kh", queens, "6d Kc", at="start")
        self.ok(game, take("Ks Kh"))
        self.assertIsNone(game.round.end)
        game = position("Ks Kh", ["Q:Qs Qh Qd"], "5d 6d Kc", at="start")
        self.ok(game, take("Ks Kh"))                                 # 098
        game = position("Ks Kh", ["Q:Qs Qh Qd"], "6d Kc", at="start")
        self.refused(game, take("Ks Kh"), "MELD_LEAVES_TOO_FEW_CARDS",
                     "GO_OUT_NEEDS_CANASTAS")
        game = position("9c", [AAA], stock="Kc 6h", at="start")      # 099
        self.ok(game, DRAW, discard("9c"))

    # G Scoring

    def total(self, melds="", laid="", hands="", out=False,
              concealed=False, knobs=CLASSIC):
        rules = r.Rules(knobs)
        made = [state.Meld(i, parse_meld(t)[0], parse_meld(t)[2])
                for i, t in enumerate(melds)]
        lines = score.side_lines(rules, made, cards(laid), [cards(hands)],
                                 out, concealed)
        return sum(points for points, _ in lines.values())

    def test_g_scores(self):
        reds = "3h 3h 3d 3d"
        self.assertEqual(self.total([KINGS]), 570)                   # 100
        self.assertEqual(self.total(
            laid=reds, hands="X Ks Ts 9s 5h As Ah 2c 2d Kd Td"), -985)
        self.assertEqual(self.total(["4:4s 4h 4d"], reds, "Ks Kh"), 795)
        self.assertEqual(self.total(["K:Ks Kh Kd"], "3h 3h 3d"), 330)
        self.assertEqual(self.total(
            ["4:" + SEVEN_4, "5:5s 5h 5d 5c"], hands="Kd Qc 7s",
            out=True, concealed=True), 730)                          # 107
        self.assertEqual(self.total(
            [KINGS, "3:3s 3c 3s"], hands="3c X", out=True), 630)     # 108
        self.assertEqual(self.total(
            ["J:Js Js Jh Jh Jd Jc 2s 2c X"]), 450)                   # 109

    def test_g_game_end(self):
        rules = r.Rules(CLASSIC)
        self.assertEqual(score.game_result(rules, [5120, 5235]), (1, 115))
        self.assertIsNone(score.game_result(rules, [4995, 4200]))    # 111
        self.assertEqual(score.game_result(rules, [5100, 5100]), (None, 0))

    # H Variations

    def test_h_v1_v2(self):
        two_wilds = ["J:Js Jh Jd Jc Js 2c X"]
        at = {"pile": "5c Jd", "at": "start"}
        v1 = dict(V1, take_canasta_rank="unless_wilds_full")
        both = dict(V1, take_natural_wild="never")
        game = position("9c 8s", two_wilds, knobs=v1, **at)          # 120
        self.refused(game, take(), "PILE_CANASTA_TARGET_FORBIDDEN")
        game = position("9c 8s", two_wilds, **at)                    # 121
        self.ok(game, take())
        game = position("Jh Jc 9c", two_wilds, knobs=v1, **at)       # 122
        self.ok(game, take("Jh Jc"))
        game = position("9c 8s", ["J:Js Jh Jd Jc 2s X"], knobs=v1, **at)
        self.ok(game, take())                                        # 123
        game = position("Js 2h 9c", [AAA], knobs=V2, **at)           # 124
        self.refused(game, take("Js 2h"), "PILE_NEEDS_PAIR")
        game = position("9c 8s", ["J:Js Jh 2c"], knobs=V2, **at)     # 125
        self.ok(game, take())
        game = position("Jh 2h 9c", two_wilds, knobs=both, **at)     # 126
        self.refused(game, take("Jh 2h"), "PILE_NEEDS_PAIR")

    def test_h_collision(self):
        at = {"melds": [JACKS3W], "pile": "5c Jd", "at": "start"}
        s1 = dict(V1, melds_per_rank="one_open")
        s2 = dict(V1, wild_cap_scope="to_canasta")
        s3 = dict(V1, take_canasta_rank="unless_wilds_full")
        s4 = dict(V1, take_canasta_rank="never")
        game = position("Jh 2h 9c", knobs=s1, **at)                  # 127
        self.ok(game, take("Jh 2h"))
        self.assertEqual(len(game.round.melds[0]), 2)
        game = position("Jh 2h 9c", knobs=s2, **at)                  # 128
        self.ok(game, take("Jh 2h"))
        self.assertEqual(len(game.round.melds[0][0].cards), 10)
        game = position("Jh 2h 9c", knobs=s3, **at)                  # 129
        self.refused(game, take("Jh 2h"), "PILE_CANASTA_WILDS_FULL")
        self.refused(game, take(), "PILE_CANASTA_TARGET_FORBIDDEN")
        game = position("Jh 2h 9c", ["J:Js Jh Jd Jc Js 2c X"], "5c Jd",
                        at="start", knobs=s3)                        # 130
        self.ok(game, take("Jh 2h"))
        game = position("Jh Jc 2h 9c", knobs=s4, **at)               # 131
        for laid in ("Jh 2h", "Jh Jc", ""):
            self.first(game, take(laid), "PILE_CANASTA_RANK_FORBIDDEN")
        game = position("2h 2d 9c 8c", ["J:Js Jh Jd 2s 2c X"], knobs=s2)
        self.refused(game, meld(game, "J:2h 2d"), "MELD_TOO_MANY_WILDS")

    def test_h_stock_end(self):
        always = dict(CLASSIC, frozen_always=True)
        end = {"pile": "5c Jd", "stock": "", "at": "start"}
        game = position("9c 8s", ["J:Js Jh Jc"], knobs=always, **end)
        self.ok(game, END)                                           # 135
        v1 = dict(V1, take_canasta_rank="unless_wilds_full")
        game = position("9c 8s", [JACKS3W], knobs=v1, **end)         # 141
        self.ok(game, END)
        game = position("9c 8s", [JACKS3W], **end)
        self.refused(game, END, "STOCK_MUST_TAKE_PILE")

    def test_h_wild_melds(self):
        game = position("2s 2c X 9c 8s", knobs=WILD)                 # 136
        self.ok(game, meld(game, "W:2s 2c X"))
        self.assertEqual(self.total(["W:2s 2c X"], knobs=dict(
            WILD, penalty_incomplete={"W": 1000})), -910)            # 140
        hand = "Qs Qh 2h 2s 2c X 9c 8s"
        for texts in (("Q:Qs Qh 2h", "W:2s 2c X"),
                      ("W:2s 2c X", "Q:Qs Qh 2h")):                  # 143
            game = position(hand, [AAA], knobs=WILD)
            self.ok(game, meld(game, *texts))
        game = position("Qs Qh 2h 9c 8s", ["W:2s 2c X"], knobs=WILD)
        self.refused(game, meld(game, "Q:Qs Qh 2h"), "MELD_WILDS_LOCKED")

    def test_h_configuration(self):                                  # 144
        self.assertEqual(r.Rules(V1).contradictions(), ["COLLISION_UNSET"])
        both = dict(V1, take_natural_wild="never")
        self.assertEqual(r.Rules(both).contradictions(), [])
        s1 = dict(CLASSIC, melds_per_rank="one_open")
        self.assertEqual(r.Rules(s1).contradictions(), ["COLLISION_UNUSED"])

    # I, K, L Other forms with fixed sides

    def test_i_two_players(self):
        game = position("9c", [AAA], stock="Kc", at="start", knobs=TWO)
        self.ok(game, DRAW)                                          # 151
        self.assertEqual(game.round.phase, state.PLAY)
        game = position("9c", [AAA], stock="3h Kc", at="start", knobs=TWO)
        self.ok(game, DRAW)                                          # 153
        self.assertEqual(game.round.phase, state.PLAY)
        game = position("9c 8c", [KINGS], knobs=TWO)                 # 155
        self.refused(game, ASK, "ASK_NO_PARTNER")
        hand = SEVEN_Q + " 4s 4s 4h 4h 4d 4d 2c 8s"
        queens, fours = "Q:" + SEVEN_Q, "4:4s 4s 4h 4h 4d 4d 2c"
        game = position(hand, knobs=TWO, score_=3200)                # 156
        self.refused(game, meld(game, queens), "INITIAL_BELOW_MINIMUM")
        self.ok(game, meld(game, queens, fours), discard("8s"))
        self.wins(game, True)

    def test_k_six_players(self):
        rules = r.Rules(SIX)
        self.assertEqual(rules.three_table,                          # 170
                         [100, 200, 300, 400, 1000, 1200])
        self.assertEqual(self.total(["K:Ks Kh Kd"], "3h 3h 3h 3d 3d",
                                    "Ks Kh As 5h", knobs=SIX), 985)  # 171
        self.assertEqual(self.total(
            laid="3h 3h 3h 3d 3d 3d", hands="X X 2c 2d Ks",
            knobs=SIX), -1350)                                       # 172
        self.assertEqual(rules.minimum(7000), 120)                   # 174
        game = position("3s 3s 3s 3c 3c", [KINGS, "Q:" + SEVEN_Q],
                        knobs=SIX)                                   # 176
        self.ok(game, meld(game, "3:3s 3s 3s 3c 3c"))
        self.wins(game, False)

    def test_l_miller(self):
        self.assertEqual(self.total(["W:2s 2s 2c 2d X X X"],
                                    knobs=MILLER), 2230)             # 183
        game = position("Qs Qh 2h 9c 8s", ["W:2s 2c X"], knobs=MILLER)
        self.ok(game, meld(game, "Q:Qs Qh 2h"))                      # 185

    # M Deal

    def test_m_deal(self):                                           # 191
        toy = dict(TWO, hand_size=2)
        wall = cards("3h Ks 9c 3d Qd 3h 7c 8c 5s")
        pos, _ = state.deal(r.Rules(toy), wall, 0, [0, 0])
        self.assertEqual(pos.hands[1], Counter(cards("9c 7c")))
        self.assertEqual(pos.hands[0], Counter(cards("Ks 8c")))
        self.assertEqual(pos.stock, ["5s"])
        wall = cards("Ks 9c Qd 8c 2h 3d 3s 9c")                      # 190
        pos, _ = state.deal(r.Rules(toy), wall, 0, [0, 0])
        self.assertEqual(pos.pile, cards("2h 3d 3s"))
        self.assertEqual((pos.freezers, pos.stock), (2, ["9c"]))


class MoreFeet(Positions):
    """HF-115: feet that come one after the other."""

    def with_feet(self, hand, *feet, knobs=FEET, **facts):
        game = position(hand, facts.pop("melds", [KINGS]), knobs=knobs,
                        **facts)
        game.round.feet[0] = [cards(foot) for foot in feet]
        return game

    def test_deal(self):
        toy = dict(TWO, hand_size=2, foot_size=1, more_feet=[2])
        wall = cards("Ks Kd 9s 9d As Ad 4s 4d 5s 5d Qc 7c")
        pos, events = state.deal(r.Rules(toy), wall, 0, [0, 0])
        self.assertEqual(pos.hands[1], Counter(cards("Ks 9s")))
        self.assertEqual(pos.feet[1], [["As"], ["4s", "5s"]])
        self.assertEqual(pos.feet[0], [["Ad"], ["4d", "5d"]])
        self.assertEqual((pos.pile, pos.stock), (["Qc"], ["7c"]))
        self.assertEqual(events[0]["foot_sizes"], [1, 1, 2, 2])

    def test_one_after_the_other_in_a_turn(self):
        game = self.with_feet("Kd", "Kh Kc", "9s 3h 4c", "8d")
        pos = game.round
        events = self.ok(game, meld(game, "K:Kd"))
        self.assertEqual([e["type"] for e in events],
                         ["melded", "took_foot"])
        self.assertEqual(pos.hands[0], Counter(cards("Kh Kc")))
        events = self.ok(game, meld(game, "K:Kh Kc"))
        self.assertEqual([e["type"] for e in events],
                         ["melded", "took_foot", "three_laid"])
        self.assertEqual(pos.hands[0], Counter(cards("9s 4c")))
        self.assertEqual((pos.laid[0], pos.feet[0]), (["3h"], [["8d"]]))
        self.assertIsNone(pos.end)

    def test_the_last_card_discarded_brings_the_next_turn_a_foot(self):
        game = self.with_feet("9d", "9s 9h", "8s")
        pos = game.round
        for left, drawn in ((["8s"], "9s 9h"), ([], "8s")):
            events = self.ok(game, discard("9d"))
            self.assertEqual([e["type"] for e in events], ["discarded"])
            self.assertFalse(pos.hands[0])
            self.assertIsNone(pos.end)
            for seat in (1, 2, 3):
                pos.phase = state.PLAY
                events = self.ok(game, discard("4c"), seat=seat)
                pos.hands[seat]["4c"] += 1
            self.assertEqual(events[1], {"type": "took_foot", "seat": 0})
            self.assertEqual(pos.feet[0], [left] if left else [])
            self.assertEqual(pos.hands[0], Counter(cards(drawn)))
            pos.hands[0], pos.phase = Counter(["9d"]), state.PLAY
        self.ok(game, discard("9d"))
        self.wins(game, False)

    def test_a_foot_of_threes_only(self):
        game = self.with_feet("Kd", "3h 3d", "9s 8c")
        events = self.ok(game, meld(game, "K:Kd"))
        self.assertEqual([e["type"] for e in events], [
            "melded", "took_foot", "three_laid", "three_laid",
            "took_foot"])
        self.assertEqual(game.round.hands[0], Counter(cards("9s 8c")))

    def test_nobody_goes_out_while_a_foot_waits(self):
        for feet in (["9s", "8s"], ["9s"]):
            game = self.with_feet("3s 3c 3s 5d", *feet)
            self.refused(game, meld(game, "3:3s 3c 3s"),
                         "THREE_BLACK_NOT_GOING_OUT")
            self.refused(game, ASK, "ASK_CANNOT_GO_OUT")
            game = self.with_feet("Kd", *feet)
            self.ok(game, meld(game, "K:Kd"))
            self.assertIsNone(game.round.end)
        game = self.with_feet("3s 3c 3s 5d")
        self.ok(game, meld(game, "3:3s 3c 3s"), discard("5d"))
        self.wins(game, False)

    def test_no_exemption_while_a_foot_waits(self):         # CL-068
        hand, texts = SEVEN_4 + " 8d", ["4:" + SEVEN_4]
        for feet, codes in ((["9s", "8s"], ["INITIAL_BELOW_MINIMUM"]),
                            (["9s"], ["INITIAL_BELOW_MINIMUM"]), ([], [])):
            game = self.with_feet(hand, *feet, melds=[])
            self.refused(game, meld(game, *texts), *codes)

    def test_a_foot_of_one_card(self):                      # CLAR-04
        game = self.with_feet("9d", "8s", melds=["9:9s 9h 9c"])
        self.refused(game, {"type": "pass"}, "DISCARD_REQUIRED")
        self.ok(game, meld(game, "9:9d"))
        self.refused(game, discard("8s"), "GO_OUT_NEEDS_CANASTAS")
        self.ok(game, {"type": "pass"})
        self.assertEqual(game.round.turn, 1)

    def test_a_mate_in_its_last_foot(self):                 # HF-082
        knobs = dict(FEET, go_out_hands_finished=True)
        for feet, hand, codes in (
                (["9s", "8s"], "", ["GO_OUT_NEEDS_HANDS_FINISHED"]),
                (["9s"], "4c", ["GO_OUT_NEEDS_HANDS_FINISHED"]),
                (["9s"], "", []), ([], "4c", [])):
            game = self.with_feet("5d", knobs=knobs)
            game.round.hands[2] = Counter(cards(hand))
            game.round.feet[2] = [[card] for card in feet]
            self.refused(game, discard("5d"), *codes)

    def test_score(self):
        knobs = dict(FEET, foot_cut_bonus=100)
        game = self.with_feet("5d", "Ks X", "9s 3h", knobs=knobs, stock="",
                              at="start", pile="")
        pos = game.round
        pos.feet[2], pos.feet[3] = [["As"]], [["4s"]]
        pos.foot_lifted = 4 * (2 + 3 + 1)
        self.ok(game, END)
        self.assertEqual(pos.lines[0]["foot_cards"], (-90, None))
        self.assertEqual(pos.lines[1]["foot_cards"], (-5, None))
        self.assertEqual(pos.lines[0]["hand_cards"], (-25, None))
        self.assertEqual(pos.lines[1]["foot_cut"], (100, None))
        self.assertNotIn("foot_cut", pos.lines[0])
        pos.foot_lifted = 4 * 2                  # the first feet alone
        self.assertNotIn("foot_cut", score.score_round(pos)[1])
        self.assertEqual(score.exact_cuts(r.Rules(dict(
            knobs, cut_ways=["hand_and_foot"]))), [3 + 2])


class PileThrees(Positions):
    """CL-117: black threes of a taken pile are laid and count."""

    def test_laid_as_they_lie(self):
        at = {"pile": "3s 9d 3h 3c 7s", "stock": "Kc 4s", "at": "start"}
        knobs = dict(BLACK, pile_threes_replaced=True)
        game = position("7h 7d 9c 8s 3s", [AAA], knobs=BLACK, **at)
        events = self.ok(game, take("7h 7d"))
        self.assertEqual(events[1]["cards"], cards("3s 9d 3h 3c"))
        self.assertEqual([e["card"] for e in events[2:]],
                         ["3s", "3h", "3c"])
        self.assertEqual(game.round.laid[0], ["3s", "3h", "3c"])
        self.assertEqual(game.round.hands[0],
                         Counter(cards("9c 8s 3s 9d")))
        self.ok(game, discard("3s"))             # of the hand, as before
        game = position("7h 7d 9c 8s", [AAA], knobs=knobs, **at)
        events = self.ok(game, take("7h 7d"))    # the red one alone
        self.assertEqual([(e["type"], e["card"]) for e in events[2:]],
                         [("three_laid", "3s"), ("three_laid", "3h"),
                          ("replaced", "Kc"), ("three_laid", "3c")])
        game = position("7h 7d 9c 8s", [AAA], **at)
        self.ok(game, take("7h 7d"))
        self.assertEqual(game.round.laid[0], ["3h"])

    def test_no_card_of_the_hand(self):
        at = {"melds": [AAA], "pile": "3s 3c Kc", "at": "start"}
        game = position("Ks Kh 9c", **at)
        self.ok(game, take("Ks Kh"))
        game = position("Ks Kh 9c", knobs=BLACK, **at)
        self.refused(game, take("Ks Kh"), "MELD_LEAVES_TOO_FEW_CARDS",
                     "GO_OUT_NEEDS_CANASTAS")
        game = position("Kd Kh", ["9:9s 9h 9d 9c 9s 9h 9d"], "3s 3c Kc",
                        at="start", knobs=BLACK)
        self.ok(game, take("Kd Kh"))
        self.wins(game, False)
        self.assertEqual(game.round.lines[0]["threes"], (15, 2))

    def test_release_of_a_pending_top(self):
        knobs = dict(BLACK, pile_steps="two")
        game = position("Ks Kh 9c 8s", [AAA], "3s 5d 3h Kc", at="start",
                        knobs=knobs)
        self.ok(game, {"type": "take_top"})
        group = {"kind": "set", "onto": "auto", "cards": ["Ks", "Kh"],
                 "top": True}
        events = self.ok(game, {"type": "meld", "groups": [group]})
        self.assertEqual([e["type"] for e in events], [
            "melded", "took_pile", "three_laid", "three_laid"])
        self.assertEqual(game.round.laid[0], ["3s", "3h"])
        self.assertEqual(game.round.hands[0], Counter(cards("9c 8s 5d")))

    def threes(self, laid, melds=("K:Ks Kh Kd",), **more):
        made = [state.Meld(i, *parse_meld(t)[::2])
                for i, t in enumerate(melds)]
        lines = score.side_lines(r.Rules(dict(BLACK, **more)), made,
                                 cards(laid), [], False, None)
        return lines.get("threes")

    def test_score(self):
        self.assertEqual(self.threes("3s"), (5, 1))
        self.assertEqual(self.threes("3s 3h 3c"), (115, 3))
        self.assertEqual(self.threes("3s 3s 3c 3h 3d"), (245, 5))
        # Black threes are plus whatever the sign says of the red ones.
        self.assertEqual(self.threes("3s 3h 3c", ()), (-85, 3))
        self.assertEqual(self.threes("3s 3c", ()), (15, 2))
        self.assertEqual(self.threes(
            "3s 3h 3d 3c", three_sign="two_canastas"), (-185, 4))
        self.assertEqual(self.threes(
            "3s 3h 3d 3c", (), three_sign="unmelded_zero"), (15, 4))
        # By colour: the table of threes counts red ones only.
        self.assertEqual(self.threes(
            "3s 3h 3d 3c", three_table_unit="colour"), (215, 4))

    def test_score_by_seat(self):
        knobs = dict(BLACK, three_unit="seat", score_unit="seat")
        game = position("5d", [KINGS], stock="", at="start", pile="",
                        knobs=knobs)
        game.round.laid[0] = ["3s", "3s", "3c", "3h"]
        game.round.laid[2] = ["3c"]
        self.ok(game, END)
        self.assertEqual(game.round.lines[0]["threes"], (145, 4))
        self.assertEqual(game.round.lines[2]["threes"], (5, 1))
        self.assertNotIn("threes", game.round.lines[1])


class Knobs(unittest.TestCase):
    def test_other_families_are_refused_by_the_knob(self):
        for name, value in (("courtesy", "on_request"),
                            ("talon_award", "manual"),
                            ("threes_keep", "never"), ("no_such_knob", 1)):
            with self.assertRaisesRegex(r.Unsupported, name):
                r.Rules(dict(CLASSIC, **{name: value}))


if __name__ == "__main__":
    unittest.main()
