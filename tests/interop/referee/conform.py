"""Answers the questions of the conformance kit (docs/formats/CONFORMANCE.md) that are
about games; positions in notation and perft are not read here."""

import json

import draw
import judge
import play
import rules as r
import score
import state

PRESETS = (
    "classic-2p classic-3p classic-3p-11 classic-4p classic-6p-2x3 "
    "classic-6p-3x2 miller-6p-2x3 wahhi-2p wahhi-3p wahhi-4p wahhi-5p "
    "wahhi-6p s3-4p gr-4p american-4p american-wikipedia-4p hoyle-2p "
    "hand-and-foot-4p hand-and-foot-6p samba-4p bolivia-4p manzana-2p")


def serve(questions, answers):
    table = Table()
    for line in questions:
        try:
            question = json.loads(line)
            answer = getattr(table, "on_" + question["op"])(question)
        except r.Unsupported as error:
            answer = {"unsupported": str(error)}
        except (KeyError, AttributeError, TypeError, ValueError) as error:
            answer = {"error": repr(error)}
        print(json.dumps(answer, separators=(",", ":")), file=answers,
              flush=True)


class Table:
    def __init__(self):
        self.rules = self.game = None

    def on_hello(self, _):
        return {"protocol": "canasta-conform/1", "engine": "referee in Python",
                "ops": ["game"], "presets": PRESETS.split()}

    def on_new(self, question):
        self.rules = r.Rules(question["ruleset"]["knobs"])
        self.game = state.Game(self.rules)
        self.game.rounds = 0
        return {}

    def on_deal(self, question):
        action = question["action"]
        if action["type"] == "draw_cards":
            rest = [list(cards) for cards in action["picks"]]
            picks, seating, dealer = draw.draw(
                self.rules, lambda seat: rest[seat].pop(0))
            return {"events": [{"type": "drawn", "picks": picks,
                                "seating": seating, "dealer": dealer}],
                    "round_end": {"reason": "drawn", "next_dealer": dealer}}
        pos, events = state.deal(self.rules, question["wall"],
                                 question["dealer"], self.game.scores)
        self.game.round = pos
        self.game.rounds += 1
        pos.number = self.game.rounds
        pos.lifted = action.get("lifted")
        pos.foot_lifted = action.get("foot_lifted")
        return {"events": list(map(public, events))}

    def on_try(self, question):
        codes, _ = judge.judge(self.game, question["seat"],
                               question["action"])
        return {"codes": codes}

    def on_act(self, question):
        try:
            events = play.play(self.game, question["seat"],
                               question["action"])
        except play.Illegal as illegal:
            return {"codes": illegal.codes}
        answer = {"events": list(map(public, events))}
        if self.game.round.end:
            answer["round_end"] = self.round_end(self.game.round)
            result = score.game_result(self.rules, self.game.scores,
                                       self.game.rounds)
            if result:
                winner, margin = result
                answer["game_end"] = {"margin": margin} | (
                    {} if winner is None else {"winner": winner})
        return answer

    def round_end(self, pos):
        unit = self.rules.score_unit
        sides = []
        for number, lines in enumerate(pos.lines):
            sides.append({
                unit: number,
                "lines": [sheet_line(*line) for line in lines.items()],
                "total": sum(points for points, _ in lines.values()),
                "cumulative": self.game.scores[number]})
        end = {"start_scores": pos.start_scores, "sides": sides} | pos.end
        return {key: end[key] for key in end if end[key] is not None}


def sheet_line(item, line):
    points, count = line
    return {"item": item, "points": points} | (
        {} if count is None else {"count": count})


def public(event):
    return {key: event[key] for key in event if not key.startswith("_")}
