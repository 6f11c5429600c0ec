"""HTTP/2 by hand, for saying what no library would say. Frames, a header block without compression, and a client of
gRPC that reads its answers frame by frame. Standard library only."""

import select
import socket
import struct
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS, ACK = 1, 4, 1
SERVICE = "/canasta.v1.GameService/"


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def integer(value, bits, first=0):
    """HPACK's integers, RFC 7541 section 5.1."""
    if value < (1 << bits) - 1:
        return bytes([first | value])
    out, value = [first | (1 << bits) - 1], value - ((1 << bits) - 1)
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + [value])


def literal(name, value, indexed=False):
    name, value = name.encode(), value.encode()
    return (b"\x40" if indexed else b"\0") + integer(len(name), 7) + name + integer(len(value), 7) + value


def request_headers(method):
    """A method of the service by its name, one of another by its path."""
    path = method if method.startswith("/") else SERVICE + method
    fields = [(":method", "POST"), (":scheme", "http"), (":path", path), (":authority", "canasta"),
              ("content-type", "application/grpc"), ("te", "trailers")]
    return b"".join(literal(*field) for field in fields)


def message(payload):
    """A gRPC message: not compressed, its length, itself."""
    return b"\0" + struct.pack(">I", len(payload)) + payload


def varint(value):
    out = []
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + [value])


def field(number, payload):
    """A length-delimited field of a protobuf message."""
    return varint(number << 3 | 2) + varint(len(payload)) + payload


class Closed(Exception):
    """The server has closed the connection."""


class Connection:
    """One connection; `source` is the loopback address that it comes from."""

    def __init__(self, address, source=None, settings=b"", preface=True):
        host, port = address.rsplit(":", 1)
        self.socket = socket.create_connection((host, int(port)), 10, (source, 0) if source else None)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer, self.goaway, self.last, self.credit = b"", None, None, 0
        if preface:
            self.send(PREFACE + frame(SETTINGS, 0, 0, settings))

    def send(self, data):
        try:
            self.socket.sendall(data)
        except (BrokenPipeError, ConnectionResetError, socket.timeout) as error:
            raise Closed from error

    def frames(self, wait):
        """What has come, after at most `wait` seconds; Closed when nothing more will."""
        if not select.select([self.socket], [], [], wait)[0]:
            return []
        try:
            data = self.socket.recv(1 << 16)
        except (ConnectionResetError, socket.timeout) as error:
            raise Closed from error
        if not data:
            raise Closed
        self.buffer += data
        found = []
        while len(self.buffer) >= 9:
            length = int.from_bytes(self.buffer[:3], "big")
            if len(self.buffer) < 9 + length:
                break
            kind, flags, stream = self.buffer[3], self.buffer[4], int.from_bytes(self.buffer[5:9], "big")
            found.append((kind, flags, stream, self.buffer[9 : 9 + length]))
            self.buffer = self.buffer[9 + length :]
        for kind, flags, stream, payload in found:
            if kind == GOAWAY:
                self.last, self.goaway = struct.unpack(">II", payload[:8])
            elif kind == SETTINGS and not flags & ACK:
                self.send(frame(SETTINGS, ACK, 0))
            elif kind == PING and not flags & ACK:
                self.send(frame(PING, ACK, 0, payload))
        return found

    def until_closed(self, limit):
        """Seconds until the server says GOAWAY with an error, or closes; None if it does neither in time."""
        began = time.monotonic()
        try:
            while time.monotonic() - began < limit:
                self.frames(0.1)
                if self.goaway:
                    return time.monotonic() - began
        except Closed:
            return time.monotonic() - began
        return None

    def close(self):
        self.socket.close()


class Client:
    """Asks, and reads whole answers."""

    def __init__(self, address, source=None, head=b""):
        """`head` has header fields of every request."""
        self.connection, self.head = Connection(address, source), head
        self.next, self.open, self.answers, self.trailers = 1, {}, {}, {}

    def ask(self, method, payload):
        """Sends a request; the number of its stream."""
        stream, self.next = self.next, self.next + 2
        headers = frame(HEADERS, END_HEADERS, stream, request_headers(method) + self.head)
        data = message(payload)
        parts = [data[at : at + 16384] for at in range(0, len(data), 16384)]
        body = b"".join(frame(DATA, END_STREAM if at == len(parts) - 1 else 0, stream, part) for at, part in enumerate(parts))
        self.open[stream] = b""
        self.connection.send(headers + body)
        return stream

    def poll(self, wait):
        """Takes what has come; finished answers go to `answers`: their messages, or None for a reset."""
        for kind, flags, stream, payload in self.connection.frames(wait):
            if stream not in self.open:
                continue
            if kind == DATA:
                self.open[stream] += payload
                if payload:
                    update = struct.pack(">I", len(payload))
                    self.connection.send(frame(WINDOW_UPDATE, 0, 0, update))
            if kind == RST_STREAM:
                self.open.pop(stream)
                self.answers[stream] = None
            elif kind in (DATA, HEADERS) and flags & END_STREAM:
                self.answers[stream] = self.open.pop(stream)
                if not self.answers[stream]:
                    # A status instead, as the server has packed it.
                    self.trailers[stream] = payload

    def call(self, method, payload, limit=10):
        """The answer's message; b"" for an answer without one, which is a status."""
        stream, began = self.ask(method, payload), time.monotonic()
        while stream not in self.answers:
            if time.monotonic() - began > limit:
                raise TimeoutError(method)
            self.poll(1)
        answer = self.answers.pop(stream)
        if answer is None:
            raise Closed
        return answer[5:]
