#!/usr/bin/env python3
"""What the real program pays for what its callers hold open: memory for each connection, Play stream, watcher and answer
that is not read, and processor time while nothing is asked. Prints the table of docs/OPERATIONS.md, and fails where one
takes more than LIMITS says. Linux; standard library only.

    prices.py PROGRAM
"""

import resource
import subprocess
import sys
import time

from abuse import memory
from drain import fields, game
from fair import NO_WINDOW, WATCH, heads, processor_seconds
from http2 import DATA, END_HEADERS, HEADERS, Client, Connection, field, frame, message, request_headers

# Addresses that connections come from, connections of each, and streams of each connection.
ADDRESSES, CONNECTIONS, STREAMS = 16, 16, 30
# Most bytes of memory for one of each. They are two to three times what was measured.
LIMITS = {"connection": 40_000, "Play stream": 40_000, "watcher": 20_000, "answer that is not read": 20_000}


def playing(state):
    """Play streams that have read their state and wait for the next message."""
    said = b""
    for stream in range(1, 2 * STREAMS, 2):
        said += frame(HEADERS, END_HEADERS, stream, request_headers("Play"))
        said += frame(DATA, 0, stream, message(field(1, state)))
    return said


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
    assert not failures, failures


if __name__ == "__main__":
    main(*sys.argv[1:])
