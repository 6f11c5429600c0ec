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
print(f"python: {compared} sentences as the engine says them")
