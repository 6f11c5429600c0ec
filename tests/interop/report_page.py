"""Opens report pages in Chromium and asserts what they show: the table against `canasta-replay show`, the selector of
seats, the slider, keys, rules on hover, focus and tap, no errors, nothing loaded, and what stands there without scripts.

    python3 report_page.py CANASTA_REPLAY DIRECTORY PICTURES
"""

import base64
import concurrent.futures
import functools
import json
import pathlib
import re
import subprocess
import sys
import time
import zlib

from browser import Browser

REPLAY, PAGES, PICTURES = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3])
NAMES = sorted(page.stem for page in PAGES.glob("*.html"))
DESK, PHONE = (1280, 1000), (390, 844)
# How many records lie between two that are compared, where it is not 97: `show` reads a log up to the record.
EVERY = {"long": 2999}
HAND = re.compile(r"^[> ] .*?(\d+) in hand(?:  ((?:[AKQJT2-9][shdc]|X)(?: (?:[AKQJT2-9][shdc]|X))*))?(?:   |$)")
MELD = re.compile(r"^\s+(\d+) [a-z ]+?\s+((?:[AKQJT2-9][shdc]|X)(?: (?:[AKQJT2-9][shdc]|X))*)(?:   |$)")
TOP = re.compile(r"^  stock [\d,]+ · pile .*?(?:, (\S+) on top)?(?:, frozen.*)?$")

SEEN = """
const cards = (part) => (part?.dataset.cards ?? "").split(" ").filter(Boolean).sort();
const place = ({ dataset }) => (dataset.meld ?? dataset.at.replace("seat", "")).split(".").reduce((sum, part) => 1000 * sum + Number(part), 0);
const all = (selector) => [...document.querySelectorAll(`#felt ${selector}`)].sort((a, b) => place(a) - place(b));
return {
  hands: all(".seat").map((seat) => [Number(seat.dataset.size), cards(seat.querySelector(".mini:not(.threes, .foot)"))]),
  melds: all("[data-meld]").map((meld) => [meld.dataset.meld, cards(meld)]),
  top: document.querySelector("#felt [data-top]").dataset.top,
};
"""


@functools.cache
def show(log, n, viewer):
    """What the terminal shows of the same record to the same viewer. Desk and phone are held against one answer."""
    args = {"table": [], "judge": ["--judge"]}.get(viewer, ["--seat", viewer])
    text = subprocess.run([REPLAY, "show", log, "--at", str(n), *args], capture_output=True, text=True, check=True).stdout
    hands, melds, top, side = [], [], None, -1
    for line in text.splitlines():
        if found := HAND.match(line):
            hands.append([int(found[1]), sorted((found[2] or "").split())])
        elif found := TOP.match(line):
            top = found[1] or ""
        elif " points" in line and not line.startswith(" "):
            side += 1
        elif side >= 0 and (found := MELD.match(line)):
            melds.append([f"{side}.{found[1]}", sorted(found[2].split())])
    return {"hands": hands, "melds": melds, "top": top}


def opened(browser, name):
    """Opens a page, and waits until its script has drawn the table. The page's data, with a row for each record."""
    browser.open((PAGES / f"{name}.html").as_uri())
    end = time.monotonic() + 30
    while browser.run("return document.getElementById('walk').hidden"):
        assert time.monotonic() < end, (name, "is not drawn", browser.complaints())
        time.sleep(0.05)
    packed = browser.run("return document.getElementById('data').textContent")
    data = json.loads(zlib.decompress(base64.b64decode(packed), -zlib.MAX_WBITS))
    return {**data, "rows": [data["kinds"][kind] for kind in data["rows"]]}


def in_order(table):
    """Sides counted from 0: `show` leaves out the number that a pair of three gives up."""
    sides = sorted({meld[0].split(".")[0] for meld in table["melds"]})
    melds = [[sides.index(meld[0].split(".")[0]), meld[0].split(".")[1], meld[1]] for meld in table["melds"]]
    return {**table, "melds": melds}


def go(browser, n, viewer):
    """Moves the slider, and chooses whose knowledge is shown."""
    browser.run(
        "const s = document.getElementById('slider'); s.value = arguments[0]; s.dispatchEvent(new Event('input'));"
        "const v = document.querySelector(`#viewers input[value='${arguments[1]}']`); v.click();",
        n, viewer,
    )


def the_table_is_that_of_show(browser, data, name, every):
    """At records all over the game, every viewer sees on the page what `show` tells that viewer."""
    log = PAGES / f"{name}.clog"
    rows = [row[0][0] for row in data["rows"]]
    seats = browser.run("return document.querySelectorAll('#viewers input').length - 2")
    shown = [n for n, letter in enumerate(rows) if letter in "ax" and "a" in rows[:n]]
    # A round's first actions: the deal has dealt, nobody has played.
    compared = 0
    for n in shown[3::every]:
        for viewer in ["table", "judge", *map(str, range(seats))]:
            expected = show(log, n, viewer)
            if not expected["hands"]:
                continue
            go(browser, n, viewer)
            found = browser.run(SEEN)
            assert in_order(found) == in_order(expected), (name, n, viewer, found, expected)
            compared += 1
    assert compared >= seats + 2, (name, compared)
    return compared


def keys_move(browser):
    at = lambda: int(browser.run("return document.getElementById('slider').value"))
    last = int(browser.run("return document.getElementById('slider').max"))
    browser.run("document.activeElement.blur()")
    for key, expected in [("\ue011", 0), ("\ue014", 1), ("\ue014", 2), ("\ue012", 1), ("\ue010", last)]:
        browser.key(key)
        assert at() == expected, (key, at(), expected)
    browser.key("j")
    assert browser.run("return document.querySelector('#viewers input:checked').value") == "judge"
    browser.key("1")
    assert browser.run("return document.querySelector('#viewers input:checked').value") == "0"
    assert browser.run("return location.hash") == f"#at={last}&as=0"
    browser.click("#first")
    browser.click("#on")
    assert at() == 1


def refusals_tell_their_rules(browser, data):
    go(browser, 0, "judge")
    browser.click("#next-refusal")
    said = browser.text("#now")
    assert "refused" in said and "The table is unchanged" in said, said
    hidden = lambda: browser.run("return document.getElementById('tip').hidden")
    assert browser.run("const link = document.querySelector('#now a.rule'); link.focus(); return link.textContent") in said
    rule = browser.text("#tip")
    assert not hidden() and len(rule) > 40, rule
    browser.key("\ue00c")
    assert hidden()
    browser.click("#now a.rule")
    assert browser.text("#tip") == rule
    browser.key("\ue00c")
    assert hidden()
    # The same seat knows what it tried, the table only why it was refused.
    actor = data["rows"][int(browser.run("return document.getElementById('slider').value"))][1]
    tried = browser.text("#now .said")
    go(browser, int(browser.run("return document.getElementById('slider').value")), str(actor))
    assert browser.text("#now .said") == tried
    go(browser, int(browser.run("return document.getElementById('slider').value")), "table")
    assert browser.text("#now .said") != tried


def hostile_words_are_words(browser, data):
    assert browser.run("return document.querySelectorAll('[onclick], img, iframe, object').length") == 0
    names = data["players"]
    shown = browser.run("return [...document.querySelectorAll('#viewers bdi')].map((name) => name.textContent)")
    assert sorted(shown[1:-1]) == sorted(names), shown
    browser.run("filter.value = 'judged'; filter.dispatchEvent(new Event('change'))")
    browser.run("document.querySelector('#list .row.n').click()")
    assert "\\u{202e}" in browser.text("#now blockquote")


def is_quiet(browser, name):
    complaints = browser.complaints()
    assert not complaints, (name, complaints)
    assert browser.run("return performance.getEntriesByType('resource').length") == 0, name
    width = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
    assert width[0] <= width[1], (name, "wider than the window", width)


def without_scripts():
    browser = Browser(*DESK, scripts=False)
    try:
        browser.open((PAGES / "eventful.html").as_uri())
        assert "needs scripts" in browser.text("#needs")
        scores = browser.text("#scores")
        audit = json.loads(subprocess.run([REPLAY, "audit", PAGES / "eventful.clog", "--format", "json"], capture_output=True, check=True).stdout)
        for total in audit["logs"][0]["totals"]:
            assert f"{total:,}" in scores, (total, scores)
        assert "refused" in browser.text("#incidents") and "Clean" in browser.text("#seal-panel")
    finally:
        browser.close()


def at_size(size, label):
    browser = Browser(*size)
    try:
        for name in NAMES:
            data = opened(browser, name)
            if name == "in-progress":
                assert "not known" in browser.text("#warning") and browser.run("return document.querySelectorAll('#felt [data-cards]').length") == 0
            else:
                # The phone draws with the same script: it is sampled.
                count = the_table_is_that_of_show(browser, data, name, EVERY.get(name, 97) * (1 if label == "desk" else 3))
                keys_move(browser)
                print(f"{name}, {label}: {count} tables as `show` tells them")
            if name == "eventful":
                refusals_tell_their_rules(browser, data)
                hostile_words_are_words(browser, data)
            is_quiet(browser, name)
            browser.picture(PICTURES / f"{name}-{label}.png")
            if label == "desk":
                browser.printed(PICTURES / f"{name}.pdf")
    finally:
        browser.close()


def main():
    assert len(NAMES) > 4, NAMES
    # Browsers wait more than they work: they run beside each other.
    with concurrent.futures.ThreadPoolExecutor() as pool:
        runs = [pool.submit(at_size, DESK, "desk"), pool.submit(at_size, PHONE, "phone"), pool.submit(without_scripts)]
        for run in runs:
            run.result()
    print("pages: quiet, closed, and true to the log")


main()
