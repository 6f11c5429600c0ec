#!/usr/bin/env python3
"""An independent referee for Classic Canasta (see NOTES.md).

  referee.py replay [--lenient-events|--no-events] [--ignore-event T] [FILE]
  referee.py judge  [--gates-list-all] GAME < mutations > verdicts
  referee.py mutate [--seed N] [--count N] GAME > mutations
  referee.py conform < questions > answers

Exit code: 0 clean, 1 differences found, 2 unusable input.
"""

import argparse
import json
import sys

import conform
import judge as judging
import mutate
import replay
import rules as r


def read(path):
    if path == "-":
        return sys.stdin.read()
    with open(path, encoding="utf-8") as file:
        return file.read()


def do_replay(args):
    mode = "strict"
    if args.lenient_events:
        mode = "lenient"
    elif args.no_events:
        mode = "none"
    run = replay.Replay(replay.Log(read(args.file)), mode, args.ignore_event)
    for text in run.run():
        print(text)
    counts = " ".join(f"{k}={v}" for k, v in sorted(run.counts.items()))
    print(f"{len(run.found)} differences; {counts}", file=sys.stderr)
    return 1 if run.found else 0


def do_judge(args):
    judging.GATES_LIST_ALL = args.gates_list_all
    asked = [json.loads(t) for t in sys.stdin if t.strip()]
    by_seq = {}
    for number, line in enumerate(asked):
        by_seq.setdefault(line["seq"], []).append(number)
    answers = {}
    run = replay.Replay(replay.Log(read(args.file)), "none")

    def judge_here(seq):
        for number in by_seq.pop(seq, []):
            line = asked[number]
            codes, _ = judging.judge(run.game, line["seat"], line["action"])
            answers[number] = {"seq": seq, "legal": not codes,
                               "codes": codes}

    last = 0

    def before(line):
        nonlocal last
        last = line["seq"]
        judge_here(last)

    run.run(before)
    judge_here(last + 1)                     # after the last action
    for number in range(len(asked)):
        if number not in answers:
            print(f"no position before seq {asked[number]['seq']}",
                  file=sys.stderr)
            return 2
        print(json.dumps(answers[number], separators=(",", ":")))
    for text in run.found:
        print(text, file=sys.stderr)
    return 1 if run.found else 0


def do_mutate(args):
    run = replay.Replay(replay.Log(read(args.file)), "none")
    for line in mutate.mutations(run, args.seed, args.count):
        print(json.dumps(line, separators=(",", ":")))
    return 1 if run.found else 0


def do_conform(_):
    conform.serve(sys.stdin, sys.stdout)
    return 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    commands = parser.add_subparsers(required=True)
    sub = commands.add_parser("replay")
    sub.add_argument("file", nargs="?", default="-")
    sub.add_argument("--lenient-events", action="store_true")
    sub.add_argument("--no-events", action="store_true")
    sub.add_argument("--ignore-event", action="append", default=[])
    sub.set_defaults(run=do_replay)
    sub = commands.add_parser("judge")
    sub.add_argument("file")
    sub.add_argument("--gates-list-all", action="store_true")
    sub.set_defaults(run=do_judge)
    sub = commands.add_parser("mutate")
    sub.add_argument("file")
    sub.add_argument("--seed", type=int, default=1)
    sub.add_argument("--count", type=int, default=600)
    sub.set_defaults(run=do_mutate)
    sub = commands.add_parser("conform")
    sub.set_defaults(run=do_conform)
    args = parser.parse_args()
    try:
        return args.run(args)
    except (r.Unsupported, OSError, json.JSONDecodeError) as error:
        print(f"cannot be judged: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
