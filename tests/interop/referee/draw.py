"""Cards drawn for sides and dealer (ALG-27; dealing, "Round 0")."""

import rules as r

BY_POINTS = "X2AKQJT987654"


def counts(rules, card):
    """AMB-GR-14, SA-009: a joker does not count in the common order."""
    return card != "X" or rules.draw_ranking == "points"


def key(rules, card):
    """HF-018, AMB-GR-14: a card's place, higher is better."""
    suit = "cdhs".find(card[-1])
    if rules.draw_ranking == "ace_high":
        return "23456789TJQKA".find(card[0]), suit
    if r.is_red_three(card):
        return 99, suit
    if r.is_black_three(card):
        return -1, suit
    place = len(BY_POINTS) - BY_POINTS.index(card[0])
    return place, suit if card != "X" else 0


def from_wall(rules, wall):
    """(picks by seat, seating, dealer) from the wall of round 0."""
    cards = iter(wall)
    return draw(rules, lambda seat: next(cards))


def draw(rules, take):
    """The same, take(seat) being the next card that a seat picks."""
    seats = rules.seats
    picks = [[] for _ in range(seats)]
    marks = [[] for _ in range(seats)]       # counting cards, for ties

    def pick(who):
        due = sorted(who)
        while due:                           # all in seat order, then whose card does not count
            for seat in due:
                picks[seat].append(take(seat))
            again = [s for s in due if not counts(rules, picks[s][-1])]
            for seat in set(due) - set(again):
                marks[seat].append(key(rules, picks[seat][-1]))
            due = again

    pick(range(seats))
    while True:
        order = sorted(range(seats), key=lambda s: marks[s], reverse=True)
        tied = first_tie(rules, order, marks)
        if not tied:
            break
        pick(tied)
    seating = list(range(seats))
    if rules.side_choice == "drawn_cards":
        half = seats // 2
        seating[0::2], seating[1::2] = order[:half], order[half:]
    high = seating.index(order[0])
    if rules.first_dealer == "high_card_leads":
        high = (high - 1) % seats
    return picks, seating, high


def first_tie(rules, order, marks):
    """The seats of a tie that matters, at the top or across the middle."""
    half = len(order) // 2
    for at in ([0] + [half - 1] * (rules.side_choice == "drawn_cards")):
        if marks[order[at]] == marks[order[at + 1]]:
            return [s for s in order if marks[s] == marks[order[at]]]
    return []
