"""Mutated actions for a game: each is put to two referees.

One line a mutation: {"seq":N,"seat":S,"action":{...},"why":"..."}: seat S
tries action in the position before seq N. Same game and seed, same lines.
"""

import copy
import json
import random

import rules as r
import sequence
from state import ASKED, START, TAKING


def mutations(run, seed, count):
    """Play the game of a Replay and yield about count mutations."""
    rng = random.Random(seed)
    by_why = {}

    def before(line):
        pos = run.game.round
        if pos is None:
            return                           # before the first deal
        for why, seat, action in tries(rng, pos, line):
            entry = {"seq": line["seq"], "seat": seat, "action": action,
                     "why": why}
            by_why.setdefault(why, {})[json.dumps(entry)] = entry

    run.run(before)
    yield from pick(rng, by_why, count)


def pick(rng, by_why, count):
    """Kinds in turn, so that rare kinds are all there; in order of seq."""
    heaps = [list(entries.values()) for _, entries in sorted(by_why.items())]
    for heap in heaps:
        rng.shuffle(heap)
    chosen = []
    while len(chosen) < count and any(heaps):
        for heap in heaps:
            if heap and len(chosen) < count:
                chosen.append(heap.pop())
    return sorted(chosen, key=lambda e: (e["seq"], json.dumps(e)))


def tries(rng, pos, line):
    """All mutations tried before one recorded action."""
    if line["action"]["type"] == "deal":
        yield "round over", pos.turn, {"type": "draw_stock"}
        return
    seat, action = line["seat"], line["action"]
    seats = pos.rules.seats
    other = (seat + rng.randrange(1, seats)) % seats
    yield "wrong seat", other, action
    hand = sorted(pos.hands[pos.turn].elements())
    yield from not_in_rules(pos, pos.turn, hand)
    if pos.phase == ASKED:
        yield from while_asked(rng, pos, hand)
    elif pos.phase == START:
        yield from at_start(rng, pos, hand)
    else:
        yield from in_play(rng, pos, hand)
    yield from of_family(rng, pos, hand)
    yield from of_recorded(rng, pos, seat, action, hand)


def not_in_rules(pos, seat, hand):
    left = (seat + 1) % pos.rules.seats
    for action in (
            {"type": "take_top"}, {"type": "restore_pile"},
            {"type": "pass"}, {"type": "take_talon"},
            {"type": "merge_melds", "a": 0, "b": 1},
            {"type": "lay_threes", "cards": ["3h"]},
            {"type": "special_hand", "hand": "pairs"},
            {"type": "undo_meld", "meld": 0, "cards": hand[:1]}):
        yield "other rules " + action["type"], seat, action
    yield "other rules call_reveal", left, {"type": "call_reveal",
                                            "of": seat}
    yield "answer without question", left, {"type": "answer", "yes": True}


def of_family(rng, pos, hand):
    """What only some rule sets have, where they have it."""
    rules, seat, own = pos.rules, pos.turn, pos.melds[pos.side]
    _, _, threes = split(hand)
    if rules.choice:
        for three in sorted(set(threes)):
            yield "lay a three", seat, {"type": "lay_threes",
                                        "cards": [three]}
        yield "lay all threes", seat, {"type": "lay_threes",
                                       "cards": threes or ["3h"]}
    if rules.special_hands:
        for hand_kind in ("straight", "pairs", "garbage"):
            yield "special hand", seat, {"type": "special_hand",
                                         "hand": hand_kind}
    if rules.merge != "none" and len(own) > 1:
        a, b = rng.sample(own, 2)
        yield "merge", seat, {"type": "merge_melds", "a": a.id, "b": b.id}
        same = [(a, b) for a in own for b in own if a is not b
                and a.rank == b.rank and a.rank]
        if same:
            a, b = rng.choice(same)
            yield "merge of a rank", seat, {"type": "merge_melds",
                                            "a": a.id, "b": b.id}
    if rules.undo_meld and pos.placed:
        number = rng.choice(sorted(pos.placed))
        cards = pos.placed[number]
        yield "undo", seat, {"type": "undo_meld", "meld": number,
                             "cards": cards[:rng.randint(1, len(cards))]}
    if pos.phase == TAKING and pos.taken_top:
        rank = pos.taken_top[0]
        same = [c for c in hand if c[0] == rank]
        for count in range(len(same) + 1):
            yield "place the top", seat, meld(
                dict(group(same[:count]), top=True))
    if pos.phase == START and pos.pile and rules.sequences:
        runs = [m.id for m in own if m.kind == "sequence"]
        for number in runs[:3]:
            yield "top onto a sequence", seat, take([], number)
    if pos.exception is not None:
        caller = (pos.exception + 1) % rules.seats
        yield "call for proof", caller, {"type": "call_reveal",
                                         "of": pos.exception}


def while_asked(rng, pos, hand):
    seat, asked = pos.turn, pos.asked_seats[0]
    yield "discard while asked", seat, discard(rng.choice(hand))
    yield "draw while asked", seat, {"type": "draw_stock"}
    yield "answer by the asker", seat, {"type": "answer", "yes": True}
    left = (seat + 1) % pos.rules.seats
    yield "answer by a neighbour", left, {"type": "answer", "yes": False}
    yield "other answer", asked, {"type": "answer", "yes": False}
    for mate in pos.asked_seats[1:]:
        yield "another answers first", mate, {"type": "answer", "yes": True}
    yield "ask while asked", seat, ask(asked)


def discard(card):
    return {"type": "discard", "card": card}


def ask(to):
    action = {"type": "ask", "about": "go_out"}
    return action if to is None else dict(action, to=to)


def meld(*groups):
    return {"type": "meld", "groups": list(groups)}


def group(cards, onto="auto", kind="set"):
    return {"kind": kind, "onto": onto, "cards": list(cards)}


def split(cards):
    """(naturals by rank, wilds, black threes) of a hand."""
    ranks = {}
    for card in cards:
        if r.is_natural(card):
            ranks.setdefault(card[0], []).append(card)
    return (ranks, [c for c in cards if r.is_wild(c)],
            [c for c in cards if r.is_three(c)])


def random_onto(rng, pos):
    own, others = pos.melds[pos.side], []
    for side, melds in enumerate(pos.melds):
        if side != pos.side:
            others += [f"{side}:{m.id}" for m in melds]
    roll = rng.random()
    if roll < 0.6:
        return "auto"
    if roll < 0.7:
        return "new"
    if roll < 0.9 and own:
        return rng.choice(own).id
    if roll < 0.95 and others:
        return rng.choice(others)
    return rng.choice([99, f"{pos.side}:0", 0])


def random_group(rng, pos, cards):
    """A group from cards that looks like a meld; the cards are removed."""
    ranks, wilds, threes = split(cards)
    kind, chosen = "set", []
    roll = rng.random()
    if roll < 0.06 and threes:
        kind, chosen = "black_threes", list(threes)
    elif roll < 0.14 and wilds:
        kind = rng.choice(["wild", "set"])
        chosen = wilds[:rng.randint(1, len(wilds))]
    elif pos.rules.sequences and ranks and roll < 0.5:
        kind, chosen = "sequence", random_run(rng, cards)
    elif ranks:
        size = {k: len(v) + rng.random() for k, v in ranks.items()}
        rank = max(size, key=size.get)
        if rng.random() < 0.5:
            rank = rng.choice(sorted(ranks))
        chosen = ranks[rank][:rng.randint(1, len(ranks[rank]))]
        if wilds and rng.random() < 0.4:
            chosen = chosen + wilds[:rng.randint(1, min(4, len(wilds)))]
    if rng.random() < 0.04 and cards:
        chosen = chosen + [rng.choice(cards)]
    for card in set(chosen):                 # no more than is held
        while chosen.count(card) > cards.count(card):
            chosen.remove(card)
    for card in chosen:
        cards.remove(card)
    return group(chosen, random_onto(rng, pos), kind)


def random_run(rng, cards):
    """Cards of one suit that follow each other, or nearly."""
    first = rng.choice([c for c in cards if r.is_natural(c)])
    suited = sorted({c for c in cards if r.is_natural(c)
                     and c[1] == first[1]},
                    key=lambda c: sequence.ORDER.index(c[0]))
    at = suited.index(first)
    return suited[at:at + rng.randint(1, 5)]


def random_groups(rng, pos, cards, most):
    cards = list(cards)
    groups = [random_group(rng, pos, cards)
              for _ in range(rng.randint(1, most))]
    return [g for g in groups if g["cards"]] or groups[:1]


def lay_all(rng, pos, hand, keep):
    """A batch that leaves keep cards, sensible where it can be."""
    cards = list(hand)
    for _ in range(min(keep, len(cards))):
        cards.remove(rng.choice(cards))
    ranks, wilds, threes = split(cards)
    groups = [group(v) for _, v in sorted(ranks.items())]
    for wild in wilds:
        if groups:
            rng.choice(groups)["cards"].append(wild)
    if threes:
        groups.append(group(threes, kind="black_threes"))
    return meld(*groups)


def at_start(rng, pos, hand):
    seat = pos.turn
    card = rng.choice(hand)
    yield "discard before draw", seat, discard(card)
    yield "meld before draw", seat, meld(
        *random_groups(rng, pos, hand, 2))
    mates = pos.mates(seat)
    yield "ask before draw", seat, ask(mates[0] if mates else None)
    yield "end round", seat, {"type": "end_round"}
    yield "draw", seat, {"type": "draw_stock"}
    if not pos.pile:
        yield "take nothing", seat, take([])
        return
    top, buried = pos.pile[-1], pos.pile[:-1]
    ranks, wilds, threes = split(hand)
    same = ranks.get(top[0], []) if r.is_natural(top) else []
    yield "take bare", seat, take([])
    yield "take one natural", seat, take(same[:1] or [card])
    yield "take pair", seat, take(same[:2])
    yield "take all of the rank", seat, take(same)
    yield "take with a wild", seat, take(same[:1] + wilds[:1])
    yield "take with wilds", seat, take(same[:2] + wilds[:4])
    yield "take onto new", seat, take(same[:2], "new")
    yield "take onto anything", seat, take(
        same[:rng.randint(0, 3)], random_onto(rng, pos))
    yield "take with another rank", seat, take(same[:2] + [card])
    yield "take the top from hand", seat, take([top])
    if threes:
        yield "take with a three", seat, take(same[:2] + threes[:1])
    if buried:
        deep = rng.choice(buried)
        yield "take with a buried card", seat, take(same[:1] + [deep])
        yield "also with a buried card", seat, take(
            same[:2], also=[group([deep])])
    rest = [c for c in hand if c not in same]
    for most in (1, 2, 3):
        yield "take and more", seat, take(
            same[:2], also=random_groups(rng, pos, rest, most))
    yield "take and an empty group", seat, take(same[:2], also=[group([])])
    everything = lay_all(rng, pos, rest, rng.randint(0, 1))["groups"]
    yield "take and lay all", seat, take(same, also=everything)


def take(laid, onto="auto", also=()):
    return {"type": "take_pile", "with": list(laid), "onto": onto,
            "also": list(also)}


def in_play(rng, pos, hand):
    seat, own = pos.turn, pos.melds[pos.side]
    ranks, wilds, threes = split(hand)
    yield "draw twice", seat, {"type": "draw_stock"}
    yield "take after the draw", seat, take([])
    yield "end round in play", seat, {"type": "end_round"}
    missing = sorted(set(r.pack(1, 1)) - set(hand))
    yield "discard not held", seat, discard(rng.choice(missing))
    yield "any discard", seat, discard(rng.choice(hand))
    yield "meld nothing", seat, meld()
    yield "empty group", seat, meld(group([]))
    mates = pos.mates(seat)
    yield "ask", seat, ask(rng.choice(mates) if mates else None)
    yield "ask nobody", seat, ask((seat + 1) % pos.rules.seats)
    yield "ask without naming", seat, ask(None)
    for most in (1, 1, 2, 3):
        yield "any meld", seat, meld(*random_groups(rng, pos, hand, most))
    for keep in (0, 1):
        yield f"lay all but {keep}", seat, lay_all(rng, pos, hand, keep)
    if wilds:
        yield "wilds by auto", seat, meld(group(wilds))
        yield "wild meld", seat, meld(group(wilds, kind="wild"))
        if own:
            yield "wilds onto a meld", seat, meld(
                group(wilds[:rng.randint(1, 4)], rng.choice(own).id))
    if threes:
        yield "black threes early", seat, meld(
            group(threes, kind="black_threes"))
        yield "black three in a set", seat, meld(
            group(threes[:1] + hand[-2:]))
        yield "black threes with others", seat, meld(
            group(threes + wilds[:1], kind="black_threes"))
        yield "black threes with a natural", seat, meld(
            group(threes + [c for v in ranks.values() for c in v][:1],
                  kind="black_threes"))
    long = [v for v in ranks.values() if len(v) >= 2]
    for cards in long[:2]:
        yield "short meld", seat, meld(group(cards[:2]))
        yield "too many wilds", seat, meld(group(cards[:2] + wilds))
        yield "two news of a rank", seat, meld(
            group(cards[:1], "new"), group(cards[1:], "new"))
        yield "rank in two groups", seat, meld(
            group(cards[:1]), group(cards[1:] + wilds[:1]))
        yield "as a sequence", seat, meld(group(cards, kind="sequence"))
        yield "as a wild meld", seat, meld(group(cards, kind="wild"))
    if len(ranks) >= 2:
        two = [v[0] for v in ranks.values()][:2]
        yield "mixed ranks", seat, meld(group(two + wilds[:1]))
        yield "mixed ranks", seat, meld(group(two + wilds[:2]))
    for meld_ in own:
        if meld_.rank in ranks:
            cards = ranks[meld_.rank]
            yield "new on an own rank", seat, meld(group(cards, "new"))
            yield "auto and named", seat, meld(
                group(cards[:1]), group(cards[1:] or wilds[:1], meld_.id))
    if own and ranks:
        yield "onto another rank", seat, meld(group(
            ranks[rng.choice(sorted(ranks))], rng.choice(own).id))
        yield "no such meld", seat, meld(group(hand[:1], 77))
    foreign = [f"{s}:{m.id}" for s, ms in enumerate(pos.melds)
               for m in ms if s != pos.side]
    if foreign:
        yield "foreign meld", seat, meld(
            group(hand[:1], rng.choice(foreign)))


def of_recorded(rng, pos, seat, action, hand):
    """Small changes to the action that was really made."""
    kind = action["type"]
    missing = rng.choice(sorted(set(r.pack(1, 1)) - set(hand)))
    if kind == "meld":
        for name, change in (("short", drop), ("card not held", add),
                             ("other onto", move)):
            new = copy.deepcopy(action)
            change(rng, pos, rng.choice(new["groups"]), missing)
            yield f"recorded meld, {name}", seat, new
        new = copy.deepcopy(action)
        new["groups"] = new["groups"][:-1] + new["groups"][-1:] * 2
        yield "recorded meld, group twice", seat, new
        if len(action["groups"]) > 1:
            new = meld(group([c for g in action["groups"]
                              for c in g["cards"]]))
            yield "recorded meld, all in one", seat, new
            for one in action["groups"]:
                yield "recorded meld, one group", seat, meld(one)
    elif kind == "take_pile":
        if action["with"]:
            new = copy.deepcopy(action)
            new["with"].pop()
            yield "recorded take, short", seat, new
        new = copy.deepcopy(action)
        new["with"].append(missing)
        yield "recorded take, card not held", seat, new
        new = copy.deepcopy(action)
        new["with"].append(rng.choice(hand))
        yield "recorded take, one more", seat, new
        if action.get("also"):
            yield "recorded take, without also", seat, dict(action, also=[])
        yield "recorded take, other onto", seat, dict(
            action, onto=random_onto(rng, pos))


def drop(rng, pos, change, missing):
    if not change["cards"]:
        return                               # the top alone
    change["cards"].remove(rng.choice(change["cards"]))


def add(rng, pos, change, missing):
    change["cards"].append(missing)


def move(rng, pos, change, missing):
    change["onto"] = random_onto(rng, pos)
