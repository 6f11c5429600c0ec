#!/usr/bin/env python3
"""Tells the real program to end while eight clients keep it busy: what it has taken on it answers, every answer is
whole and right, health says NOT_SERVING before anything is refused, and it exits 0 in time. Standard library only.

    drain.py PROGRAM
"""

import signal
import socket
import subprocess
import sys
import threading
import time

from http2 import Client, Closed, field

NOTICE_MS, CLIENTS, AT_ONCE = 2000, 8, 4
SERVING, NOT_SERVING = b"\x08\x01", b"\x08\x02"


def game(client):
    """The request that deals a new game, and its answer: equal requests, equal answers."""
    create = field(1, b"classic-4p") + b"\x18\x01" + field(5, b"\x01" * 16) + field(6, b"\x02" * 64)
    answer = client.call("CreateGame", create)
    created = fields(answer)[1]
    state = fields(created)[1]
    # As the table; deal.
    deal = field(1, state) + field(2, b"\x10\x01") + field(3, field(1, b""))
    dealt = client.call("ApplyAction", deal)
    assert fields(dealt).keys() == {1}, "accepted"
    return deal, dealt


def fields(message):
    """The length-delimited fields of a protobuf message, by number."""
    found, at = {}, 0
    while at < len(message):
        key, at = number(message, at)
        value, at = number(message, at)
        if key & 7 == 2:
            found[key >> 3] = message[at : at + value]
            at += value
    return found


def number(message, at):
    value = shift = 0
    while True:
        value |= (message[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if message[at - 1] < 128:
            return value, at


class Load(threading.Thread):
    """Asks without pause, four requests at once, until the server says that it goes."""

    def __init__(self, address):
        super().__init__()
        self.client, self.answered, self.unanswered, self.fault = Client(address), 0, [], None
        self.deal, self.dealt = game(self.client)

    def run(self):
        try:
            self.work()
        except Exception as error:
            self.fault = repr(error)

    def work(self):
        client, connection = self.client, self.client.connection
        try:
            while client.open or connection.goaway is None:
                while connection.goaway is None and len(client.open) < AT_ONCE:
                    client.ask("ApplyAction", self.deal)
                client.poll(5)
                for stream in list(client.answers):
                    answer = client.answers.pop(stream)
                    if stream <= (connection.last if connection.last is not None else stream):
                        assert answer is not None and answer[5:] == self.dealt, f"stream {stream}: {answer} {client.trailers}"
                        self.answered += 1
        except Closed:
            pass
        # What the server says that it has not seen may be sent again elsewhere; all else must be answered.
        last = connection.last if connection.last is not None else 0
        self.unanswered = [stream for stream in client.open if stream <= last]
        if connection.goaway is None:
            self.fault = "closed without a GOAWAY"
        elif connection.goaway != 0:
            self.fault = f"GOAWAY with error {connection.goaway}"


def health(client):
    return client.call("/grpc.health.v1.Health/Check", b"")


def main(program):
    command = [program, "--listen", "127.0.0.1:0", "--drain-notice-ms", str(NOTICE_MS)]
    service = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        address = service.stderr.readline().split()[-1]
        probe = Client(address)
        assert health(probe) == SERVING
        loads = [Load(address) for _ in range(CLIENTS)]
        for load in loads:
            load.start()
        time.sleep(1)
        told = time.monotonic()
        before = sum(load.answered for load in loads)
        service.send_signal(signal.SIGTERM)
        while health(probe) == SERVING:
            pass
        noticed = time.monotonic() - told
        time.sleep(NOTICE_MS / 2000)
        during = sum(load.answered for load in loads)
        late = Client(address)
        assert late.call("ApplyAction", loads[0].deal) == loads[0].dealt, "served during the notice"
        probe.connection.close()
        late.connection.close()
        code = service.wait(30)
        took = time.monotonic() - told
        for load in loads:
            load.join(10)
        faults = [load.fault for load in loads if load.fault]
        assert not faults, faults
        assert not any(load.unanswered for load in loads), [load.unanswered for load in loads]
        assert during > before, "it went on serving after the signal"
        assert code == 0 and NOTICE_MS / 1000 <= took < 30, (code, took)
        try:
            socket.create_connection(tuple(address.rsplit(":", 1)), 1)
            raise AssertionError("still listening")
        except ConnectionRefusedError:
            pass
        total = sum(load.answered for load in loads)
        print(f"drained  {total} answers, {total - before} of them after the signal, none lost; not serving after "
              f"{noticed * 1000:.0f} ms, ended after {took:.1f} s with exit code 0")
    finally:
        service.kill()


if __name__ == "__main__":
    main(sys.argv[1])
