"""Scoring a round (ALG-25) and the end of the game (ALG-26)."""

import rules as r


def wild_bonus(rules, meld):
    """CV-013, CV-014, AMB-58."""
    bonus = rules.bonus_wild
    special = []
    if all(c != "X" for c in meld.cards):
        special.append(rules.bonus_wild_twos)
    if sum(c == "X" for c in meld.cards) >= 4:
        special.append(rules.bonus_wild_jokers)
    special = [s for s in special if s]
    return max(special) if special else bonus


def side_lines(rules, melds, laid, hands, out_side, concealed,
               beaten=False):
    """Score lines of one side: {item: (points, count or None)}.

    laid = its threes, hands = cards left in its hands (one list each).
    """
    lines = {}

    def add(item, points, count=None):
        old_points, old_count = lines.get(item, (0, 0))
        total = None if count is None else (old_count or 0) + count
        lines[item] = (old_points + points, total)

    full = sum(m.full(rules) for m in melds)
    minus = rules.meld_points == "minus_without_canasta" and not full
    for meld in melds:
        points = sum(map(rules.points, meld.cards))
        add("melded_cards", -points if minus else points)
        grade = meld.grade(rules)
        if grade == "natural":
            bonus = rules.bonus_rank.get(meld.rank, rules.bonus_natural)
            add("natural_canastas", bonus, 1)
        elif grade == "mixed":
            bonus = rules.bonus_rank_mixed.get(meld.rank, rules.bonus_mixed)
            add("mixed_canastas", bonus, 1)
        elif grade == "wild":
            add("wild_canastas", wild_bonus(rules, meld), 1)
        elif grade == "sequence":
            add("sequence_canastas", rules.bonus_sequence, 1)
        else:
            kind = "W" if meld.kind == "wild" else meld.rank
            mixed_ace = kind == "A" and meld.wilds()
            penalty = rules.penalty_incomplete.get(kind, 0)
            if penalty and not mixed_ace:
                add("incomplete_melds", -penalty, 1)
    for hand in hands:
        for rank, points in rules.penalty_held_trio.items():
            if sum(c[0] == rank for c in hand) >= 3:
                add("held_trios", -points, 1)
    as_laid = (rules.held_threes_as_laid == "always"
               or rules.held_threes_as_laid == "unopened" and not melds)
    if as_laid:
        held = [c for h in hands for c in h if rules.is_laid_three(c)]
        hands = [[c for c in h if not rules.is_laid_three(c)]
                 for h in hands]
        laid = laid + held
    if laid:
        black = [c for c in laid if rules.black_three_table
                 and r.is_black_three(c)]
        value = three_value(rules, [c for c in laid if c not in black])
        points = signed(rules, value, melds, full, beaten)
        add("threes", points + black_value(rules, black), len(laid))
    if out_side:
        add("going_out", rules.bonus_out)
        if concealed:
            add("concealed", rules.bonus_concealed)
    add("hand_cards", -sum(rules.held_points(c) for h in hands for c in h))
    return {item: line for item, line in lines.items() if line[0]}


def three_value(rules, laid):
    """CL-103, MA-168: once, or by colour and added."""
    parts = [laid]
    if rules.three_table_unit == "colour":
        red = [c for c in laid if r.is_red_three(c)]
        parts = [red, [c for c in laid if not r.is_red_three(c)]]
    return sum(rules.three_table[len(part) - 1] for part in parts if part)


def black_value(rules, black):
    """CL-117: black threes of taken piles, plus whatever three_sign says."""
    return rules.black_three_table[len(black) - 1] if black else 0


def signed(rules, value, melds, full, beaten):
    sign = rules.three_sign
    if sign == "by_canastas":
        return value if full >= 2 else 0 if full else -value
    if sign == "one_canasta":
        return value if full else -value
    if sign == "two_canastas":
        return value if full >= 2 else -value
    if melds or sign == "plus":
        return value
    if sign == "beaten_minus":
        return -value if beaten else value
    return -value if sign == "unmelded_minus" else 0


def score_round(pos):
    """Lines of a finished round, by side or by seat (score_unit)."""
    rules = pos.rules
    went_out = pos.end["reason"] == "went_out"
    result = []
    by_seat = rules.score_unit == "seat"
    for unit in range(rules.seats if by_seat else rules.side_count):
        side = pos.side_of(unit) if by_seat else unit
        seats = pos.seats_of(side)
        three_seats = [unit] if rules.three_unit == "seat" else seats
        laid = [c for s in three_seats for c in pos.laid[s]]
        hands = [list(pos.hands[s].elements()) for s in seats]
        out_side = pos.side_of(pos.end["seat"]) if went_out else None
        lines = side_lines(rules, pos.melds[side], laid, hands,
                           side == out_side, pos.end.get("concealed"),
                           went_out and side != out_side)
        if (pos.end["reason"] == "special_hand"
                and pos.side_of(pos.end["seat"]) == side):
            lines = {"special_hand": (pos.end["value"], None)}
        feet = [c for s in seats for foot in pos.feet[s] for c in foot]
        if feet:
            points = -sum(map(rules.held_points, feet))
            lines["foot_cards"] = (points, None)
        if (rules.foot_cut_bonus and pos.dealer in seats and
                pos.foot_lifted == rules.seats * sum(rules.foot_sizes)):
            lines["foot_cut"] = (rules.foot_cut_bonus, None)
        if pos.lifted in exact_cuts(rules) and pos.dealer in seats:
            lines["cut"] = (rules.cut_bonus, None)
        if (rules.no_canasta_score == "all_negative" and
                sum(m.full(rules) for m in pos.melds[side])
                < rules.go_out_total):
            lines = {"no_canasta": (-negative(pos, side, seats), None)}
        count = pos.restores[side]
        if count:
            lines["restores"] = (-count * rules.restore_penalty, count)
        result.append({item: line for item, line in lines.items()
                       if line[0]})
    return result


def negative(pos, side, seats):
    """AMB-HN-24: cards on the table and in hand, red threes 100 each."""
    cards = [c for m in pos.melds[side] for c in m.cards]
    for seat in seats:
        cards += list(pos.hands[seat].elements()) + pos.laid[seat]
    return sum(100 if pos.rules.is_red_bonus(c)
               else pos.rules.held_three_red if r.is_red_three(c)
               else pos.rules.points(c) for c in cards)


def exact_cuts(rules):
    """WH-013, HF-025: the numbers of cards that earn the bonus."""
    hands = rules.seats * rules.hand_size
    ways = {"hands": hands, "hands_plus_one": hands + 1,
            "hand_and_foot": rules.hand_size + rules.foot_size}
    return [ways[way] for way in rules.cut_ways]


def game_result(rules, scores, number=1):
    """None while the game goes on, else (winner or None, margin)."""
    reached = rules.target and max(scores) >= rules.target
    played = rules.rounds and number >= rules.rounds
    if not reached and not played:
        return None
    best, second = sorted(scores, reverse=True)[:2]
    if best == second:
        return None if rules.tie == "play_on" else (None, 0)
    return scores.index(best), best - second
