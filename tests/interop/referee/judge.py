"""Is an action legal? All broken rules in the order of model 4.3.

judge(game, seat, action) returns (codes, plan): codes is the ordered list
of violation codes (empty = legal); plan is what play.py carries out.
"""

from collections import Counter

import out
import placing
import rules as r
import sequence
import takes
from shape import projected, resolve, shape, wilds_locked
from state import ASKED, PLAY, START, TAKING

# Gates stop at the first failure. True: list every failure of the first
# gate that fails (the other reading of model 4.3; see NOTES.md).
GATES_LIST_ALL = False

SEAT_ACTIONS = {
    "draw_stock", "take_pile", "take_top", "restore_pile", "lay_threes",
    "take_talon", "meld", "merge_melds", "undo_meld", "ask", "answer",
    "special_hand", "discard", "pass", "end_round", "call_reveal"}
NOT_BUILT = {"take_talon"}


class Plan:
    """What a legal action does, worked out while judging it."""

    def __init__(self):
        self.targets = []                    # Target, in order of touch
        self.ask_to = None
        self.top_only = False


def judge(game, seat, action):
    pos = game.round
    kind = action["type"]
    if kind not in SEAT_ACTIONS:
        raise r.Unsupported(f"action {kind}")
    if kind == "ask" and "with" in action:
        raise r.Unsupported("ask with a way out")
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
    caught = pos.turn if pos.exception is None else pos.exception
    opponent = pos.side_of(seat) != pos.side_of(caught)
    if seat != pos.turn and not (
            action["type"] == "call_reveal" and opponent):
        yield "TURN_NOT_YOURS"


def gate_phase(pos, seat, action, plan):
    kind = action["type"]
    rules = pos.rules
    if kind == "special_hand":
        if action["hand"] not in rules.special_hands:
            yield "SPECIAL_NOT_AGREED"
    elif kind in NOT_BUILT or (
            kind == "merge_melds" and rules.merge == "none") or (
            kind == "end_round" and rules.stock_out != "play_on") or (
            kind == "take_top" and rules.pile_steps == "one") or (
            kind == "restore_pile" and not rules.pile_restore) or (
            kind == "lay_threes" and not rules.choice) or (
            kind == "call_reveal" and not rules.reveal):
        yield "TURN_ACTION_NOT_IN_RULES"
    elif kind == "ask" and not ask_partner(pos, seat, action, plan):
        yield "ASK_NO_PARTNER"
    if kind in ("meld", "discard", "ask", "pass", "undo_meld",
                "merge_melds"):
        if pos.phase == START:
            yield "TURN_DRAW_FIRST"
    elif kind in ("draw_stock", "take_pile", "take_top"):
        if pos.phase in (PLAY, TAKING):
            yield "TURN_ALREADY_DREW"
    elif kind == "lay_threes" and pos.phase == TAKING:
        yield "TURN_WRONG_PHASE"
    elif kind == "end_round" and pos.phase in (PLAY, TAKING):
        yield "TURN_WRONG_PHASE"


def ask_partner(pos, seat, action, plan):
    mates = pos.mates(seat)
    to = action.get("to")
    whom = pos.rules.ask_whom
    if to is None and len(mates) == 1:
        to = mates[0]
    known = to in mates
    plan.ask_to = [to]
    seats = pos.rules.seats
    in_turn = sorted(mates, key=lambda mate: (mate - seat) % seats)
    if whom in ("all", "any"):
        plan.ask_to, known = in_turn, bool(mates) and to in [None] + mates
    elif whom == "next" and mates:
        plan.ask_to = in_turn[:1]
        known = to in [None] + plan.ask_to
    return (pos.rules.ask != "off" and action.get("about") == "go_out"
            and known)


def named_cards(action):
    kind = action["type"]
    if kind == "discard":
        return [action["card"]]
    if kind == "take_pile":
        groups = action.get("also") or []
        return action.get("with", []) + [c for g in groups for c in g["cards"]]
    if kind == "meld":
        return [c for g in action["groups"] for c in g["cards"]]
    if kind == "lay_threes":
        return action["cards"]
    return []


def gate_cards(pos, seat, action):
    kind = action["type"]
    if kind == "meld" and not action["groups"]:
        yield "TURN_EMPTY_ACTION"
    elif kind in ("meld", "take_pile"):
        groups = action.get("groups") or action.get("also") or []
        if any(not g["cards"] and not (g.get("top") and pos.phase == TAKING)
               for g in groups):
            yield "TURN_EMPTY_ACTION"
    if kind == "lay_threes" and not action["cards"]:
        yield "TURN_EMPTY_ACTION"
    missing = Counter(named_cards(action)) - pos.hands[seat]
    buried = Counter(pos.pile[:-1] if kind == "take_pile" else [])
    if missing & buried:
        yield "PILE_BURIED_CARD"
    if missing - buried:
        yield "TURN_CARD_NOT_IN_HAND"


# Melds -------------------------------------------------------------------

def initial_codes(pos, cards, after, melds, targets=()):
    """ALG-12: count, content and exemptions of an initial meld."""
    rules = pos.rules
    if pos.opened(pos.side):
        return []
    if exempts_going_out(pos) and after <= 1 and may_leave(pos, melds):
        return []
    from_hand = [t.from_hand for t in targets]
    if rules.initial_count == "hand_melds":
        from_hand = [c for c in from_hand if len(c) >= rules.meld_min]
        cards = [c for group in from_hand for c in group]
    codes = []
    if rules.initial_count == "hand_melds" and not from_hand:
        codes.append("PILE_INITIAL_MELD_FIRST")
    count = sum(map(rules.points, cards))
    melder = rules.initial_key == "melder_score"
    key = pos.turn if melder else pos.side
    need = minimum(pos, key)
    splash = "splash" in rules.initial_exempt and any(
        max_naturals(c) >= 7 or sum(map(r.is_wild, c)) == len(c) >= 7
        for c in from_hand)
    if count < need and not splash:
        codes.append("INITIAL_BELOW_MINIMUM")
    if rules.initial_content == "triple_or_wild" and not any(
            max_naturals(c) >= 3 or (len(c) >= 3 and all(map(r.is_wild, c)))
            for c in from_hand):
        codes.append("INITIAL_CONTENT_MISSING")
    if rules.initial_content == "clean_or_wild" and not any(
            t.added and (all(map(r.is_natural, t.added))
                         or all(map(r.is_wild, t.added)))
            for t in targets):
        codes.append("INITIAL_CONTENT_MISSING")
    return codes


def minimum(pos, key):
    if pos.rules.initial_key == "round":
        return pos.rules.initial_bands[pos.number - 1]
    return pos.rules.minimum(pos.start_scores[key])


def max_naturals(cards):
    ranks = Counter(c[0] for c in cards if r.is_natural(c))
    return max(ranks.values(), default=0)


def must_lay(pos):
    """MA-039: no natural in hand and a three that can be laid."""
    rules, hand = pos.rules, pos.hands[pos.turn]
    if rules.discard_threes != "final_only" or not rules.choice:
        return False
    if any(map(r.is_natural, hand)):
        return False
    if pos.phase == START:
        return bool(pos.stock) and any(map(rules.is_laid_three, hand))
    return bool(+pos.fresh)


def may_finish(pos, hand, emptied):
    """Whether a turn can end with a discard that is not the last card."""
    rules = pos.rules
    if hand.total() < 2:
        return False
    wilds_only = all(map(r.is_wild, hand))
    if any(map(r.is_natural, hand)):
        return True                          # barred ranks bar never all
    if any(r.is_wild(c) for c in hand) and (
            rules.discard_wilds == "any"
            or (pos.all_wild_draw and wilds_only)):
        return True
    return any(r.is_three(c) and (
        not three_barred(pos, c)) for c in hand)


def three_barred(pos, card):
    """Whether a three may not be discarded while a card stays."""
    rule = pos.rules.discard_threes
    if r.is_black_three(card):               # CL-112
        return rule == "final_only" or (
            rule == "black_later" and not pos.had_turn[pos.turn])
    return rule != "any"


def exempts_going_out(pos):
    """CONCEALED_STOCK, CONCEALED_ANY of initial_exempt."""
    return ("concealed_any" in pos.rules.initial_exempt
            or "concealed_stock" in pos.rules.initial_exempt
            and pos.source == "stock")


def out_reasons(pos, melds):
    codes = out.out_reasons(pos.rules, melds)
    if not pos.may_play_out(pos.side):
        codes.append("GO_OUT_NEEDS_HANDS_FINISHED")
    return codes


def can_go_out(pos, melds, hand):
    return (pos.may_play_out(pos.side) and not pos.foot_unused(pos.turn)
            and out.can_go_out(pos.rules, melds, hand, pos.permission))


def size_codes(pos, after, hand, melds, with_threes):
    """ALG-13; after = cards in hand after the action."""
    rules, permission = pos.rules, pos.permission
    if pos.foot_unused(pos.turn):
        # The foot comes: 0 and 1 do. Nobody goes out yet (CL-075).
        return ["THREE_BLACK_NOT_GOING_OUT"] if with_threes else []
    reasons = out_reasons(pos, melds)
    may = permission != "no" and not reasons
    codes = []
    if with_threes and (after > 1 or not may):
        codes.append("THREE_BLACK_NOT_GOING_OUT")
    if after == 0 and rules.final_discard == "required":
        codes.append("GO_OUT_DISCARD_REQUIRED")
    if after <= 1 and permission == "no":
        codes.append("GO_OUT_REFUSED")
    if after <= (0 if rules.pass_discard else 1) and not may:
        codes.append("MELD_LEAVES_TOO_FEW_CARDS")
        codes += reasons
    can = None
    if after >= 2 and not may_finish(pos, hand, False):
        can = can_go_out(pos, melds, hand)
        if not can:
            codes.append("MELD_LEAVES_NO_FINISH")
    if permission == "yes" and not can_go_out(pos, melds, hand):
        codes.append("GO_OUT_BOUND")
    return codes


def may_leave(pos, melds=None):
    """Whether the seat may go out with these melds: no foot waits."""
    melds = pos.melds[pos.side] if melds is None else melds
    return (pos.permission != "no" and not pos.foot_unused(pos.turn)
            and not out_reasons(pos, melds))


def needs_minimum(pos):
    return not pos.opened(pos.side)


def check_meld(pos, seat, action, plan):
    if pos.rules.meld_check == "at_discard":
        return placing.check_place(pos, seat, action, plan)
    groups = placing.with_top(pos, action)
    plan.targets = targets = resolve(pos, groups)
    codes = ["THREE_MUST_BE_LAID"] if must_lay(pos) else []
    for target in targets:
        codes += shape(pos, targets, target)
    if wilds_locked(pos, targets, groups):
        codes.append("MELD_WILDS_LOCKED")
    cards = named_cards(action)
    hand = pos.hands[seat] - Counter(cards)
    brings = placing.brought(pos, plan)
    if brings is None:                           # the top stays pending
        return codes + ([] if hand else ["PILE_PENDING"])
    hand += brings
    melds = projected(pos, targets)
    codes += initial_codes(pos, cards, hand.total(), melds, targets)
    threes = any(with_threes(g) for g in groups)
    return codes + size_codes(pos, hand.total(), hand, melds, threes)


# Stock and pile ----------------------------------------------------------

def check_draw(pos, seat, action, plan):
    last = pos.rules.stock_out == "finish_turn"   # AMB-HF-30: draws none
    codes = [] if pos.stock or last else ["STOCK_EMPTY"]
    return codes + (["THREE_MUST_BE_LAID"] if must_lay(pos) else [])


def top_code(pos):
    if not pos.pile:
        return "PILE_EMPTY"
    top = pos.pile[-1]
    if r.is_wild(top) and pos.rules.wild_top == "blocked":
        return "PILE_TOP_WILD"
    if r.is_black_three(top):
        return "PILE_TOP_BLACK_THREE"
    if r.is_red_three(top):
        return "PILE_TOP_RED_THREE"
    return None


def check_take(pos, seat, action, plan):
    rules, side = pos.rules, pos.side
    blocked = top_code(pos)
    codes = ["THREE_MUST_BE_LAID"] if must_lay(pos) else []
    if blocked:
        return codes + [blocked]
    top = pos.pile[-1]
    laid, also = action.get("with", []), action.get("also") or []
    if one_card_ban(pos, seat):
        codes.append("PILE_ONE_CARD")
    plan.top_only = (rules.forced_take == "own_meld_top_only"
                     and must_take(pos, seat))
    if plan.top_only and (laid or also):
        codes.append("STOCK_MUST_TAKE_PILE")
    ranks = {r.rank(c) for c in laid if not r.is_wild(c)}
    mixed = len(ranks) > 1 and not runs(rules, laid, top)
    if mixed:
        codes.append("MELD_MIXED_RANKS")
    canastas = [m for m in pos.melds[side] if m.rank == top[0]
                and m.grade(rules)]
    if rules.take_canasta_rank == "never" and canastas:
        codes.append("PILE_CANASTA_RANK_FORBIDDEN")
    onto = action.get("onto", "auto")
    pair = sum(c[0] == top[0] and r.is_natural(c) for c in laid)
    home = sequence_home(pos, onto, laid, top) if pair < 2 else None
    shape_of = "wild" if r.is_wild(top) else "set"
    groups = [{"kind": "sequence" if home else shape_of,
               "onto": home.id if home else onto,
               "cards": laid, "top": top}] + also
    plan.targets = targets = resolve(pos, groups)
    top_target = next(t for t in targets if t.is_top)
    refused = entitlement(pos, laid, top, top_target)
    if not refused and r.is_natural(top) and not home:
        top_target.first = first_laid(pos, laid, top, top_target)
    if refused:
        codes.append(refused)
    elif (top_target.meld and top_target.first in ((3, 0), (2, 1))
            and top_target.meld.rank == top[0]
            and len(top_target.meld.cards) + 3 > shape_max(rules)):
        codes.append("PILE_MELD_TOO_FULL")   # clarification 13
    else:
        codes += shape(pos, targets, top_target, mixed)
    for target in targets:
        if target is not top_target:
            codes += shape(pos, targets, target)
    if wilds_locked(pos, targets, groups):
        codes.append("MELD_WILDS_LOCKED")
    cards = named_cards(action)
    hand = pos.hands[seat] - Counter(cards)
    portion = pos.pile[-(pos.rules.pile_portion or len(pos.pile)):-1]
    if plan.top_only:
        portion = []
    hand += Counter(c for c in portion
                    if not pos.rules.is_laid_from_pile(c))
    melds = projected(pos, targets)
    codes += initial_codes(pos, cards + [top], hand.total(), melds, targets)
    threes = any(with_threes(g) for g in also)
    return codes + size_codes(pos, hand.total(), hand, melds, threes)


def first_laid(pos, laid, top, target):
    """Clarification 29: naturals and wilds laid first, the top included."""
    rules = pos.rules
    naturals = sum(c[0] == top[0] and r.is_natural(c) for c in laid)
    mixed = (naturals and any(map(r.is_wild, laid))
             and rules.take_natural_wild == "allow"
             and not pos.frozen(pos.side))
    if naturals < 2 and not entitlement(pos, [], top, target):
        size = len(target.meld.cards)
        if not (mixed and size + 1 >= rules.canasta_size):
            return 1, 0
    return (2, 1) if mixed else (3, 0)


def runs(rules, laid, top):
    """Whether the cards are meant as a sequence with the top (SA-044)."""
    return (rules.sequences and bool(laid)
            and all(map(r.is_natural, laid))
            and not set(sequence.codes_of(rules, laid + [top]))
            - {"MELD_TOO_SMALL", "MELD_TOO_LARGE"})


def sequence_home(pos, onto, laid, top):
    """The own sequence that the top is meant for (clarifications 12, 14)."""
    own = [m for m in pos.melds[pos.side] if m.kind == "sequence"]
    if onto == "auto":
        sets = [m for m in pos.melds[pos.side] if m.rank == top[0]
                and (not m.full(pos.rules)
                     or pos.rules.take_layoff == "any")]
        if laid or sets:
            return None
        return next((m for m in own
                     if sequence.extends(pos.rules, m, [top])), None)
    return next((m for m in own if str(m.id) == str(onto)), None)


def with_threes(group):
    """Black threes among a group that is meant to be one of them."""
    return group["kind"] == "black_threes" and any(
        map(r.is_black_three, group["cards"]))


def shape_max(rules):
    """What pair and top may make of a meld."""
    return rules.take_result_max or rules.meld_max or 999


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
    if r.is_wild(top):
        return None if wilds >= 2 else "PILE_NEEDS_PAIR"
    if pos.frozen(pos.side):
        return None if pair >= 2 else "PILE_FROZEN_NEEDS_PAIR"
    mixed_pair = pair >= 1 and wilds >= 1
    meld = target.meld
    if meld is not None and meld.kind == "sequence":
        if not laid and sequence.extends(rules, meld, [top]):
            return None
        if laid and sequence.extends(rules, meld, laid + [top]):
            return "PILE_SEQUENCE_BRIDGED"
        done = [m for m in pos.melds[pos.side] if m.rank == top[0]]
        if meld.full(rules) or (done and all(m.full(rules) for m in done)):
            return "PILE_CANASTA_TARGET_FORBIDDEN"
        return "PILE_TOP_NOT_MELDED"
    if runs(rules, laid, top):
        return "PILE_SEQUENCE_START"
    if meld is not None and meld.rank != top[0]:
        meld = None
    canasta = meld is not None and meld.full(rules)
    full = (canasta and rules.take_canasta_rank == "unless_wilds_full"
            and rules.max_wilds and meld.wilds() >= rules.max_wilds)
    if pair >= 2:
        return None
    if meld is not None and rules.take_layoff != "never" and not (
            canasta and rules.take_layoff == "incomplete"):
        return None
    if mixed_pair and rules.take_natural_wild == "allow" and not full:
        return None
    if mixed_pair and rules.take_natural_wild == "never":
        return "PILE_NEEDS_PAIR"
    if mixed_pair and full:
        return "PILE_CANASTA_WILDS_FULL"
    if rules.take_layoff == "never":
        if rules.take_natural_wild == "never":
            return "PILE_NEEDS_PAIR"
        own = any(m.rank == top[0] for m in pos.melds[pos.side])
        return "PILE_LAYOFF_FORBIDDEN" if own else "PILE_TOP_NOT_MELDED"
    own = [m for m in pos.melds[pos.side] if m.rank == top[0]]
    if canasta or (own and rules.take_layoff == "incomplete"
                   and all(m.full(rules) for m in own)):
        return "PILE_CANASTA_TARGET_FORBIDDEN"
    return "PILE_TOP_NOT_MELDED"


def must_take(pos, seat):
    """ALG-16, OWN_MELD and ANY_LEGAL."""
    side, rules = pos.side_of(seat), pos.rules
    if rules.forced_take == "off" or pos.stock or top_code(pos):
        return False
    if rules.forced_take == "any_legal":
        return takes.can_take(pos, seat)
    if rules.forced_take == "own_meld_top_only":
        top = pos.pile[-1]
        return (not pos.frozen(side) and not one_card_ban(pos, seat)
                and any(m.rank == top[0] for m in pos.melds[side]))
    if pos.frozen(side):
        return False
    top = pos.pile[-1]
    own = [m for m in pos.melds[side] if m.rank == top[0]]
    done = [m for m in own if m.full(rules)]
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
    rules, card = pos.rules, action["card"]
    codes = ["PILE_PENDING"] if pos.phase == TAKING else []
    codes += ["THREE_MUST_BE_LAID"] if must_lay(pos) else []
    codes += placing.deferred(pos, pos.hand_size(seat) - 1)
    if pos.hand_size(seat) == 1 and not pos.foot_unused(seat):
        if pos.permission == "no":
            codes.append("GO_OUT_REFUSED")
        codes += out_reasons(pos, pos.melds[pos.side])
        red = r.is_red_three(card) and rules.discard_threes in (
            "black", "black_later")
        return codes + (["DISCARD_THREE_FORBIDDEN"] if red else [])
    if r.is_three(card) and three_barred(pos, card):
        codes.append("DISCARD_THREE_FORBIDDEN")
    if r.is_wild(card) and rules.discard_wilds == "forced_by_draw" \
            and not all_wild(pos, seat):
        codes.append("DISCARD_WILD_FORBIDDEN")
    if barred(pos, card) and not only_barred(pos, seat):
        codes.append("DISCARD_RANK_ON_EMPTY_PILE")
    if pos.permission == "yes":
        codes.append("GO_OUT_BOUND")
    return codes


def all_wild(pos, seat):
    return pos.all_wild_draw and all(map(r.is_wild, pos.hands[seat]))


def barred(pos, card):
    """MA-081: a rank that may not go onto an empty pile."""
    return not pos.pile and card[0] in pos.rules.empty_pile_barred


def only_barred(pos, seat):
    return all(c[0] in pos.rules.empty_pile_barred
               for c in pos.hands[seat] if r.is_natural(c))


def check_ask(pos, seat, action, plan):
    rules = pos.rules
    codes = ["THREE_MUST_BE_LAID"] if must_lay(pos) else []
    used = pos.has_asked if rules.ask_limit == "turn" else seat in pos.asked
    if used:
        codes.append("ASK_USED_UP")
    if pos.melded_since_draw and rules.ask_window == "before_melds":
        codes.append("ASK_TOO_LATE")
    if rules.ask_check == "strict" and not can_go_out(
            pos, pos.melds[pos.side], pos.hands[seat]):
        codes.append("ASK_CANNOT_GO_OUT")
    advisory = rules.ask == "advisory"       # nothing has to be obeyed
    if not advisory and not may_finish(pos, pos.hands[seat], False):
        codes.append("ASK_NO_CHOICE")
    return codes


def check_lay(pos, seat, action, plan):
    """MA-030..036, AC-03: the windows of a three."""
    rules, cards = pos.rules, Counter(action["cards"])
    if not all(map(rules.is_laid_three, cards)):
        return ["THREE_LAY_WRONG_TIME"]
    fresh_only = pos.phase == PLAY and rules.threes_window != "any_time"
    if fresh_only and cards - pos.fresh:
        return ["THREE_LAY_WRONG_TIME"]
    return []


def check_special(pos, seat, action, plan):
    """ALG-19."""
    rules, hand = pos.rules, pos.hands[seat]
    codes = []
    if pos.source != "stock":
        codes.append("SPECIAL_NOT_AFTER_STOCK_DRAW")
    if pos.opened(pos.side):
        codes.append("SPECIAL_SIDE_HAS_MELDED")
    if hand.total() != rules.hand_size + 1:
        codes.append("SPECIAL_WRONG_SIZE")
    if special_value(rules, hand, action["hand"]) is None:
        codes.append("SPECIAL_SHAPE")
    return codes


def special_value(rules, hand, kind):
    """What the hand is worth as this special hand; None if it is none."""
    straight, plain, with_wilds, garbage = rules.special_scores
    ranks = Counter(r.rank(c) for c in hand.elements())
    natural = {k: n for k, n in ranks.items() if k in r.RANKS}
    if kind == "straight":
        wanted = set(r.RANKS + "32X")
        return straight if set(ranks) == wanted and \
            hand.total() == 14 else None
    if kind == "pairs":
        if hand.total() != 14 or any(n % 2 for n in ranks.values()):
            return None
        if sum(natural.values()) == 14:
            return plain
        good = (rules.pairs_wilds == "twos" and ranks["2"] == 2
                and sum(natural.values()) == 12
                and ranks["7"] >= 2 and ranks["A"] >= 2)
        return with_wilds if good else None
    if sum(natural.values()) != 14 or hand.total() != 14:
        return None
    parts = splits(sorted(natural.values()))
    return garbage if (3, 3, 4, 4) in parts else None


def splits(counts):
    """Ways to split counts of ranks into sets of three and four."""
    found = {()}
    for count in counts:
        here = [p for p in ((3,), (4,), (3, 3), (3, 4), (4, 4))
                if sum(p) == count]
        found = {tuple(sorted(a + b)) for a in found for b in here}
    return found


def check_reveal(pos, seat, action, plan):
    """MA-082, AC-49."""
    open_ = pos.exception is not None and action["of"] == pos.exception
    return [] if open_ else ["REVEAL_NOT_AVAILABLE"]


def check_answer(pos, seat, action, plan):
    if pos.phase != ASKED:
        return ["ASK_NOTHING_PENDING"]
    return [] if seat in pos.asked_seats else ["ASK_NOT_ADDRESSED"]


def check_merge(pos, seat, action, plan):
    """SA-036, SAD-08."""
    pair = [pos.find(pos.side, action[name]) for name in ("a", "b")]
    if None in pair:
        return ["MELD_NOT_FOUND"]
    a, b = plan.pair = pair
    full = [m for m in pair if m.full(pos.rules)]
    if a is b or {a.kind, b.kind} != {"set"} or a.rank != b.rank \
            or len(full) == 2:
        return ["MELD_MERGE_FORBIDDEN"]
    codes = []
    other = b if full == [a] else a
    if full and pos.rules.canasta_accepts == "naturals" and other.wilds():
        codes.append("MELD_CANASTA_CLOSED")
    wilds = a.wilds() + b.wilds()
    naturals = len(a.cards) + len(b.cards) - wilds
    if not out.in_wild_cap(pos.rules, naturals, wilds):
        codes.append("MELD_TOO_MANY_WILDS")
    return codes


def check_pass(pos, seat, action, plan):
    """Clarification 4: the foot's one card, and nothing else is legal."""
    stuck = (pos.rules.foot_size and not pos.foot_unused(seat)
             and pos.hand_size(seat) <= 1
             and all(check_discard(pos, seat, {"card": c}, plan)
                     for c in pos.hands[seat])
             and not any(map(pos.rules.is_red_bonus, pos.hands[seat])))
    codes = ["PILE_PENDING"] if pos.phase == TAKING else []
    codes += placing.deferred(pos, 1)
    if pos.rules.pass_discard and pos.hand_size(seat) == 1 \
            and not may_leave(pos):
        return codes                         # HN-044
    return codes if stuck else codes + ["DISCARD_REQUIRED"]


CHECKS = {
    "merge_melds": check_merge, "lay_threes": check_lay,
    "special_hand": check_special, "call_reveal": check_reveal,
    "draw_stock": check_draw, "take_pile": check_take, "meld": check_meld,
    "end_round": check_end_round, "discard": check_discard,
    "ask": check_ask, "answer": check_answer,
    "pass": check_pass,
    "undo_meld": placing.check_undo, "take_top": placing.check_take_top,
    "restore_pile": placing.check_restore,
}
