"""Reading a canasta-jsonl/1 export and comparing it with the referee."""

import json
from collections import Counter

import draw
import play
import rules as r
import score
import state

IGNORED = ("refusal", "note", "checkpoint")
ORDER_FREE = ("froze", "sides_fixed", "merged")   # position not compared


class Log:
    """The lines of an export, with the walls found in round_end lines."""

    def __init__(self, text):
        self.lines = [json.loads(t) for t in text.splitlines() if t.strip()]
        self.head = self.lines[0]
        if self.head.get("format") != "canasta-jsonl/1":
            raise r.Unsupported(f"format {self.head.get('format')}")
        self.rules = r.Rules(self.head["ruleset"]["knobs"])
        self.walls = {}
        for line in self.lines:
            if line["kind"] == "round_end":
                key = line["round"], line.get("attempt", 1)
                self.walls[key] = line.get("wall")


class Replay:
    """Plays a log line by line; differences are texts in self.found."""

    def __init__(self, log, events="strict", ignore=()):
        self.log = log
        self.events = events                 # strict, lenient or none
        self.ignore = set(ignore)
        self.game = state.Game(log.rules)
        self.found = []
        self.counts = Counter()
        self.register = None
        self.drawn = None                    # the dealer found in round 0
        self.halted = False                  # after an illegal action

    def run(self, before_action=None):
        for number, line in enumerate(self.log.lines[1:], 2):
            kind = line["kind"]
            if kind in IGNORED:
                continue
            if kind == "action" and before_action and not self.halted:
                before_action(line)
            handler = getattr(self, "on_" + kind, None)
            if handler is None:
                raise r.Unsupported(f"line {number}: kind {kind}")
            self.where = f"line {number}"
            if "seq" in line:
                self.where += f" seq {line['seq']}"
            handler(line)
        return self.found

    def differ(self, text):
        self.found.append(f"{self.where}: {text}")

    def same(self, what, found, expected):
        if found != expected:
            self.differ(f"{what}: log {found}, referee {expected}")

    # Lines

    def on_register(self, line):
        self.register = line
        if line["round"] == 0:
            return
        if self.drawn is not None:
            self.same("dealer", line["dealer"], self.drawn)
            self.drawn = None
        if self.game.round is not None and not self.game.over:
            last = self.game.round.dealer
            voided = line.get("attempt", 1) > 1
            due = last if voided else (last + 1) % self.log.rules.seats
            self.same("dealer", line["dealer"], due)

    def on_action(self, line):
        if self.halted and line["action"]["type"] != "deal":
            self.counts["not judged"] += 1
            return
        if line["action"]["type"] == "deal":
            self.deal(line)
            return
        if line["action"]["type"] == "draw_cards":
            picks, seating, self.drawn = draw.from_wall(
                self.log.rules, self.log.walls[0, 1])
            self.compare(line, [{"type": "drawn", "picks": picks,
                                 "seating": seating,
                                 "dealer": self.drawn}])
            return
        if "seat" not in line:
            raise r.Unsupported(f"{self.where}: table action "
                                f"{line['action']['type']}")
        self.counts[line["action"]["type"]] += 1
        if self.events != "strict":
            name_top(self.game.round, line["action"])
        try:
            events = play.play(self.game, line["seat"], line["action"])
        except play.Illegal as illegal:
            self.differ(f"ILLEGAL {illegal}: {json.dumps(line['action'])}")
            self.halted = True
            return
        self.compare(line, events)

    def deal(self, line):
        register = self.register
        key = register["round"], register.get("attempt", 1)
        wall = self.log.walls.get(key)
        if wall is None:
            raise r.Unsupported(f"no wall for round {key[0]} (not revealed)")
        rules = self.log.rules
        if Counter(wall) != Counter(r.pack(rules.packs, rules.jokers)):
            self.differ("the wall is not the pack")
        if self.game.over:
            self.differ("deal after the end of the game")
        self.halted = False
        self.counts["deal"] += 1
        self.game.round, events = state.deal(
            rules, wall, register["dealer"], self.game.scores)
        self.game.round.lifted = line["action"].get("lifted")
        self.game.round.foot_lifted = line["action"].get("foot_lifted")
        self.game.round.number = register["round"]
        self.game.rounds = register["round"]
        if "events" in line:
            self.compare(line, events)

    def on_round_end(self, line):
        pos = self.game.round
        if line["reason"] == "drawn":
            return
        if line["reason"] == "voided":
            if pos.end is None:
                pos.end = {"reason": "voided"}
            return
        if self.halted:                      # go on from declared scores
            self.game.scores = [s["cumulative"] for s in line["sides"]]
            return
        self.counts["round"] += 1
        if pos.end is None:
            self.differ("round_end, but the round is not over")
            self.game.scores = [s["cumulative"] for s in line["sides"]]
            return
        self.same("reason", line["reason"], pos.end["reason"])
        optional = self.events != "strict" and "seat" not in line
        if not optional:
            self.same("seat", line.get("seat"), pos.end.get("seat"))
        self.same("concealed", line.get("concealed"),
                  pos.end.get("concealed"))
        self.same("dealer", line["dealer"], pos.dealer)
        self.same("start_scores", line["start_scores"], pos.start_scores)
        unit = self.log.rules.score_unit
        for side, lines in zip(line["sides"], pos.lines):
            number = side[unit]
            items = {i["item"]: (i["points"], i.get("count"))
                     for i in side["lines"]}
            self.same(f"side {number} number of lines",
                      len(side["lines"]), len(items))
            if self.events != "strict":      # the reduced form has few
                lines = {i: (p, c if items.get(i, (0, c))[1] else None)
                         for i, (p, c) in lines.items()}
            for item in sorted(items.keys() | lines.keys()):
                self.same(f"side {number} {item}", items.get(item),
                          lines.get(item))
            total = sum(points for points, _ in lines.values())
            self.same(f"side {number} total", side["total"], total)
            self.same(f"side {number} cumulative", side["cumulative"],
                      self.game.scores[number])
        self.same("sides", [s[unit] for s in line["sides"]],
                  list(range(len(pos.lines))))

    def on_game_end(self, line):
        result = score.game_result(self.log.rules, self.game.scores,
                                   self.game.rounds)
        if result is None:
            self.differ("game_end, but the game goes on")
            return
        self.same("winner", line.get("winner"), result[0])
        self.same("margin", line["margin"], result[1])
        self.same("final totals", [s["cumulative"] for s in line["sides"]],
                  self.game.scores)

    # Events

    def compare(self, line, ours):
        if self.events == "none":
            return
        if "events" not in line:
            self.differ("events missing")
            return
        theirs = [e for e in line["events"] if e["type"] not in self.ignore]
        ours = [e for e in ours if e["type"] not in self.ignore]
        compare = lenient if self.events == "lenient" else strict
        for text in compare(theirs, ours):
            self.differ("events: " + text)


def name_top(pos, action):
    """In the reduced form the pending top is named among the cards, and
    an undo names no meld."""
    if action["type"] == "undo_meld" and "meld" not in action:
        action["meld"] = next(
            (number for number, cards in pos.placed.items()
             if not Counter(action["cards"]) - Counter(cards)), 0)
    top = pos and pos.taken_top
    for group in action.get("groups", []) if top else []:
        if top in group["cards"] and "top" not in group and group[
                "cards"].count(top) > pos.hands[pos.turn][top]:
            group["cards"].remove(top)
            group["top"] = True
            return


def clean(event):
    """An event as it stands in a log, cards of a meld as a multiset."""
    event = {k: v for k, v in event.items() if not k.startswith("_")}
    if event["type"] == "merged":
        event.pop("b", None)                 # its number was another side's
    if event["type"] in ("melded", "unmelded", "special_hand"):
        event["cards"] = sorted(event["cards"])
    if event["type"] == "dealt":
        for name in ("foot_sizes", "talon_sizes"):
            if not any(event.get(name, [])):
                event.pop(name, None)
    return event


def strict(theirs, ours):
    theirs, ours = list(map(clean, theirs)), list(map(clean, ours))
    for kind in ORDER_FREE:
        a = [e for e in theirs if e["type"] == kind]
        b = [e for e in ours if e["type"] == kind]
        if a != b:
            yield f"{kind}: log {a}, referee {b}"
    theirs = [e for e in theirs if e["type"] not in ORDER_FREE]
    ours = [e for e in ours if e["type"] not in ORDER_FREE]
    if theirs == ours:
        return
    if sorted(map(repr, theirs)) == sorted(map(repr, ours)):
        yield (f"same events in another order: log "
               f"{[e['type'] for e in theirs]}, referee "
               f"{[e['type'] for e in ours]}")
        return
    for i in range(max(len(theirs), len(ours))):
        a = theirs[i] if i < len(theirs) else None
        b = ours[i] if i < len(ours) else None
        if a != b:
            yield f"#{i}: log {a}, referee {b}"


def lenient(theirs, ours):
    """For logs of the reduced form in tests/data/foreign."""
    left = list(fold_draw(ours))
    for event in theirs:
        fields = {k: v for k, v in event.items()}
        if event["type"] == "melded" and event["kind"] != "set":
            fields.pop("rank", None)
        if "cards" in fields:
            fields["cards"] = sorted(fields["cards"])
        match = next((e for e in left if any(
            all(form.get(k) == v for k, v in fields.items())
            for form in (loose(e), by_cards(e)))), None)
        if match is None:
            yield f"not ours: {event}"
        else:
            left.remove(match)
    for event in left:
        if event["type"] != "froze" and not event.get("_regraded"):
            yield f"not in the log: {event}"


def fold_draw(events):
    """In the reduced form `drew` lists the replacements too."""
    if not events or events[0]["type"] != "drew":
        return events
    new = [e["card"] for e in events if e["type"] == "replaced"]
    first = dict(events[0], cards=events[0]["cards"] + new)
    return [first] + [e for e in events[1:] if e["type"] != "replaced"]


def by_cards(event):
    if "cards" in event:
        return dict(event, cards=sorted(event["cards"]))
    return event


def loose(event):
    event = dict(event)
    if event["type"] == "melded":
        event["cards"] = event["_whole"]
    if event["type"] == "took_pile" and event["_top"]:
        event["cards"] = event["cards"] + [event["_top"]]
    if "cards" in event:
        event["cards"] = sorted(event["cards"])
    return event
