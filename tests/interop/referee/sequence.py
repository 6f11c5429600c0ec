"""Sequences: consecutive cards of one suit, ace high (SA-030..036)."""

from collections import Counter

import rules as r

ORDER = "456789TJQKA"


def codes_of(rules, cards):
    """The sequence list of model 4.3 for a meld of these cards."""
    codes = []
    naturals = [c for c in cards if r.is_natural(c)]
    if any(map(r.is_wild, cards)):
        codes.append("MELD_SEQUENCE_WILD")
    if len({c[1] for c in naturals}) > 1:
        codes.append("MELD_SEQUENCE_SUITS")
    ranks = [ORDER.index(c[0]) for c in naturals]
    if len(set(ranks)) < len(ranks):
        codes.append("MELD_SEQUENCE_DUPLICATE")
    if ranks and max(ranks) - min(ranks) >= len(set(ranks)):
        codes.append("MELD_SEQUENCE_GAP")
    if len(cards) < rules.meld_min:
        codes.append("MELD_TOO_SMALL")
    if len(cards) > rules.sequence_max:
        codes.append("MELD_TOO_LARGE")
    return codes


def extends(rules, meld, cards):
    """Whether the cards go onto an open sequence."""
    return (len(meld.cards) < rules.sequence_max
            and not codes_of(rules, meld.cards + list(cards)))


def ways(rules, own, cards):
    """All ways to take some cards for sequences.

    own = the side's open sequences. Yields (cards used, completed).
    """
    found = {((), 0)}
    for suit in "shdc":
        held = Counter(c[0] for c in cards if r.is_natural(c)
                       and c[1] == suit)
        runs = [sorted(ORDER.index(c[0]) for c in m.cards)
                for m in own if m.cards[0][1] == suit]
        options = suit_ways(rules, runs, held)
        found = {(used + tuple(ORDER[i] + suit for i in more), full + done)
                 for used, full in found for more, done in options}
    return found


def suit_ways(rules, runs, held):
    """(indices used, completed) of one suit."""
    found = set()

    def extend(number, left, used, full):
        if number == len(runs):
            begin(0, left, used, full)
            return
        low, high = runs[number][0], runs[number][-1]
        for down in range(low + 1):
            for up in range(len(ORDER) - high):
                new = list(range(low - down, low)) + list(
                    range(high + 1, high + 1 + up))
                size = len(runs[number]) + len(new)
                need = Counter(ORDER[i] for i in new)
                if size <= rules.sequence_max and not need - left:
                    extend(number + 1, left - need, used + tuple(new),
                           full + (size == rules.sequence_max))

    def begin(start, left, used, full):
        found.add((tuple(sorted(used)), full))
        for first in range(start, len(ORDER) - rules.meld_min + 1):
            for size in range(rules.meld_min, rules.sequence_max + 1):
                if first + size > len(ORDER):
                    break
                run = list(range(first, first + size))
                need = Counter(ORDER[i] for i in run)
                if need - left:
                    break
                begin(first, left - need, used + tuple(run),
                      full + (size == rules.sequence_max))

    extend(0, held, (), 0)
    return found
