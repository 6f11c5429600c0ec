#!/usr/bin/env python3
"""Makes the bad archives and the bad sites of docs/conformance/bad, and their lists, out of one good log.

    bad_sites.py GOOD.clog ARCHIVE.carc AUDIT.json FOLDER

ARCHIVE.carc is the good log packed, AUDIT.json what `audit --format json` says of it. Sites are written from
docs/TOURNAMENT.md alone, with a signer of its own. Every row says what is done, and what a reader must find: the
findings follow from what was done, and are not taken from any reader.
"""

import base64
import json
import pathlib
import shutil
import sys

import verify_clog
import verify_site as v
from ed25519 import public_of, sign
from verify_clog import sha

ORIGIN = "open.example"
START = 1769860800000
GAME = "games/{game_id}-{records}"


def b64(data):
    return base64.b64encode(data).decode()


def vkey(seed, name=ORIGIN):
    key = b"\1" + public_of(seed)
    key_hash = sha(name.encode(), b"\n", key)[:4].hex()
    return f"{name}+{key_hash}+{b64(key)}"


def note(text, seed, name=ORIGIN):
    key = b"\1" + public_of(seed)
    signature = sha(name.encode(), b"\n", key)[:4] + sign(seed, text.encode())
    return f"{text}\n\u2014 {name} {b64(signature)}\n"


KEY, OTHER = bytes(range(32)), bytes(range(1, 33))


# A site.


def compact(leaf):
    return json.dumps(leaf, ensure_ascii=False, separators=(",", ":")).encode()


def path_of(index, leaves):
    """The audit path of a leaf, from its sibling up (RFC 6962, 2.1.1)."""
    if len(leaves) == 1:
        return []
    left = v.split(len(leaves))
    if index < left:
        return [*path_of(index, leaves[:left]), v.root_of(leaves[left:])]
    return [*path_of(index - left, leaves[left:]), v.root_of(leaves[:left])]


class Site:
    """What is published: file by file, so that a row can change a part."""

    def __init__(self, leaves, logs, lists=(), size=None, seed=KEY):
        self.files = {}
        data = [leaf if isinstance(leaf, bytes) else compact(leaf) for leaf in leaves]
        hashes = [sha(b"\0", leaf) for leaf in data]
        text = f"{ORIGIN}\n{len(data) if size is None else size}\n{b64(v.root_of(hashes))}\n"
        self.text, self.files["checkpoint"] = text, note(text, seed).encode()
        width = f"000.p/{len(data)}"
        self.tile, self.bundle = f"tile/0/{width}", f"tile/entries/{width}"
        self.files[self.tile] = b"".join(hashes)
        self.files[self.bundle] = b"".join(len(leaf).to_bytes(2, "big") + leaf for leaf in data)
        for entries in lists:
            listed = "".join(f"{game} {records} {head}\n" for game, records, head in entries).encode()
            self.files[f"heads/{sha(listed).hex()}"] = listed
        for index, leaf in enumerate(leaves):
            if isinstance(leaf, bytes) or leaf["format"] != "canasta-game/1":
                continue
            place = GAME.format(**leaf)
            self.files[f"{place}.clog"] = logs[leaf["game_id"]]
            way = "".join(b64(node) + "\n" for node in path_of(index, hashes))
            head = f"c2sp.org/tlog-proof@v1\nextra {b64(data[index])}\nindex {index}\n{way}\n"
            self.files.setdefault(f"{place}.tlog-proof", head.encode() + self.files["checkpoint"])

    def without(self, path):
        del self.files[path]
        return self

    def put(self, path, data):
        self.files[path] = data
        return self

    def flip(self, path, at):
        data = bytearray(self.files[path])
        data[at] ^= 1
        return self.put(path, bytes(data))

    def write(self, folder):
        for path, data in self.files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)


def site_rows(log, audit):
    """Name, kinds of faults, what was done, and the site."""
    game = {"format": "canasta-game/1", "game_id": audit["game_id"], "records": audit["records"], "head": audit["head"]}
    game |= {"label": "t1", "rule_set": audit["ruleset"], "players": audit["players"], "rounds": audit["rounds"]}
    game |= {"totals": audit["totals"], "result": audit["result"], "verdict": "CLEAN"}
    logs = {game["game_id"]: log}
    place, own = GAME.format(**game), game["game_id"]
    heads, head = [], sha(b"canasta-log/1/start\0", verify_clog.HEADER)
    for n, _, payload in verify_clog.frames(log):
        counted = n.to_bytes(8, "big") + len(payload).to_bytes(4, "big")
        head = sha(b"canasta-log/1\0", head, counted, payload)
        heads.append(head.hex())

    def opened(at=0, records=2, game_id=own, **more):
        first = verify_clog.genesis(verify_clog.Input(next(verify_clog.frames(log))[2][1:]))
        leaf = {"format": "canasta-open/1", "at_ms": START + at, "game_id": game_id, "label": "t1"}
        leaf |= {"rule_set": game["rule_set"], "players": [{"name": name} for name in game["players"]]}
        leaf |= {"mode": audit["mode"], "commitment": first["commitment"].hex()}
        return leaf | {"records": records, "head": heads[records - 1]} | more

    def headed(at, entries):
        listed = "".join(f"{one} {records} {of}\n" for one, records, of in entries).encode()
        return {"format": "canasta-heads/1", "at_ms": START + at, "games": len(entries), "list": sha(listed).hex()}

    def end(at=9000):
        return {"format": "canasta-end/1", "at_ms": START + at}

    def whole():
        return Site([game], logs)

    def history(*leaves, lists=()):
        return Site(list(leaves), logs, lists)

    fifty, hundred = [(own, 50, heads[49])], [(own, 100, heads[99])]
    other, stranger = [(own, 50, heads[48])], "ab" * 16
    cut = verify_clog.HEADER + log[9:][: sum(11 + len(p) for _, _, p in list(verify_clog.frames(log))[:200])]
    checkpoint = whole().files["checkpoint"].decode()
    yield "no-checkpoint", "CHECKPOINT", "the checkpoint is missing", whole().without("checkpoint")
    yield "checkpoint-without-signature", "CHECKPOINT", "the signature line is cut off", \
        whole().put("checkpoint", checkpoint[: checkpoint.index("\u2014")].encode())
    yield "size-with-a-zero", "CHECKPOINT", "the size is written 01, signed", Site([game], logs, size="01")
    yield "four-lines", "CHECKPOINT", "the signed text has a fourth line", \
        whole().put("checkpoint", note(whole().text + "more\n", KEY).encode())
    yield "another-key", "SIGNATURE", "the checkpoint is signed with another key under the same name", \
        whole().put("checkpoint", note(whole().text, OTHER).encode())
    yield "changed-signature", "SIGNATURE", "one character of the signature is changed", \
        whole().put("checkpoint", (checkpoint[:-10] + ("A" if checkpoint[-10] != "A" else "B") + checkpoint[-9:]).encode())
    yield "another-root", "ROOT", "another root is signed; the proof leads to the old one", \
        whole().put("checkpoint", note(f"{ORIGIN}\n1\n{b64(bytes(32))}\n", KEY).encode())
    yield "no-tile", "TILE_MISSING", "the tile is missing", whole().without(whole().tile)
    yield "no-entries", "TILE_MISSING", "the entries are missing", whole().without(whole().bundle)
    yield "longer-tile", "TILE", "a byte follows the hashes", whole().put(whole().tile, whole().files[whole().tile] + b"\0")
    yield "changed-tile", "ENTRY ROOT", "one bit of a hash is flipped", whole().flip(whole().tile, 5)
    yield "changed-entry", "ENTRY", "one digit of the entry is changed", whole().flip(whole().bundle, 30)
    yield "entries-cut", "ENTRY", "the last byte of the entries is missing", \
        whole().put(whole().bundle, whole().files[whole().bundle][:-1])
    blanks = json.dumps(game).encode()
    yield "entry-with-blanks", "ENTRY", "the entry is JSON with blanks, and signed so", Site([blanks], logs)
    yield "unknown-leaf", "ENTRY", "a leaf of a format that does not exist, signed", \
        Site([game, {"format": "canasta-more/1", "at_ms": START}], logs)
    yield "no-log", "GAME_MISSING", "the log is missing", whole().without(f"{place}.clog")
    yield "changed-log", "GAME_CHANGED VERDICT", "one bit of the log is flipped", whole().flip(f"{place}.clog", 1000)
    yield "cut-log", "GAME_CHANGED VERDICT", "the log ends after 200 records", whole().put(f"{place}.clog", cut)
    yield "log-without-entry", "GAME_UNLISTED", "a log lies there that no entry names", whole().put("games/other.clog", log)
    yield "other-totals", "GAME_CHANGED", "the entry has five points more for the first side, signed", \
        Site([game | {"totals": [game["totals"][0] + 5, *game["totals"][1:]]}], logs)
    yield "other-head", "GAME_CHANGED", "the entry has the head of another record, signed", \
        Site([game | {"head": heads[-2]}], logs)
    yield "no-proof", "PROOF", "the proof is missing", whole().without(f"{place}.tlog-proof")
    proof = whole().files[f"{place}.tlog-proof"]
    yield "proof-of-another-index", "PROOF", "the proof says index 1", \
        whole().put(f"{place}.tlog-proof", proof.replace(b"index 0", b"index 1"))
    yield "longer-proof", "PROOF", "the proof has a hash too many", \
        whole().put(f"{place}.tlog-proof", proof.replace(b"index 0\n", b"index 0\n" + b64(bytes(32)).encode() + b"\n"))
    yield "the-same-game-twice", "GAME_TWICE PROOF", "the same entry twice; its one proof is that of the first", \
        Site([game, game], logs)
    yield "never-closed", "GAME_OPEN", "a game is opened, and the tournament ends without its result", \
        history(opened(), end())
    yield "opened-twice", "GAME_TWICE", "a game is opened twice", history(opened(), opened(1), game)
    yield "not-opened", "NOT_FIXED", "one game is opened, and another has a result", \
        history(opened(game_id=stranger), game)
    table = {"format": "canasta-tables/1", "at_ms": START, "tables": [{"game_id": stranger, "title": "table 9"}]}
    yield "not-announced", "NOT_FIXED", "one game is announced, and another is opened", history(table, opened(), game)
    yield "announced-and-gone", "GAME_MISSING", "a game is announced, and never comes", history(table, end())
    void = {"format": "canasta-void/1", "at_ms": START, "game_id": stranger, "reason": "rain"}
    yield "void-of-nothing", "NOT_FIXED", "a game that nobody knows is voided", history(game, void)
    yield "another-course", "HEADS", "record 49 was signed during play with another head", \
        history(opened(), headed(60, other), game, lists=[other])
    yield "head-goes-back", "HEADS", "100 records were signed, then 50", \
        history(opened(), headed(60, hundred), headed(120, fifty), game, lists=[hundred, fifty])
    yield "head-left-out", "HEADS", "a game in progress is not in the list of heads", \
        history(opened(), headed(60, []), game, lists=[[]])
    yield "head-of-nothing", "HEADS", "the list has a game that was never opened", \
        history(headed(60, fifty), lists=[fifty])
    yield "no-list", "HEADS", "the list of heads is missing", history(opened(), headed(60, fifty), game)
    yield "another-list", "HEADS", "the list of heads is another than the leaf names", \
        history(opened(), headed(60, fifty), game).put(f"heads/{headed(60, fifty)['list']}", b"x\n")
    yield "another-player", "HEADS", "the opening has another player than the log", \
        history(opened(players=[{"name": "Eve"}, *({"name": name} for name in game["players"][1:])]), game)
    yield "time-goes-back", "TIME", "a leaf has an earlier time than the one before", \
        history(opened(), headed(60, fifty), headed(59, fifty), game, lists=[fifty])
    yield "behind-the-end", "TIME", "heads are signed behind the end", history(game, end(), headed(9060, []), lists=[[]])
    result = game["result"].get("winner", "draw")
    totals = " ".join(map(str, game["totals"]))
    text = f"canasta-sheet/1\n{own}\n{game['rounds']}\n{totals}\n{result}\n"
    sheet = {"format": "canasta-sheet/1", "at_ms": START, "note": note(text, OTHER, "somebody")}
    names, keys = ["Anna", "Boris", "Cyril", "Diana"], {"N": public_of(KEY).hex(), "E": public_of(OTHER).hex()}
    typed = ["rules classic-4p", f"seats {', '.join(names)}", *(f"key {seat} {key}" for seat, key in keys.items())]
    typed += ["round 1", "end went_out", "score NS 740: melded_cards 440, mixed_canastas (1) 300", "score EW -25: hand_cards -25"]
    paper = "\n".join(["canasta-paper/1", *typed, ""])

    def both(text, was=paper):
        line = note(was, OTHER, "boris").split("\n\n")[1]
        return history({"format": "canasta-sheet/1", "at_ms": START, "note": note(was, KEY, "anna").replace(was, text) + line})

    yield "paper-of-one-side", "SHEET", "a score sheet without a log that one side alone has signed", \
        history({"format": "canasta-sheet/1", "at_ms": START, "note": note(paper, KEY, "anna")})
    yield "paper-changed", "SHEET", "a score sheet without a log, changed after both sides signed", \
        both(paper.replace("440", "445").replace("740", "745"))
    wrong = paper.replace("740", "745")
    yield "paper-of-another-sum", "SHEET", "a score sheet without a log with a wrong sum, signed by both sides", \
        both(wrong, wrong)
    dear = paper.replace("440", "340").replace("(1) 300", "(1) 400")
    yield "paper-of-dear-canastas", "SHEET", "a score sheet without a log with 400 for a mixed canasta, signed by both sides", \
        both(dear, dear)
    yield "sheet-of-strangers", "SHEET", "a score sheet that no player of the log has signed", history(game, sheet)


# Archives.


def archive_rows(good):
    """Name, finding, what was done, and the archive."""
    length = int.from_bytes(good[-40:-32], "big")
    start = len(good) - 44 - length
    index = good[start:-44]

    def sealed(block, index, logs=1):
        counted = logs.to_bytes(4, "big") + len(index).to_bytes(8, "big")
        return good[:9] + block + index + counted + sha(b"canasta-archive/2\0", good[:9], counted, index)

    def flipped(at):
        data = bytearray(good)
        data[at] ^= 1
        return bytes(data)

    block = good[9:start]
    yield "empty", "NOT_AN_ARCHIVE", "no byte", b""
    yield "text", "NOT_AN_ARCHIVE", "a sentence", b"Anna and Cyril won by 400 points, and this is no archive of it.\n"
    yield "a-log", "NOT_AN_ARCHIVE", "the header of a log", verify_clog.HEADER + good[9:]
    yield "version-1", "UNSUPPORTED_VERSION", "the version byte is 1", good[:8] + b"\1" + good[9:]
    yield "version-3", "UNSUPPORTED_VERSION", "the version byte is 3", good[:8] + b"\3" + good[9:]
    yield "cut", "LENGTH", "the last byte is missing", good[:-1]
    yield "cut-block", "INDEX", "ten bytes are cut out of the block: lengths and index differ", good[:20] + good[30:]
    yield "longer", "LENGTH", "a byte follows the footer", good + b"\0"
    yield "flipped-footer", "INDEX_DAMAGED", "one bit of the digest is flipped", flipped(len(good) - 1)
    yield "flipped-index", "INDEX_DAMAGED", "one bit of the index is flipped", flipped(start + 5)
    yield "flipped-block", "BLOCK_DAMAGED", "one bit of the block is flipped", flipped(9 + len(block) // 2)
    yield "index-cut", "INDEX", "the last byte of the index is missing, under a digest that fits", sealed(block, index[:-1])
    yield "a-log-too-many", "INDEX", "the footer says two logs, under a digest that fits", sealed(block, index, 2)
    other = index[:-1] + bytes([index[-1] ^ 1])
    yield "another-digest", "BLOCK", "the digest of the logs is another, under a digest that fits", sealed(block, other)


def write(folder, heading, rows, put):
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    listed = [heading]
    for name, finding, done, what in rows:
        listed.append("\t".join((put(folder, name, what), finding, done)))
    (folder / "expected.tsv").write_text("\n".join(listed) + "\n")
    return len(listed) - 1


def put_archive(folder, name, data):
    (folder / f"{name}.carc").write_bytes(data)
    return f"{name}.carc"


def put_site(folder, name, site):
    site.write(folder / name)
    return name


def main(good, archive, audit, folder):
    folder, log = pathlib.Path(folder), pathlib.Path(good).read_bytes()
    found = json.loads(pathlib.Path(audit).read_text())["logs"][0]
    archives = archive_rows(pathlib.Path(archive).read_bytes())
    number = write(folder / "archives", "file\tfinding\twhat was done", archives, put_archive)
    sites = write(folder / "sites", "site\tfaults\twhat was done", site_rows(log, found), put_site)
    (folder / "sites/key.pub").write_text(vkey(KEY) + "\n")
    print(number, "bad archives,", sites, "bad sites")


if __name__ == "__main__":
    main(*sys.argv[1:])
