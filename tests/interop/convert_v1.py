#!/usr/bin/env python3
"""Makes a log of version 2 out of one of version 1: the same game, with the fields that version 2 adds empty.

    convert_v1.py OLD.clog NEW.clog

The golden logs of version 2 were made so, and an audit finds the same digests and scores in them as in the logs of
version 1. It converts logs of play alone: what is signed over a head, and rulings, need the program that wrote them.
"""

import pathlib
import sys

import bad_logs

HEADER = bytes.fromhex("89434c4f470d0a1a01")
ASK, RULING = 0x0B, 0x12


def converted(payload):
    kind = payload[0]
    if kind == 0:
        return bytes([0, 2]) + payload[2:] + b"\0\0"
    if kind == 1:
        return payload + b"\0"
    assert kind in (2, 4, 6, 7, 9), f"a record of type {kind}"
    if kind in (2, 4):
        assert payload[2] != RULING, "a ruling"
        if payload[2] == ASK:
            end = 6 if payload[4] else 5
            return payload[:end] + b"\0" + payload[end:]
    return payload


def convert(log):
    assert log[:9] == HEADER, "no log of version 1"
    payloads, at = [], 9
    while at < len(log):
        length = int.from_bytes(log[at:at + 2], "big")
        payloads.append(converted(log[at + 3:at + 3 + length]))
        at += 11 + length
    return bad_logs.chained(payloads)


if __name__ == "__main__":
    old, new = map(pathlib.Path, sys.argv[1:])
    new.write_bytes(convert(old.read_bytes()))
