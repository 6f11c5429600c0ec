#!/usr/bin/env python3
"""A second verifier of `.clog` files, from docs/LOG_FORMAT.md and docs/DEALING.md, standard library alone.

    verify_clog.py [--walls] LOG...
    verify_clog.py --bad LIST          holds damaged logs against the list of what must be found in them

It knows no rule of any game. It checks that a log was not changed (frames, chain, torn or corrupt), and that its
deals were fixed before anybody could know them: every commitment against what was revealed later, every round's
secret against the game's, every wall recomputed from the secret and the contributions, every masked refusal.
A line a log; --walls prints the walls too, first card dealt first. Exit status: 0 all intact, 1 a fault, 2 usage.
"""

import hashlib
import hmac
import json
import pathlib
import re
import sys

import ed25519
import log_reference

HEADER = bytes.fromhex("89434c4f470d0a1a02")
CARDS = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"] + ["X"]


class Fault(Exception):
    """What is wrong; `n` is the record, where it is another than the one that is read."""

    def __init__(self, what, n=None):
        super().__init__(what)
        self.n = n


def need(holds, what, n=None):
    if not holds:
        raise Fault(what, n)


def sha(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


# --- Frames and chain


def crc8(data):
    crc = 0
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ (7 if crc & 0x80 else 0)) & 0xFF
    return crc


def frames(log):
    """Number, offset and payload of every record, until the first fault."""
    need(log[:9] == HEADER, "no log of version 2")
    head, at, n = sha(b"canasta-log/1/start\0", HEADER), 9, 0
    while at < len(log):
        need(at + 3 <= len(log), "torn inside the length")
        length = int.from_bytes(log[at : at + 2], "big")
        need(crc8(log[at : at + 2]) == log[at + 2], "corrupt length")
        need(1 <= length <= 60000, "impossible length")
        end = at + 3 + length + 8
        need(end <= len(log), "torn")
        payload = log[at + 3 : at + 3 + length]
        head = sha(b"canasta-log/1\0", head, n.to_bytes(8, "big"), length.to_bytes(4, "big"), payload)
        need(log[end - 8 : end] == head[:8], "the chain breaks")
        yield n, at, payload
        at, n = end, n + 1


# --- The values of a payload


class Input:
    def __init__(self, payload):
        self.payload, self.at = payload, 0

    def take(self, count):
        need(self.at + count <= len(self.payload), "ends inside a field")
        self.at += count
        return self.payload[self.at - count : self.at]

    def u8(self):
        return self.take(1)[0]

    def uint(self, cap=(1 << 64) - 1):
        first = self.u8()
        if first > 250:
            need(first <= 253, "no integer of this form")
            size, least = {251: (2, 251), 252: (4, 1 << 16), 253: (8, 1 << 32)}[first]
            first = int.from_bytes(self.take(size), "little")
            need(first >= least, "an integer in another form")
        need(first <= cap, f"{first}, at most {cap}")
        return first

    def data(self, cap):
        return self.take(self.uint(cap))

    def some(self, read):
        flag = self.u8()
        need(flag <= 1, "neither 0 nor 1")
        return read() if flag else None

    def list(self, cap, read):
        return [read() for _ in range(self.uint(cap))]

    def ends(self):
        need(self.at == len(self.payload), "bytes are left over")


def genesis(i):
    need(i.u8() == 2, "not version 2 of the records")
    game_id = i.take(16)
    names = [i.data(64).decode() for _ in range(2)]
    rule_set = i.data(8192)
    players = i.list(6, lambda: (i.data(64).decode(), i.some(lambda: i.take(32))))
    keys = [key for _, key in players]
    mode, registration = i.u8(), i.u8()
    need(1 <= mode <= 4 and registration <= 1, "unknown mode or registration")
    commitment = i.some(lambda: i.take(32))
    i.data(32)
    i.some(i.uint)
    fork = i.some(lambda: (i.take(16), i.uint(), i.take(32)))
    i.some(lambda: i.take(32))
    i.some(lambda: i.uint(65535))
    i.ends()
    knobs = json.loads(rule_set)
    return {
        "game_id": game_id.hex(),
        "id": names[0],
        "digest": sha(b"canasta-ruleset/1\0", rule_set).hex(),
        "seats": len(players),
        "keys": keys,
        "drawn": knobs.get("side_choice") == "drawn_cards",
        "packs": knobs["packs"],
        "jokers": knobs["jokers"],
        "random_dealer": (knobs.get("first_dealer", "random") == "random", knobs.get("next_dealer") == "random"),
        "mode": mode,
        "commitment": commitment,
        "fork": fork,
    }


def register(i):
    found = {
        "round": i.uint(),
        "attempt": i.uint(),
        "dealer": i.some(i.u8),
        "commitment": i.some(lambda: i.take(32)),
        "seats": i.list(6, lambda: i.some(lambda: i.take(32))),
        "beacon": i.some(lambda: (i.take(32), i.uint(), i.uint())),
        "signatures": i.list(6, lambda: i.some(lambda: i.take(64))),
    }
    signed = [seat for seat, one in enumerate(found["signatures"]) if one]
    need(signed or not found["signatures"], "a list of signatures without one")
    need(all(seat < len(found["seats"]) and found["seats"][seat] for seat in signed), "nothing is signed")
    i.ends()
    return found


def deal(i):
    """The contributions and the beacon's signature of a deal; None where the action is another."""
    i.u8()
    if i.uint() != 0:
        return None
    i.some(i.uint)
    i.some(i.uint)
    values = i.list(6, lambda: i.some(lambda: i.take(32)))
    return values, i.some(lambda: i.data(96))


def round_end(i):
    number, attempt, reason, kind = i.uint(), i.uint(), i.u8(), i.uint(2)
    reveal = (b"", b"")
    if kind == 1:
        reveal = (i.take(64), b"")
    elif kind == 2:
        reveal = (b"", i.data(324))
        reveal = (i.take(32), reveal[1])
    return number, attempt, reason, reveal


def game_end(i):
    i.some(i.u8)
    secret = i.some(lambda: i.take(64))
    i.ends()
    return secret


def refusal(i):
    """The mask of a refusal; None where the action stands in clear."""
    i.u8()
    i.uint()
    i.list(128, lambda: i.data(48))
    if i.uint(1) == 0:
        return None
    i.u8()
    masked = i.data(60000)
    i.ends()
    return masked


# --- Dealing


def lp(value):
    return len(value).to_bytes(2, "big") + value


def prf(key, *parts):
    return hmac.new(key, b"".join(parts), "sha512").digest()


def kdf(key, label, context, bits):
    blocks = range(1, -(-bits // 512) + 1)
    counted = [prf(key, i.to_bytes(4, "big"), label, b"\0", context, bits.to_bytes(4, "big")) for i in blocks]
    return b"".join(counted)[: bits // 8]


def commit(kind, subject, seat, value):
    return sha(b"canasta-deal/1/commit\0", lp(kind), lp(subject.encode()), bytes([seat]), lp(value))


def below(words, bound):
    """The first of the words that favours no number below the bound, and the words after it."""
    zone = (1 << 32) - (1 << 32) % bound
    for word in words:
        if word < zone:
            return word % bound
    raise Fault("the stream is used up")


def words_of(stream):
    return iter(int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4))


def pack(packs, jokers):
    shares = [jokers * (c + 1) // packs - jokers * c // packs for c in range(packs)]
    return [kind for share in shares for kind in [*range(52), *[52] * share]]


def shuffled(stream, count):
    ids, words = list(range(count)), words_of(stream)
    for i in range(count - 1, 0, -1):
        j = below(words, i + 1)
        ids[i], ids[j] = ids[j], ids[i]
    return ids


def wall_of(game, round_, secret):
    """The wall that the secret and what was contributed give."""
    cards = pack(game["packs"], game["jokers"])
    commits, values, beacon = [round_["commitment"]], [], b""
    if game["mode"] == 2:
        seats = game["seats"]
        commits += (round_["seats"] + [None] * seats)[:seats]
        values = (round_["values"] + [None] * seats)[:seats]
        beacon = sha(round_["signature"]) if round_["signature"] else b""
    context = lp(round_["deal_id"].encode()) + lp(game["digest"].encode()) + len(cards).to_bytes(2, "big")
    for part in (commits, values):
        context += bytes([len(part)]) + b"".join(lp(one or b"") for one in part)
    stream = kdf(secret, b"canasta-deal/1", context + lp(beacon), 32768)
    return [cards[at] for at in shuffled(stream, len(cards))]


def drawn_dealer(secret, first_deal_id, seats):
    return below(words_of(kdf(secret, b"canasta-dealer/1", lp(first_deal_id.encode()), 512)), seats)


def opened(key, n, masked):
    tag, hidden = masked[:16], masked[16:]
    stream = kdf(key, b"canasta-refusal/1", tag, 8 * len(hidden))
    padded = bytes(a ^ b for a, b in zip(hidden, stream))
    clear = padded.rstrip(b"\0")
    need(clear.endswith(b"\x80"), f"the refusal of record {n} is padded in another way")
    again = prf(key, b"canasta-refusal/1", n.to_bytes(8, "big"), clear[:-1])[:16]
    need(again == tag, f"the refusal of record {n} opens to something else")


# --- A log


class Verifier:
    def __init__(self):
        self.game, self.round_, self.secrets, self.masks = None, None, [], []
        self.walls, self.voided, self.opened, self.secret = [], 0, 0, None
        self.signed, self.head = 0, sha(b"canasta-log/1/start\0", HEADER)

    def record(self, n, payload):
        before = self.head
        counted = n.to_bytes(8, "big") + len(payload).to_bytes(4, "big")
        self.head = sha(b"canasta-log/1\0", before, counted, payload)
        i = Input(payload)
        kind = i.u8()
        need((kind == 0) == (n == 0), "a genesis is record 0 and only there")
        if kind == 0:
            self.game = genesis(i)
        elif kind == 1:
            self.registered(n, register(i), before)
        elif 2 <= kind <= 5:
            self.acted(deal(i))
        elif kind == 6:
            self.ended(*round_end(i))
        elif kind == 7:
            self.over(game_end(i))
        elif kind == 8:
            masked = refusal(i)
            if masked is not None:
                self.masks.append((n, masked))
        else:
            need(kind <= 10, f"no record of type {kind}")

    def registered(self, n, found, before):
        need(self.round_ is None, "a register before the round before has ended")
        for seat, signature in enumerate(found["signatures"]):
            if signature is None:
                continue
            message = b"canasta-contribution/1\0" + before + found["round"].to_bytes(4, "big")
            message += found["attempt"].to_bytes(4, "big") + bytes([seat]) + found["seats"][seat]
            # Cards that are drawn for seats leave open which player sits there.
            keys = self.game["keys"] if self.game["drawn"] else self.game["keys"][seat : seat + 1]
            holds = any(key and ed25519.verify(key, message, signature) for key in keys)
            need(holds, f"the signature of seat {seat} is not over its contribution")
            self.signed += 1
        found["deal_id"] = f"{self.game['game_id']}/r{found['round']}/{found['attempt']}"
        found.update(n=n, values=[], signature=None, dealt=False)
        self.round_ = found

    def acted(self, found):
        if found is None:
            return
        need(self.round_ and not self.round_["dealt"], "a deal without a register")
        values, signature = found
        for seat, value in enumerate(values):
            if value is not None:
                need(seat < len(self.round_["seats"]), f"contribution of seat {seat}, which registered none")
                proof = commit(b"seat", self.round_["deal_id"], seat, value)
                need(proof == self.round_["seats"][seat], f"contribution of seat {seat} is not what it registered")
        need((signature is None) == (self.round_["beacon"] is None), "beacon registered, or signed, but not both")
        self.round_.update(values=values, signature=signature, dealt=True)

    def ended(self, number, attempt, reason, reveal):
        round_, game = self.round_, self.game
        need(round_ is not None, "a round end without a register")
        need((number, attempt) == (round_["round"], round_["attempt"]), "the end of another round")
        key, wall = reveal
        if game["mode"] == 3 and number == 0:
            need(round_["commitment"] is None and not key, "cards that players pick by hand have no wall")
        elif game["mode"] == 3:
            proof = commit(b"wall", round_["deal_id"], 0xFF, key + wall)
            need(proof == round_["commitment"], f"the wall of round {number} is not the one committed to", round_["n"])
            census = sorted(wall) == sorted(pack(game["packs"], game["jokers"]))
            need(census, f"the wall of round {number} is no pack")
        elif game["mode"] in (1, 2):
            proof = commit(b"dealer", round_["deal_id"], 0xFF, key)
            need(proof == round_["commitment"], f"the secret of round {number} is not the one committed to", round_["n"])
            self.secrets.append((number, attempt, key, round_))
            wall = wall_of(game, round_, key)
        for n, masked in self.masks:
            opened(key, n, masked)
        self.opened += len(self.masks)
        if reason == 7:
            self.voided += 1
        elif wall:
            self.walls.append((number, attempt, wall))
        self.round_, self.masks = None, []

    def over(self, secret):
        need(self.round_ is None, "the game ends inside a round")
        self.secret = secret
        if self.game["mode"] not in (1, 2):
            return
        proof = commit(b"game", self.game["game_id"], 0xFF, secret or b"")
        need(proof == self.game["commitment"], "the game's secret is not the one committed to")
        firsts = {}
        for number, attempt, key, round_ in self.secrets:
            of_game = prf(secret, b"canasta-round/1", number.to_bytes(4, "big"), attempt.to_bytes(4, "big"))
            need(of_game == key, f"the secret of round {number} does not follow from the game's")
            firsts.setdefault(number, prf(secret, b"canasta-round/1", number.to_bytes(4, "big"), b"\0\0\0\1"))
            if number > 0 and self.game["random_dealer"][0 if number == 1 else 1]:
                drawn = drawn_dealer(firsts[number], f"{self.game['game_id']}/r{number}/1", self.game["seats"])
                need(round_["dealer"] == drawn, f"the dealer of round {number} is not the one drawn")

    def summary(self):
        deals = ["seeded", "committed", "explicit", "transcribed"][self.game["mode"] - 1]
        proven = f"{len(self.walls)} walls proven" if self.game["mode"] < 4 else "no walls to prove"
        open_ = "" if self.secret or self.game["mode"] > 2 else ", game secret not revealed"
        signed = f", {self.signed} contributions signed" if self.signed else ""
        return f"{self.game['id']}, {deals}{signed}, {proven}, {self.voided} voided, {self.opened} masks opened{open_}"


# What the form of a log shows, by the words of log_reference; of the rest commitments need no rules.
FORMS = {
    "not a log": {"NOT_A_LOG", "CORRUPT"},
    "a log of version": {"UNSUPPORTED_VERSION"},
    "torn": {"TORN"},
    "corrupt length": {"CORRUPT"},
    "impossible length": {"CORRUPT"},
    "the chain breaks": {"CORRUPT"},
}


def fault_of_form(log):
    """The kinds that the first fault of a log's form may have, and its record; None if there is none."""
    try:
        for _ in log_reference.read(log):
            pass
    except log_reference.Fault as fault:
        place, what = str(fault).split(": ", 1)
        kinds = next((kinds for words, kinds in FORMS.items() if what.startswith(words)), {"MALFORMED"})
        return kinds, int(re.match(r"record (\d+)", place).group(1))
    return None


def check_bad(listing):
    """Holds logs against a table of file, verdict, finding, record and what was done, with a line of heads."""
    rows = [line.split("\t") for line in listing.read_text(encoding="utf-8").splitlines()[1:]]
    judged = 0
    for file, _, kind, n, _ in rows:
        log = (listing.parent / file).read_bytes()
        found = fault_of_form(log)
        by_form = kind in set.union({"MALFORMED"}, *FORMS.values())
        assert (found is not None) == by_form, f"{file}: expected {kind}, found {found}"
        if found:
            assert kind in found[0] and int(n) == found[1], f"{file}: expected {kind} at record {n}, found {found}"
        if kind == "COMMITMENT":
            verifier = Verifier()
            try:
                for at, _, payload in frames(log):
                    verifier.record(at, payload)
                raise AssertionError(f"{file}: no commitment is found wrong")
            except Fault as fault:
                found = at if fault.n is None else fault.n
                assert found == int(n), f"{file}: expected record {n}, found record {found}: {fault}"
        judged += by_form or kind == "COMMITMENT"
    print(f"{len(rows)} bad logs: {judged} are found as listed, {len(rows) - judged} need the rules and have a sound form")


def verify(path, walls):
    verifier, n, at = Verifier(), 0, 0
    with open(path, "rb") as file:
        log = file.read()
    try:
        for n, at, payload in frames(log):
            verifier.record(n, payload)
            n, at = n + 1, at + 11 + len(payload)
        need(verifier.game, "no genesis")
    except (Fault, ValueError, KeyError, IndexError, TypeError) as fault:
        of = getattr(fault, "n", None)
        place = f"record {n}, byte {at}" if of is None else f"record {of}"
        print(f"{path}: FAULT: {place}: {fault}")
        return False
    print(f"{path}: intact: {n} records, {verifier.summary()}")
    for number, attempt, wall in verifier.walls if walls else []:
        print(f"  round {number}/{attempt}: {' '.join(CARDS[kind] for kind in wall)}")
    return True


def main(arguments):
    if arguments[:1] == ["--bad"] and len(arguments) == 2:
        check_bad(pathlib.Path(arguments[1]))
        return 0
    walls = "--walls" in arguments
    paths = [argument for argument in arguments if argument != "--walls"]
    if not paths or any(path.startswith("-") for path in paths):
        print(__doc__, file=sys.stderr)
        return 2
    return 0 if all([verify(path, walls) for path in paths]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
