#!/usr/bin/env python3
"""Checks a published tournament, written from docs/TOURNAMENT.md and the C2SP pages alone: Python's standard library,
no code shared with the publisher. The tree from the entries, every tile, the checkpoint's signature (Ed25519, RFC
8032), every proof, and that the tree goes on from checkpoints kept earlier.

    verify_site.py [--witness KEY]... SITE PUBLIC_KEY [CHECKPOINT...]
    verify_site.py --bad LIST          holds bad sites against the list of what must be found in them
    verify_site.py --proof FILE [KEY]  checks the proof of one game: the block of data of the page that `prove` writes
"""

import base64
import hashlib
import json
import pathlib
import re
import sys

import deal_reference as deal
import log_reference

from ed25519 import verify
from verify_clog import HEADER, Fault, Input, frames, genesis, need, sha

# Notes and checkpoints.


def strict64(text):
    data = base64.b64decode(text, validate=True)
    need(base64.b64encode(data).decode() == text, f"base64 with loose ends: {text}")
    return data


def checkpoint(note, vkey):
    """(origin, size, root) of a note that the key has signed."""
    name, key_hash, key = vkey.split("+", 2)
    key = strict64(key)
    need(key[0] == 1 and len(key) == 33, "expected an Ed25519 key")
    need(sha(name.encode(), b"\n", key)[:4].hex() == key_hash, "the key's hash is another")
    text, _, signatures = note.rpartition("\n\n")
    text += "\n"
    mine = [line.split(" ") for line in signatures.splitlines() if line.startswith(f"\u2014 {name} ")]
    mine = [strict64(fields[2]) for fields in mine]
    mine = [data[4:] for data in mine if data[:4].hex() == key_hash]
    need(mine, f"not signed by {name}")
    need(all(verify(key[1:], text.encode(), data) for data in mine), f"the signature by {name} does not verify")
    origin, size, root = text.splitlines()
    need(str(int(size)) == size, "a size that is not written as a number is")
    return origin, int(size), strict64(root)


def cosigned(note, vkey):
    """The time at which a witness cosigned a checkpoint (C2SP tlog-cosignature, Ed25519)."""
    name, key_hash, key = vkey.split("+", 2)
    key = strict64(key)
    need(key[0] == 4 and len(key) == 33, "expected the Ed25519 key of a witness")
    need(sha(name.encode(), b"\n", key)[:4].hex() == key_hash, "the key's hash is another")
    text, _, signatures = note.rpartition("\n\n")
    lines = [line.split(" ") for line in signatures.splitlines() if line.startswith(f"\u2014 {name} ")]
    mine = [data for data in (strict64(fields[2]) for fields in lines) if data[:4].hex() == key_hash]
    need(mine, f"not cosigned by {name}")
    for data in mine:
        time = int.from_bytes(data[4:12], "big")
        message = f"cosignature/v1\ntime {time}\n{text}\n".encode()
        need(len(data) == 76 and verify(key[1:], message, data[12:]), f"the cosignature by {name} does not verify")
    return time


def kept(site, size):
    """The checkpoints that witnesses cosigned, as the site keeps them: one behind the other, in a file for each full tile."""
    for index in range((size + 255) // 256):
        file = site / "cosigned" / place(index, 256)
        if file.exists():
            last = 0
            for note in re.findall(r"[^\u2014]+\n\n(?:\u2014 [^\n]+\n)+", file.read_text()):
                number = int(note.split("\n")[1])
                need(last <= number and 256 * index < number <= min(size, 256 * index + 256), f"{file}: {number} is out of its place")
                last = number
                yield note


def times_of(notes, leaves, vkey, witnesses):
    """The time by which all witnesses had signed each leaf, from these notes; a missing time is None."""
    earliest = [[None] * len(leaves) for _ in witnesses]
    for note in notes:
        _, size, root = checkpoint(note, vkey)
        need(root_of(leaves[:size]) == root, "a kept checkpoint of another tree")
        for witness, times in zip(witnesses, earliest):
            if f"\n\u2014 {witness.split('+')[0]} " in note:
                times[size - 1] = cosigned(note, witness)
    for times in earliest:
        for index in reversed(range(len(leaves) - 1)):
            known = [time for time in times[index : index + 2] if time is not None]
            times[index] = min(known, default=None)
    return [max(of) if None not in of else None for of in zip(*earliest)] if witnesses else [None] * len(leaves)


# The tree.


def split(size):
    return 1 << (size - 1).bit_length() - 1


def root_of(leaves):
    """MTH of RFC 6962, 2.1."""
    if not leaves:
        return sha()
    if len(leaves) == 1:
        return leaves[0]
    left = split(len(leaves))
    return sha(b"\1", root_of(leaves[:left]), root_of(leaves[left:]))


def consistency(size, leaves, whole=True):
    """SUBPROOF of RFC 6962, 2.1.2: that the first `size` leaves begin this tree."""
    if size == len(leaves):
        return [] if whole else [root_of(leaves)]
    left = split(len(leaves))
    if size <= left:
        return [*consistency(size, leaves[:left], whole), root_of(leaves[left:])]
    return [*consistency(size - left, leaves[left:], False), root_of(leaves[:left])]


def check_consistency(old, old_root, new, new_root, proof):
    """RFC 9162, 2.1.4.2."""
    if old == new:
        return not proof and old_root == new_root
    if old == 0:
        return old_root == sha()
    if old & (old - 1) == 0:
        proof = [old_root, *proof]
    fn, sn = old - 1, new - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    first = second = proof[0]
    for node in proof[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            first, second = sha(b"\1", node, first), sha(b"\1", node, second)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            second = sha(b"\1", second, node)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and (first, second) == (old_root, new_root)


def root_by_path(index, size, leaf, path):
    """RFC 9162, 2.1.3.2."""
    need(index < size, "an index beyond the tree")
    fn, sn, node = index, size - 1, leaf
    for sibling in path:
        need(sn, "a path that is too long")
        if fn & 1 or fn == sn:
            node = sha(b"\1", sibling, node)
            while not fn & 1 and fn:
                fn, sn = fn >> 1, sn >> 1
        else:
            node = sha(b"\1", node, sibling)
        fn, sn = fn >> 1, sn >> 1
    need(sn == 0, "a path that is too short")
    return node


def place(index, width):
    digits = f"{index:d}"
    digits = digits.zfill(-len(digits) // 3 * -3)
    parts = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    name = "/".join([*("x" + part for part in parts[:-1]), parts[-1]])
    return name if width == 256 else f"{name}.p/{width}"


def tiles(size):
    """(level, index, width) of every tile of a tree."""
    level = 0
    while size >> 8 * level:
        hashes = size >> 8 * level
        for index in range((hashes + 255) // 256):
            yield level, index, min(256, hashes - 256 * index)
        level += 1


def entries(site, size):
    for level, index, width in tiles(size):
        if level:
            return
        data = (site / "tile/entries" / place(index, width)).read_bytes()
        for _ in range(width):
            length = int.from_bytes(data[:2], "big")
            need(len(data) >= 2 + length, "a bundle that ends within an entry")
            yield data[2 : 2 + length]
            data = data[2 + length :]
        need(not data, "a bundle that goes on behind its entries")


def check_proof(text, leaf, index, vkey, leaves):
    head, _, note = text.partition("\n\n")
    first, extra, place_line, *path = head.split("\n")
    need(first == "c2sp.org/tlog-proof@v1", "no proof")
    need(extra == "extra " + base64.b64encode(leaf).decode(), "a proof of another entry")
    need(place_line == f"index {index}", "a proof of another place")
    _, size, root = checkpoint(note, vkey)
    need(size <= len(leaves) and root_of(leaves[:size]) == root, "a proof that goes to another tree")
    need(root_by_path(index, size, leaves[index], [strict64(line) for line in path]) == root, "a path to nowhere")


def check_log(site, entry, signed, opened):
    """The log of an entry; `signed` are the heads, by record, that were signed while it was played, `opened` players and
    mode of its opening."""
    path = site / f"games/{entry['game_id']}-{entry['records']}.clog"
    head, records = sha(b"canasta-log/1/start\0", HEADER), 0
    for n, _, payload in frames(path.read_bytes()):
        number, length = n.to_bytes(8, "big"), len(payload).to_bytes(4, "big")
        if n == 0:
            need(genesis(Input(payload[1:]))["fork"] is None, f"{path}: a branch of a game, and not the game")
        if n == 0 and opened:
            need(players_of(payload) == opened, f"{path}: another game than the one that was opened")
        head, records = sha(b"canasta-log/1\0", head, number, length, payload), n + 1
        need(signed.get(n, head) == head, f"{path}: record {n} is another than the one signed during play")
    need(records == entry["records"], f"{path}: another number of records")
    need(head.hex() == entry["head"], f"{path}: another head")
    need(all(n < records for n in signed), f"{path}: shorter than when its head was signed during play")


def players_of(payload):
    """Names and keys of the players, and the mode, of a genesis record."""
    i = Input(payload[1:])
    i.take(17)
    i.data(64), i.data(64), i.data(8192)
    players = i.list(6, lambda: (i.data(64).decode(), (i.some(lambda: i.take(32)) or b"").hex() or None))
    return players, ["seeded", "committed", "explicit", "transcribed"][i.u8() - 1]


def check_paper(note):
    """A score sheet without a log, signed with keys that it names. Returns the id of its game, if it names one. Sums are
    counted; sides, bonuses and the end of the game need the rules."""
    text, _, signatures = note.rpartition("\n\n")
    lines = [line.split("#")[0].strip() for line in text.splitlines()[1:]]
    keys = {line.split()[-1] for line in lines if line.startswith("key ")}
    for line in (line for line in lines if line.startswith("score ")):
        head, _, items = line.partition(":")
        total = head.split()[2:]
        points = [int(item.split()[-1]) for item in items.split(",") if item.strip()]
        need(not total or int(total[0]) == sum(points), f"a score that is not the sum of its lines: {line}")
    signed = set()
    for line in signatures.splitlines():
        name, data = line.removeprefix("\u2014 ").rsplit(" ", 1)
        data = strict64(data)
        for key in map(bytes.fromhex, keys):
            if sha(name.encode(), b"\n\1", key)[:4] == data[:4]:
                need(verify(key, (text + "\n").encode(), data[4:]), f"the signature by {name} does not verify")
                signed.add(key)
    need(signed, "a sheet that nobody has signed with a key that it names")
    games = [line.split()[1] for line in lines if line.startswith("game ") and not line.startswith("game over")]
    return games[0] if games else None


# The history: what was announced, opened, played, closed and voided.

FIELDS = {
    "canasta-tables/1": ["format", "at_ms", "tables"],
    "canasta-open/1": ["format", "at_ms", "game_id", "label", "rule_set", "players", "mode", "commitment", "records", "head"],
    "canasta-heads/1": ["format", "at_ms", "games", "list"],
    "canasta-void/1": ["format", "at_ms", "game_id", "reason"],
    "canasta-sheet/1": ["format", "at_ms", "note"],
    "canasta-board/1": ["format", "at_ms", "board_id", "name", "commitment", "tables"],
    "canasta-reveal/1": ["format", "at_ms", "board_id", "secret"],
    "canasta-end/1": ["format", "at_ms"],
    "canasta-anyway/1": ["format", "at_ms", "reason"],
}


def heads_of(site, leaf):
    """The list of heads that a leaf names: game id -> (records, head)."""
    data = (site / "heads" / leaf["list"]).read_bytes()
    need(sha(data).hex() == leaf["list"], "another list of heads than the leaf names")
    lines = [line.split(" ") for line in data.decode().splitlines()]
    need(len(lines) == leaf["games"], "another number of heads than the leaf says")
    ids = [line[0] for line in lines]
    need(ids == sorted(set(ids)), "heads that are not in the order of ids")
    return {line[0]: (int(line[1]), bytes.fromhex(line[2])) for line in lines}


class History:
    def __init__(self):
        self.announced, self.opened, self.closed, self.void = set(), {}, set(), set()
        self.papers, self.boards, self.board_of, self.shown = set(), {}, {}, {}
        self.signed, self.last, self.latest, self.ended, self.genesis_of = {}, {}, None, False, {}

    def open_games(self):
        return set(self.opened) - self.closed - self.void

    def take(self, site, leaf):
        kind = leaf["format"]
        need(kind == "canasta-game/1" or list(leaf) == [key for key in FIELDS[kind] if key in leaf], f"fields of {kind}")
        game = leaf.get("game_id")
        if kind == "canasta-game/1":
            if "result" in leaf:
                need(not self.opened or game in self.opened or game in self.closed, f"{game} has a result, and was not opened")
                need(game not in self.void, f"{game} has a result, and was voided")
                self.closed.add(game)
            return
        need(self.latest is None or leaf["at_ms"] >= self.latest, "a time that goes back")
        self.latest = leaf["at_ms"]
        need(not self.ended or kind in ("canasta-sheet/1", "canasta-anyway/1"), "a leaf behind the end of the tournament")
        if kind == "canasta-tables/1":
            self.announced |= {table["game_id"] for table in leaf["tables"]}
        elif kind == "canasta-open/1":
            self.genesis_of[game] = [(player["name"], player.get("key")) for player in leaf["players"]], leaf["mode"]
            need(not self.announced or game in self.announced, f"{game} was opened, and not announced")
            need(game not in self.opened and game not in self.closed | self.void, f"{game} is opened twice")
            self.opened[game] = leaf
            self.sign(game, leaf["records"], bytes.fromhex(leaf["head"]))
        elif kind == "canasta-heads/1":
            heads = heads_of(site, leaf)
            need(set(heads) == self.open_games(), "a list of heads of other games than those in progress")
            for game, (records, head) in heads.items():
                before, last = self.last[game]
                need(records > before or (records, head) == (before, last), f"the head of {game} goes back")
                self.sign(game, records, head)
        elif kind == "canasta-void/1":
            need(game in self.open_games() | self.announced, f"{game} is voided, and not in progress")
            need(game not in self.closed | self.void, f"{game} is voided, and has a result or is void")
            self.void.add(game)
        elif kind == "canasta-sheet/1" and leaf["note"].startswith("canasta-paper/1\n"):
            self.papers.add(check_paper(leaf["note"]))
        elif kind == "canasta-board/1":
            games = {table["game_id"] for table in leaf["tables"]}
            need(leaf["board_id"] not in self.boards and not games & set(self.board_of), "a board, or a game of it, is there twice")
            need(not games & (set(self.opened) | self.closed), "a game had begun before its board was committed to")
            self.boards[leaf["board_id"]] = leaf["commitment"], games
            self.board_of |= {game: leaf["board_id"] for game in games}
            self.announced |= games
        elif kind == "canasta-reveal/1":
            board, secret = leaf["board_id"], bytes.fromhex(leaf["secret"])
            made, games = self.boards[board]
            need(deal.commitment("game", board, 255, secret).hex() == made, "another secret than the board's")
            need(games <= self.closed | self.void | self.papers, "a board is shown before its last table has finished")
            self.shown[board] = secret
        elif kind == "canasta-end/1":
            self.ended = True
            need(set(self.boards) == set(self.shown), "a board is not shown")

    def sign(self, game, records, head):
        self.last[game] = records, head
        self.signed.setdefault(game, {})[records - 1] = head

    def close(self):
        left = self.open_games()
        need(not (self.ended and left), f"in progress at the end of the tournament: {', '.join(sorted(left))}")
        missing = self.announced - set(self.opened) - self.closed - self.void - self.papers
        need(not (self.ended and missing), f"announced and never opened: {', '.join(sorted(missing))}")
        return left


def check_walls(log, board, secret):
    """Every wall of a table is that of its board, under a salt of the table's own."""
    for record, _ in log_reference.read(log):
        if record["type"] == "genesis":
            game, digest = bytes.fromhex(record["game_id"]), sha(b"canasta-ruleset/1\0", record["rule_set"].encode()).hex()
        elif record["type"] == "round_end":
            number, attempt, reveal = record["round"], record["attempt"], record["reveal"]
            need(reveal["type"] == "wall", "a table of a board without explicit deals")
            kinds = [52 if card == "X" else "cdhs".index(card[1]) * 13 + "A23456789TJQK".index(card[0]) for card in reveal["cards"]]
            jokers = kinds.count(52)
            inputs = {"packs": (len(kinds) - jokers) // 52, "jokers": jokers, "rule_set": digest, "seats": [], "beacon": None}
            of = {"game_id": board, "game_secret": secret.hex(), "round": number, "attempt": attempt, "first_words": []}
            need(bytes(kinds).hex() == deal.compute_wall({**inputs, **of})[0]["wall"], f"round {number} is not its board's")
            place = number.to_bytes(4, "big") + attempt.to_bytes(4, "big")
            salt = deal.hmac512(secret, b"canasta-board/1" + game + place)[:32]
            need(reveal["salt"] == salt.hex(), f"the salt of round {number} is not its board's")


def main(site, vkey, since, witnesses=(), quiet=False):
    site = pathlib.Path(site)
    note = (site / "checkpoint").read_text()
    origin, size, root = checkpoint(note, vkey)
    times = [cosigned(note, witness) for witness in witnesses]
    found = list(entries(site, size))
    leaves = [sha(b"\0", leaf) for leaf in found]
    need(root_of(leaves) == root, "the entries lead to another root")
    for level, index, width in tiles(size):
        span = 256**level
        data = b"".join(
            root_of(leaves[at * span : (at + 1) * span]) for at in range(256 * index, 256 * index + width)
        )
        need((site / f"tile/{level}" / place(index, width)).read_bytes() == data, f"tile {level}/{index} differs")
    entries_of = [json.loads(leaf) for leaf in found]
    history = History()
    for leaf, entry in zip(found, entries_of):
        need(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode() == leaf, "JSON with blanks")
        history.take(site, entry)
    open_games, listed = history.close(), set()
    late = times and history.latest is not None and history.latest > (min(times) + 60) * 1000
    need(not late, "a leaf claims a later time than a witness signed")
    seen = times_of([*kept(site, size), *([note] if witnesses else [])], leaves, vkey, witnesses)
    for index, (leaf, entry) in enumerate(zip(found, entries_of)):
        if entry["format"] != "canasta-game/1":
            continue
        game = entry["game_id"]
        check_log(site, entry, history.signed.get(game, {}), history.genesis_of.get(game))
        if game in history.board_of and history.board_of[game] in history.shown:
            board = history.board_of[game]
            check_walls((site / f"games/{game}-{entry['records']}.clog").read_bytes(), board, history.shown[board])
        listed.add(f"{game}-{entry['records']}.clog")
        name = f"games/{entry['game_id']}-{entry['records']}.tlog-proof"
        check_proof((site / name).read_text(), leaf, index, vkey, leaves)
    for file in (site / "games").glob("*.clog"):
        need(file.name in listed, f"{file}: no entry names it")
    for file in since:
        old_origin, old, old_root = checkpoint(pathlib.Path(file).read_text(), vkey)
        need(old_origin == origin, f"{file}: another tournament")
        need(old <= size, f"{file}: signs {old} entries, there are {size}")
        holds = check_consistency(old, old_root, size, root, consistency(old, leaves) if old else [])
        need(holds, f"{file}: this tree does not go on from it")
    in_progress = f", {len(open_games)} in progress" if open_games else ""
    if not quiet:
        print(f"{origin}: {size} entries{in_progress}, {len(since)} earlier checkpoints, all holds")
    # When the witnesses had seen each game opened, and closed.
    return {
        (entry["format"], entry["game_id"]): seen[index]
        for index, entry in enumerate(entries_of) if entry["format"] in ("canasta-open/1", "canasta-game/1")
    }


# The proof of one game in one file.


def check_bundle(file, vkey=None):
    """Checks the block of data of a page. The key is one from elsewhere; else those of the block are believed."""
    page = pathlib.Path(file).read_text(encoding="utf-8")
    blocks = re.findall(r'<script type="application/json" id="proof">(.*?)</script>', page, re.DOTALL)
    need(len(blocks) == 1, "no page with one block of data")
    proof = json.loads(blocks[0])
    one_spelling = json.dumps(proof, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    need(one_spelling == blocks[0], "a block in another spelling")
    fields = ["format", "log", "tree", "note", "keys", "witnesses", "beacons"]
    need(list(proof) == [name for name in fields if name in proof], "fields of a proof")
    need(proof["format"] == "canasta-proof/1", "a proof of another version")
    head, heads, game = sha(b"canasta-log/1/start\0", HEADER), [], None
    for n, _, payload in frames(strict64(proof["log"])):
        game = payload[2:18].hex() if n == 0 else game
        number, length = n.to_bytes(8, "big"), len(payload).to_bytes(4, "big")
        head = sha(b"canasta-log/1\0", head, number, length, payload)
        heads.append(head)
    said = [f"{len(heads)} records"]
    keys = [vkey] if vkey else proof["keys"]
    signed = {key: 0 for key in keys}
    if "tree" in proof:
        start, _, note = proof["tree"].partition("\n\n")
        first, extra, index, *path = start.split("\n")
        need(first == "c2sp.org/tlog-proof@v1" and extra[:6] == "extra " and index[:6] == "index ", "no proof of a tree")
        leaf, index = strict64(extra[6:]), int(index[6:])
        text = note.rpartition("\n\n")[0]
        origin, size, root = text.split("\n")
        need(str(int(size)) == size, "a size that is not written as a number is")
        size = int(size)
        path = [strict64(line) for line in path]
        need(root_by_path(index, size, sha(b"\0", leaf), path) == strict64(root), "a path to another root")
        entry = json.loads(leaf)
        need((entry["game_id"], entry["records"], entry["head"]) == (game, len(heads), heads[-1].hex()), "an entry of another log")
        for key in keys:
            try:
                checkpoint(note, key)
                signed[key] += 1
            except Fault as fault:
                need("not signed by" in str(fault), str(fault))
        times = [cosigned(note, witness) for witness in proof["witnesses"]]
        said += [f"entry {index} of {size} of {origin}", f"{len(times)} cosignatures"]
    if "note" in proof:
        text = proof["note"].rpartition("\n\n")[0]
        of, n, over = text.split("\n")
        need(of == f"canasta-log/1/{game}" and strict64(over) == heads[int(n)], "a note of another log")
        for key in keys:
            if signed_by(proof["note"], key):
                signed[key] += 1
    need(all(signed.values()), "a key that has signed nothing here")
    return ", ".join(said + [f"signed by {key.split('+')[0]}" for key in keys])


def signed_by(note, vkey):
    """Whether a key has signed a note that need not be a checkpoint of a tree."""
    name, key_hash, key = vkey.split("+", 2)
    text, _, signatures = note.rpartition("\n\n")
    mine = [line.split(" ")[2] for line in signatures.splitlines() if line.startswith(f"\u2014 {name} ")]
    mine = [data[4:] for data in map(strict64, mine) if data[:4].hex() == key_hash]
    need(all(verify(strict64(key)[1:], (text + "\n").encode(), data) for data in mine), f"{name} has not signed the note")
    return bool(mine)


# What a reader cannot find that knows no rules: totals, bonuses, and who must sign a sheet.
NEED_RULES = {"other-totals", "sheet-of-strangers", "paper-of-one-side", "paper-of-dear-canastas"}


def check_bad(listing):
    """Holds bad sites against their list: each must be refused, except where rules are needed."""
    listing = pathlib.Path(listing)
    key = (listing.parent / "key.pub").read_text().strip()
    rows = [line.split("\t") for line in listing.read_text(encoding="utf-8").splitlines()[1:]]
    for name, kinds, done in rows:
        try:
            main(listing.parent / name, key, [], quiet=True)
            refused = False
        except (Fault, ValueError, KeyError, OSError):
            refused = True
        need(refused != (name in NEED_RULES), f"{name}: {kinds}: {done}")
    print(f"{len(rows)} bad sites: {len(rows) - len(NEED_RULES)} are refused, {len(NEED_RULES)} need the rules")


if __name__ == "__main__":
    try:
        if len(sys.argv) < 3:
            sys.exit(__doc__)
        if sys.argv[1:2] == ["--bad"]:
            check_bad(sys.argv[2])
            sys.exit()
        if sys.argv[1:2] == ["--proof"]:
            print(check_bundle(*sys.argv[2:]))
            sys.exit()
        arguments, witnesses = sys.argv[1:], []
        while arguments[:1] == ["--witness"]:
            witnesses += arguments[1:2]
            arguments = arguments[2:]
        if len(arguments) < 2:
            sys.exit(__doc__)
        main(arguments[0], arguments[1], arguments[2:], witnesses)
    except Fault as wrong:
        sys.exit(f"verify_site: {wrong}")
