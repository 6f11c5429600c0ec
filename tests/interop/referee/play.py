"""Carrying out a legal action: the new position and the events."""

from collections import Counter

import judge
import placing
import rules as r
import score
import state


class Illegal(Exception):
    def __init__(self, codes):
        super().__init__(", ".join(codes))
        self.codes = codes


def play(game, seat, action):
    """Judge and carry out; returns the events or raises Illegal."""
    codes, plan = judge.judge(game, seat, action)
    if codes:
        raise Illegal(codes)
    pos = game.round
    kind = action["type"]
    events = STEPS[kind](pos, seat, action, plan)
    if kind not in ("lay_threes", "draw_stock"):
        pos.fresh = Counter()                # AC-03: the window closes
    if kind not in ("discard", "call_reveal"):
        pos.exception = None
    if pos.end:
        finish(game, pos)
        events.append({"type": "scored"})
    return events


def finish(game, pos):
    pos.phase = state.OVER
    pos.lines = score.score_round(pos)
    totals = [sum(p for p, _ in unit.values()) for unit in pos.lines]
    game.scores = [s + t for s, t in zip(pos.start_scores, totals)]
    game.over = score.game_result(pos.rules, game.scores,
                                  pos.number) is not None


def draw(pos, seat, action, plan):
    drawn, laid = [], []
    for _ in range(pos.rules.cards_drawn(pos.number)):
        if not pos.stock:
            break
        card = pos.stock.pop(0)
        drawn.append(card)
        if pos.rules.threes_drawn == "choice":
            pos.hands[seat][card] += 1
            if pos.rules.is_laid_three(card):
                pos.fresh[card] += 1
            continue
        queue = [card] if pos.rules.is_laid_three(card) else []
        if not queue:
            pos.hands[seat][card] += 1
        for three in queue:
            laid += state.lay_three(pos, seat, three, queue)
    pos.source, pos.phase = "stock", state.PLAY
    pos.all_wild_draw = all(map(r.is_wild, pos.hands[seat]))
    if (laid and laid[-1]["type"] == "three_laid"   # CL-093: no replacement
            and pos.rules.last_three == "end_round"):
        pos.end = {"reason": "last_three", "seat": seat}
    return [{"type": "drew", "seat": seat, "cards": drawn}] + laid


def lay_targets(pos, seat, plan):
    """Put the cards of all targets on the table; melded, canasta events."""
    events = []
    side = pos.side_of(seat)
    for target in plan.targets:
        meld = target.meld
        if meld is None:
            meld = state.Meld(pos.next_id(side), target.kind)
            pos.melds[side].append(meld)
        elif meld.id in pos.old_ids:
            pos.added_to_old = True
        before = meld.grade(pos.rules)
        meld.cards += target.added
        pos.placed.setdefault(meld.id, []).extend(target.added)
        if target.is_top and pos.phase == state.TAKING:
            pos.top_placed, pos.taken_top = pos.taken_top, None
            pos.top_meld = meld.id
        event = {"type": "melded", "side": side, "meld": meld.id,
                 "kind": meld.kind}
        if meld.kind == "set":
            event["rank"] = meld.rank
        event["cards"] = list(target.added)
        event["_whole"] = list(meld.cards)
        events.append(event)
        grade = meld.grade(pos.rules)
        if grade != before:
            events.append({"type": "canasta", "side": side,
                           "meld": meld.id, "grade": grade,
                           "_regraded": before is not None})
    pos.has_melded[seat] = True
    pos.opener.setdefault(side, seat)
    return events


def meld(pos, seat, action, plan):
    pos.hands[seat] -= Counter(judge.named_cards(action))
    events = lay_targets(pos, seat, plan)
    pos.melded_since_draw = True
    return events + release(pos, seat) + went_out(pos, seat)


def release(pos, seat):
    """HN-068: the rest of the pile follows the top."""
    if not placing.released(pos):
        return []
    for target in placing.valid(pos):
        pos.locked[target.number] = list(pos.placed[target.number])
    return receive(pos, seat, pos.pile, None)


def take_top(pos, seat, action, plan):
    pos.taken_top = pos.pile.pop()
    pos.phase = state.TAKING
    return [{"type": "took_top", "seat": seat, "card": pos.taken_top}]


def restore_pile(pos, seat, action, plan):
    """AMB-HN-09: everything placed since goes back."""
    side = pos.side_of(seat)
    top = pos.taken_top or pos.top_placed
    events = []
    for number in sorted(pos.placed):
        cards = list(pos.placed[number])
        take_back(pos, side, number, cards)
        if number == pos.top_meld and pos.top_placed:
            cards.remove(top)
        pos.hands[seat] += Counter(cards)
        events.append({"type": "unmelded", "side": side, "meld": number,
                       "cards": cards})
    pos.pile.append(top)
    pos.restores[side] += 1
    opened = pos.was_opened
    pos.begin_turn()
    pos.was_opened, pos.phase = opened, state.START
    return events + [{"type": "restored_pile", "seat": seat}]


def take_back(pos, side, number, cards):
    found = pos.find(side, number)
    for card in cards:
        found.cards.remove(card)
        pos.placed[number].remove(card)
    if not pos.placed[number]:
        del pos.placed[number]
    if not found.cards:
        pos.melds[side].remove(found)


def undo_meld(pos, seat, action, plan):
    side, cards = pos.side_of(seat), list(action["cards"])
    take_back(pos, side, action["meld"], cards)
    pos.hands[seat] += Counter(cards)
    return [{"type": "unmelded", "side": side, "meld": action["meld"],
             "cards": cards}]


def take(pos, seat, action, plan):
    pos.hands[seat] -= Counter(judge.named_cards(action))
    events = lay_targets(pos, seat, plan)
    if plan.top_only:                        # HN-048
        top = pos.pile.pop()
        pos.upcards = min(pos.upcards, len(pos.pile))
        pos.source, pos.phase = "top", state.PLAY
        return events + [{"type": "took_pile", "seat": seat, "cards": [],
                          "_top": top}] + went_out(pos, seat)
    pos.locked = {k: list(v) for k, v in pos.placed.items()}
    return events + receive(pos, seat, pos.pile[:-1], pos.pile[-1])


def receive(pos, seat, rest, top):
    """The cards under the top go to the hand."""
    events = []
    stays = len(pos.pile) - (pos.rules.pile_portion or len(pos.pile))
    left, rest = rest[:max(0, stays)], rest[max(0, stays):]
    events.append({"type": "took_pile", "seat": seat, "cards": rest,
                   "_top": top})
    for card in rest:
        if not pos.rules.is_laid_from_pile(card):
            pos.hands[seat][card] += 1
        elif pos.rules.pile_threes_replaced and r.is_red_three(card):
            queue = [card]
            for three in queue:
                events += state.lay_three(pos, seat, three, queue)
        else:                                # CL-072, CL-117: not replaced
            pos.laid[seat].append(card)
            events.append({"type": "three_laid", "seat": seat,
                           "card": card})
    pos.pile, pos.upcards = left, min(pos.upcards, len(left))
    start, later = left[:pos.upcards], left[pos.upcards:]
    pos.freezers = sum(
        r.card_class(card) in freezers for cards, freezers in (
            (start, pos.rules.start_freezes),
            (later, pos.rules.discard_freezes)) for card in cards)
    pos.source, pos.phase = "pile", state.PLAY
    if top is None:                          # a take in two steps
        return events + form_sides(pos, seat)
    return events + form_sides(pos, seat) + went_out(pos, seat)


def discard(pos, seat, action, plan):
    card = action["card"]
    exception = pos.hand_size(seat) > 1 and (
        judge.barred(pos, card)
        or (r.is_wild(card) and pos.rules.discard_wilds != "any"))
    pos.hands[seat] -= Counter([card])
    pos.pile.append(card)
    hidden = (pos.rules.final_face_down and not pos.hand_size(seat)
              and not pos.foot_unused(seat))         # nobody goes out
    events = [{"type": "discarded", "seat": seat, "card": card,
               "face_down": hidden}]
    if r.card_class(card) in pos.rules.discard_freezes:
        if not pos.frozen_against_all():
            events.append({"type": "froze", "cause": r.card_class(card)})
        pos.freezers += 1
    if not pos.foot_unused(seat):            # HF-078: it comes later
        events += went_out(pos, seat)
    return events + next_turn(pos, seat, exception)


def next_turn(pos, seat, exception=False):
    pos.had_turn[seat] = True
    events = []
    if (not pos.end and not pos.stock
            and pos.rules.stock_out == "finish_turn"):
        pos.end = {"reason": "last_drawer_done", "seat": seat}
    if not pos.end:
        events += award_talon(pos, seat)
        pos.turn = (pos.turn + 1) % pos.rules.seats
        pos.phase = state.START
        pos.begin_turn()
        pos.exception = seat if exception else None
        events += take_talon(pos)
        earned = not pos.hand_size(pos.turn) or (    # HF-110
            pos.rules.foot_comes == "first_canasta"
            and len(pos.feet[pos.turn])              # HF-115: the knee alone
            == len(pos.rules.foot_sizes)
            and any(m.full(pos.rules) for m in pos.melds[pos.side]))
        if earned and pos.foot_unused(pos.turn):
            events += take_foot(pos, pos.turn)
    return events


def award_talon(pos, seat):
    """MA-110, MA-111: after the turn of a side's initial meld."""
    side = pos.side_of(seat)
    if not pos.talons or pos.opener.get(side) != seat:
        return []
    pos.opener[side] = None                  # awarded once
    number = next(i for i, t in enumerate(pos.talons) if t[1] is None)
    pos.talons[number][1] = seat
    return [{"type": "talon_awarded", "seat": seat, "talon": number}]


def take_talon(pos):
    """MA-113: it joins the hand when the owner's turn begins."""
    for talon in pos.talons:
        if talon[1] == pos.turn and talon[0]:
            cards, talon[0] = talon[0], []
            pos.hands[pos.turn] += Counter(cards)
            return [{"type": "took_talon", "seat": pos.turn,
                     "cards": cards}]
    return []


def lay_threes(pos, seat, action, plan):
    """One after another, each replaced before the next."""
    events = []
    for card in action["cards"]:
        pos.hands[seat] -= Counter([card])
        pos.fresh -= Counter([card])
        pos.laid[seat].append(card)
        events.append({"type": "three_laid", "seat": seat, "card": card})
        if not pos.stock:
            if pos.rules.last_three == "end_round":
                pos.end = {"reason": "last_three", "seat": seat}
                break
            continue
        if pos.rules.threes_drawn == "auto":
            pos.laid[seat].pop()
            events.pop()
            queue = [card]                   # a red replacement is laid too
            for three in queue:
                events += state.lay_three(pos, seat, three, queue)
            continue
        new = pos.stock.pop(0)
        pos.hands[seat][new] += 1
        if pos.phase == state.PLAY and pos.rules.is_laid_three(new):
            pos.fresh[new] += 1
        events.append({"type": "replaced", "seat": seat, "card": new})
    if not pos.end and not pos.hand_size(seat) and pos.foot_unused(seat):
        events += take_foot(pos, seat)
    if pos.source == "stock":
        pos.all_wild_draw = all(map(r.is_wild, pos.hands[seat]))
    return events


def special_hand(pos, seat, action, plan):
    kind, cards = action["hand"], sorted(pos.hands[seat].elements())
    value = judge.special_value(pos.rules, pos.hands[seat], kind)
    pos.end = {"reason": "special_hand", "seat": seat, "value": value}
    return [{"type": "special_hand", "seat": seat, "hand": kind,
             "cards": cards}]


def call_reveal(pos, seat, action, plan):
    of = action["of"]
    return [{"type": "revealed", "seat": of,
             "cards": sorted(pos.hands[of].elements())}]


def went_out(pos, seat):
    if pos.hand_size(seat):
        return []
    if pos.foot_unused(seat):
        return take_foot(pos, seat)
    concealed = is_concealed(pos)
    formed = form_sides(pos, seat)
    pos.end = {"reason": "went_out", "seat": seat, "concealed": concealed}
    return formed + [{"type": "went_out", "seat": seat,
                      "concealed": concealed}]


def take_foot(pos, seat):
    """HF-077..080: its threes are replaced by HF-108 only.

    HF-115: the next one that waits.
    """
    cards = sorted(pos.feet[seat].pop(0))
    events = [{"type": "took_foot", "seat": seat}]
    for card in cards:
        if not pos.rules.is_laid_three(card):
            pos.hands[seat][card] += 1
        elif pos.rules.foot_threes == "replaced":
            queue = [card]
            for three in queue:
                events += state.lay_three(pos, seat, three, queue)
        else:
            pos.laid[seat].append(card)
            events.append({"type": "three_laid", "seat": seat,
                           "card": card})
    if not pos.hand_size(seat) and pos.foot_unused(seat):
        events += take_foot(pos, seat)       # AMB-HF-35: only threes in it
    return events


def form_sides(pos, lone):
    """ALG-22: the other two become a side, their melds one set (AMB-38)."""
    if pos.rules.side_formation != "lone_taker" or pos.lone is not None:
        return []
    pos.lone = lone
    low, high = (s for s in range(3) if s != lone)
    events = [{"type": "sides_fixed", "lone": lone}]
    rules = pos.rules
    moved, pos.melds[high] = pos.melds[high], []
    for meld in moved:
        target = next((m for m in pos.melds[low] if m.kind == meld.kind
                       and m.rank == meld.rank), None)
        if target is None:
            meld.id = pos.next_id(low)
            pos.melds[low].append(meld)
            continue
        before = target.grade(rules)
        events.append({"type": "merged", "side": low, "a": target.id})
        target.cards += meld.cards
        if target.grade(rules) != before:
            events.append({"type": "canasta", "side": low,
                           "meld": target.id, "grade": target.grade(rules),
                           "_regraded": before is not None})
    return events


def is_concealed(pos):
    """ALG-18, AMB-31, AMB-32."""
    own = [m for m in pos.melds[pos.side] if m.id not in pos.old_ids]
    return (pos.fresh_seat and not pos.added_to_old
            and any(m.grade(pos.rules) for m in own))


def end_round(pos, seat, action, plan):
    pos.end = {"reason": "stock_exhausted", "seat": seat}
    return [{"type": "stock_exhausted"}]


def ask(pos, seat, action, plan):
    pos.asked_seats, pos.has_asked = list(plan.ask_to), True
    pos.asked.add(seat)
    pos.phase = state.ASKED
    return [{"type": "asked", "seat": seat, "about": "go_out", "to": to}
            for to in plan.ask_to]


def answer(pos, seat, action, plan):
    if pos.rules.ask == "advisory":
        pos.asked_seats, pos.phase = [], state.PLAY
        return [{"type": "answered", "seat": seat, "yes": action["yes"]}]
    pos.asked_seats.remove(seat)             # ALL: every mate answers
    if not action["yes"]:
        pos.permission = "no"                # one refusal binds
    elif pos.permission != "no":
        pos.permission = "yes"
    if pos.rules.ask_whom == "any" or not pos.asked_seats:
        pos.asked_seats, pos.phase = [], state.PLAY
    return [{"type": "answered", "seat": seat, "yes": action["yes"]}]


def merge(pos, seat, action, plan):
    a, b = plan.pair
    before = a.grade(pos.rules)
    a.cards += b.cards
    side = pos.side_of(seat)
    pos.melds[side].remove(b)
    if a.id in pos.old_ids or b.id in pos.old_ids:
        pos.added_to_old = True
    pos.melded_since_draw = True
    events = [{"type": "merged", "side": side, "a": a.id, "b": b.id}]
    grade = a.grade(pos.rules)
    if grade != before:
        events.append({"type": "canasta", "side": side, "meld": a.id,
                       "grade": grade, "_regraded": before is not None})
    return events


def pass_turn(pos, seat, action, plan):
    return [{"type": "passed", "seat": seat}] + next_turn(pos, seat)


STEPS = {"take_top": take_top, "restore_pile": restore_pile,
         "undo_meld": undo_meld, "pass": pass_turn, "merge_melds": merge, "lay_threes": lay_threes,
         "special_hand": special_hand, "call_reveal": call_reveal,
         "draw_stock": draw, "meld": meld, "take_pile": take,
         "discard": discard, "end_round": end_round, "ask": ask,
         "answer": answer}
