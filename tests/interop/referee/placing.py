"""canasta.net: melds placed freely and judged at the end of the turn (HN)."""

import copy
from collections import Counter

import judge
import out
import rules as r
import shape
import state
from state import PLAY, TAKING


def touched(pos):
    """Own melds with cards of this turn, as targets to be judged."""
    targets = []
    for meld in pos.melds[pos.side]:
        new = pos.placed.get(meld.id)
        if not new:
            continue
        target = shape.Target(meld.kind, meld.rank)
        if meld.id in pos.old_ids:
            old = list((Counter(meld.cards) - Counter(new)).elements())
            target.meld = type(meld)(meld.id, meld.kind, old)
        target.is_new = meld.id not in pos.old_ids
        target.added = list(new)
        target.number = meld.id
        targets.append(target)
    return targets


def shape_codes(pos, target):
    codes = shape.shape(pos, [target], target)
    if target.is_new and target.kind != "black_threes" and any(
            m.kind == target.kind and m.rank == target.rank
            and m.id < target.number for m in pos.melds[pos.side]):
        codes.append("MELD_RANK_DUPLICATE")
    if target.kind == "wild" and not pos.rules.wild_melds:
        codes.append("MELD_WILD_MELD_OFF")
    return codes


def valid(pos):
    """Targets of this turn that are melds as they stand (clarification 5)."""
    return [t for t in touched(pos) if t.kind != "black_threes"
            and not shape_codes(pos, t)]


def points(pos, targets):
    count = sum(pos.rules.points(c) for t in targets for c in t.added)
    if pos.rules.initial_count == "without_top" and pos.top_placed:
        count -= pos.rules.points(pos.top_placed)
    if pos.rules.initial_bonus:
        for t in targets:
            if len(t.cards) >= pos.rules.canasta_size:
                wild = any(map(r.is_wild, t.cards))
                count += (pos.rules.bonus_wild if t.kind == "wild" else
                          pos.rules.bonus_mixed if wild
                          else pos.rules.bonus_natural)
    return count


def with_top(pos, action):
    """The groups of `meld`, each pending top as the card that it is."""
    groups = action["groups"]
    if pos.phase != TAKING:
        return groups
    return [dict(g, top=pos.taken_top) if g.get("top") is True else g
            for g in groups]


def check_place(pos, seat, action, plan):
    """`meld`: only what can never stand is refused (AMB-HN-07)."""
    groups = with_top(pos, action)
    plan.targets = targets = shape.resolve(pos, groups)
    codes = []
    early = ("THREE_NOT_MELDABLE", "MELD_KIND_MISMATCH", "MELD_NOT_FOUND",
             "MELD_NOT_OWN_SIDE", "MELD_MIXED_RANKS", "MELD_SEQUENCE_OFF",
             "THREE_BLACK_WILD")
    for target in targets:
        codes += [c for c in shape.shape(pos, targets, target)
                  if c in early]
    last = any(m.kind == "black_threes" and m.id in pos.placed
               for m in pos.melds[pos.side])
    if last and any(t.kind != "black_threes" for t in targets):
        codes.append("THREE_BLACK_NOT_LAST")
    hand = pos.hands[seat] - Counter(judge.named_cards(action))
    if not codes and not hand and pos.phase == PLAY:
        codes += empty_hand(pos, plan)
    return codes


def empty_hand(pos, plan):
    """The hand runs out: the deferred checks come at once."""
    after = copy.deepcopy(pos)
    place(after, plan_of(after, plan))
    codes = deferred(after, 0)
    if not pos.foot_unused(pos.turn) and not judge.may_leave(after):
        codes += ["MELD_LEAVES_TOO_FEW_CARDS"] + judge.out_reasons(
            after, after.melds[after.side])
    return codes


def plan_of(pos, plan):
    """The same plan for a copy of the position."""
    again = copy.copy(plan)
    again.targets = []
    for target in plan.targets:
        other = copy.copy(target)
        if target.meld is not None:
            other.meld = pos.find(pos.side, target.meld.id)
        again.targets.append(other)
    return again


def place(pos, plan):
    for target in plan.targets:
        meld = target.meld
        if meld is None:
            meld = state.Meld(pos.next_id(pos.side), target.kind)
            pos.melds[pos.side].append(meld)
        meld.cards += target.added
        pos.placed.setdefault(meld.id, []).extend(target.added)
        if target.is_top and pos.phase == TAKING:
            pos.top_placed, pos.top_meld = pos.taken_top, meld.id


def brought(pos, plan):
    """What a meld brings to the hand; None while the top stays pending."""
    if pos.phase != TAKING:
        return Counter()
    after = copy.deepcopy(pos)
    place(after, plan_of(after, plan))
    if not released(after):
        return None
    return Counter(c for c in pos.pile
                   if not pos.rules.is_laid_from_pile(c))


def deferred(pos, after):
    """Every check that waited for the end of the turn; after = hand left."""
    rules = pos.rules
    if rules.meld_check != "at_discard":
        return []
    codes = []
    targets = touched(pos)
    for target in targets:
        codes += shape_codes(pos, target)
    if judge.needs_minimum(pos) and targets:
        exempt = (after == 0 and judge.may_leave(pos)
                  and judge.exempts_going_out(pos))
        if points(pos, targets) < judge.minimum(pos, pos.side) \
                and not exempt:
            codes.append("INITIAL_BELOW_MINIMUM")
    threes = any(t.kind == "black_threes" for t in targets)
    if threes and (after or not judge.may_leave(pos)):
        codes.append("THREE_BLACK_NOT_GOING_OUT")
    return codes


def released(pos):
    """ALG-07: the top lies in a valid meld and the points are there."""
    if pos.phase != TAKING or not pos.top_placed:
        return False
    home = next((t for t in valid(pos) if t.number == pos.top_meld), None)
    if home is None:
        return False
    if pos.frozen(pos.side):
        pair = sum(r.is_natural(c) for c in home.added) - 1
        if pair < 2:
            return False
    if judge.needs_minimum(pos):
        return points(pos, valid(pos)) >= judge.minimum(pos, pos.side)
    return True


def check_undo(pos, seat, action, plan):
    """HN-013: cards placed this turn and not locked."""
    meld = pos.find(pos.side, action["meld"])
    free = Counter(pos.placed.get(action["meld"], []))
    free -= Counter(pos.locked.get(action["meld"], []))
    if (not pos.rules.undo_meld or meld is None or not action["cards"]
            or Counter(action["cards"]) - free):
        return ["MELD_FIXED"]
    return []


def check_restore(pos, seat, action, plan):
    return [] if pos.phase == TAKING else ["PILE_RESTORE_FORBIDDEN"]


def check_take_top(pos, seat, action, plan):
    blocked = judge.top_code(pos)
    if blocked:
        return [blocked]
    codes = ["PILE_ONE_CARD"] if judge.one_card_ban(pos, seat) else []
    if judge.must_take(pos, seat):
        codes.append("STOCK_MUST_TAKE_PILE")
    return codes
