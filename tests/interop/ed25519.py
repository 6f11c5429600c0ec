"""Ed25519 (RFC 8032) with Python's integers: slow, and enough to verify. `sign` is for tests that make files."""

import hashlib


class BadPoint(ValueError):
    """The bytes are no point of the curve."""


# Ed25519: the curve -x^2 + y^2 = 1 + d x^2 y^2 over the integers modulo P, points as (x, y).

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(a, b):
    k = D * a[0] * b[0] * a[1] * b[1] % P
    x = (a[0] * b[1] + a[1] * b[0]) * pow(1 + k, -1, P)
    y = (a[1] * b[1] + a[0] * b[0]) * pow(1 - k, -1, P)
    return x % P, y % P


def times(n, point):
    total = (0, 1)
    while n:
        if n & 1:
            total = add(total, point)
        point, n = add(point, point), n >> 1
    return total


def point(data):
    y = int.from_bytes(data, "little")
    y, odd = y & (1 << 255) - 1, y >> 255
    if y >= P:
        raise BadPoint("a point beyond the field")
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P:
        raise BadPoint("no point of the curve")
    return (P - x if x & 1 != odd else x), y


BASE = point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def verify(key, message, signature):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % ORDER
    return s < ORDER and times(s, BASE) == add(point(r), times(k, point(key)))


def encode(a):
    return (a[1] | (a[0] & 1) << 255).to_bytes(32, "little")


def scalar_of(seed):
    return int.from_bytes(hashlib.sha512(seed).digest()[:32], "little") & ((1 << 254) - 8) | 1 << 254


def public_of(seed):
    return encode(times(scalar_of(seed), BASE))


def sign(seed, message):
    prefix, public = hashlib.sha512(seed).digest()[32:], public_of(seed)
    r = int.from_bytes(hashlib.sha512(prefix + message).digest(), "little") % ORDER
    first = encode(times(r, BASE))
    k = int.from_bytes(hashlib.sha512(first + public + message).digest(), "little") % ORDER
    return first + ((r + k * scalar_of(seed)) % ORDER).to_bytes(32, "little")
