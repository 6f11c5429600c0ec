"""The parts of a WebAssembly module by size: code by crate from the names of functions, data, and what is compressed.

    python3 wasm_sizes.py MODULE [-v]

MODULE keeps its names. -v: the largest functions as well.
"""
import collections
import re
import sys


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def sections(data):
    assert data[:4] == b"\0asm", "not a WebAssembly module"
    at = 8
    while at < len(data):
        kind = data[at]
        size, at = varint(data, at + 1)
        yield kind, at, at + size
        at += size


def names(data, at, end):
    """Returns the functions' names by number, from the section `name`."""
    found = {}
    while at < end:
        kind = data[at]
        size, at = varint(data, at + 1)
        after = at + size
        if kind == 1:
            count, at = varint(data, at)
            for _ in range(count):
                number, at = varint(data, at)
                length, at = varint(data, at)
                found[number] = data[at:at + length].decode()
                at += length
        at = after
    return found


def crate(name):
    """Returns the crate of a function: for a generic function, the one of ours that it is made for."""
    ours = re.findall(r"canasta_([a-z]+)", name)
    return "canasta_" + ours[0] if ours else "others"


def main():
    data = open(sys.argv[1], "rb").read()
    imported, parts, code, called = 0, collections.Counter(), [], {}
    for kind, at, end in sections(data):
        if kind == 2:
            imported, _ = varint(data, at)
        elif kind == 10:
            count, place = varint(data, at)
            for _ in range(count):
                size, place = varint(data, place)
                code.append(size)
                place += size
        elif kind == 11:
            parts["data"] += end - at
        elif kind == 0:
            length, place = varint(data, at)
            if data[place:place + length] == b"name":
                called = names(data, place + length, end)
        else:
            parts["tables"] += end - at
    for number, size in enumerate(code):
        parts[crate(called.get(imported + number, "others"))] += size
    for part, size in parts.most_common():
        print(f"{size:>10,}  {part}")
    if "-v" in sys.argv:
        order = sorted(range(len(code)), key=lambda number: -code[number])
        for number in order[:100]:
            print(f"{code[number]:>10,}  {called.get(imported + number, '')[:140]}")


main()
