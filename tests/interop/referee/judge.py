"""Is an action legal? All broken rules in the order of model 4.3.

judge(game, seat, action) returns (codes, plan): codes is the ordered list
of violation codes (empty = legal); plan is what play.py carries out.
"""

from collections import Counter

import out
import rules as r
from shape import projected, resolve, shape, wilds_locked
from state import ASKED, PLAY, START

# Gates stop at the first failure. True: list every failure of the first
# gate that fails (the other reading of model 4.3; see NOTES.md).
GATES_LIST_ALL = False

SEAT_ACTIONS = {
    "draw_stock", "take_pile", "take_top", "restore_pile", "lay_threes",
    "take_talon", "meld", "merge_melds", "undo_meld", "ask", "answer",
    "special_hand", "discard", "pass", "end_round", "call_reveal"}
NOT_IN_CLASSIC = {"take_top", "restore_pile", "lay_threes", "take_talon",
                  "merge_melds", "call_reveal"}


class Plan:
    """What a legal action does, worked out while judging it."""

    def __init__(self):
        self.targets = []                    # Target, in order of touch
        self.ask_to = None


def judge(game, seat, action):
    pos = game.round
    kind = action["type"]
    if kind not in SEAT_ACTIONS:
        raise r.Unsupported(f"action {kind}")
    plan = Plan()
    for gate in gates(game, pos, seat, action, plan):
        codes = list(gate)
        if codes:
            return (codes if GATES_LIST_ALL else codes[:1]), plan
    return CHECKS[kind](pos, seat, action, plan), plan


# Gates -------------------------------------------------------------------

def gates(game, pos, seat, action, plan):
    yield gate_table(game, pos)
    if action["type"] == "answer":
        return
    yield gate_seat(pos, seat, action)
    yield gate_phase(pos, seat, action, plan)
    yield gate_cards(pos, seat, action)


def gate_table(game, pos):
    if game.over:
        yield "GAME_OVER"
    elif pos is None or pos.end:
        yield "GAME_ROUND_OVER"


def gate_seat(pos, seat, action):
    if pos.phase == ASKED:
        yield "ASK_PENDING"
    opponent = pos.rules.side(seat) != pos.side
    if seat != pos.turn and not (
            action["type"] == "call_reveal" and opponent):
        yield "TURN_NOT_YOURS"


def gate_phase(pos, seat, action, plan):
    kind = action["type"]
    if kind == "special_hand":
        yield "SPECIAL_NOT_AGREED"
    elif kind in NOT_IN_CLASSIC:
        yield "TURN_ACTION_NOT_IN_RULES"
    elif kind == "ask" and not ask_partner(pos, seat, action, plan):
        yield "ASK_NO_PARTNER"
    if kind in ("meld", "discard", "ask", "pass", "undo_meld"):
        if pos.phase == START:
            yield "TURN_DRAW_FIRST"
    elif kind in ("draw_stock", "take_pile"):
        if pos.phase == PLAY:
            yield "TURN_ALREADY_DREW"
    elif kind == "end_round" and pos.phase == PLAY:
        yield "TURN_WRONG_PHASE"


def ask_partner(pos, seat, action, plan):
    mates = pos.rules.mates(seat)
    to = action.get("to")
    if to is None and len(mates) == 1:
        to = mates[0]
    plan.ask_to = to
    return (pos.rules.ask != "off" and action.get("about") == "go_out"
            and to in mates)


def named_cards(action):
    kind = action["type"]
    if kind == "discard":
        return [action["card"]]
    if kind == "take_pile":
        groups = action.get("also") or []
        return action.get("with", []) + [c for g in groups for c in g["cards"]]
    if kind == "meld":
        return [c for g in action["groups"] for c in g["cards"]]
    return []


def gate_cards(pos, seat, action):
    kind = action["type"]
    if kind == "meld" and not action["groups"]:
        yield "TURN_EMPTY_ACTION"
    elif kind in ("meld", "take_pile"):
        groups = action.get("groups") or action.get("also") or []
        if any(not g["cards"] for g in groups):
            yield "TURN_EMPTY_ACTION"
    missing = Counter(named_cards(action)) - pos.hands[seat]
    buried = Counter(pos.pile[:-1] if kind == "take_pile" else [])
    if missing & buried:
        yield "PILE_BURIED_CARD"
    if missing - buried:
        yield "TURN_CARD_NOT_IN_HAND"


# Melds -------------------------------------------------------------------

def initial_codes(pos, cards, after, melds):
    """ALG-12: count of everything laid, the top included."""
    if pos.opened(pos.side):
        return []
    if (pos.source == "stock" and after <= 1
            and out.may_go_out(pos.rules, melds, pos.permission)):
        return []
    count = sum(map(pos.rules.points, cards))
    need = pos.rules.minimum(pos.start_scores[pos.side])
    return ["INITIAL_BELOW_MINIMUM"] if count < need else []


def size_codes(pos, after, hand, melds, with_threes):
    """ALG-13; after = cards in hand after the action."""
    rules, permission = pos.rules, pos.permission
    reasons = out.out_reasons(rules, melds)
    may = out.may_go_out(rules, melds, permission)
    codes = []
    if with_threes and (after > 1 or not may):
        codes.append("THREE_BLACK_NOT_GOING_OUT")
    if after <= 1 and permission == "no":
        codes.append("GO_OUT_REFUSED")
    if after <= 1 and not may:
        codes.append("MELD_LEAVES_TOO_FEW_CARDS")
        codes += reasons
    if permission == "yes" and not out.can_go_out(
            rules, melds, hand, permission):
        codes.append("GO_OUT_BOUND")
    return codes


def check_meld(pos, seat, action, plan):
    groups = action["groups"]
    plan.targets = targets = resolve(pos, groups)
    codes = []
    for target in targets:
        codes += shape(pos, targets, target)
    if wilds_locked(pos, targets, groups):
        codes.append("MELD_WILDS_LOCKED")
    cards = named_cards(action)
    hand = pos.hands[seat] - Counter(cards)
    melds = projected(pos, targets)
    codes += initial_codes(pos, cards, hand.total(), melds)
    threes = any(with_threes(g) for g in groups)
    return codes + size_codes(pos, hand.total(), hand, melds, threes)


# Stock and pile ----------------------------------------------------------

def check_draw(pos, seat, action, plan):
    return [] if pos.stock else ["STOCK_EMPTY"]


def top_code(pos):
    if not pos.pile:
        return "PILE_EMPTY"
    top = pos.pile[-1]
    if r.is_wild(top):
        return "PILE_TOP_WILD"
    if r.is_black_three(top):
        return "PILE_TOP_BLACK_THREE"
    if r.is_red_three(top):
        return "PILE_TOP_RED_THREE"
    return None


def check_take(pos, seat, action, plan):
    rules, side = pos.rules, pos.side
    blocked = top_code(pos)
    if blocked:
        return [blocked]
    top = pos.pile[-1]
    laid, also = action.get("with", []), action.get("also") or []
    codes = []
    if one_card_ban(pos, seat):
        codes.append("PILE_ONE_CARD")
    mixed = any(not r.is_wild(c) and c[0] != top[0] for c in laid)
    if mixed:
        codes.append("MELD_MIXED_RANKS")
    canastas = [m for m in pos.melds[side] if m.rank == top[0]
                and m.grade(rules.canasta_size)]
    if rules.take_canasta_rank == "never" and canastas:
        codes.append("PILE_CANASTA_RANK_FORBIDDEN")
    groups = [{"kind": "set", "onto": action.get("onto", "auto"),
               "cards": laid, "top": top}] + also
    plan.targets = targets = resolve(pos, groups)
    top_target = next(t for t in targets if t.is_top)
    refused = entitlement(pos, laid, top, top_target)
    if refused:
        codes.append(refused)
    else:
        codes += shape(pos, targets, top_target, mixed)
    for target in targets:
        if target is not top_target:
            codes += shape(pos, targets, target)
    if wilds_locked(pos, targets, groups):
        codes.append("MELD_WILDS_LOCKED")
    cards = named_cards(action)
    hand = pos.hands[seat] - Counter(cards)
    hand += Counter(c for c in pos.pile[:-1] if not r.is_red_three(c))
    melds = projected(pos, targets)
    codes += initial_codes(pos, cards + [top], hand.total(), melds)
    threes = any(with_threes(g) for g in also)
    return codes + size_codes(pos, hand.total(), hand, melds, threes)


def with_threes(group):
    """Black threes among a group that is meant to be one of them."""
    return group["kind"] == "black_threes" and any(
        map(r.is_black_three, group["cards"]))


def one_card_ban(pos, seat):
    if pos.hand_size(seat) != 1 or len(pos.pile) != 1:
        return False
    ban = pos.rules.one_card_pile
    return ban == "forbid" or (ban == "unless_stock_empty"
                               and bool(pos.stock))


def entitlement(pos, laid, top, target):
    """ALG-05: the code that refuses the pile, or None."""
    rules = pos.rules
    pair = sum(c[0] == top[0] and r.is_natural(c) for c in laid)
    wilds = sum(map(r.is_wild, laid))
    if pos.frozen(pos.side):
        return None if pair >= 2 else "PILE_FROZEN_NEEDS_PAIR"
    mixed_pair = pair >= 1 and wilds >= 1
    meld = target.meld
    if meld is not None and meld.rank != top[0]:
        meld = None
    canasta = meld is not None and len(meld.cards) >= rules.canasta_size
    full = (canasta and rules.take_canasta_rank == "unless_wilds_full"
            and rules.max_wilds and meld.wilds() >= rules.max_wilds)
    if pair >= 2:
        return None
    if meld is not None and not (
            canasta and rules.take_layoff == "incomplete"):
        return None
    if mixed_pair and rules.take_natural_wild == "allow" and not full:
        return None
    if mixed_pair and rules.take_natural_wild == "never":
        return "PILE_NEEDS_PAIR"
    if mixed_pair and full:
        return "PILE_CANASTA_WILDS_FULL"
    if canasta:
        return "PILE_CANASTA_TARGET_FORBIDDEN"
    return "PILE_TOP_NOT_MELDED"


def must_take(pos, seat):
    """ALG-16, OWN_MELD."""
    side, rules = pos.rules.side(seat), pos.rules
    if rules.forced_take == "off" or pos.stock or top_code(pos):
        return False
    if pos.frozen(side):
        return False
    top = pos.pile[-1]
    own = [m for m in pos.melds[side] if m.rank == top[0]]
    done = [m for m in own if len(m.cards) >= rules.canasta_size]
    if rules.take_canasta_rank == "never" and done:
        return False
    if rules.take_layoff == "incomplete":
        own = [m for m in own if m not in done]
    return bool(own) and any(
        not check_take(pos, seat, form, Plan())
        for form in take_forms(pos, seat, own))


def take_forms(pos, seat, own):
    """Forms of the take that can differ in being legal.

    With two cards or more after the bare take it is legal; else one card
    is held and it stays, joins the top, or goes to another own meld.
    """
    for meld in own:
        bare = {"type": "take_pile", "with": [], "onto": meld.id, "also": []}
        yield bare
        if pos.hand_size(seat) == 1:
            card = next(iter(pos.hands[seat].elements()))
            yield dict(bare, **{"with": [card]})
            for other in pos.melds[pos.side]:
                yield dict(bare, also=[{"kind": other.kind,
                                        "onto": other.id, "cards": [card]}])


def check_end_round(pos, seat, action, plan):
    codes = []
    if pos.stock:
        codes.append("STOCK_NOT_EMPTY")
    if must_take(pos, seat):
        codes.append("STOCK_MUST_TAKE_PILE")
    return codes


# Discard, question -------------------------------------------------------

def check_discard(pos, seat, action, plan):
    codes = []
    red = r.is_red_three(action["card"])
    if pos.hand_size(seat) == 1:
        if pos.permission == "no":
            codes.append("GO_OUT_REFUSED")
        codes += out.out_reasons(pos.rules, pos.melds[pos.side])
        return codes + (["DISCARD_THREE_FORBIDDEN"] if red else [])
    if red:
        codes.append("DISCARD_THREE_FORBIDDEN")
    if pos.permission == "yes":
        codes.append("GO_OUT_BOUND")
    return codes


def check_ask(pos, seat, action, plan):
    codes = []
    if pos.has_asked:
        codes.append("ASK_USED_UP")
    if pos.melded_since_draw:
        codes.append("ASK_TOO_LATE")
    if not out.can_go_out(pos.rules, pos.melds[pos.side], pos.hands[seat],
                          pos.permission):
        codes.append("ASK_CANNOT_GO_OUT")
    if pos.hand_size(seat) == 1:
        codes.append("ASK_NO_CHOICE")
    return codes


def check_answer(pos, seat, action, plan):
    if pos.phase != ASKED:
        return ["ASK_NOTHING_PENDING"]
    return [] if seat == pos.asked_seat else ["ASK_NOT_ADDRESSED"]


CHECKS = {
    "draw_stock": check_draw, "take_pile": check_take, "meld": check_meld,
    "end_round": check_end_round, "discard": check_discard,
    "ask": check_ask, "answer": check_answer,
    "pass": lambda *_: ["DISCARD_REQUIRED"],
    "undo_meld": lambda *_: ["MELD_FIXED"],
}
