"""A table in the terminal: you against bots, a whole game. docs/start/FIRST_GAME.md goes through it.

    table.py [ADDRESS [RULE_SET]]        your link is kept in table.link: end the program, and go on where you were
"""

import sys
from pathlib import Path

import grpc
from canasta.v1 import action_pb2 as pb, audit_service_pb2 as audit, game_service_pb2 as game, record_service_pb2 as record
from canasta.v1.game_service_pb2_grpc import GameServiceStub
from canasta.v1.identity_pb2 import Actor
from canasta_client import OPTIONS, Refused, Room, Sentences, create, get_wordings

LINK, LOG = Path("table.link"), Path("table.clog")
NAMES = ["You", "Ann", "Ben", "Cem", "Dora", "Emil"]
HELP = "a number, or: meld Ks Kh Kd · discard 7h · hint · auto (play on for me) · quit"


# 1. A place at a table ---------------------------------------------------------------------------------------------

def placed(channel, rules, rule_set):
    """Your room: the one of the link that is kept, or a new one with bots on the other seats."""
    if LINK.exists():
        return Room(channel, LINK.read_text())
    known = rules.GetRuleSet(game.GetRuleSetRequest(id=rule_set), timeout=10).rule_set.summary
    room = create(
        channel,
        rule_set=rule_set,
        deal_mode="DEAL_MODE_COMMITTED",
        players=[game.Player(name=name) for name in NAMES[:known.seats]],
        # Some rule sets leave the first dealer to the table: to you.
        dealer=0 if known.dealer_required else None,
        creator=Actor(seat=0),
        bots=[record.Bot(seat=seat) for seat in range(1, known.seats)],
        auto_table=True,
    )
    LINK.write_text(room.link.token)
    return room


# 2. What your seat may see -----------------------------------------------------------------------------------------

def show(view, say):
    print(f"\nround {view.round}: {view.stock} cards in the stock, {view.pile.size} in the pile under {view.pile.top or 'nothing'}")
    for side in view.sides:
        melds = " · ".join(" ".join(meld.cards) for meld in side.melds) or "no meld"
        print(f"  {say.side_name(side.side)}: {melds}{points(side)}")
    for seat in view.seats:
        print(f"  {seat.name}: {' '.join(seat.hand) or f'{seat.hand_size} cards'}{points(seat)}")


def points(owner):
    """Sides keep the score, or in some rule sets seats."""
    return f", {owner.score} points" if owner.HasField("score") else ""


# 3. What you want to do --------------------------------------------------------------------------------------------

def chosen(room, say):
    """An action, or None for: play on for me."""
    actions = room.legal()
    for number, action in enumerate(actions, 1):
        print(f"  {number:3} {say.action(action)}")
    while True:
        line = input(f"{HELP}\n> ").strip()
        verb, _, cards = line.partition(" ")
        if line == "quit":
            sys.exit()
        if line == "auto":
            return None
        if line == "hint":
            print(f"  {say.action(room.suggest())}")
        elif line.isdigit() and 0 < int(line) <= len(actions):
            return actions[int(line) - 1]
        # Whatever it is: the recorder knows what is wrong with it.
        elif verb == "meld":
            groups = [pb.Group(kind=pb.MELD_KIND_SET, cards=group.split()) for group in cards.split("/")]
            return pb.Action(meld=pb.Action.Meld(groups=groups))
        elif verb == "discard":
            return pb.Action(discard=pb.Action.Discard(card=cards.strip()))


def explain(rejected, rules, say):
    for violation in rejected.violations:
        print(f"  not allowed: {say.violation(violation)} [{violation.code}]")
        if violation.rule_ids:
            rule = rules.GetRule(game.GetRuleRequest(rule_id=violation.rule_ids[0]), timeout=10).rule
            print(f"    {rule.id}: {rule.text}")
        if violation.repair.name:
            print(f"    {say.repair(violation.repair)}")


# 4. The loop -------------------------------------------------------------------------------------------------------

def play(room, rules, wordings):
    auto = False
    for message in room.news():
        view, seq = message.observation.view, message.log_end.seq
        say = Sentences(wordings, view)
        for event in message.observation.events:
            print(say.event(event))
        for score in message.round_end.scores:
            lines = ", ".join(f"{say.line(line)} {line.points:+}" for line in score.lines)
            print(f"{say.owner_name(score)}: {lines} = {score.total}, now {score.cumulative}")
        while view.HasField("to_act") and view.to_act == room.actor.seat:
            if not auto:
                show(view, say)
                action = chosen(room, say)
                auto = action is None
            answer = room.act(room.suggest() if auto else action, seq)
            # None: another device of yours was faster. In both cases the news tell what has happened.
            if answer is None or answer.HasField("acted"):
                break
            explain(answer.rejected, rules, say)


def main(address="127.0.0.1:50051", rule_set="classic-4p"):
    channel = grpc.insecure_channel(address, OPTIONS)
    rules = GameServiceStub(channel)
    room = placed(channel, rules, rule_set)
    play(room, rules, get_wordings(channel))
    report = room.verdict().report
    LOG.write_bytes(room.log())
    print(f"{LOG}: {report.records} records, {audit.Verdict.Name(report.verdict)}, "
          f"{audit.DealVerdict.Name(report.deal)}, {report.actions} actions in {report.rounds} rounds")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except grpc.RpcError as error:
        sys.exit(f"{error.code().name}: {error.details()}")
    except Refused as refused:
        sys.exit(f"there is no game: {refused}")
