#!/usr/bin/env python3
"""Reference of the dealing scheme `canasta-deal/1`, as docs/DEALING.md has it.

It shares no code with the engine and needs nothing but the standard library, so that a deal
can be recomputed without us. It also makes the vectors the engine is tested against.

  deal_reference.py generate [--seed TEXT] [FILE]   write vectors (default: the committed file)
  deal_reference.py check [FILE]                    recompute every vector of FILE and compare
  deal_reference.py openssl [FILE]                  compare every KDF stream with `openssl kdf`

Exit code 0: all agree; 1: something differs; 2: could not be run.
"""

import argparse
import hashlib
import hmac
import json
import pathlib
import re
import shutil
import struct
import subprocess
import sys

DEFAULT_FILE = pathlib.Path(__file__).resolve().parent.parent / "data" / "deal" / "vectors.json"
FORMAT = "canasta-deal-vectors/1"
MAX_WORDS = 1024
MAX_CARDS = 324
JOKER = 52
NO_SEAT = 0xFF


class Invalid(Exception):
    """A deal that the scheme refuses."""


# ---------------------------------------------------------------- the scheme


def sha256(data):
    return hashlib.sha256(data).digest()


def hmac512(key, data):
    return hmac.digest(key, data, "sha512")


def lp(data):
    return struct.pack(">H", len(data)) + data


def deal_id(game_id, round_number, attempt):
    return f"{game_id.hex()}/r{round_number}/{attempt}"


def commitment(kind, subject, seat, value):
    head = b"canasta-deal/1/commit\0" + lp(kind.encode()) + lp(subject.encode())
    return sha256(head + bytes([seat]) + lp(value))


def round_secret(game_secret, round_number, attempt):
    return hmac512(game_secret, b"canasta-round/1" + struct.pack(">II", round_number, attempt))


def context(deal, rule_set, cards, commitments, values, beacon):
    """`commitments` and `values` hold bytes, empty where a seat gave nothing."""
    out = lp(deal.encode()) + lp(rule_set.encode()) + struct.pack(">H", cards)
    out += bytes([len(commitments)]) + b"".join(map(lp, commitments))
    out += bytes([len(values)]) + b"".join(map(lp, values))
    return out + lp(beacon)


def kdf(key, label, info, length):
    """NIST SP 800-108r1, counter mode, HMAC-SHA-512, 32-bit counter before the data."""
    fixed = label + b"\0" + info + struct.pack(">I", 8 * length)
    blocks = -(-length // 64)
    out = b"".join(hmac512(key, struct.pack(">I", i) + fixed) for i in range(1, blocks + 1))
    return out[:length]


def words_of(data):
    return [word for (word,) in struct.iter_unpack(">I", data)]


def zone(bound):
    return 2**32 - 2**32 % bound


def shuffle(cards, words):
    """The order of card ids, first dealt first, and how many words were taken."""
    order = list(range(cards))
    taken = 0
    for i in range(cards - 1, 0, -1):
        while True:
            if taken == MAX_WORDS or taken == len(words):
                raise Invalid("words")
            word = words[taken]
            taken += 1
            if word < zone(i + 1):
                break
        j = word % (i + 1)
        order[i], order[j] = order[j], order[i]
    return order, taken


def pack_cards(packs, jokers):
    """The kind of every card id."""
    kinds = []
    for pack in range(packs):
        kinds += range(52)
        kinds += [JOKER] * (jokers * (pack + 1) // packs - jokers * pack // packs)
    return kinds


def random_dealer(first_secret, game_id, round_number, seats):
    info = lp(deal_id(game_id, round_number, 1).encode())
    block = kdf(first_secret, b"canasta-dealer/1", info, 64)
    for word in words_of(block):
        if word < zone(seats):
            return block, word % seats
    raise Invalid("words")


def mask(label, key, number, plain):
    tag = hmac512(key, label + struct.pack(">Q", number) + plain)[:16]
    padded = plain + b"\x80"
    padded += bytes(-len(padded) % 64)
    pad = kdf(key, label, tag, len(padded))
    return tag + bytes(a ^ b for a, b in zip(padded, pad))


def unmask(label, key, number, masked):
    tag, body = masked[:16], masked[16:]
    padded = bytes(a ^ b for a, b in zip(body, kdf(key, label, tag, len(body))))
    plain = padded.rstrip(b"\0")
    if plain[-1:] != b"\x80" or mask(label, key, number, plain[:-1]) != masked:
        raise Invalid("mask")
    return plain[:-1]


# ---------------------------------------------------------------- the vectors


def pseudo_random(seed, what, length):
    """Bytes that depend on `seed` and `what` only, in every version of every language."""
    out = b""
    counter = 0
    while len(out) < length:
        out += sha256(f"{seed}/{what}/{counter}".encode())
        counter += 1
    return out[:length]


def compute_wall(v):
    """Fills in what follows from the inputs of a wall vector."""
    out = {}
    if "game_secret" in v:
        game_id, secret = bytes.fromhex(v["game_id"]), bytes.fromhex(v["game_secret"])
        out["deal_id"] = deal_id(game_id, v["round"], v["attempt"])
        out["game_commitment"] = commitment("game", game_id.hex(), NO_SEAT, secret).hex()
        key = round_secret(secret, v["round"], v["attempt"])
        out["round_secret"] = key.hex()
    else:
        out["deal_id"], out["round_secret"] = v["deal_id"], v["round_secret"]
        key = bytes.fromhex(v["round_secret"])
    deal = out["deal_id"]
    dealer = commitment("dealer", deal, NO_SEAT, key)
    out["dealer_commitment"] = dealer.hex()

    commitments, values, seats = [dealer], [], []
    for k, seat in enumerate(v["seats"]):
        value = bytes.fromhex(seat["value"] or "")
        registered = seat.get("registered", bool(value))
        # A seat that registers and then reveals nothing: its value is known to the maker only.
        hidden = value or bytes.fromhex(seat.get("unrevealed", ""))
        c = commitment("seat", deal, k, hidden) if registered else b""
        commitments.append(c)
        values.append(value)
        seats.append({**seat, "commitment": c.hex() or None})
    out["seats"] = seats

    kinds = pack_cards(v["packs"], v["jokers"])
    out["cards"] = len(kinds)
    info = context(deal, v["rule_set"], len(kinds), commitments, values, bytes.fromhex(v["beacon"] or ""))
    out["context_length"], out["context_sha256"] = len(info), sha256(info).hex()
    stream = kdf(key, b"canasta-deal/1", info, 4096)
    out["stream_start"], out["stream_sha256"] = stream[:16].hex(), sha256(stream).hex()

    words = []
    for run in v["first_words"]:
        words += [int(run["word"], 16)] * run["count"]
    words += words_of(stream)
    try:
        order, taken = shuffle(len(kinds), words)
    except Invalid:
        out["error"] = "words"
        return out, info
    out["words_taken"], out["rejected"] = taken, taken - (len(kinds) - 1)
    out["order_start"], out["order_last"] = order[:12], order[-1]
    out["order_sha256"] = sha256(b"".join(struct.pack(">H", id) for id in order)).hex()
    out["wall"] = bytes(kinds[id] for id in order).hex()
    return out, info


def compute_explicit(v):
    game_id, salt, wall = bytes.fromhex(v["game_id"]), bytes.fromhex(v["salt"]), bytes.fromhex(v["wall"])
    deal = deal_id(game_id, v["round"], v["attempt"])
    return {"deal_id": deal, "commitment": commitment("wall", deal, NO_SEAT, salt + wall).hex()}


def compute_dealer(v):
    game_id, secret = bytes.fromhex(v["game_id"]), bytes.fromhex(v["game_secret"])
    block, seat = random_dealer(round_secret(secret, v["round"], 1), game_id, v["round"], v["seats"])
    return {"block": block.hex(), "dealer": seat}


def compute_mask(v):
    label, key, plain = v["label"].encode(), bytes.fromhex(v["key"]), bytes.fromhex(v["plain"])
    masked = mask(label, key, v["record"], plain)
    assert unmask(label, key, v["record"], masked) == plain
    return {"masked": masked.hex()}


def compute_simulate(v):
    secret = hmac512(b"canasta-simulate/1", struct.pack(">QI", int(v["seed"]), v["game"]))
    bots = [hmac512(secret, b"canasta-bot/1" + bytes([k]))[:8].hex() for k in range(6)]
    return {
        "game_secret": secret.hex(),
        "game_id": sha256(b"canasta-simulate/1/id\0" + secret)[:16].hex(),
        "bot_seeds": bots,
    }


COMPUTE = {
    "walls": lambda v: compute_wall(v)[0],
    "explicit": compute_explicit,
    "dealers": compute_dealer,
    "masks": compute_mask,
    "simulate": compute_simulate,
}

# ---------------------------------------------------------------- inputs of the vectors

G = bytes(range(64))
GAME_ID = bytes(range(16))
PLACEHOLDER_RULES = sha256(b"placeholder rule set").hex()


def seats_of(*values):
    return [{"value": bytes([value] * 32).hex() if value else None} for value in values]


def run(word, count=1):
    return {"word": f"{word:08x}", "count": count}


def wall_a(name, packs, jokers, first_words):
    return {
        "name": name,
        "deal_id": "example-open-2026/r1/t07/d3",
        "round_secret": G.hex(),
        "rule_set": "classic-4p/1",
        "packs": packs,
        "jokers": jokers,
        "seats": seats_of(0x10, 0x20, 0x30, 0x40),
        "beacon": sha256(b"drand-quicknet-placeholder").hex(),
        "first_words": first_words,
    }


def wall_b(name, seats):
    return {
        "name": name,
        "game_secret": G.hex(),
        "game_id": GAME_ID.hex(),
        "round": 1,
        "attempt": 1,
        "rule_set": PLACEHOLDER_RULES,
        "packs": 2,
        "jokers": 4,
        "seats": seats,
        "beacon": None,
        "first_words": [],
    }


def fixed_walls():
    walls = []
    for packs, jokers in ((2, 4), (6, 12)):
        n = packs * 52 + jokers
        walls += [
            wall_a(f"A {n}", packs, jokers, []),
            wall_a(f"A {n}, forced rejection", packs, jokers, [run(0xFFFFFFFF)]),
            wall_a(f"A {n}, boundary: zone - 1 is accepted", packs, jokers, [run(zone(n) - 1)]),
            wall_a(f"A {n}, boundary: zone is rejected", packs, jokers, [run(zone(n))]),
            wall_a(f"A {n}, last of the 1,024 words", packs, jokers, [run(0xFFFFFFFF, MAX_WORDS - n + 1)]),
            wall_a(f"A {n}, one word too many", packs, jokers, [run(0xFFFFFFFF, MAX_WORDS - n + 2)]),
        ]
    walls.append(wall_b("B seeded", []))
    walls.append(wall_b("B committed", seats_of(0x10, 0x20, 0, 0x40)))
    walls.append(wall_b("B committed, nobody contributes", seats_of(0, 0, 0, 0)))
    silent = seats_of(0x10, 0x20, 0, 0x40)
    silent[2] = {"value": None, "registered": True, "unrevealed": "30" * 32}
    walls.append(wall_b("B committed, seat 2 registers and does not reveal", silent))
    return walls


# Games of `simulate --seed 1` whose first seeded wall happens to reject a word, found by trying games in turn
# (about one in 170,000 does at 324 cards): a rejection that nobody forced.
NATURAL_REJECTIONS = (29967, 52615)


def natural_wall(game):
    made = compute_simulate({"seed": "1", "game": game})
    return {
        "name": f"seeded, natural rejection (simulated game {game})",
        "game_secret": made["game_secret"],
        "game_id": made["game_id"],
        "round": 1,
        "attempt": 1,
        "rule_set": PLACEHOLDER_RULES,
        "packs": 6,
        "jokers": 12,
        "seats": [],
        "beacon": None,
        "first_words": [],
    }


PACKS = [(1, 0), (1, 2), (2, 4), (2, 0), (3, 6), (3, 4), (4, 8), (5, 10), (5, 7), (6, 12), (6, 2)]


def random_wall(seed, index):
    def draw(what, length):
        return pseudo_random(seed, f"wall {index} {what}", length)

    pick = draw("choices", 8)
    packs, jokers = PACKS[index % len(PACKS)]
    seat_count = (0, 2, 3, 4, 6)[pick[0] % 5]
    seats = []
    for k in range(seat_count):
        value = draw(f"seat {k}", 32).hex()
        if pick[1] >> k & 1:
            seats.append({"value": value})
        elif pick[2] >> k & 1:
            seats.append({"value": None, "registered": True, "unrevealed": value})
        else:
            seats.append({"value": None})
    beacon = seat_count > 0 and pick[3] & 1
    mode = "committed" if seat_count else "seeded"
    # Every fourth starts with words above every zone, of two different sizes.
    forced = [run(0xFFFFFFFF), run(zone(packs * 52 + jokers), 2)] if index % 4 == 3 else []
    return {
        "name": f"random {index}, {mode}",
        "game_secret": draw("secret", 64).hex(),
        "game_id": draw("id", 16).hex(),
        "round": struct.unpack(">H", pick[4:6])[0] % 40 if index else 2**32 - 1,
        "attempt": pick[6] % 3 + 1 if index else 2**32 - 1,
        "rule_set": sha256(draw("rules", 16)).hex(),
        "packs": packs,
        "jokers": jokers,
        "seats": seats,
        "beacon": draw("beacon", 32).hex() if beacon else None,
        "first_words": forced,
    }


def inputs(seed):
    def draw(what, length):
        return pseudo_random(seed, what, length)

    walls = fixed_walls() + [natural_wall(game) for game in NATURAL_REJECTIONS]
    walls += [random_wall(seed, index) for index in range(24)]
    explicit = []
    for index, (packs, jokers) in enumerate([(2, 4), (6, 12), (1, 0)]):
        kinds = pack_cards(packs, jokers)
        order, _ = shuffle(len(kinds), words_of(draw(f"explicit {index} order", 4096)))
        explicit.append({
            "name": f"wall of {len(kinds)} cards",
            "game_id": draw(f"explicit {index} id", 16).hex(),
            "round": index + 1,
            "attempt": 1,
            "salt": draw(f"explicit {index} salt", 32).hex(),
            "wall": bytes(kinds[id] for id in order).hex(),
        })
    dealers = [{"name": "B", "game_secret": G.hex(), "game_id": GAME_ID.hex(), "round": 1, "seats": 4}]
    for seats in range(2, 7):
        dealers.append({
            "name": f"{seats} seats",
            "game_secret": draw(f"dealer {seats} secret", 64).hex(),
            "game_id": draw(f"dealer {seats} id", 16).hex(),
            "round": seats,
            "seats": seats,
        })
    masks = []
    for index, (label, key, length) in enumerate([
        ("canasta-refusal/1", 64, 1), ("canasta-refusal/1", 64, 62), ("canasta-refusal/1", 64, 63),
        ("canasta-refusal/1", 64, 64), ("canasta-refusal/1", 32, 20), ("canasta-refusal/1", 64, 500),
        ("canasta-ruling/1", 64, 300), ("canasta-ruling/1", 32, 127), ("canasta-ruling/1", 64, 0),
    ]):
        masks.append({
            "name": f"{length} bytes, key of {key} bytes",
            "label": label,
            "key": draw(f"mask {index} key", key).hex(),
            "record": index * 1000 + 7,
            # Ends in 80 00, as padding does: only exact unpadding brings it back.
            "plain": (draw(f"mask {index} plain", length)[:-2] + b"\x80\0"[:length]).hex()[: 2 * length],
        })
    simulate = [
        {"name": f"seed {s}, game {g}", "seed": str(s), "game": g}
        for s, g in ((0, 0), (1, 0), (1, 1), (2**64 - 1, 2**32 - 1))
    ]
    return {"walls": walls, "explicit": explicit, "dealers": dealers, "masks": masks, "simulate": simulate}


# The scheme text's own values: `generate` and `check` stop if any is missed.
STATED = {
    "A 108": {
        "dealer_commitment": "628cc18e71b42d1e3a26dcd05eda298029b3a736906599c1e0c7db79f17f8fd1",
        "context_length": 387,
        "context_sha256": "c92a1ee0479b06390b675b58676ef67f68fb4ea96c3b3cf6d8e18ed1c7a561ef",
        "stream_start": "db63316c2c54304caa951ead8b847d90",
        "stream_sha256": "a3fc85b569547b03b29ecef2e7e5766ed3ba2861e1ea4747d9a36dba946eb697",
        "order_start": [28, 98, 107, 24, 39, 20, 59, 96, 95, 7, 10, 66],
        "order_sha256": "40e156ccd3a94fc20857e82a9ffa4a208a90b9cf6a871fdb55a40c93b0269cfe",
    },
    "A 108, forced rejection": {
        "rejected": 1,
        "order_sha256": "40e156ccd3a94fc20857e82a9ffa4a208a90b9cf6a871fdb55a40c93b0269cfe",
    },
    "A 108, boundary: zone - 1 is accepted": {
        "rejected": 0,
        "order_last": 107,
        "order_sha256": "751c3d2c8b7e604949dfda4044f0cd0fedfde5e26a405a85b74599012c9aa5dd",
    },
    "A 324": {
        "dealer_commitment": "628cc18e71b42d1e3a26dcd05eda298029b3a736906599c1e0c7db79f17f8fd1",
        "context_length": 387,
        "context_sha256": "f5b2c9c0714b1485303683e71f72c7cce76252debd21a33f2f8eb376a062e3b7",
        "stream_start": "1c61ac2f105d91a46b8002e745094391",
        "stream_sha256": "67f3145f2f00b34743455e263abef9c8e42329931d1e12298e58d89c8eb2801e",
        "order_start": [249, 247, 271, 204, 177, 60, 201, 162, 268, 160, 274, 148],
        "order_sha256": "94cb76727d7c39876bdd65690b706b2ee7051219a8f9935a850619f042a634d0",
    },
    "A 324, forced rejection": {
        "rejected": 1,
        "order_sha256": "94cb76727d7c39876bdd65690b706b2ee7051219a8f9935a850619f042a634d0",
    },
    "A 324, boundary: zone - 1 is accepted": {
        "rejected": 0,
        "order_last": 323,
        "order_sha256": "d1f86a23b400ce888101110d508e288912f3d70a040775b3e1e25749951e7c33",
    },
    "B seeded": {
        "game_commitment": "63151da42f54d4125dbf6a6b37c6cdde7594bea8ead5e83eb4d05fe9be8d2085",
        "dealer_commitment": "1c8144bf2cddb659f254ec067507cdf7015f4008b9534a4c519c6e6bd9278cdc",
        "context_length": 145,
        "context_sha256": "6df3fc8573ac96416033c5fc8fcba87a2417740edfacda8caf5cfc57890f50b6",
        "order_sha256": "5e2b1d7a0b08bd51fe5be3d19a077fe08c4cd19e098906efcaa6cd430699b8c2",
    },
    "B committed": {
        "context_length": 353,
        "context_sha256": "ea2a07ca4a9328ee04d453da95a2f82022c2faa013b7d489978b52228ea9f052",
        "order_sha256": "858c53174472eda89a225dbd414f9e7d2f1890b1f754325fc713b21857efd248",
    },
}
STATED_STARTS = {  # prefixes, where the text gives no more
    ("walls", "B seeded", "order_start"): [31, 28, 51, 85, 45, 53, 26, 17],
    ("walls", "B seeded", "round_secret"): "a421d74b69bf9bfe812c65f926f29a67",
    ("walls", "B committed", "order_start"): [19, 0, 12, 28, 93, 13, 82, 91],
    ("dealers", "B", "block"): "9ee92d164d8f7650",
    ("dealers", "B", "dealer"): 2,
}


def differences(document):
    """Every place where `document` is not what this script computes or the scheme states."""
    for section, compute in COMPUTE.items():
        for vector in document[section]:
            for key, value in compute(vector).items():
                if vector.get(key) != value:
                    yield f"{section}: {vector['name']}: {key} is {vector.get(key)}, expected {value}"
    by_name = {(s, v["name"]): v for s in COMPUTE for v in document[s]}
    for name, values in STATED.items():
        vector = by_name.get(("walls", name), {})
        for key, value in values.items():
            if vector.get(key) != value:
                yield f"stated value: {name}: {key} is {vector.get(key)}, expected {value}"
    for (section, name, key), start in STATED_STARTS.items():
        vector = by_name.get((section, name), {})
        found = vector.get(key)
        if found is not None and not isinstance(start, int):
            found = found[: len(start)]
        if found != start:
            yield f"stated value: {name}: {key} is {found}, expected {start}"


# ---------------------------------------------------------------- modes


def generate(path, seed):
    document = {
        "format": FORMAT,
        "source": f"tests/interop/deal_reference.py generate --seed {seed}",
        **inputs(seed),
    }
    for section, compute in COMPUTE.items():
        document[section] = [{**vector, **compute(vector)} for vector in document[section]]
    missed = list(differences(document))
    if missed:
        return report(missed)
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="ascii")
    print(f"{path.name}: {len(document['walls'])} walls written")
    return 0


def check(path):
    document = json.loads(path.read_text(encoding="ascii"))
    if document.get("format") != FORMAT:
        return report([f"format is {document.get('format')}, expected {FORMAT}"])
    missed = list(differences(document))
    if missed:
        return report(missed)
    print("; ".join(f"{len(document[s])} {s}" for s in COMPUTE) + ": all agree")
    return 0


def openssl(path):
    """Compares our KDF with OpenSSL 3's, for every stream the vectors need."""
    program = shutil.which("openssl")
    if program is None:
        print("deal_reference: openssl is not installed (OpenSSL 3 is needed)", file=sys.stderr)
        return 2
    version = subprocess.run([program, "version"], capture_output=True, text=True).stdout
    found = re.match(r"OpenSSL (\d+)\.", version)
    if found is None or int(found[1]) < 3:
        print(f"deal_reference: OpenSSL 3 is needed, found {version.strip()!r}", file=sys.stderr)
        return 2

    document = json.loads(path.read_text(encoding="ascii"))
    streams = []
    for v in document["walls"]:
        info = compute_wall(v)[1]
        streams.append((v["name"], v["round_secret"], b"canasta-deal/1", info, 4096))
    for v in document["dealers"]:
        key = round_secret(bytes.fromhex(v["game_secret"]), v["round"], 1).hex()
        info = lp(deal_id(bytes.fromhex(v["game_id"]), v["round"], 1).encode())
        streams.append((v["name"], key, b"canasta-dealer/1", info, 64))
    for v in document["masks"]:
        masked = bytes.fromhex(v["masked"])
        streams.append((v["name"], v["key"], v["label"].encode(), masked[:16], len(masked) - 16))

    missed = []
    for name, key, label, info, length in streams:
        options = ["mode:counter", "mac:HMAC", "digest:SHA2-512", f"hexkey:{key}"]
        options += [f"hexsalt:{label.hex()}", f"hexinfo:{info.hex()}"]
        command = [program, "kdf", "-binary", "-keylen", str(length)]
        for option in options:
            command += ["-kdfopt", option]
        result = subprocess.run(command + ["KBKDF"], capture_output=True)
        if result.returncode != 0:
            print(f"deal_reference: {result.stderr.decode().strip()}", file=sys.stderr)
            return 2
        if result.stdout != kdf(bytes.fromhex(key), label, info, length):
            missed.append(f"{name}: {label.decode()} stream differs from openssl kdf")
    if missed:
        return report(missed)
    print(f"{len(streams)} streams agree with {version.strip()}")
    return 0


def report(lines):
    for line in lines:
        print(line, file=sys.stderr)
    return 1


def main():
    parser = argparse.ArgumentParser(description="Reference and vectors of canasta-deal/1.")
    parser.add_argument("mode", choices=["generate", "check", "openssl"])
    parser.add_argument("file", nargs="?", type=pathlib.Path, default=DEFAULT_FILE)
    parser.add_argument("--seed", default="1", help="of the random inputs (generate; default 1)")
    given = parser.parse_intermixed_args()
    try:
        if given.mode == "generate":
            return generate(given.file, given.seed)
        return {"check": check, "openssl": openssl}[given.mode](given.file)
    except (OSError, ValueError, KeyError) as error:
        print(f"deal_reference: {error!r}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
