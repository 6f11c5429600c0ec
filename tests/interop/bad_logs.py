#!/usr/bin/env python3
"""Makes the bad logs of docs/conformance/bad/logs and their list out of one good log.

    bad_logs.py GOOD.clog FOLDER

Every row says what is done to the good log, and what a reader must find
first: the verdict, the finding and its record follow from what was done, and
are not taken from any reader. version-1.clog is no row of this program: it is
a log of the format before, which nothing writes any longer.
"""

import pathlib
import sys

import verify_clog as v

GENESIS, REGISTER, ACTION, ROUND_END, GAME_END = 0, 1, 2, 6, 7


def payloads_of(log):
    return [payload for _, _, payload in v.frames(log)]


def chained(payloads):
    """The log of these payloads, with the chain that belongs to them."""
    head, out = v.sha(b"canasta-log/1/start\0", v.HEADER), v.HEADER
    for n, payload in enumerate(payloads):
        length = len(payload).to_bytes(2, "big")
        counted = n.to_bytes(8, "big") + len(payload).to_bytes(4, "big")
        head = v.sha(b"canasta-log/1\0", head, counted, payload)
        out += length + bytes([v.crc8(length)]) + payload + head[:8]
    return out


class Good:
    def __init__(self, log):
        self.log, self.payloads = log, payloads_of(log)
        self.offsets, at = [], len(v.HEADER)
        for payload in self.payloads:
            self.offsets.append(at)
            at += 11 + len(payload)
        kinds = [payload[0] for payload in self.payloads]
        self.register = [n for n, kind in enumerate(kinds) if kind == REGISTER][1]
        self.end = self.register - 1
        self.last = kinds.index(GAME_END)
        assert self.last == len(kinds) - 1 and kinds[self.end] == ROUND_END
        self.draw = next(n for n, p in enumerate(self.payloads) if p[0] == ACTION and p[2] == 2)
        self.discard = next(n for n, p in enumerate(self.payloads) if p[0] == ACTION and p[2] == 0x0E)
        assert self.payloads[self.draw][3] == 0, "no time"

    def flipped(self, at, bit):
        log = bytearray(self.log)
        log[at] ^= bit
        return bytes(log)

    def put(self, at, *bytes_):
        return self.log[:at] + bytes(bytes_) + self.log[at + len(bytes_):]

    def without(self, n):
        return chained(self.payloads[:n] + self.payloads[n + 1:])

    def before(self, n, payload):
        return chained(self.payloads[:n] + [payload] + self.payloads[n:])

    def changed(self, n, change):
        payload = bytearray(self.payloads[n])
        other = change(payload)
        payload = payload if other is None else other
        return chained(self.payloads[:n] + [bytes(payload)] + self.payloads[n + 1:])

    def byte(self, n, at, value):
        return self.changed(n, lambda payload: payload.__setitem__(at, value))


def refusal(payload):
    """A refusal in clear of what this action record does."""
    code = b"TURN_NOT_YOURS"
    return bytes([8, payload[1], 0, 1, len(code)]) + code + bytes([0]) + payload[2:3]


def rows(good):
    """File, verdict, finding, record, what was done, and the log."""
    no_log, alter = ("NOT_A_LOG", "NOT_A_LOG"), "ALTERED"
    draw, discard, register, end, last = good.draw, good.discard, good.register, good.end, good.last
    genesis, log, at = good.payloads[0], good.log, good.offsets
    name = genesis.index(b"\x05North") + 1
    own_id = 1 + 1 + 16 + 1
    actor, cut = good.payloads[draw][1], at[200]
    yield "empty", *no_log, 0, "no byte", b""
    yield "text", *no_log, 0, "a sentence", b"Anna and Cyril won by 400 points.\n"
    yield "gzip", *no_log, 0, "the first bytes of a gzip file", bytes.fromhex("1f8b08000000000000034bcec9")
    yield "cut-header", *no_log, 0, "five bytes of the header", log[:5]
    newer = ("UNSUPPORTED_VERSION", "UNSUPPORTED_VERSION")
    yield "version-3", *newer, 0, "the version byte is 3", good.put(8, 3)
    yield "line-ends", alter, "CORRUPT", 0, "0d 0a of the header became 0a, as a text transfer does", \
        log[:5] + log[6:]
    yield "flipped-payload", alter, "CORRUPT", 100, "one bit of the payload of record 100 is flipped", \
        good.flipped(at[100] + 6, 1)
    yield "flipped-length", alter, "CORRUPT", 50, "one bit of the length of record 50 is flipped", \
        good.flipped(at[50] + 1, 2)
    yield "flipped-head", alter, "CORRUPT", 50, "one bit of the head stored with record 50 is flipped", \
        good.flipped(at[51] - 1, 0x80)
    yield "zero-length", alter, "CORRUPT", 50, \
        "the length of record 50 is 0, with a check that fits", good.put(at[50], 0, 0, 0)
    yield "removed-frame", alter, "CORRUPT", 50, "record 50 is cut out", log[:at[50]] + log[at[51]:]
    yield "torn", "INCOMPLETE", "TORN", 200, "cut inside the payload of record 200", log[:cut + 9]
    yield "torn-length", "INCOMPLETE", "TORN", 200, "cut inside the length of record 200", log[:cut + 2]
    yield "cut-between", "INCOMPLETE", "INCOMPLETE", 200, "cut before record 200", log[:cut]
    yield "header-alone", "INCOMPLETE", "INCOMPLETE", 0, "nothing but the header", log[:9]
    yield "no-genesis", alter, "MALFORMED", 0, \
        "the genesis is left out; the chain is rebuilt, here and below", good.without(0)
    yield "genesis-twice", alter, "MALFORMED", draw, f"the genesis again as record {draw}", \
        good.before(draw, genesis)
    yield "unknown-type", alter, "MALFORMED", discard, f"record {discard} has type 0b", \
        good.byte(discard, 0, 11)
    yield "unknown-action", alter, "MALFORMED", draw, f"the action of record {draw} has number 15", \
        good.byte(draw, 2, 0x15)
    yield "bytes-left-over", alter, "MALFORMED", draw, \
        f"a byte follows the last field of record {draw}", good.changed(draw, lambda p: p + b"\0")
    yield "field-cut", alter, "MALFORMED", draw, f"the last byte of record {draw} is missing", \
        good.changed(draw, lambda p: p[:-1])
    yield "long-integer", alter, "MALFORMED", draw, "elapsed 0 in three bytes", \
        good.changed(draw, lambda p: p[:3] + b"\xfb\0\0" + p[4:])
    yield "seat-above-five", alter, "MALFORMED", draw, f"the actor of record {draw} is seat 6", \
        good.byte(draw, 1, 6)
    yield "seat-above-players", "ILLEGAL", "ILLEGAL", draw, \
        f"the actor of record {draw} is seat 5 of a game of four", good.byte(draw, 1, 5)
    yield "unknown-card", alter, "MALFORMED", discard, "card 53 is discarded", \
        good.byte(discard, 3, 53)
    yield "name-not-text", alter, "MALFORMED", 0, "a name that is not UTF-8", good.byte(0, name, 0xFF)
    yield "name-with-control", alter, "MALFORMED", 0, "a control character in a name", \
        good.byte(0, name, 7)
    yield "no-register", alter, "ORDER", register, "the register of round 2 is left out", \
        good.without(register)
    yield "action-between-rounds", alter, "ORDER", register, \
        "the last action of round 1 again behind its end", good.before(register, good.payloads[end - 1])
    yield "round-end-twice", alter, "ORDER", register, "the end of round 1 twice", \
        good.before(register, good.payloads[end])
    yield "no-round-end", alter, "ORDER", end, "the end of round 1 is left out", good.without(end)
    yield "action-after-the-end", alter, "ORDER", last + 1, "an action behind the game end", \
        good.before(last + 1, good.payloads[draw])
    yield "other-rule-set-id", alter, "RULE_SET", 0, \
        "the id of another rule set than that of the knobs", good.byte(0, own_id + 8, ord("6"))
    yield "other-secret", alter, "COMMITMENT", 1, \
        "one bit of the secret that ends round 1 is flipped; the register has the commitment", \
        good.byte(end, 10, good.payloads[end][10] ^ 1)
    yield "other-game-secret", alter, "COMMITMENT", last, \
        "one bit of the secret of the game is flipped", good.byte(last, 20, good.payloads[last][20] ^ 1)
    dealer = 0 if good.payloads[register][4] else 1
    yield "other-dealer", alter, "REGISTER", register, \
        f"the register of round 2 names seat {dealer} as the dealer", good.byte(register, 4, dealer)
    yield "round-number", alter, "REGISTER", register, "the register of round 2 says round 3", \
        good.byte(register, 1, 3)
    yield "unsigned-entry", alter, "MALFORMED", register, \
        "the register of round 2 has a list of signatures without one", \
        good.changed(register, lambda p: p[:-1] + b"\1\0")
    yield "card-not-held", "ILLEGAL", "ILLEGAL", discard, \
        "a red three is discarded, which no seat holds", good.byte(discard, 3, 0x1C)
    other = (actor + 2) % 4
    yield "not-their-turn", "ILLEGAL", "ILLEGAL", draw, \
        f"seat {other} draws where seat {actor} must act", good.byte(draw, 1, other)
    yield "other-digest", alter, "DIGEST", draw, f"one bit of the digest of record {draw} is flipped", \
        good.byte(draw, 4, good.payloads[draw][4] ^ 1)
    yield "other-winner", alter, "RESULT", last, "the game end names the other side", \
        good.byte(last, 2, good.payloads[last][2] ^ 1)
    yield "refused-though-legal", alter, "REFUSAL", draw, "a refusal of a draw that is legal", \
        good.before(draw, refusal(good.payloads[draw]))
    yield "checkpoint-of-nothing", alter, "CHECKPOINT", draw, \
        "a checkpoint whose note is the letter x", good.before(draw, b"\x0a\x01x")


def main(good, folder):
    folder = pathlib.Path(folder)
    listed = ["file\tverdict\tfinding\trecord\twhat was done"]
    for name, verdict, finding, record, done, log in rows(Good(pathlib.Path(good).read_bytes())):
        (folder / f"{name}.clog").write_bytes(log)
        listed.append("\t".join((f"{name}.clog", verdict, finding, str(record), done)))
        if name == "version-3":
            old = "UNSUPPORTED_VERSION\tUNSUPPORTED_VERSION\t0"
            listed.append(f"version-1.clog\t{old}\ta log of version 1, as it was written then")
    (folder / "expected.tsv").write_text("\n".join(listed) + "\n")
    print(len(listed) - 1, "bad logs")


if __name__ == "__main__":
    main(*sys.argv[1:])
