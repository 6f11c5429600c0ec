"""Which melds an action touches, and the shape lists of model 4.3."""

import out
import rules as r
import sequence
from state import START, Meld


class Target:
    """One meld touched by an action, with everything added to it."""

    def __init__(self, kind, rank, meld=None, new=False):
        self.kind = kind                     # None: no meld to be judged
        self.rank = meld.rank if meld else rank
        self.meld = meld                     # None: it is created
        self.from_hand = []                  # what is added but the top
        self.asked_new = new                 # by onto = new
        self.added = []
        self.codes = []                      # common codes of its groups
        self.is_top = False
        self.first = (0, 0)                  # naturals, wilds laid first

    @property
    def cards(self):
        return (self.meld.cards if self.meld else []) + self.added

    def counts(self):
        wilds = sum(map(r.is_wild, self.cards))
        naturals = sum(map(r.is_natural, self.cards))
        return naturals, wilds


def parse_onto(onto, side):
    """auto, new, or (side, meld id)."""
    if onto in ("auto", "new"):
        return onto
    if isinstance(onto, str) and ":" in onto:
        owner, meld_id = onto.split(":")
        return int(owner), int(meld_id)
    return side, int(onto)


def common_codes(pos, group, top=None):
    """The common shape list of one group; its meld if it names one."""
    rules, side = pos.rules, pos.side
    kind, cards = group["kind"], group["cards"]
    onto = parse_onto(group["onto"], side)
    codes, meld, missing, foreign = [], None, False, False
    if isinstance(onto, tuple):
        owner, meld_id = onto
        known = 0 <= owner < rules.side_count
        meld = pos.find(owner, meld_id) if known else None
        missing = meld is None
        foreign = meld is not None and owner != side
    if kind == "black_threes":
        never = rules.black_three_meld == "never"
        bad_three = any(r.is_red_three(c) or (never and r.is_three(c))
                        for c in cards)
    else:
        bad_three = any(map(r.is_three, cards))
    if bad_three:
        codes.append("THREE_NOT_MELDABLE")
    if kind_mismatch(kind, cards, onto, meld, top):
        codes.append("MELD_KIND_MISMATCH")
    if kind == "wild" and not rules.wild_melds:
        codes.append("MELD_WILD_MELD_OFF")
    if kind == "sequence" and not rules.sequences:
        codes.append("MELD_SEQUENCE_OFF")
    if missing:
        codes.append("MELD_NOT_FOUND")
    if foreign:
        codes.append("MELD_NOT_OWN_SIDE")
    return codes, onto, meld


def kind_mismatch(kind, cards, onto, meld, top):
    if meld is not None and meld.kind != kind:
        return True
    if kind == "set":
        all_wild = all(map(r.is_wild, cards)) and top is None
        return all_wild and not isinstance(onto, tuple)
    return kind != "sequence" and any(map(r.is_natural, cards))


def resolve(pos, groups):
    """The melds an action touches (model 3, ALG-08, clarification 12).

    groups: dicts with kind, onto, cards and, for the meld of the pile's
    top card, "top". All groups that go to one meld are merged.
    """
    targets, pending = [], []
    for group in groups:
        top = group.get("top")
        codes, onto, meld = common_codes(pos, group, top)
        cards = group["cards"] + ([top] if top else [])
        lost = [c for c in codes if c != "THREE_NOT_MELDABLE"]
        rank = group_rank(group, cards)
        if lost or rank is None:             # judged by itself
            if lost:
                meld = None
            target = find_target(targets, meld) if meld else None
            if target is None:
                kind = None if lost else group["kind"]
                target = Target(kind, None, meld)
                targets.append(target)
        elif meld is not None:
            target = find_target(targets, meld)
            if target is None:
                target = Target(group["kind"], rank, meld)
                targets.append(target)
        elif group["kind"] == "sequence" and onto == "auto":
            meld = next((m for m in pos.melds[pos.side]
                         if m.kind == "sequence"
                         and sequence.extends(pos.rules, m, cards)), None)
            target = find_target(targets, meld) if meld else None
            if target is None:
                target = Target("sequence", None, meld)
                targets.append(target)
        elif onto == "new" and group["kind"] != "black_threes":
            target = Target(group["kind"], rank, new=True)
            targets.append(target)
        else:                                # auto: one target a rank
            key = (group["kind"], rank)
            target = next((t for k, t in pending if k == key), None)
            if target is None:
                target = Target(group["kind"], rank)
                pending.append((key, target))
                targets.append(target)
        target.added += cards
        target.from_hand += group["cards"]
        target.codes += codes
        target.is_top |= bool(top)
    for _, target in pending:
        place_auto(pos, targets, target)
    return targets


def group_rank(group, cards):
    """Rank of a set group, the kind for others, None where unclear."""
    if group["kind"] != "set":
        return group["kind"]
    if group.get("top"):
        return group["top"][0]
    ranks = {c[0] for c in cards if r.is_natural(c)}
    if len(ranks) == 1:
        return ranks.pop()
    if not ranks and isinstance(group["onto"], (int, str)) \
            and group["onto"] not in ("auto", "new"):
        return "named"                       # wilds for a meld by its id
    return None


def find_target(targets, meld):
    return next((t for t in targets if t.meld is meld), None)


def place_auto(pos, targets, auto):
    """Clarification 12: open meld, else completed one, else new."""
    own = [m for m in pos.melds[pos.side] if m.kind == auto.kind
           and (auto.kind != "set" or m.rank == auto.rank)]
    choice = next((m for m in own if not m.full(pos.rules)), None)
    if choice is None and own:
        single = pos.rules.melds_per_rank == "one"
        choice = next((m for m in own if single or
                       may_receive(pos.rules, targets, m, auto)), None)
    other = None
    if choice is not None:
        auto.meld = choice
        other = next((t for t in targets
                      if t is not auto and t.meld is choice), None)
    else:
        other = next((t for t in targets if t.asked_new
                      and t.kind == auto.kind and t.rank == auto.rank), None)
    if other is None:
        return
    first, second = sorted((auto, other), key=targets.index)
    first.added += second.added
    first.from_hand += second.from_hand
    first.codes += second.codes
    first.is_top |= second.is_top
    first.asked_new |= second.asked_new
    first.rank = auto.rank
    first.meld = choice
    targets.remove(second)


def may_receive(rules, targets, meld, auto):
    named = find_target(targets, meld)
    more = auto.added + (named.added if named else [])
    cards = meld.cards + more
    most = rules.meld_max if auto.kind == "set" else rules.wild_meld_max
    if most and len(cards) > most:
        return False
    if auto.is_top and rules.take_result_max:
        return False                         # SAD-06: a new one instead
    if rules.canasta_accepts == "naturals" and any(
            map(r.is_wild, auto.added)):
        return False
    if auto.kind != "set":
        return True
    wilds = sum(map(r.is_wild, cards))
    naturals = sum(map(r.is_natural, cards))
    return out.wild_cap_kept(rules, naturals, wilds)


def shape(pos, targets, target, mixed_given=False):
    """The whole shape list of one meld touched by the action."""
    common = ("THREE_NOT_MELDABLE", "MELD_KIND_MISMATCH",
              "MELD_WILD_MELD_OFF", "MELD_SEQUENCE_OFF", "MELD_NOT_FOUND",
              "MELD_NOT_OWN_SIDE")
    codes = [c for c in common if c in target.codes]
    if target.kind is None:                  # there is no meld to judge
        return codes
    if target.kind == "black_threes":
        return codes + shape_threes(pos.rules, target)
    if target.kind == "sequence":
        return codes + sequence.codes_of(pos.rules, target.cards)
    rules = pos.rules
    naturals, wilds = target.counts()
    ranks = {c[0] for c in target.cards if r.is_natural(c)}
    if len(ranks) > 1 and not mixed_given:
        codes.append("MELD_MIXED_RANKS")
    if target.asked_new and duplicate(pos, targets, target):
        codes.append("MELD_RANK_DUPLICATE")
    if (rules.opp_canasta_rank != "allow" and target.meld is None
            and any(m.rank == target.rank and m.full(rules)
                    for side, melds in enumerate(pos.melds)
                    for m in melds if side != pos.side)):
        codes.append("MELD_RANK_CLOSED_BY_OPPONENTS")
    if len(target.cards) < rules.meld_min:
        codes.append("MELD_TOO_SMALL")
    most = rules.meld_max if target.kind == "set" else rules.wild_meld_max
    if most and len(target.cards) > most:
        codes.append("MELD_TOO_LARGE")
    if rules.canasta_accepts == "naturals" and closes_to_wilds(rules, target):
        codes.append("MELD_CANASTA_CLOSED")
    if target.kind == "set" and takes_no_wild(pos, target):
        codes.append("MELD_RANK_TAKES_NO_WILD")
    if target.kind == "set":
        if naturals < rules.min_naturals:
            codes.append("MELD_TOO_FEW_NATURALS")
        if not rules.ratio_kept(naturals, wilds):
            codes.append("MELD_WILDS_OUTNUMBER")
        added = any(map(r.is_wild, target.added))
        if added and not out.in_wild_cap(rules, naturals, wilds):
            codes.append("MELD_TOO_MANY_WILDS")
    return codes


def closes_to_wilds(rules, target):
    """Clarification 29: what takes the pile first; 2: then the wilds."""
    size = len(target.meld.cards) if target.meld is not None else 0
    naturals, wilds = target.first
    later = sum(map(r.is_wild, target.added)) - wilds
    taken = size + naturals + wilds
    return (wilds and size + wilds > rules.canasta_size
            or later and taken + later > rules.canasta_size)


def takes_no_wild(pos, target):
    """ALG-11: a rank with its own policy for wilds."""
    policy = pos.rules.rank_wilds.get(target.rank)
    if policy is None or not any(map(r.is_wild, target.added)):
        return False
    if policy == "never":
        return True
    if target.meld is not None:              # begun mixed, or never
        return not target.meld.wilds()
    if target.is_top and len(target.from_hand) < pos.rules.meld_min:
        return True
    return pos.opened(pos.side)


def shape_threes(rules, target):
    codes = []
    if any(map(r.is_wild, target.cards)):
        codes.append("THREE_BLACK_WILD")
    if not 3 <= len(target.cards) <= rules.black_three_max:
        codes.append("THREE_BLACK_COUNT")
    return codes


def duplicate(pos, targets, target):
    """CL-038, CV-006, clarification 17, on the result of the batch."""
    def same(kind, rank):
        return kind == target.kind and (kind != "set" or rank == target.rank)

    # Clarification 29: what a take adds elsewhere is laid after the top.
    taking = pos.phase == START
    others = [m.cards + ([] if target.is_top and taking
                         else added_to(targets, m))
              for m in pos.melds[pos.side] if same(m.kind, m.rank)]
    before = targets[:targets.index(target)]
    new_before = [t.cards for t in before
                  if t.meld is None and same(t.kind, t.rank)]
    if pos.rules.melds_per_rank == "many":
        return False
    if pos.rules.melds_per_rank == "one":
        return bool(others or new_before)
    size = pos.rules.canasta_size
    if any(len(cards) < size for cards in others):
        return True
    return len(target.cards) < size and any(
        len(cards) < size for cards in new_before)


def added_to(targets, meld):
    target = find_target(targets, meld)
    return target.added if target else []


def projected(pos, targets):
    """The side's melds as if the action went through."""
    melds = []
    for meld in pos.melds[pos.side]:
        copy = meld.copy()
        copy.cards += added_to(targets, meld)
        melds.append(copy)
    for target in targets:
        if target.meld is None and target.kind in (
                "set", "wild", "sequence", "black_threes"):
            melds.append(Meld(-1, target.kind, target.added))
    return melds


def wilds_locked(pos, targets, groups):
    """ALG-10."""
    if not pos.rules.wild_lock:
        return False
    size = pos.rules.canasta_size
    for meld in pos.melds[pos.side]:
        if meld.kind == "wild" and not meld.full(pos.rules):
            if len(meld.cards + added_to(targets, meld)) >= size:
                return False
            return any(r.is_wild(c) for g in groups
                       if g["kind"] != "wild" for c in g["cards"])
    return False
