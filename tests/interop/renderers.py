"""Compares what messages.py says with what the engine says.   renderers.py WORDINGS.json"""

import json
import pathlib
import sys

from messages import speaker

compared = 0
for one in json.loads(pathlib.Path(sys.argv[1]).read_text("utf-8")):
    say = speaker(one["wordings"])
    for sample in one["samples"]:
        said = say(sample["kind"], sample["name"], sample["message"])
        assert said == sample["text"], (one["language"], sample, said)
        compared += 1
assert compared >= 1000, compared

# A newer catalogue, and messages that are newer than a catalogue: what is not known is left out, and nothing fails.
fact = {"name": "count", "type": "FACT_TYPE_NUMBER", "path": "a.count", "optional": False}
TEMPLATES = {
    "{count} cards": "2 cards", "{count, ordinal, one {1st} other {{count}th}} card": "2 card", "{ count }": "2",
    "{count, number}": "2", "{count, plural, one {a card}}": "", "{count, plural": "2", "{": "none", "{}": "none", "a } b": "a } b",
    "{new} and {count": "none and 2", "{count, select, 2 {two}}": "two", "{count, select,}": "2",
}
for template, text in TEMPLATES.items():
    say = speaker([{"kind": "WORDING_KIND_NEW", "name": "new", "template": template, "facts": [fact]}])
    said = say("WORDING_KIND_NEW", "new", {"a": {"count": 2}})
    assert said == text, (template, said, text)
for kind in ("FACT_TYPE_NEW", 99, *(f"FACT_TYPE_{noun}" for noun in ("SEAT", "SEATS", "SIDE", "MELD", "NUMBER", "CARDS", "RANK"))):
    for path in ("", "a", "a.b", "a.b.c.d", "list", "list.x"):
        new = {"name": "fact", "type": kind, "path": path, "optional": False}
        say = speaker([{"kind": "WORDING_KIND_VALUE", "name": "seat", "template": "{fact}", "facts": [new]},
                       {"kind": "WORDING_KIND_EVENT", "name": "new", "template": "{fact}", "facts": [new]}])
        for message in ({}, {"a": 1}, {"a": None}, {"a": {"b": "text"}}, {"a": {"b": [1, {}]}}, {"list": [1, "x", {"x": True}]}, 7, None, "x"):
            assert isinstance(say("WORDING_KIND_EVENT", "new", message), str)
            assert say("WORDING_KIND_EVENT", "newer", message) == say("WORDING_KIND_NEWER", "new", message) == ""
print(f"python: {compared} sentences as the engine says them")
