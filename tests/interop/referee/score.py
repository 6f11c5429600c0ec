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


def side_lines(rules, melds, laid, hands, out_side, concealed):
    """Score lines of one side: {item: (points, count or None)}.

    laid = its red threes, hands = cards left in its hands (one list each).
    """
    lines = {}

    def add(item, points, count=None):
        old_points, old_count = lines.get(item, (0, 0))
        total = None if count is None else (old_count or 0) + count
        lines[item] = (old_points + points, total)

    for meld in melds:
        add("melded_cards", sum(map(rules.points, meld.cards)))
        grade = meld.grade(rules.canasta_size)
        if grade == "natural":
            add("natural_canastas", rules.bonus_natural, 1)
        elif grade == "mixed":
            add("mixed_canastas", rules.bonus_mixed, 1)
        elif grade == "wild":
            add("wild_canastas", wild_bonus(rules, meld), 1)
        elif meld.kind == "wild":
            add("incomplete_melds", -rules.penalty_incomplete.get("W", 0), 1)
    if laid:
        value = rules.three_table[len(laid) - 1]
        if not melds and rules.three_sign == "unmelded_minus":
            value = -value
        elif not melds and rules.three_sign == "unmelded_zero":
            value = 0
        add("threes", value, len(laid))
    if out_side:
        add("going_out", rules.bonus_out)
        if concealed:
            add("concealed", rules.bonus_concealed)
    add("hand_cards", -sum(rules.held_points(c) for h in hands for c in h))
    return {item: line for item, line in lines.items() if line[0]}


def score_round(pos):
    """Lines by side of a finished round."""
    rules = pos.rules
    went_out = pos.end["reason"] == "went_out"
    result = []
    for side in range(rules.side_count):
        seats = [s for s in range(rules.seats) if rules.side(s) == side]
        laid = [c for s in seats for c in pos.laid[s]]
        hands = [list(pos.hands[s].elements()) for s in seats]
        out_side = went_out and rules.side(pos.end["seat"]) == side
        result.append(side_lines(rules, pos.melds[side], laid, hands,
                                 out_side, pos.end.get("concealed")))
    return result


def game_result(rules, scores):
    """None while the game goes on, else (winner or None, margin)."""
    if max(scores) < rules.target:
        return None
    best, second = sorted(scores, reverse=True)[:2]
    if best == second:
        return None if rules.tie == "play_on" else (None, 0)
    return scores.index(best), best - second
