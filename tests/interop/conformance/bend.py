#!/usr/bin/env python3
"""An engine with one fault: bend.py WHAT COMMAND ... passes questions and
answers on, and changes the first answer that has what is to be bent; `pile`,
which few rows compare, in every answer."""

import json
import subprocess
import sys


def bend(what, value):
    """Whether the answer was changed."""
    if what == "code" and value.get("refused"):
        value["refused"][0]["code"] = "TURN_NOT_YOURS"
    elif what == "legal" and value.get("refused"):
        del value["refused"], value["at"]
    elif what == "fact" and value.get("refused"):
        facts = value["refused"][0]["facts"]
        if "required" not in facts:
            return False
        facts["required"] += "0"
    elif what == "pile" and value.get("after", {}).get("pile"):
        value["after"]["pile"][-1] = "??"
        return False
    elif what == "count" and "count" in value:
        value["count"] += 1
    elif what == "digest" and "digest" in value:
        value["digest"] = value["digest"][::-1]
    elif what == "verdict" and value.get("codes"):
        value["codes"] = []
    elif what == "event" and "round_end" not in value and "after" not in value:
        drawn = [e for e in value.get("events", []) if e["type"] == "drew"]
        if not drawn:
            return False
        drawn[0]["cards"] = ["X"] * 3
    elif what == "points" and value.get("round_end", {}).get("sides"):
        value["round_end"]["sides"][0]["lines"][0]["points"] += 5
    elif what == "margin" and "game_end" in value:
        value["game_end"]["margin"] += 5
    else:
        return False
    return True


def main(what, *command):
    engine = subprocess.Popen(command, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)
    bent = False
    for question in sys.stdin.buffer:
        engine.stdin.write(question)
        engine.stdin.flush()
        answer = json.loads(engine.stdout.readline())
        bent = bent or bend(what, answer)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
