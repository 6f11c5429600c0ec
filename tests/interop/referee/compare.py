"""Compares two referees' verdicts on the same proposals.

  compare.py MUTATIONS THEIRS OURS

Whether an action is legal and which codes it breaks, in order, must agree.
Exit code: 0 equal, 1 different.
"""

import json
import sys


def main(mutations, theirs, ours):
    different = 0
    with open(mutations) as m, open(theirs) as t, open(ours) as o:
        for proposal, their, our in zip(m, t, o, strict=True):
            a, b = json.loads(their), json.loads(our)
            if (a["legal"], a["codes"]) != (b.get("legal"), b.get("codes")):
                different += 1
                if different <= 20:
                    print(f"{proposal.strip()}\n  referee {a['codes']}\n  engine  {b.get('codes', b)}")
    if different:
        print(f"{different} verdicts differ")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
