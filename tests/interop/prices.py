#!/usr/bin/env python3
"""What the real program pays for what its callers hold open: memory for each connection, Play stream, watcher and answer
that is not read, and processor time while nothing is asked; then the memory for long answers to one address that reads
none. Prints the table of docs/internals/PRICES.md, and fails where one takes more than LIMITS says. Linux; standard library only.

    prices.py PROGRAM
"""

import random
import resource
import struct
import subprocess
import sys
import time

from abuse import memory
from drain import fields, game
from fair import NO_WINDOW, WATCH, heads, processor_seconds
from http2 import (DATA, END_HEADERS, END_STREAM, HEADERS, SETTINGS, WINDOW_UPDATE, Client, Closed, Connection, field, frame, message,
                   request_headers, varint)

# Addresses that connections come from, connections of each, and streams of each connection.
ADDRESSES, CONNECTIONS, STREAMS = 16, 16, 30
WINDOW_OF_1_MIB = struct.pack(">HI", 4, 1 << 20)
# Seconds for which one address asks for long answers.
SECONDS = 20
# Most bytes of memory for one of each. They are two to three times what was measured.
LIMITS = {"connection": 40_000, "Play stream": 40_000, "watcher": 20_000, "answer that is not read": 20_000}


def playing(state):
    """Play streams that have read their state and wait for the next message."""
    said = b""
    for stream in range(1, 2 * STREAMS, 2):
        said += frame(HEADERS, END_HEADERS, stream, request_headers("Play"))
        said += frame(DATA, 0, stream, message(field(1, state)))
    return said


def long_batch(client):
    """A request of 28 kB for one of the longest answers: a seat with 45 cards melds twelve kings and takes them back 128
    times, before ten observers."""
    kings, queens = ([rank + suit for suit in "shdc"] * 6 for rank in "KQ")
    kings, pack = kings[:12] * 2, [rank + suit for rank in "AKQJT98765432" for suit in "shdc"] * 6 + ["X"] * 12
    hand = kings + queens[:21]
    for card in hand:
        pack.remove(card)
    random.Random(1).shuffle(pack)
    wall = [hand[place // 6] if place % 6 == 0 else pack.pop() for place in range(270)] + pack
    knobs = {"packs": "6", "jokers": "12", "hand_size": "45", "undo_meld": "true",
             "three_table": "[100,200,300,400,500,1000,1000,1000,1000,1000,1000,1000]"}
    house = field(1, b"x") + b"".join(field(3, field(1, key.encode()) + field(2, value.encode())) for key, value in knobs.items())
    cards = lambda number, some: b"".join(field(number, card.encode()) for card in some)
    create = field(1, b"classic-6p-3x2") + field(2, house) + b"\x18\x03" + field(5, b"\x03" * 16)
    create += field(7, cards(1, wall) + field(2, b"\x04" * 32)) + b"\x40\x00"
    state = fields(fields(client.call("CreateGame", create))[1])[1]
    for actor, action in [(b"\x10\x01", field(1, b"")), (b"\x08\x01", field(3, b""))]:
        answer = client.call("ApplyAction", field(1, state) + field(2, actor) + field(3, action))
        state = fields(fields(answer)[1])[1]
    meld = field(9, field(1, b"\x08\x01" + cards(4, kings)))
    asked = field(1, state) + b"\x28\x01\x30\x01"
    for place in range(256):
        undo = field(11, b"\x08" + varint(place // 2) + cards(2, kings))
        asked += field(2, field(1, b"\x08\x01") + field(2, undo if place % 2 else meld))
    for observer in [bytes([8, seat]) for seat in range(6)] + [bytes([16, role]) for role in range(1, 5)]:
        asked += field(8, observer)
    return asked


def unread(program):
    """MiB of the program, at the default limits, after one address has asked for long answers and read none of them for
    SECONDS; and the length of such an answer."""
    service = subprocess.Popen([program, "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    try:
        address = service.stderr.readline().split()[-1]
        client = Client(address)
        client.connection.send(frame(SETTINGS, 0, 0, WINDOW_OF_1_MIB))
        asked = long_batch(client)
        length, began = len(client.call("ApplyActions", asked)), time.monotonic()
        data = message(asked)
        parts = [data[at : at + 16384] for at in range(0, len(data), 16384)]
        held = []
        while time.monotonic() - began < SECONDS:
            if len(held) < 32:
                connection = Connection(address, "127.0.4.9", NO_WINDOW)
                connection.window, connection.stream = 65_535, 1
                held.append(connection)
            for connection in list(held):
                try:
                    updates = [said for kind, _, on, said in connection.frames(0) if kind == WINDOW_UPDATE and on == 0]
                    connection.window += sum(int.from_bytes(said, "big") for said in updates)
                    if connection.window >= len(data) and connection.stream < 64:
                        said = frame(HEADERS, END_HEADERS, connection.stream, request_headers("ApplyActions"))
                        for part in parts:
                            said += frame(DATA, END_STREAM if part is parts[-1] else 0, connection.stream, part)
                        connection.send(said)
                        connection.window, connection.stream = connection.window - len(data), connection.stream + 2
                except Closed:
                    held.remove(connection)
        return memory(service.pid) / 2**20, length
    finally:
        service.kill()
        service.wait()


def open_all(address, settings, said):
    held = []
    for place in range(ADDRESSES):
        for _ in range(CONNECTIONS):
            held.append(Connection(address, f"127.0.4.{10 + place}", settings))
            held[-1].send(said)
    began = time.monotonic()
    while time.monotonic() - began < 2:
        for connection in held:
            connection.frames(0)
    return held


def measure(program, settings, make):
    """Bytes per connection with what is held on it, and seconds of processor time per second."""
    service = subprocess.Popen([program, "--listen", "127.0.0.1:0", "--max-play-streams", "65535", "--max-watchers",
                                "65535", "--max-requests", "65535"], stderr=subprocess.PIPE, text=True)
    try:
        address = service.stderr.readline().split()[-1]
        client = Client(address)
        state = fields(fields(game(client)[1])[1])[1]
        said = make(state)
        before = memory(service.pid)
        held = open_all(address, settings, said)
        grown = memory(service.pid) - before
        began, used = time.monotonic(), processor_seconds(service.pid)
        time.sleep(3)
        share = (processor_seconds(service.pid) - used) / (time.monotonic() - began)
        assert fields(game(client)[1]), "the service still serves"
        for connection in held:
            connection.close()
        return grown / len(held), share
    finally:
        service.kill()
        service.wait()


def main(program):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    answers = heads("GetRule", STREAMS, field(1, b"CL-050"))
    kinds = {
        "connection": (b"", lambda state: b"", 1),
        "Play stream": (b"", playing, STREAMS),
        "watcher": (b"", lambda state: heads(WATCH, STREAMS, b""), STREAMS),
        "answer that is not read": (NO_WINDOW, lambda state: answers, STREAMS),
    }
    count, failures, alone = ADDRESSES * CONNECTIONS, [], 0
    for kind, (settings, make, each) in kinds.items():
        bytes_each, share = measure(program, settings, make)
        # What a connection takes by itself is its own line.
        alone, bytes_each = (bytes_each, bytes_each) if each == 1 else (alone, (bytes_each - alone) / each)
        print(f"{kind:24} {bytes_each / 1000:6.1f} kB each of {count * each:5}; {100 * share:4.1f} % of a processor at rest")
        if bytes_each > LIMITS[kind]:
            failures.append(f"{kind}: {bytes_each:.0f} bytes, at most {LIMITS[kind]}")
    resident, length = unread(program)
    print(f"one address that reads none of its answers of {length / 1000:.0f} kB: {resident:.0f} MiB after {SECONDS} s")
    assert not failures, failures


if __name__ == "__main__":
    main(*sys.argv[1:])
