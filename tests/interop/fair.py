#!/usr/bin/env python3
"""What a good client gets of the real program while 1, 2, 4 and 8 attackers, each from an address of its own, hold what
they can get: of its requests at least 95 % are answered beside one attacker, and at least one part in k + 1 (and never
less than 5 %) beside k. The simulation in `fairness/tests.rs` computes the same for up to 64. Standard library only.

    fair.py PROGRAM [SECONDS PER RUN] [ATTACKERS...]
"""

import multiprocessing
import os
import resource
import struct
import subprocess
import sys
import time

from drain import fields, game
from http2 import DATA, END_HEADERS, END_STREAM, HEADERS, Client, Closed, Connection, field, frame, message, request_headers

FORK = multiprocessing.get_context("fork")
# What the service lets one address have, and one connection.
CONNECTIONS, REQUESTS, STREAMS = 32, 32, 64
NO_WINDOW = struct.pack(">HI", 4, 0)
WATCH = "/grpc.health.v1.Health/Watch"


def heads(method, count, body=None):
    """Requests on the first `count` streams; without a body they do not end."""
    said = b""
    for stream in range(1, 2 * count, 2):
        said += frame(HEADERS, END_HEADERS, stream, request_headers(method))
        if body is not None:
            said += frame(DATA, END_STREAM, stream, message(body))
    return said


# Each attack: the settings of a connection, and what is sent on it.
ATTACKS = {
    "unread answers": (NO_WINDOW, heads("GetRule", REQUESTS, field(1, b"CL-050"))),
    "heads alone": (b"", heads("GetRule", REQUESTS)),
    "silent streams": (b"", heads("Play", STREAMS)),
    "watchers": (b"", heads(WATCH, STREAMS, b"")),
    "connections": (b"", b""),
}


def attack(kind, address, source):
    """Holds as many connections as it gets, and replaces each that ends."""
    os.nice(5)
    settings, said = ATTACKS[kind]
    held = []
    while True:
        while len(held) < CONNECTIONS:
            try:
                connection = Connection(address, source, settings)
                connection.send(said)
                held.append(connection)
            except (Closed, OSError):
                break
        for connection in list(held):
            try:
                connection.frames(0)
            except (Closed, OSError):
                connection.close()
                held.remove(connection)
        time.sleep(0.02)


def is_answered(client, kind, state):
    """Asks for what the attackers hold; whether the answer is what it should be."""
    if kind == "silent streams":
        return state in client.call("Play", field(1, state))
    if kind == "watchers":
        stream, began = client.ask(WATCH, b""), time.monotonic()
        while stream not in client.answers and not client.open[stream] and time.monotonic() - began < 10:
            client.poll(1)
        return bool(client.open.get(stream))
    return b"CL-050" in client.call("GetRule", field(1, b"CL-050"))


def ask(address, kind, state, seconds):
    """How many requests were answered, and how many there were: four on each connection."""
    answered, asked, ends = 0, 0, time.monotonic() + seconds
    while time.monotonic() < ends:
        client = None
        try:
            client = Client(address)
            for _ in range(4):
                asked += 1
                answered += is_answered(client, kind, state)
                time.sleep(0.01)
        except (Closed, OSError, TimeoutError):
            asked += client is None
        finally:
            if client:
                client.connection.close()
    return answered, asked


def processor_seconds(pid):
    """The processor time of a process, by its clock, as Linux numbers such clocks."""
    return time.clock_gettime(~pid << 3 | 2)


def run(program, kind, attackers, seconds):
    """Answers and requests of a good client, and the processor seconds of the service per second."""
    service = subprocess.Popen([program, "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    processes = []
    try:
        address = service.stderr.readline().split()[-1]
        client = Client(address)
        deal, dealt = game(client)
        state = fields(fields(dealt)[1])[1]
        client.connection.close()
        for number in range(attackers):
            processes.append(FORK.Process(target=attack, args=(kind, address, f"127.0.3.{10 + number}"), daemon=True))
            processes[-1].start()
        time.sleep(1)
        began, used = time.monotonic(), processor_seconds(service.pid)
        answered, asked = ask(address, kind, state, seconds)
        return answered, asked, (processor_seconds(service.pid) - used) / (time.monotonic() - began)
    finally:
        for process in processes:
            process.kill()
            process.join()
        service.kill()
        service.wait()


def main(program, seconds="1.5", *attackers):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    failures = []
    for kind in ATTACKS:
        for count in [int(word) for word in attackers] or [1, 2, 4, 8]:
            answered, asked, used = run(program, kind, count, float(seconds))
            share, wanted = answered / max(asked, 1), 0.95 if count == 1 else max(1 / (count + 1), 0.05)
            print(f"{kind:15} {count:2} attackers: {answered:5} of {asked:5} answered, {100 * share:5.1f} %; "
                  f"{100 * used:3.0f} % of a processor", flush=True)
            if share < wanted or asked < 4:
                failures.append(f"{kind}, {count} attackers: {share:.3f} of {asked}, wanted {wanted:.3f}")
    assert not failures, failures


if __name__ == "__main__":
    main(*sys.argv[1:])
