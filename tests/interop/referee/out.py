"""Going out: who may (ALG-14) and who still can this turn (ALG-15)."""

from collections import Counter

import rules as r
import sequence


def canastas(rules, melds):
    """Canastas: all, without wilds, of wilds, sequences, mixed; then one or
    none of each rank asked for."""
    grades = [m.grade(rules) for m in melds]
    ranks = {m.rank for m in melds if m.grade(rules) is not None}
    return (sum(g is not None for g in grades),
            sum(g in ("natural", "sequence") for g in grades),
            sum(g == "wild" for g in grades),
            sum(g == "sequence" for g in grades),
            sum(g == "mixed" for g in grades),
            *(rank in ranks for rank in rules.go_out_ranks))


def needs(rules):
    return (("GO_OUT_NEEDS_CANASTAS", rules.go_out_total),
            ("GO_OUT_NEEDS_CLEAN", rules.go_out_clean),
            ("GO_OUT_NEEDS_WILD", rules.go_out_wild),
            ("GO_OUT_NEEDS_SEQUENCE", rules.go_out_sequence),
            ("GO_OUT_NEEDS_MIXED", rules.go_out_mixed),
            *(("GO_OUT_NEEDS_RANK", 1) for _ in rules.go_out_ranks))


def out_reasons(rules, melds):
    have = canastas(rules, melds)
    return [code for (code, need), found in zip(needs(rules), have)
            if found < need]


def may_go_out(rules, melds, permission):
    return permission != "no" and not out_reasons(rules, melds)


def wild_cap_kept(rules, naturals, wilds):
    """CL-032, CL-035 and S2 (CV-007); the ratio."""
    if not rules.ratio_kept(naturals, wilds):
        return False
    return in_wild_cap(rules, naturals, wilds)


def in_wild_cap(rules, naturals, wilds):
    if wilds <= rules.max_wilds or rules.max_wilds == 0:
        return True
    return (rules.wild_cap_scope == "to_canasta"
            and naturals + wilds > rules.canasta_size
            and naturals >= rules.canasta_size - rules.max_wilds)


def can_go_out(rules, melds, hand, permission):
    """Exact search: can this hand be emptied legally in this turn?"""
    if permission == "no":
        return False
    none = [] if rules.final_discard == "required" else [None]
    for last in none + sorted(hand):
        rest = hand - Counter([last] if last else [])
        if _can_lay_all(rules, melds, rest):
            return True
    return False


def _can_lay_all(rules, melds, rest):
    if any(map(r.is_red_three, rest)):
        return False
    if not _threes_fit(rules, melds, rest):
        return False
    if not rules.sequences:
        return _can_lay_sets(rules, melds, rest, 0)
    own = [m for m in melds if m.kind == "sequence"]
    done = sum(m.full(rules) for m in own)
    own = [m for m in own if not m.full(rules)]
    return any(_can_lay_sets(rules, melds, rest - Counter(used), done + full)
               for used, full in sequence.ways(rules, own, rest.elements()))


def _can_lay_sets(rules, melds, rest, sequences):
    wilds = sum(n for c, n in rest.items() if r.is_wild(c))
    naturals = Counter()
    for card, count in rest.items():
        if r.is_natural(card):
            naturals[card[0]] += count
    open_wild = any(m.kind == "wild" and not m.full(rules) for m in melds)
    locked = rules.wild_lock and open_wild
    # Ways so far: (wilds used elsewhere than in wild melds, canastas, clean).
    ways = {(0, 0, 0)}
    ranks = {m.rank for m in melds if m.kind == "set"} | set(naturals)
    if not ranks.issuperset(rules.go_out_ranks):
        return False
    for rank in sorted(ranks):
        sets = [m for m in melds if m.kind == "set" and m.rank == rank]
        options = _rank_options(rules, sets, naturals[rank], wilds, rank)
        ways = {(u + k, t + dt, c + dc) for u, t, c in ways
                for k, dt, dc in options if u + k <= wilds
                and (dt or rank not in rules.go_out_ranks)}
    own_wild = [len(m.cards) for m in melds if m.kind == "wild"]
    for used, total, clean in ways:
        for full, still_open in _wild_options(rules, own_wild, wilds - used):
            if locked and still_open and used:
                continue
            have = (total + full + sequences, clean + sequences, full,
                    sequences, total - clean,
                    *(1 for _ in rules.go_out_ranks))
            if all(h >= need for h, (_, need) in zip(have, needs(rules))):
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


def _rank_options(rules, sets, naturals, wilds, rank):
    """Ways to place all naturals of a rank: (wilds used, canastas, clean)."""
    sizes = [(len(m.cards) - m.wilds(), m.wilds()) for m in sets]
    plans = [sizes]
    may_start = rules.melds_per_rank != "one" or not sizes
    most = naturals // max(1, rules.min_naturals)
    if rules.melds_per_rank == "one":
        most = 1
    if may_start and naturals:
        plans += [sizes + [(0, 0)] * new for new in range(1, most + 1)]
    found = set()
    for plan in plans:
        old = len(sizes)
        for result, used in _spread(plan, naturals, wilds):
            if _legal_sets(rules, plan, result, old, rank):
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


def policy_kept(rules, rank, begun_mixed):
    """ALG-11 for a side that has opened."""
    policy = rules.rank_wilds.get(rank)
    return policy is None or (policy == "initial_only" and begun_mixed)


def _legal_sets(rules, before, after, old, rank):
    size = rules.canasta_size
    for i, ((n0, w0), (n, w)) in enumerate(zip(before, after)):
        if (n0, w0) == (n, w) and i < old:
            continue
        if n < rules.min_naturals or n + w < rules.meld_min:
            return False
        if rules.meld_max and n + w > rules.meld_max:
            return False
        if not rules.ratio_kept(n, w):
            return False
        if w > w0 and not in_wild_cap(rules, n, w):
            return False
        if w > w0 and not policy_kept(rules, rank, i < old and w0):
            return False
        if (w > w0 and n0 + w0 >= size
                and rules.canasta_accepts == "naturals"):
            return False
    if rules.melds_per_rank == "many":
        return True
    is_open = [n + w < size for n, w in after]
    if len(after) == old:
        return True
    return not any(is_open[:old]) and sum(is_open[old:]) <= 1


def _wild_options(rules, own, wilds):
    """Ways to place all these wilds in wild melds: (canastas, still open)."""
    size = rules.canasta_size
    if not wilds:
        return [(sum(n >= size for n in own), any(n < size for n in own))]
    if not rules.wild_melds:
        return []
    most = {"one": 0 if own else 1}.get(rules.melds_per_rank,
                                        wilds // rules.meld_min)
    found = set()
    for new in range(most + 1):
        for sizes in _share(wilds, len(own) + new):
            after = [n + more for n, more in
                     zip(list(own) + [0] * new, sizes)]
            if _legal_wilds(rules, own, after, sizes):
                full = sum(n >= size for n in after)
                found.add((full, full < len(after)))
    return sorted(found)


def _share(count, parts):
    if parts == 0:
        if count == 0:
            yield ()
        return
    for first in range(count + 1):
        for rest in _share(count - first, parts - 1):
            yield (first,) + rest


def _legal_wilds(rules, own, after, added):
    size, old = rules.canasta_size, len(own)
    for i, (n, more) in enumerate(zip(after, added)):
        if not more and i < old:
            continue
        closed = i < old and own[i] >= size
        if n < rules.meld_min or (closed and
                                  rules.canasta_accepts == "naturals"):
            return False
        if rules.wild_meld_max and n > rules.wild_meld_max:
            return False
    if rules.melds_per_rank == "many" or len(after) == old:
        return True
    is_open = [n < size for n in after]
    return not any(is_open[:old]) and sum(is_open[old:]) <= 1
