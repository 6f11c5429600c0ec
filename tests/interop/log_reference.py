#!/usr/bin/env python3
"""A second reader of `.clog` files, written from docs/LOG_FORMAT.md with the standard library alone.

    log_reference.py LOG...            prints every record as one JSON object a line
    log_reference.py --page PAGE       reads the example on the page and compares its heads

It verifies framing, chain, form and caps of every field; it plays nothing and checks no signature.
Exit status: 0 intact, 1 a fault (named with record, byte and reason), 2 usage.
"""

import hashlib
import json
import re
import sys

HEADER = bytes.fromhex("89434c4f470d0a1a02")


class Fault(Exception):
    pass


# --- Frames and chain


def crc8(data):
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ (7 if crc & 0x80 else 0)) & 0xFF
    return crc


def frames(log):
    """Yields number, offset, payload, head; raises Fault at the first fault."""
    if log[:8] == HEADER[:8] and log[8:9] and log[8] != HEADER[8]:
        raise Fault(f"record 0, byte 0: a log of version {log[8]}, which this reader does not know")
    if log[:9] != HEADER:
        raise Fault("record 0, byte 0: not a log")
    head = hashlib.sha256(b"canasta-log/1/start\0" + HEADER).digest()
    at, n = 9, 0
    while at < len(log):
        place = f"record {n}, byte {at}: "
        if at + 3 > len(log):
            raise Fault(place + "torn inside the length")
        length = int.from_bytes(log[at : at + 2], "big")
        if crc8(log[at : at + 2]) != log[at + 2]:
            raise Fault(place + "corrupt length")
        if not 1 <= length <= 60000:
            raise Fault(place + "impossible length")
        end = at + 3 + length + 8
        if end > len(log):
            raise Fault(place + "torn")
        payload = log[at + 3 : at + 3 + length]
        link = b"canasta-log/1\0" + head + n.to_bytes(8, "big") + length.to_bytes(4, "big")
        head = hashlib.sha256(link + payload).digest()
        if log[end - 8 : end] != head[:8]:
            raise Fault(place + "the chain breaks")
        yield n, at, payload, head
        at, n = end, n + 1


# --- Values: a type is a function from an input to a value


class Input:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count):
        if self.at + count > len(self.data):
            raise Fault("ends inside a field")
        self.at += count
        return self.data[self.at - count : self.at]


def u8(i):
    return i.take(1)[0]


def unsigned(bits):
    def read(i):
        first = u8(i)
        if first <= 250:
            return first
        widths = {251: (2, 251), 252: (4, 1 << 16), 253: (8, 1 << 32)}
        if first not in widths:
            raise Fault("no integer of this form")
        size, least = widths[first]
        value = int.from_bytes(i.take(size), "little")
        if value < least or value >> bits:
            raise Fault("integer in another form, or too large")
        return value

    return read


u16, u32, u64 = unsigned(16), unsigned(32), unsigned(64)


def signed(bits):
    def read(i):
        value = unsigned(bits)(i)
        return -(value + 1) // 2 if value & 1 else value // 2

    return read


i32, i64 = signed(32), signed(64)


def flag(i):
    value = u8(i)
    if value > 1:
        raise Fault("neither 0 nor 1")
    return bool(value)


def raw(count):
    return lambda i: i.take(count).hex()


def octets(cap):
    def read(i):
        length = u64(i)
        if length > cap:
            raise Fault(f"{length} bytes, at most {cap}")
        return i.take(length)

    return read


def data(cap):
    return lambda i: octets(cap)(i).hex()


def text(cap):
    return lambda i: octets(cap)(i).decode("utf-8")


def name(cap):
    def read(i):
        value = text(cap)(i)
        bad = r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
        if not value or re.search(bad, value):
            raise Fault(f"no name: {value!r}")
        return value

    return read


def optional(kind):
    return lambda i: kind(i) if flag(i) else None


def listof(kind, cap):
    def read(i):
        length = u64(i)
        if length > cap:
            raise Fault(f"{length} elements, at most {cap}")
        return [kind(i) for _ in range(length)]

    return read


def record(*fields):
    return lambda i: {key: kind(i) for key, kind in fields}


def choice(*words, first=0):
    def read(i):
        at = u8(i) - first
        if not 0 <= at < len(words):
            raise Fault("unknown number of a choice")
        return words[at]

    return read


def variant(*variants):
    """A number, then the fields of that variant."""

    def read(i):
        at = u32(i)
        if at >= len(variants):
            raise Fault("unknown number of a variant")
        word, fields = variants[at]
        return {"type": word, **fields(i)}

    return read


def below(limit):
    def read(i):
        value = u8(i)
        if value >= limit:
            raise Fault(f"{value}, expected less than {limit}")
        return value

    return read


seat = side = below(6)


def actor(i):
    value = u8(i)
    if value > 5 and value != 255:
        raise Fault("no actor")
    return value


def author(i):
    value = u8(i)
    if value > 5 and value < 254:
        raise Fault("no author")
    return value


def show(kind):
    if kind == 53:
        return "??"
    return "X" if kind == 52 else "A23456789TJQK"[kind % 13] + "cdhs"[kind // 13]


def cards(i, last=52):
    kinds = octets(324)(i)
    if any(kind > last for kind in kinds):
        raise Fault("no card")
    return [show(kind) for kind in kinds]


def some_cards(i):
    return cards(i, 53)


def card(i):
    return show(below(53)(i))


def onto(i):
    value = u16(i)
    if value > 1793:
        raise Fault("no place for a group")
    if value < 2:
        return ["auto", "new"][value]
    return value - 2 if value < 258 else "%d:%d" % divmod(value - 258, 256)


def group(i):
    shape = below(8)(i)
    kind = ["set", "wild", "sequence", "black_threes"][shape % 4]
    return {"kind": kind, "top": shape >= 4, "onto": onto(i), "cards": cards(i)}


def masked(cap):
    def read(i):
        value = octets(cap)(i)
        if len(value) < 80 or len(value) % 64 != 16:
            raise Fault("masked bytes of another size")
        return value.hex()

    return read


def nested(i):
    value = octets(60000)(i)
    if value[:1] == b"\x12":
        raise Fault("a ruling in a ruling")
    return whole(action, value)


def whole(kind, value):
    i = Input(value)
    result = kind(i)
    if i.at != len(value):
        raise Fault(f"{len(value) - i.at} bytes follow the last field")
    return result


def judged(kind, holds, why):
    def read(i):
        value = kind(i)
        if not holds(value):
            raise Fault(why)
        return value

    return read


# --- Actions

hash32 = raw(32)
groups = listof(group, 128)
position = variant(("clear", record(("text", text(8192)))), ("masked", record(("bytes", masked(8272)))))
effect = judged(record(
    ("type", choice("none", "warning", "raise_minimum", "penalty_cards", "forfeit_pile", "stand", "redeal",
                    "restore", "revoke_talon", "adjust", "forfeit", "stop_clock")),
    ("by", optional(i32)), ("seat", optional(seat)), ("cards", cards), ("until", optional(u16)),
    ("side", optional(side)), ("award", optional(i32)), ("to_seq", optional(u64)), ("action", optional(nested)),
    ("position", optional(position)), ("points", listof(i32, 6)),
), lambda effect: not effect["points"] or effect["type"] == "adjust" and max(map(abs, effect["points"])) <= 1000000,
    "points by side of another effect, or too many")
action = variant(
    ("deal", record(("lifted", optional(u16)), ("foot_lifted", optional(u16)),
                    ("contributions", listof(optional(hash32), 6)), ("signature", optional(data(96))),
                    ("hands", listof(some_cards, 6)), ("upcards", some_cards))),
    ("draw_cards", record(("picks", listof(cards, 6)))),
    ("draw_stock", record()),
    ("take_pile", record(("with", cards), ("onto", onto), ("also", groups))),
    ("take_top", record()),
    ("restore_pile", record()),
    ("lay_threes", record(("cards", cards))),
    ("take_talon", record()),
    ("meld", record(("groups", groups))),
    ("merge_melds", record(("a", u8), ("b", u8))),
    ("undo_meld", record(("meld", u8), ("cards", cards))),
    ("ask", judged(record(("about", choice("go_out", "courtesy")), ("to", optional(seat)),
                          ("with", optional(record(("groups", groups), ("discard", optional(card)))))),
                   lambda ask: ask["with"] is None or ask["about"] == "go_out", "a courtesy with a way out")),
    ("answer", record(("yes", flag))),
    ("special_hand", record(("hand", choice("straight", "pairs", "garbage")))),
    ("discard", record(("card", card))),
    ("pass", record()),
    ("end_round", record()),
    ("call_reveal", record(("of", seat))),
    ("ruling", record(("id", u32), ("by", choice("director", "jury", "table", "auto")),
                      ("offender", optional(seat)), ("side", side), ("rule", text(32)), ("points", i32),
                      ("effect", effect), ("reason", text(1024)), ("reverses", optional(u32)),
                      ("signature", optional(raw(64))))),
    ("dispute", record(("open", flag), ("reason", text(1024)))),
    ("sign", record(("side", side))),
)

# --- Records


def version(i):
    if u8(i) != 2:
        raise Fault("records of another version")
    return 2


def from_one(i):
    value = u16(i)
    if value == 0:
        raise Fault("versions count from 1")
    return value


def time(i):
    value = i64(i)
    if not -62167219200000 <= value <= 253402300799999:
        raise Fault("no time in the years 0000 to 9999")
    return value


def code(i):
    value = text(48)(i)
    if not re.fullmatch(r"[A-Z0-9_]+", value):
        raise Fault(f"no code: {value!r}")
    return value


def filled(kind):
    def read(i):
        value = kind(i)
        if not value:
            raise Fault("an empty list")
        return value

    return read


def refused(i):
    word = variant(("clear", record(("action", action))),
                   ("masked", record(("kind", below(21)), ("bytes", masked(60000)))))
    return word(i)


def register(*fields):
    def read(i):
        value = record(*fields)(i)
        signed = [seat for seat, one in enumerate(value["signatures"]) if one]
        if value["signatures"] and not signed:
            raise Fault("a list of signatures without one")
        if any(value["seats"][seat:seat + 1] in ([], [None]) for seat in signed):
            raise Fault("a signature of a seat that registers nothing")
        return value

    return read


act = (("actor", actor), ("action", action), ("elapsed", u64), ("digest", raw(8)))
line = record(
    ("item", choice("melded_cards", "natural_canastas", "mixed_canastas", "wild_canastas", "sequence_canastas",
                    "incomplete_melds", "held_trios", "threes", "going_out", "concealed", "cut", "foot_cut",
                    "hand_cards", "foot_cards", "restores", "special_hand", "no_canasta", "adjustments")),
    ("count", optional(u16)), ("points", i32))
any_record = variant(
    ("genesis", record(
        ("version", version), ("game_id", raw(16)), ("rule_set_id", name(64)), ("base", name(64)),
        ("rule_set", text(8192)), ("players", filled(listof(record(("name", name(64)), ("key", optional(hash32))), 6))),
        ("mode", choice("seeded", "committed", "explicit", "transcribed", first=1)),
        ("registration", choice("auto", "by_table")), ("commitment", optional(hash32)), ("engine", name(32)),
        ("started_at_ms", optional(time)),
        ("fork_of", optional(record(("game_id", raw(16)), ("n", u64), ("head", hash32)))),
        ("director", optional(hash32)), ("penalties", optional(from_one)))),
    ("register", register(
        ("round", u32), ("attempt", u32), ("dealer", optional(seat)), ("commitment", optional(hash32)),
        ("seats", listof(optional(hash32), 6)),
        ("beacon", optional(record(("chain", hash32), ("round", u64), ("close_ms", time)))),
        ("signatures", listof(optional(raw(64)), 6)))),
    ("action", record(*act)),
    ("action", record(*act, ("signature", raw(64)))),
    ("action", record(*act, ("cards", some_cards))),
    ("action", record(*act, ("cards", some_cards), ("signature", raw(64)))),
    ("round_end", record(
        ("round", u32), ("attempt", u32),
        ("reason", choice("drawn", "went_out", "stock_exhausted", "last_three", "last_drawer_done", "special_hand",
                          "ruled", "voided")),
        ("reveal", variant(("none", record()), ("secret", record(("secret", raw(64)))),
                           ("wall", record(("cards", cards), ("salt", hash32))))),
        ("scores", listof(record(("unit", below(6)), ("lines", listof(line, 32))), 6)), ("digest", hash32))),
    ("game_end", record(("winner", optional(below(6))), ("secret", optional(raw(64))))),
    ("refusal", record(("actor", actor), ("elapsed", u64), ("codes", filled(listof(code, 128))), ("attempt", refused))),
    ("note", record(("by", author), ("elapsed", u64), ("text", text(4096)))),
    ("checkpoint", record(("note", text(8192)))),
)


def read(log):
    """Yields every record with its head."""
    for n, offset, payload, head in frames(log):
        try:
            found = whole(any_record, payload)
            if (found["type"] == "genesis") != (n == 0):
                raise Fault("genesis is record 0 and no other record is")
            yield {"n": n, "offset": offset, **found}, head
        except (Fault, UnicodeDecodeError) as error:
            raise Fault(f"record {n}, byte {offset}: {error}") from None


# --- Command line


def block(page, label):
    body = re.search(rf"```{label}\n(.*?)```", page, re.S).group(1)
    return [part.split(";")[0] for part in body.splitlines()]


def check_page(path):
    page = open(path, encoding="utf-8").read()
    log = bytes.fromhex("".join(block(page, "clog")))
    listed = [bytes.fromhex(row[2:]) for row in block(page, "heads")]
    heads = [head for _, head in read(log)]
    if heads != listed:
        raise Fault("heads differ: " + " ".join(head.hex() for head in heads))
    print(f"{len(heads)} records of {path}: framing, chain and form agree")


def main(arguments):
    if not arguments or arguments == ["--page"]:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        if arguments[0] == "--page":
            check_page(arguments[1])
            return 0
        for path in arguments:
            for found, _ in read(open(path, "rb").read()):
                print(json.dumps(found, ensure_ascii=False, separators=(",", ":")))
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
