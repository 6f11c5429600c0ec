"""Can the pile be taken at all? (ALG-16 ANY_LEGAL, S3-036, AMB-S3-06)"""

from collections import Counter
from itertools import combinations

import judge
import out
import rules as r


def can_take(pos, seat):
    """Whether some whole take is legal: pair, natural and wild, layoff."""
    top, hand = pos.pile[-1], pos.hands[seat]
    same = [c for c in hand.elements() if r.is_natural(c) and c[0] == top[0]]
    wilds = sorted(c for c in hand.elements() if r.is_wild(c))
    for count in range(len(same) + 1):
        for extra in range(len(wilds) + 1):
            for chosen in set(combinations(wilds, extra)):
                if with_rest(pos, seat, same[:count] + list(chosen)):
                    return True
    return False


def with_rest(pos, seat, laid):
    """Whether this use of the top is legal, other melds added as needed."""
    action = {"type": "take_pile", "with": laid, "onto": "auto", "also": []}
    codes = judge.check_take(pos, seat, action, judge.Plan())
    if not codes:
        return True
    helped = {"INITIAL_BELOW_MINIMUM", "MELD_LEAVES_TOO_FEW_CARDS",
              "GO_OUT_NEEDS_CANASTAS", "GO_OUT_REFUSED"}
    if set(codes) - helped:
        return False
    rest = pos.hands[seat] - Counter(laid)
    return any(
        not judge.check_take(pos, seat, dict(action, also=also),
                             judge.Plan())
        for also in batches(pos.rules, pos, rest))


def batches(rules, pos, hand):
    """Every batch of further melds, by counts; the dearest wilds first."""
    ranks = sorted({c[0] for c in hand if r.is_natural(c)})
    wilds = sorted((c for c in hand.elements() if r.is_wild(c)),
                   key=lambda c: -rules.points(c))
    own = {m.rank: m for m in pos.melds[pos.side] if m.kind == "set"}
    yield from spread(rules, hand, ranks, wilds, own)


def spread(rules, hand, ranks, wilds, own):
    if not ranks:
        yield []
        return
    cards = [c for c in hand.elements() if r.is_natural(c)
             and c[0] == ranks[0]]
    meld = own.get(ranks[0])
    old_wilds = meld.wilds() if meld else 0
    old_naturals = len(meld.cards) - old_wilds if meld else 0
    for tail_wilds in range(len(wilds), -1, -1):
        here, left = wilds[:len(wilds) - tail_wilds], wilds[
            len(wilds) - tail_wilds:]
        for naturals in range(len(cards), -1, -1):
            n, w = old_naturals + naturals, old_wilds + len(here)
            nothing = naturals == 0 and not here
            fits = (n >= rules.min_naturals and n + w >= rules.meld_min
                    and out.wild_cap_kept(rules, n, w))
            if not nothing and not fits:
                continue
            group = {"kind": "set", "cards": cards[:naturals] + here,
                     "onto": meld.id if meld else "auto"}
            for tail in spread(rules, hand, ranks[1:], left, own):
                yield tail if nothing else [group] + tail
