#!/usr/bin/env python3
"""Reads open state tokens with nothing but docs/formats/TOKEN.md: no code of the engine.

token_reference.py           reads the examples of the page and compares them with what the page says
token_reference.py HEX       prints what a token says (presets of two packs only)
"""

import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs/formats/TOKEN.md"
RANKS = "A23456789TJQK"
# number: name, seats, sides, packs, jokers
PRESETS = {0: ("classic-4p", 4, 2, 2, 4), 10: ("classic-2p", 2, 2, 2, 4)}
PHASES = "setup deal start play asked round_over game_over".split()


def name(card):
    return "X" if card == 52 else RANKS[card % 13] + "cdhs"[card // 13]


class Bits:
    def __init__(self, data):
        self.number = int.from_bytes(data, "little")
        self.left = len(data) * 8

    def u(self, width):
        assert width <= self.left, "cut off"
        value = self.number & ((1 << width) - 1)
        self.number >>= width
        self.left -= width
        return value

    def num(self, most):
        length = self.u(most.bit_length())
        assert length <= most
        return self.u(length - 1) | 1 << (length - 1) if length else 0

    def cards(self, count):
        return [self.u(6) for _ in range(count)]


def read(token):
    assert token[:2] == b"\xc7\x02"
    preset, seats, sides, packs, jokers = PRESETS[token[2] & 31]
    flags, at = token[3], 4
    assert flags & 1 == 0, "house rules are not read here"

    def take(size):
        nonlocal at
        at += size
        return token[at - size : at]

    said = {"preset": preset, "phase": PHASES[flags >> 5], "game id": take(16).hex(), "head": take(32).hex()}
    source = flags >> 2 & 3
    take([64, 64, 32, 0][source])
    said["expires"] = int.from_bytes(take(8), "little", signed=True) if flags & 16 else None
    if token[2] & 64:
        who = take(1)[0]
        said["keys"] = {seat: take(32).hex() for seat in range(seats) if who >> seat & 1}
        said["director"] = take(32).hex() if who & 64 else None
        said["penalties"] = int.from_bytes(take(2), "little") if who & 128 else None
    if token[2] & 32 and said["phase"] == "deal":
        who = take(1)[0]
        said["registered"] = {seat: take(32).hex() for seat in range(seats) if who >> seat & 1}
        said["beacon"] = who >> 7
    bits = Bits(token[at:])
    if source == 2:
        bits.cards(bits.u(9))
    said["n"], said["seq"] = bits.num(64), bits.num(64)
    said["scores"] = [-(z + 1) // 2 if z & 1 else z // 2 for z in (bits.num(32) for _ in range(sides))]
    said["round"], said["attempt"], said["dealer"] = bits.num(16), bits.num(16), bits.u(3)
    said["over"] = (bits.u(3), bits.u(3), bits.u(1)) if bits.u(1) else None
    said["length"] = [bits.num(15), bits.num(21)]
    said["melded"], said["asked"] = bits.u(seats), bits.u(seats)
    said["turn"], said["source"], said["marks"] = bits.u(3), bits.u(2), bits.u(3)
    said["permission"] = {0: lambda: (), 1: lambda: (bits.u(1), bits.u(3)), 2: lambda: (), 3: lambda: (bits.u(3),)}[
        bits.u(2)
    ]()
    said["new from"] = bits.u(8)
    plain = bits.u(1)
    if not plain:
        said["next ids"] = [bits.u(8) for _ in range(sides)]
    phase = said["phase"]
    on_table = bits.u(1) if phase == "game_over" else phase not in ("setup", "deal")
    if on_table:
        read_cards(bits, said, plain, seats, sides, packs, jokers)
    assert bits.left < 8 and bits.number == 0, "padding"
    return said


def read_cards(bits, said, plain, seats, sides, packs, jokers):
    copies, joker_bits = packs.bit_length(), jokers.bit_length()
    rest = [packs] * 52 + [jokers]
    stock, pile = bits.u(9), bits.u(9)
    said["start"] = bits.num(9)
    zones = {"stock": bits.cards(stock), "pile": bits.cards(pile)}
    for seat in range(seats):
        zones[f"laid {seat}"] = [15] * bits.u(copies) + [28] * bits.u(copies)
    counts = [bits.num(8) for _ in range(sides)]

    def wilds():
        twos = [card for suit in range(4) for card in [suit * 13 + 1] * bits.u(copies)]
        return twos + [52] * bits.u(joker_bits)

    for side in range(sides):
        for number in range(counts[side]):
            number = number if plain else bits.u(8)
            kind = bits.u(2)
            if kind == 0:
                rank = bits.u(4)
                cards = [card for suit in range(4) for card in [suit * 13 + rank] * bits.u(copies)]
                cards += wilds() if bits.u(1) else []
            else:
                cards = wilds() if kind == 1 else [2] * bits.u(copies) + [41] * bits.u(copies)
            zones[f"meld {side}.{number}"] = cards
    for card in (card for zone in zones.values() for card in zone):
        rest[card] -= 1
        assert rest[card] >= 0, "a card too many"
    hands = [[] for _ in range(seats)]
    for card in range(53):
        for _ in range(rest[card]):
            hands[bits.u((seats - 1).bit_length())].append(card)
    zones.update({f"hand {seat}": hand for seat, hand in enumerate(hands)})
    said.update({zone: " ".join(map(name, cards)) for zone, cards in zones.items() if cards})


def main():
    if len(sys.argv) > 1:
        for field, value in read(bytes.fromhex(sys.argv[1])).items():
            print(f"{field}: {value}")
        return
    examples = re.findall(r"```text\n(.*?)```\n+```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.S)
    assert len(examples) == 2, "the page has two examples"
    import json

    for block, said in examples:
        token = bytes.fromhex("".join(line.split("#")[0] for line in block.splitlines()))
        found = json.loads(json.dumps(read(token)))
        assert found == json.loads(said), (found, said)
    print("docs/formats/TOKEN.md: both examples read as the page says")


main()
