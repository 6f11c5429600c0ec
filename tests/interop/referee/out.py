"""Going out: who may (ALG-14) and who still can this turn (ALG-15)."""

from collections import Counter

import rules as r


def canastas(rules, melds):
    """(all canastas, canastas without wilds) among melds."""
    grades = [m.grade(rules.canasta_size) for m in melds]
    return (sum(g is not None for g in grades),
            sum(g == "natural" for g in grades))


def out_reasons(rules, melds):
    total, clean = canastas(rules, melds)
    codes = []
    if total < rules.go_out_total:
        codes.append("GO_OUT_NEEDS_CANASTAS")
    if clean < rules.go_out_clean:
        codes.append("GO_OUT_NEEDS_CLEAN")
    return codes


def may_go_out(rules, melds, permission):
    return permission != "no" and not out_reasons(rules, melds)


def wild_cap_kept(rules, naturals, wilds):
    """CL-032, CL-035 and S2 (CV-007)."""
    if wilds <= rules.max_wilds or rules.max_wilds == 0:
        return True
    return (rules.wild_cap_scope == "to_canasta"
            and naturals + wilds > rules.canasta_size
            and naturals >= rules.canasta_size - rules.max_wilds)


def can_go_out(rules, melds, hand, permission):
    """Exact search: can this hand be emptied legally in this turn?"""
    if permission == "no":
        return False
    for last in [None] + sorted(hand):
        rest = hand - Counter([last] if last else [])
        if _can_lay_all(rules, melds, rest):
            return True
    return False


def _can_lay_all(rules, melds, rest):
    if any(map(r.is_red_three, rest)):
        return False
    if not _threes_fit(rules, melds, rest):
        return False
    wilds = sum(n for c, n in rest.items() if r.is_wild(c))
    naturals = Counter()
    for card, count in rest.items():
        if r.is_natural(card):
            naturals[card[0]] += count
    open_wild = any(m.kind == "wild" and
                    len(m.cards) < rules.canasta_size for m in melds)
    locked = rules.wild_lock and open_wild
    # Ways so far: (wilds used elsewhere than in wild melds, canastas, clean).
    ways = {(0, 0, 0)}
    ranks = {m.rank for m in melds if m.kind == "set"} | set(naturals)
    for rank in sorted(ranks):
        sets = [m for m in melds if m.kind == "set" and m.rank == rank]
        options = _rank_options(rules, sets, naturals[rank], wilds)
        ways = {(u + k, t + dt, c + dc) for u, t, c in ways
                for k, dt, dc in options if u + k <= wilds}
    own_wild = [len(m.cards) for m in melds if m.kind == "wild"]
    for used, total, clean in ways:
        if clean < rules.go_out_clean:
            continue
        for wild_total, still_open in _wild_options(
                rules, own_wild, wilds - used):
            if locked and still_open and used:
                continue
            if total + wild_total >= rules.go_out_total:
                return True
    return False


def _threes_fit(rules, melds, rest):
    threes = sum(n for c, n in rest.items() if r.is_black_three(c))
    if not threes:
        return True
    if rules.black_three_meld == "never":
        return False
    threes += sum(len(m.cards) for m in melds if m.kind == "black_threes")
    return 3 <= threes <= rules.black_three_max


def _rank_options(rules, sets, naturals, wilds):
    """Ways to place all naturals of a rank: (wilds used, canastas, clean)."""
    sizes = [(len(m.cards) - m.wilds(), m.wilds()) for m in sets]
    plans = [sizes]
    may_start = rules.melds_per_rank == "one_open" or not sizes
    if may_start and naturals:
        plans.append(sizes + [(0, 0)])
    found = set()
    for plan in plans:
        old = len(sizes)
        for result, used in _spread(plan, naturals, wilds):
            if _legal_sets(rules, plan, result, old):
                full = [m for m in result if sum(m) >= rules.canasta_size]
                clean = sum(w == 0 for _, w in full)
                found.add((used, len(full), clean))
    return found


def _spread(plan, naturals, wilds):
    """All ways to add exactly naturals and at most wilds to the melds."""
    if not plan:
        if naturals == 0:
            yield [], 0
        return
    (n, w), others = plan[0], plan[1:]
    low = naturals if not others else 0
    for add_n in range(low, naturals + 1):
        for add_w in range(wilds + 1):
            for tail, used in _spread(others, naturals - add_n,
                                      wilds - add_w):
                yield [(n + add_n, w + add_w)] + tail, used + add_w


def _legal_sets(rules, before, after, old):
    for i, ((n0, w0), (n, w)) in enumerate(zip(before, after)):
        if (n0, w0) == (n, w) and i < old:
            continue
        if n < rules.min_naturals or n + w < rules.meld_min:
            return False
        if not wild_cap_kept(rules, n, w):
            return False
    old_open = any(n + w < rules.canasta_size for n, w in after[:old])
    return not (len(after) > old and old_open)


def _wild_options(rules, own, wilds):
    """Ways to place all these wilds in wild melds: (canastas, still open)."""
    size = rules.canasta_size
    done = sum(n >= size for n in own)
    opened = [n for n in own if n < size]
    if wilds == 0:
        return [(done, bool(opened))]
    if not rules.wild_melds:
        return []
    found = []
    if opened:                               # everything to the open one
        full = opened[0] + wilds >= size
        found.append((done + full, not full))
    elif done:
        found.append((done, False))
    may_start = not own or rules.melds_per_rank == "one_open"
    first = max(0, size - opened[0]) if opened else 0
    if may_start and wilds - first >= rules.meld_min:
        full = wilds - first >= size
        found.append((done + bool(opened) + full, False))
    return found
