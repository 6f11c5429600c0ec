"""Compares two referees' verdicts on the same proposals.

  compare.py MUTATIONS THEIRS OURS

Whether an action is legal, and the first code of a refusal, must agree; where
several groups go to one meld the same codes may stand in another order. Further
codes may differ where the rulebook leaves open what can still be judged after
the first fault (NOTES.md); they are counted.
Exit code: 0 equal, 1 different.
"""

import json
import sys


def once(codes):
    """The engine names every card that is not held, the referee the first."""
    return codes[:1] if codes and set(codes) == {"TURN_CARD_NOT_IN_HAND"} else codes


def main(mutations, theirs, ours):
    different = further = 0
    with open(mutations) as m, open(theirs) as t, open(ours) as o:
        for proposal, their, our in zip(m, t, o, strict=True):
            a, b = json.loads(their), json.loads(our)
            theirs_first, ours_first = a["codes"][:1], b.get("codes", [])[:1]
            further += a["codes"] != once(b.get("codes"))
            alike = theirs_first == ours_first or set(a["codes"]) == set(b.get("codes", []))
            if a["legal"] != b.get("legal") or not alike:
                different += 1
                if different <= 20:
                    print(f"{proposal.strip()}\n  referee {a['codes']}\n  engine  {b.get('codes', b)}")
    if further:
        print(f"{further} verdicts agree in legality and first code, not in a further code")
    if different:
        print(f"{different} verdicts differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
