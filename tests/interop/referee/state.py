"""Position of a game and of a round, and the deal (model section 2)."""

from collections import Counter

import rules as r

START, TAKING, PLAY, ASKED, OVER = (
    "START", "TAKING", "PLAY", "ASKED", "OVER")


class Meld:
    def __init__(self, meld_id, kind, cards=()):
        self.id = meld_id
        self.kind = kind            # set, wild, sequence or black_threes
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

    def full(self, rules):
        """Whether it is complete."""
        sequence = self.kind == "sequence"
        size = rules.sequence_max if sequence else rules.canasta_size
        return self.kind != "black_threes" and len(self.cards) >= size

    def grade(self, rules):
        """natural, mixed, wild or sequence; None for an open meld."""
        if not self.full(rules):
            return None
        if self.kind == "sequence":
            return "sequence"
        if self.kind == "wild":
            return "wild"
        return "mixed" if self.wilds() else "natural"

    def copy(self):
        return Meld(self.id, self.kind, self.cards)


class Round:
    """One round: zones, round facts and turn facts."""

    def __init__(self, rules, dealer, scores):
        self.rules = rules
        self.number = 1
        # The feet that wait, by seat, the next one first (HF-115).
        self.feet = [[] for _ in range(rules.seats)]
        self.foot_lifted = None
        self.restores = [0] * rules.side_count
        self.dealer = dealer
        self.start_scores = list(scores)
        seats = rules.seats
        self.hands = [Counter() for _ in range(seats)]
        self.stock = []                      # next card first
        self.pile = []                       # bottom first
        self.freezers = 0                    # cards in the pile that freeze
        self.upcards = 0                     # cards of the deal in the pile
        self.melds = [[] for _ in range(rules.side_count)]   # in id order
        self.ids = [0] * rules.side_count
        self.laid = [[] for _ in range(seats)]
        self.has_melded = [False] * seats
        self.talons = []                     # [cards, seat it lies before]
        self.opener = {}                     # side: seat of its initial meld
        self.had_turn = [False] * seats      # in this round
        self.asked = set()                   # seats that asked this round
        self.exception = None                # discarder who may be called
        self.lone = None                     # three players: who plays alone
        self.lifted = None                   # cards lifted at the cut
        self.phase = START
        self.turn = (dealer + 1) % seats
        self.end = None                      # dict once the round is over
        self.begin_turn()

    def begin_turn(self):
        self.source = None                   # stock, pile or top
        self.placed, self.locked = {}, {}    # this turn's cards by meld id
        self.taken_top = None                # tentatively taken, not placed
        self.top_placed = self.top_meld = None
        self.was_opened = bool(self.melds[self.side])
        self.fresh = Counter()               # threes drawn, not yet decided
        self.all_wild_draw = False
        self.permission = None               # None, yes or no
        self.asked_seats = []                # who has not answered yet
        self.has_asked = False
        self.melded_since_draw = False       # by a later meld action
        self.fresh_seat = not self.has_melded[self.turn]
        self.added_to_old = False            # to a meld of before the turn
        self.old_ids = {m.id for m in self.melds[self.side]}

    def side_of(self, seat):
        """CL-006; three players' pair keeps the number of its lower seat."""
        if self.lone is None or seat == self.lone:
            return seat % self.rules.side_count
        return min(s for s in range(3) if s != self.lone)

    def seats_of(self, side):
        return [s for s in range(self.rules.seats)
                if self.side_of(s) == side]

    def next_id(self, side):
        """The next meld id: none is used twice in a round."""
        found = max([m.id + 1 for m in self.melds[side]], default=0)
        found = max(found, self.ids[side])
        self.ids[side] = found + 1
        return found

    def mates(self, seat):
        return [s for s in self.seats_of(self.side_of(seat)) if s != seat]

    @property
    def side(self):
        return self.side_of(self.turn)

    def opened(self, side):
        if self.rules.meld_check == "at_discard" and side == self.side:
            return self.was_opened           # judged when the turn ends
        return bool(self.melds[side])

    def foot_unused(self, seat):
        """A foot still comes, when the hand is used up."""
        return bool(self.feet[seat])

    def plays_last_foot(self, seat):
        """HF-082: also between the last foot and what came before it."""
        waiting = len(self.feet[seat])
        return not waiting or (waiting == 1 and not self.hand_size(seat))

    def may_play_out(self, side):
        """HF-082: every seat of the side has finished its hand."""
        return not self.rules.go_out_hands_finished or all(
            map(self.plays_last_foot, self.seats_of(side)))

    def hand_size(self, seat):
        return self.hands[seat].total()

    def frozen(self, side):
        """ALG-04."""
        return (self.frozen_against_all()
                or (not self.opened(side)
                    and self.rules.pile_unopened == "frozen"))

    def frozen_against_all(self):
        """CV-011, CL-050; CL-116: until the start is taken."""
        return (self.rules.frozen_always or self.freezers > 0
                or (self.rules.start_frozen and self.upcards > 0))

    def find(self, side, meld_id):
        for meld in self.melds[side]:
            if meld.id == meld_id:
                return meld
        return None


class Game:
    def __init__(self, rules):
        self.rules = rules
        by_seat = rules.score_unit == "seat"
        self.scores = [0] * (rules.seats if by_seat else rules.side_count)
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
    events = [{"type": "dealt", "hands": [list(h) for h in dealt],
               "foot_sizes": [size for size in rules.foot_sizes
                              for _ in order],
               "talon_sizes": list(rules.talons)}]
    for size in rules.foot_sizes:            # HF-115: all first feet first
        for seat in order:
            pos.feet[seat].append([])
        for _ in range(size):
            for seat in order:
                pos.feet[seat][-1].append(stock.pop(0))
    for size in rules.talons:
        pos.talons.append([[stock.pop(0) for _ in range(size)], None])
    while rules.start_card == "one":
        card = stock.pop(0)
        covered = r.card_class(card) in rules.start_cover
        pos.pile.append(card)
        pos.upcards += 1
        events.append({"type": "upcard", "card": card, "covered": covered})
        if r.card_class(card) in rules.start_freezes:
            if not pos.frozen_against_all():
                events.append({"type": "froze",
                               "cause": r.card_class(card)})
            pos.freezers += 1
        if not covered:
            break
    pos.stock = stock
    for seat in order:
        if rules.threes_dealt == "choice":
            pos.hands[seat] = Counter(dealt[seat])
            continue
        pos.hands[seat] = Counter(
            c for c in dealt[seat] if not pos.rules.is_laid_three(c))
        threes = sorted(c for c in dealt[seat] if pos.rules.is_laid_three(c))
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
                c for c in drawn if not pos.rules.is_laid_three(c))
            threes = sorted(c for c in drawn if pos.rules.is_laid_three(c))
    return pos, events


def lay_three(pos, seat, card, queue):
    """Lay a three and replace it; a three that is laid joins the queue."""
    pos.laid[seat].append(card)
    events = [{"type": "three_laid", "seat": seat, "card": card}]
    if pos.stock:
        new = pos.stock.pop(0)
        events.append({"type": "replaced", "seat": seat, "card": new})
        if pos.rules.is_laid_three(new):
            queue.append(new)
        else:
            pos.hands[seat][new] += 1
    return events
