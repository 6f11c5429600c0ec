#!/usr/bin/env python3
"""How long a good caller waits beside floods, in processor time of the server between a question and its answer, which
does not depend on what else the machine does: at most 5 ms at the median and 20 ms at the 99th percentile, and no call is
refused. Each flood comes at full speed on several connections from two addresses, which connect again when they are ended.
Standard library only.

    waiting.py PROGRAM [CALLS PER RUN] [CONNECTIONS...]
"""

import multiprocessing
import os
import resource
import socket
import struct
import sys
import time

from fair import processor_seconds
from hold import Program
from http2 import (
    DATA, END_HEADERS, END_STREAM, HEADERS, PING, PREFACE, RST_STREAM, SETTINGS, WINDOW_UPDATE, Client, Closed, field, frame,
    message, request_headers,
)

FORK = multiprocessing.get_context("fork")
MEDIAN_MS, P99_MS = 5, 20
PRIORITY, UNKNOWN = 2, 0xBE
QUESTION = message(field(1, b"CL-050"))


def repeated(piece):
    return lambda stream: (piece * 200, stream)


def on_streams(more):
    """Two hundred pieces, each on a stream of its own."""
    def pieces(stream):
        said = b"".join(frame(HEADERS, END_HEADERS, at, request_headers("GetRule")) + more(at) for at in range(stream, stream + 400, 2))
        return said, stream + 400

    return pieces


# Each flood: of the next stream's number, what to send and the number after it.
FLOODS = {
    "WINDOW_UPDATE": repeated(frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 1))),
    "SETTINGS": repeated(frame(SETTINGS, 0, 0, struct.pack(">HI", 3, 100))),
    "PING": repeated(frame(PING, 0, 0, b"12345678")),
    "PRIORITY": repeated(frame(PRIORITY, 0, 1, struct.pack(">IB", 3, 7))),
    "unknown frames": repeated(frame(UNKNOWN, 0, 0, b"")),
    "requests": on_streams(lambda at: frame(DATA, END_STREAM, at, QUESTION)),
    "empty data": on_streams(lambda at: frame(DATA, 0, at) * 20),
    "resets": on_streams(lambda at: frame(RST_STREAM, 0, at, struct.pack(">I", 8))),
}


class Flood:
    """One connection at full speed, whose answers are thrown away."""

    def __init__(self, address, source, pieces):
        self.socket = socket.socket()
        self.socket.bind((source, 0))
        self.socket.connect(address)
        self.socket.setblocking(False)
        self.out, self.stream, self.pieces = PREFACE + frame(SETTINGS, 0, 0), 1, pieces

    def go_on(self):
        """Whether the server still takes something."""
        try:
            if not self.socket.recv(1 << 16):
                return False
        except BlockingIOError:
            pass
        except OSError:
            return False
        if not self.out:
            self.out, self.stream = self.pieces(self.stream)
        try:
            self.out = self.out[self.socket.send(self.out):]
        except BlockingIOError:
            pass
        except OSError:
            return False
        return True


def flood(kind, address, source, connections):
    os.nice(5)
    host, port = address.rsplit(":", 1)
    held = []
    while True:
        while len(held) < connections:
            try:
                held.append(Flood((host, int(port)), source, FLOODS[kind]))
            except OSError:
                break
        for one in list(held):
            if not one.go_on():
                one.socket.close()
                held.remove(one)


def waits(pid, address, calls):
    """Of each call, the server's work between question and answer, in ms."""
    client, found = Client(address), []
    for _ in range(calls):
        time.sleep(0.005)
        before = processor_seconds(pid)
        answer = client.call("GetRule", field(1, b"CL-050"), 60)
        found.append(1000 * (processor_seconds(pid) - before))
        assert b"CL-050" in answer, answer[:80]
    client.connection.close()
    return sorted(found)


def run(program, kind, connections, calls):
    with Program(program) as service:
        processes = []
        try:
            for number in range(min(2, connections)):
                share = (connections + 1 - number) // 2
                arguments = (kind, service.address, f"127.0.4.{10 + number}", share)
                processes.append(FORK.Process(target=flood, args=arguments, daemon=True))
                processes[-1].start()
            time.sleep(0.5)
            return waits(service.process.pid, service.address, calls)
        finally:
            for process in processes:
                process.kill()
                process.join()


def main(program, calls="100", *connections):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    failures = []
    for kind in FLOODS:
        for count in [int(word) for word in connections] or [4, 64]:
            try:
                found = run(program, kind, count, int(calls))
            except (Closed, TimeoutError) as error:
                failures.append(f"{kind}, {count} connections: a good call failed: {error!r}")
                print(failures[-1], flush=True)
                continue
            median, late = found[len(found) // 2], found[len(found) * 99 // 100]
            print(f"{kind:15} {count:3} connections: {median:8.2f} ms, at worst {late:8.2f} ms of work per call", flush=True)
            if median > MEDIAN_MS or late > P99_MS:
                failures.append(f"{kind}, {count} connections: {median:.1f} and {late:.1f} ms")
    assert not failures, failures


if __name__ == "__main__":
    main(*sys.argv[1:])
