"""Position of a game and of a round, and the deal (model section 2)."""

from collections import Counter

import rules as r

START, PLAY, ASKED, OVER = "START", "PLAY", "ASKED", "OVER"


class Meld:
    def __init__(self, meld_id, kind, cards=()):
        self.id = meld_id
        self.kind = kind                     # set, wild or black_threes
        self.cards = list(cards)

    @property
    def rank(self):
        """Rank of a set; None for the other kinds."""
        if self.kind != "set":
            return None
        for card in self.cards:
            if r.is_natural(card):
                return card[0]
        return None

    def wilds(self):
        return sum(map(r.is_wild, self.cards))

    def grade(self, size):
        """natural, mixed or wild for a canasta, None for an open meld."""
        if self.kind == "black_threes" or len(self.cards) < size:
            return None
        if self.kind == "wild":
            return "wild"
        return "mixed" if self.wilds() else "natural"

    def copy(self):
        return Meld(self.id, self.kind, self.cards)


class Round:
    """One round: zones, round facts and turn facts."""

    def __init__(self, rules, dealer, scores):
        self.rules = rules
        self.dealer = dealer
        self.start_scores = list(scores)
        seats = rules.seats
        self.hands = [Counter() for _ in range(seats)]
        self.stock = []                      # next card first
        self.pile = []                       # bottom first
        self.freezers = 0                    # cards in the pile that freeze
        self.melds = [[] for _ in range(rules.side_count)]   # in id order
        self.laid = [[] for _ in range(seats)]
        self.has_melded = [False] * seats
        self.phase = START
        self.turn = (dealer + 1) % seats
        self.end = None                      # dict once the round is over
        self.begin_turn()

    def begin_turn(self):
        self.source = None                   # stock or pile
        self.permission = None               # None, yes or no
        self.asked_seat = None
        self.has_asked = False
        self.melded_since_draw = False       # by a later meld action
        self.fresh_seat = not self.has_melded[self.turn]
        self.added_to_old = False            # to a meld of before the turn
        self.old_ids = {m.id for m in self.melds[self.side]}

    @property
    def side(self):
        return self.rules.side(self.turn)

    def opened(self, side):
        return bool(self.melds[side])

    def hand_size(self, seat):
        return self.hands[seat].total()

    def frozen(self, side):
        """ALG-04."""
        return (self.rules.frozen_always or self.freezers > 0
                or not self.opened(side))

    def find(self, side, meld_id):
        for meld in self.melds[side]:
            if meld.id == meld_id:
                return meld
        return None


class Game:
    def __init__(self, rules):
        self.rules = rules
        self.scores = [0] * rules.side_count
        self.round = None
        self.over = False


def deal(rules, wall, dealer, scores):
    """Deal a round (CL-009..013, AMB-04): the round and its events."""
    pos = Round(rules, dealer, scores)
    seats = rules.seats
    leader = pos.turn
    order = [(leader + i) % seats for i in range(seats)]
    stock = list(wall)
    dealt = [[] for _ in range(seats)]
    for _ in range(rules.hand_size):
        for seat in order:
            dealt[seat].append(stock.pop(0))
    events = [{"type": "dealt", "hands": [list(h) for h in dealt]}]
    while True:
        card = stock.pop(0)
        covered = r.card_class(card) in rules.start_cover
        pos.pile.append(card)
        events.append({"type": "upcard", "card": card, "covered": covered})
        if r.card_class(card) in rules.start_freezes:
            if not pos.freezers:
                events.append({"type": "froze",
                               "cause": r.card_class(card)})
            pos.freezers += 1
        if not covered:
            break
    pos.stock = stock
    for seat in order:
        pos.hands[seat] = Counter(
            c for c in dealt[seat] if not r.is_red_three(c))
        threes = sorted(c for c in dealt[seat] if r.is_red_three(c))
        while threes:                        # all are laid, then replaced
            drawn = [stock.pop(0) for _ in threes]
            for card in threes:
                pos.laid[seat].append(card)
                events.append(
                    {"type": "three_laid", "seat": seat, "card": card})
            for card in drawn:
                events.append(
                    {"type": "replaced", "seat": seat, "card": card})
            pos.hands[seat].update(
                c for c in drawn if not r.is_red_three(c))
            threes = sorted(c for c in drawn if r.is_red_three(c))
    return pos, events


def lay_three(pos, seat, card, queue):
    """Lay a red three and replace it; a red replacement joins the queue."""
    pos.laid[seat].append(card)
    events = [{"type": "three_laid", "seat": seat, "card": card}]
    if pos.stock:
        new = pos.stock.pop(0)
        events.append({"type": "replaced", "seat": seat, "card": new})
        if r.is_red_three(new):
            queue.append(new)
        else:
            pos.hands[seat][new] += 1
    return events
