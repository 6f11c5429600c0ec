"""The page of a proof in Chromium, opened at its tab: it says what holds, sees every kind of change, and loads nothing.

    proof_page.py FOLDER PUBLIC_KEY PICTURES
"""

import base64
import hashlib
import json
import pathlib
import re
import sys
import time
import zlib

import verify_site
from browser import Browser
from verify_clog import Fault

BLOCK = re.compile(r'(<script type="application/json" id="proof">)(.*?)(</script>)', re.DOTALL)


def wait_for_verdict(browser):
    """What the page says is proven; of a log without one sound record, that it cannot be shown."""
    for _ in range(400):
        text = browser.run("return (document.querySelector('#proven') ?? document.querySelector('[role=alert]'))?.textContent ?? ''")
        if text:
            return text
        time.sleep(0.05)
    raise AssertionError("the page did not finish")


def rows(browser):
    return browser.run("return Array.from(document.querySelectorAll('#checks li'), line => Array.from(line.children, c => c.textContent))")


def typed(browser, key):
    browser.run("const k = document.getElementById('key'); k.value = arguments[0]; k.dispatchEvent(new Event('input'))", key)
    time.sleep(0.1)
    return browser.run("return document.getElementById('known').textContent")


def changed(page, change):
    """The page with another block of data, in its one spelling."""
    proof = json.loads(BLOCK.search(page)[2])
    change(proof)
    text = json.dumps(proof, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return BLOCK.sub(lambda found: found[1] + text + found[3], page)


def other(text, at):
    return text[:at] + ("A" if text[at] != "A" else "B") + text[at + 1 :]


def flip_log(proof):
    proof["log"] = other(proof["log"], len(proof["log"]) // 2)


def flip_entry(proof):
    proof["tree"] = other(proof["tree"], proof["tree"].index("extra ") + 60)


def flip_root(proof):
    proof["tree"] = other(proof["tree"], proof["tree"].index("\n\n") + len("\n\nopen.example\n5\n") + 5)


def flip_signature(proof):
    proof["tree"] = other(proof["tree"], proof["tree"].index("\u2014 open.example ") + 40)


def flip_cosignature(proof):
    proof["tree"] = other(proof["tree"], proof["tree"].index("\u2014 w.example ") + 60)


def flip_time(proof):
    # The time stands behind the four bytes of the key's hash.
    proof["tree"] = other(proof["tree"], proof["tree"].index("\u2014 w.example ") + len("\u2014 w.example ") + 14)


def flip_note(proof):
    proof["note"] = other(proof["note"], proof["note"].index("\n\n") - 10)


def flip_key(proof):
    proof["keys"][0] = other(proof["keys"][0], len(proof["keys"][0]) - 20)


def flip_path(proof):
    proof["tree"] = other(proof["tree"], proof["tree"].index("index 3\n") + 12)


def cut_log(proof):
    # Whole groups of three bytes: the base64 is still in its one spelling.
    proof["log"] = proof["log"][: len(proof["log"]) // 8 * 4]


CHANGES = [flip_log, flip_entry, flip_root, flip_signature, flip_cosignature, flip_time, flip_note, flip_key, flip_path, cut_log]


def main(folder, public, pictures):
    folder, pictures = pathlib.Path(folder), pathlib.Path(pictures)
    page = (folder / "game.proof.html").read_text(encoding="utf-8")
    wide = Browser(1100, 1200)
    try:
        wide.open((folder / "game.proof.html").as_uri())
        verdict = wait_for_verdict(wide)
        found = rows(wide)
        knows = all(row[0] != "not checked" for row in found)
        assert all(row[0] != "FAILS" for row in found), found
        short_key = "+".join(public.split("+")[:2])
        assert verdict == f"This game is proven, under the key {short_key}." or not knows, verdict
        assert [row[1] for row in found][:7] == [
            "the data is a proof", "the log is one unbroken chain", "its entry is in the tree", "the entry is of this log",
            "the note beside the log is of this log", "signed by open.example", "cosigned by w.example",
        ], found
        said = wide.run("return document.querySelector('.said').textContent")
        for expected in ("This game is lawful and complete.", "It is entry 3 of 5 in the tree of open.example: game-000003.",
                         "Every card as committed to before the first.", f"Signed by {short_key}.", "Seen by the witness w.example+"):
            assert expected in said or not knows, said
        script = page.rsplit('<script type="module">', 1)[1].split("</script>")[0]
        modules = [re.search(f'id="{name}">(.*?)</script>', page)[1] for name in ("canasta.wasm", "texts.wasm")]
        digest = hashlib.sha256(script.encode() + b"".join(zlib.decompress(base64.b64decode(each), -15) for each in modules))
        assert wide.run("return document.getElementById('digest').textContent") == digest.hexdigest(), "of script and engine"
        assert typed(wide, public) == "This is one of the keys of this proof: open.example."
        wide.picture(pictures / "proof.png")
        assert typed(wide, "x" + public) == "This is none of the keys of this proof."
        file, seen = folder / "changed.proof.html", []
        for change in CHANGES:
            text = changed(page, change)
            file.write_text(text, encoding="utf-8")
            wide.open(file.as_uri())
            verdict = wait_for_verdict(wide)
            assert "is proven" not in verdict, f"{change.__name__}: {verdict}"
            fails = [row for row in rows(wide) if row[0] == "FAILS"]
            needs_ed25519 = change in (flip_signature, flip_cosignature, flip_time)
            assert fails or not rows(wide) or (needs_ed25519 and not knows), change.__name__
            try:
                # With a key from elsewhere the keys of the block do not count.
                verify_site.check_bundle(file, None if change is flip_key else public)
            except (Fault, ValueError, KeyError):
                seen.append(change.__name__)
        assert len(seen) == len(CHANGES), f"the second verifier saw {seen} alone"
        wide.picture(pictures / "changed.png")
        wide.open((folder / "chain.proof.html").as_uri())
        assert wait_for_verdict(wide).endswith("nothing is proven."), "nobody vouches for a chain alone"
        complaints = wide.complaints()
        assert not complaints, complaints
    finally:
        wide.close()
    phone = Browser(390, 844)
    try:
        phone.open((folder / "game.proof.html").as_uri())
        wait_for_verdict(phone)
        assert phone.run("return document.documentElement.scrollWidth <= window.innerWidth"), "the page is too wide for a phone"
        phone.picture(pictures / "proof-phone.png")
    finally:
        phone.close()
    without = Browser(800, 800, scripts=False)
    try:
        without.open((folder / "game.proof.html").as_uri())
        assert "This page needs scripts." in without.text("noscript")
    finally:
        without.close()
    ed25519 = "with Ed25519" if knows else "without Ed25519"
    print(f"proof page ({ed25519}): {len(found)} checks hold, {len(CHANGES)} changes are seen")


if __name__ == "__main__":
    main(*sys.argv[1:])
