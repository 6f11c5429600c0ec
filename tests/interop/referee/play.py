"""Carrying out a legal action: the new position and the events."""

from collections import Counter

import judge
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
    events = STEPS[action["type"]](pos, seat, action, plan)
    if pos.end:
        finish(game, pos)
        events.append({"type": "scored"})
    return events


def finish(game, pos):
    pos.phase = state.OVER
    pos.lines = score.score_round(pos)
    totals = [sum(p for p, _ in side.values()) for side in pos.lines]
    game.scores = [s + t for s, t in zip(pos.start_scores, totals)]
    game.over = score.game_result(pos.rules, game.scores) is not None


def draw(pos, seat, action, plan):
    drawn, laid = [], []
    for _ in range(pos.rules.draw_count):
        if not pos.stock:
            break
        card = pos.stock.pop(0)
        drawn.append(card)
        queue = [card] if r.is_red_three(card) else []
        if not queue:
            pos.hands[seat][card] += 1
        for three in queue:
            laid += state.lay_three(pos, seat, three, queue)
    pos.source, pos.phase = "stock", state.PLAY
    if laid and laid[-1]["type"] == "three_laid":   # CL-093: no replacement
        pos.end = {"reason": "last_three", "seat": seat}
    return [{"type": "drew", "seat": seat, "cards": drawn}] + laid


def lay_targets(pos, seat, plan):
    """Put the cards of all targets on the table; melded, canasta events."""
    events = []
    side = pos.rules.side(seat)
    for target in plan.targets:
        meld = target.meld
        if meld is None:
            meld = state.Meld(len(pos.melds[side]), target.kind)
            pos.melds[side].append(meld)
        elif meld.id in pos.old_ids:
            pos.added_to_old = True
        before = meld.grade(pos.rules.canasta_size)
        meld.cards += target.added
        event = {"type": "melded", "side": side, "meld": meld.id,
                 "kind": meld.kind}
        if meld.kind == "set":
            event["rank"] = meld.rank
        event["cards"] = list(target.added)
        event["_whole"] = list(meld.cards)
        events.append(event)
        grade = meld.grade(pos.rules.canasta_size)
        if grade != before:
            events.append({"type": "canasta", "side": side,
                           "meld": meld.id, "grade": grade,
                           "_regraded": before is not None})
    pos.has_melded[seat] = True
    return events


def meld(pos, seat, action, plan):
    pos.hands[seat] -= Counter(judge.named_cards(action))
    events = lay_targets(pos, seat, plan)
    pos.melded_since_draw = True
    return events + went_out(pos, seat)


def take(pos, seat, action, plan):
    pos.hands[seat] -= Counter(judge.named_cards(action))
    events = lay_targets(pos, seat, plan)
    top, rest = pos.pile[-1], pos.pile[:-1]
    events.append({"type": "took_pile", "seat": seat, "cards": rest,
                   "_top": top})
    for card in rest:
        if r.is_red_three(card):             # CL-072: not replaced
            pos.laid[seat].append(card)
            events.append({"type": "three_laid", "seat": seat,
                           "card": card})
        else:
            pos.hands[seat][card] += 1
    pos.pile, pos.freezers = [], 0
    pos.source, pos.phase = "pile", state.PLAY
    return events + went_out(pos, seat)


def discard(pos, seat, action, plan):
    card = action["card"]
    pos.hands[seat] -= Counter([card])
    pos.pile.append(card)
    events = [{"type": "discarded", "seat": seat, "card": card,
               "face_down": False}]
    if r.card_class(card) in pos.rules.discard_freezes:
        if not pos.freezers:
            events.append({"type": "froze", "cause": r.card_class(card)})
        pos.freezers += 1
    events += went_out(pos, seat)
    if not pos.end:
        pos.turn = (pos.turn + 1) % pos.rules.seats
        pos.phase = state.START
        pos.begin_turn()
    return events


def went_out(pos, seat):
    if pos.hand_size(seat):
        return []
    concealed = is_concealed(pos)
    pos.end = {"reason": "went_out", "seat": seat, "concealed": concealed}
    return [{"type": "went_out", "seat": seat, "concealed": concealed}]


def is_concealed(pos):
    """ALG-18, AMB-31, AMB-32."""
    own = [m for m in pos.melds[pos.side] if m.id not in pos.old_ids]
    return (pos.fresh_seat and not pos.added_to_old
            and any(m.grade(pos.rules.canasta_size) for m in own))


def end_round(pos, seat, action, plan):
    pos.end = {"reason": "stock_exhausted", "seat": seat}
    return [{"type": "stock_exhausted"}]


def ask(pos, seat, action, plan):
    pos.asked_seat, pos.has_asked = plan.ask_to, True
    pos.phase = state.ASKED
    return [{"type": "asked", "seat": seat, "about": "go_out",
             "to": plan.ask_to}]


def answer(pos, seat, action, plan):
    pos.permission = "yes" if action["yes"] else "no"
    pos.phase = state.PLAY
    return [{"type": "answered", "seat": seat, "yes": action["yes"]}]


STEPS = {"draw_stock": draw, "meld": meld, "take_pile": take,
         "discard": discard, "end_round": end_round, "ask": ask,
         "answer": answer}
