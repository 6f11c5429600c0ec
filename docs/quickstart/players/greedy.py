#!/usr/bin/env python3
"""A player in Python that lays all it can: canasta-player/1, which docs/play/PLAYERS.md describes."""

import json
import re
import sys

POINTS = {"X": 50, "2": 20, "A": 20, "K": 10, "Q": 10, "J": 10, "T": 10, "9": 10, "8": 10}


def cards(text):
    return re.findall(r"X|[2-9TJQKA][shdc]", text)


def sections(position, name):
    """The sections of a position that begin with a name: "hand N", "melds", "pile"."""
    parts = [part.strip() for part in position.split(";")]
    return [part[len(name):] for part in parts if part.startswith(name + " ")]


def merit(action, hand, pile):
    """A number for each action: the highest is played."""
    kind, _, rest = action.partition(" ")
    laid = sum(POINTS.get(card[0], 5) for card in cards(rest))
    if kind == "discard":
        card = cards(rest)[0]
        if card[0] in "X2":
            return -50
        if card in ("3s", "3c"):
            return 30
        # Cards that lie in pairs may soon be melds.
        return 20 - 10 * sum(other[0] == card[0] for other in hand) - POINTS.get(card[0], 5) / 10
    if kind == "take":
        return 200 + 10 * len(pile)
    if kind == "meld":
        return 100 + laid - 60 * sum(card[0] in "X2" for card in cards(rest))
    if action == "answer no" or kind in ("ask", "take_top", "undo_meld", "restore_pile"):
        return -1000
    return {"special_hand": 1000, "lay_threes": 500, "draw": 150, "merge_melds": -10}.get(kind, 0)


def answer(question, seat):
    if question["op"] == "hello":
        return {"protocol": "canasta-player/1", "name": "greedy"}
    if question["op"] != "choose":
        return {}
    position, actions = question["position"], question["actions"]
    hand = [card for part in sections(position, "hand " + seat) for card in cards(part)]
    pile = [card for part in sections(position, "pile") for card in cards(part)]
    return {"action": max(range(len(actions)), key=lambda at: merit(actions[at], hand, pile))}


seat = "0"
for line in sys.stdin:
    question = json.loads(line)
    if question["op"] == "game":
        seat = "NESW"[question["seat"]] if question["seats"] == 4 else str(question["seat"])
    print(json.dumps(answer(question, seat)), flush=True)
