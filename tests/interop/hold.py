#!/usr/bin/env python3
"""Resident memory of the real programs while eight addresses with 64 connections each hold what they can get, one kind after
the other, at the default limits; and two seconds after they have gone. A good client of another address is answered
meanwhile. Standard library only.

    hold.py SERVICE RECORDER [SECONDS PER KIND [KIND...]]
"""

import multiprocessing
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

from abuse import memory
from drain import fields, game
from http2 import (DATA, END_HEADERS, END_STREAM, HEADERS, PREFACE, SETTINGS, WINDOW_UPDATE, Client, Closed, field, frame,
                   literal, message, request_headers, varint)
from prices import long_batch

FORK = multiprocessing.get_context("fork")
ADDRESSES, CONNECTIONS, STREAMS = 8, 64, 64
LIMIT = 128 << 20
RECORD, AUDIT = "/canasta.v1.RecordService/", "/canasta.v1.AuditService/"
# Windows of streams: nothing may be sent; or everything, which the client leaves in the socket.
SHUT = frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 0))
OPEN = frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 2**31 - 1)) + frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", 2**31 - 65_536))
PROXY = literal("via", "1.1 proxy")


class Attack:
    """What one address sends on each stream: the head, and the body in frames of 16 kB; the last one is kept back from a body
    that never ends."""

    def __init__(self, method, body, settings=SHUT, head=b"", ends=True, length=None):
        data = message(body) if length is None else b"\0" + struct.pack(">I", length) + body
        self.head, self.settings = request_headers(method) + head, settings
        self.parts = [data[at : at + 16_000] for at in range(0, len(data), 16_000)]
        self.size, self.ends = len(data), ends

    def said(self, stream):
        last = len(self.parts) - 1
        bodies = (frame(DATA, END_STREAM * (self.ends and at == last), stream, part) for at, part in enumerate(self.parts))
        return frame(HEADERS, END_HEADERS, stream, self.head) + b"".join(bodies)


def attack(port, source, attacks):
    """Opens connections, asks on every stream, reads nothing but the windows, and opens again what is closed."""
    os.nice(5)
    held, number, opened = [], 0, 0.0
    while True:
        # Some at a time: what the service closes at once is opened again.
        count = 4 if time.monotonic() > opened + 0.03 else 0
        for _ in range(min(count, CONNECTIONS - len(held))):
            opened = time.monotonic()
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.bind((source, 0))
            try:
                one.connect(("127.0.0.1", port))
            except OSError:
                one.close()
                break
            one.setblocking(False)
            number += 1
            does = attacks[number % len(attacks)]
            held.append([one, does, PREFACE + does.settings, b"", 65_535, 1])
        for connection in list(held):
            one, does, out, got, credit, stream = connection
            try:
                # With open windows the answers stay in the socket.
                if does.settings is SHUT:
                    got += one.recv(65_536) or 1 / 0
                elif stream == 1:
                    got += one.recv(64) or 1 / 0
            except BlockingIOError:
                pass
            except (OSError, ZeroDivisionError):
                one.close()
                held.remove(connection)
                continue
            while len(got) >= 9 and len(got) >= 9 + (size := int.from_bytes(got[:3], "big")):
                if got[3] == WINDOW_UPDATE and got[5:9] == bytes(4):
                    credit += int.from_bytes(got[9:13], "big")
                got = got[9 + size :]
            while stream < 2 * STREAMS and credit >= does.size and len(out) < 200_000:
                out += does.said(stream)
                stream, credit = stream + 2, credit - does.size
            try:
                out = out[one.send(out) :] if out else out
            except BlockingIOError:
                pass
            except OSError:
                one.close()
                held.remove(connection)
                continue
            connection[2:] = out, got, credit, stream
        time.sleep(0.005)


class Good(threading.Thread):
    """A client that asks again and again, each time on a connection of its own: how many of its requests were answered."""

    def __init__(self, address, method, body, head=b""):
        super().__init__(daemon=True)
        self.address, self.asked = address, (method, body)
        self.head, self.done, self.answered, self.failed = head, threading.Event(), 0, []

    def run(self):
        while not self.done.is_set():
            try:
                client = Client(self.address, "127.0.9.9", self.head)
                answer = client.call(*self.asked)
                self.answered += bool(answer)
                self.failed += [] if answer else [dict(client.trailers)]
                client.connection.close()
            except (Closed, OSError, TimeoutError) as error:
                self.failed.append(repr(error))
            time.sleep(0.05)


class Program:
    """The program on a port of its own, which ends with the block."""

    def __init__(self, *command):
        self.process = subprocess.Popen([*command, "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        assert " on " in line, line
        self.address = line.split()[-1]
        threading.Thread(target=self.process.stderr.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def room(address, source, notes, links=0):
    """Creates a room as a guest, and writes notes in it. Returns its id, and the heads with which its links are shown."""
    guest = Client(address, source, PROXY)
    players = b"".join(field(5, field(1, name)) for name in (b"A", b"B", b"C", b"D"))
    create = field(1, os.urandom(16)) + field(2, b"classic-4p") + b"\x20\x02" + players
    create += b"\x80\x01\x01" + field(18, b"\x08\x00")
    created = fields(fields(guest.call(RECORD + "Create", create))[1])
    token = fields(created[4])[1]
    heads = [PROXY + literal("authorization", "Bearer " + token.decode())]
    host = Client(address, source, heads[0])
    note = field(5, field(1, b"\x08\x00") + field(3, field(1, b"n" * 300)))
    for _ in range(notes):
        host.call(RECORD + "Act", field(1, created[1]) + field(2, os.urandom(16)) + note)
    for number in range(links):
        expires = int(time.time() * 1000) + 10_000_000 + 1_000 * number
        invite = field(1, created[1]) + field(2, bytes([8, number % 4])) + b"\x18" + varint(expires)
        link = fields(fields(host.call(RECORD + "Invite", invite))[1])[1]
        heads.append(PROXY + literal("authorization", "Bearer " + link.decode()))
    guest.connection.close()
    host.connection.close()
    return created[1], heads


def of_service(kind, address):
    """What each of the addresses does to the service."""
    client = Client(address, "127.0.9.8")
    client.connection.send(frame(SETTINGS, 0, 0, struct.pack(">HI", 4, 1 << 20)))
    if kind in ("batches", "batches in sockets"):
        asked = long_batch(client)
        does = [Attack("ApplyActions", asked, SHUT if kind == "batches" else OPEN)]
    elif kind == "catalogue":
        does = [Attack("GetCatalogue", b"")]
    elif kind == "short answers":
        does = [Attack("GetRule", field(1, b"CL-050"))]
    elif kind == "lists in sockets":
        state = fields(fields(game(client)[1])[1])[1]
        does = [Attack("ListLegalActions", field(1, state) + field(2, b"\x08\x01"), OPEN)]
    elif kind == "Play streams":
        state = fields(fields(game(client)[1])[1])[1]
        does = [Attack("Play", field(1, state) + b"\x18\x01", OPEN, ends=False)]
    elif kind == "long requests":
        does = [Attack("GetRule", b"x" * 15_000, ends=False, length=250_000)]
    elif kind == "logs":
        # 1,024 records are asked for, of a log that never ends.
        pages = [field(4, field(1, b"\x10\x01") + b"\x10" + varint(256 * page) + b"\x20" + varint(256)) for page in range(4)]
        does = [Attack(AUDIT + "AskLog", field(1, b"".join(field(1, page) for page in pages)), ends=False)]
    client.connection.close()
    return [does] * ADDRESSES


def of_recorder(kind, address):
    """What each of the addresses does to the recorder, with links of a room of its own."""
    found = []
    for number in range(ADDRESSES):
        one, heads = room(address, f"127.0.1.{number + 1}", 255 if "descriptions" in kind or "logs" in kind else 0,
                          20 if "links" in kind else 0)
        actor = field(1, one) + field(2, b"\x08\x00")
        if kind == "descriptions":
            does = [Attack(RECORD + "Describe", actor + b"\x30\x01", SHUT, head) for head in heads]
        elif kind == "descriptions in sockets":
            does = [Attack(RECORD + "Describe", actor + b"\x30\x01", OPEN, head) for head in heads]
        elif kind == "logs in sockets":
            does = [Attack(RECORD + "GetLog", actor, OPEN, head) for head in heads]
        elif kind == "watchers with links":
            seats = [field(1, one) + field(2, bytes([8, max(at - 1, 0) % 4])) for at in range(len(heads))]
            does = [Attack(RECORD + "Watch", seat + b"\x18\x00\x20\x01", OPEN, head) for seat, head in zip(seats, heads)]
        found.append(does)
    return found


KINDS = {
    "batches": of_service, "batches in sockets": of_service, "catalogue": of_service, "short answers": of_service,
    "lists in sockets": of_service, "Play streams": of_service, "long requests": of_service, "logs": of_service,
    "descriptions": of_recorder, "descriptions in sockets": of_recorder, "logs in sockets": of_recorder,
    "watchers with links": of_recorder,
}


def run(command, kind, seconds):
    """MiB at most while the addresses attack, and two seconds after; what a good client got."""
    with Program(*command) as program:
        plans = KINDS[kind](kind, program.address)
        if KINDS[kind] is of_recorder:
            one, heads = room(program.address, "127.0.9.9", 0)
            good = Good(program.address, RECORD + "GetGame", field(1, one) + field(2, b"\x08\x00"), heads[0])
        else:
            good = Good(program.address, "GetRule", field(1, b"CL-050"))
        good.start()
        port = int(program.address.rsplit(":", 1)[1])
        attackers = [FORK.Process(target=attack, args=(port, f"127.0.1.{number + 1}", plans[number]), daemon=True)
                     for number in range(ADDRESSES)]
        for one in attackers:
            one.start()
        time.sleep(seconds)
        for one in attackers:
            one.kill()
            one.join()
        peak = memory(program.process.pid, "VmHWM")
        time.sleep(2)
        after = memory(program.process.pid)
        good.done.set()
        good.join()
    return peak, after, good


def main(service, recorder, seconds="4", *kinds):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    failures = []
    for kind in kinds or KINDS:
        with tempfile.TemporaryDirectory() as folder:
            command = [service] if KINDS[kind] is of_service else [recorder, "--data", os.path.join(folder, "data"), "--rooms"]
            peak, after, good = run(command, kind, float(seconds))
        print(f"{kind:24} at most {peak >> 20:4} MiB, 2 s later {after >> 20:4} MiB; a good client: {good.answered} answers, "
              f"{len(good.failed)} failures {good.failed[:1]}", flush=True)
        # How long it waits is measured by abuse.py.
        if max(peak, after) > LIMIT or not good.answered:
            failures.append(kind)
    assert not failures, failures


if __name__ == "__main__":
    main(*sys.argv[1:])
