"""A table in the terminal: you against bots, a whole game. docs/start/FIRST_GAME.md builds it step by step.

    table.py [ADDRESS [RULE_SET]]        the game is kept in table.db: end the program and go on where you were
"""

import sqlite3
import sys
from pathlib import Path

import grpc
from canasta.v1 import action_pb2 as pb, audit_service_pb2 as audit, audit_service_pb2_grpc as audit_rpc
from canasta.v1 import game_service_pb2 as game, game_service_pb2_grpc as game_rpc, view_pb2
from canasta.v1.identity_pb2 import Actor, ROLE_TABLE
from google.protobuf import text_format

ME, TABLE = 0, Actor(role=ROLE_TABLE)
SOON = 2  # seconds: the deadline of a call
HELP = "a number, or: meld Ks Kh Kd · discard 7h · hint · auto (play on for me) · quit"


# 1. What is kept ---------------------------------------------------------------------------------------------------

def opened(path):
    store = sqlite3.connect(path)
    store.execute("CREATE TABLE IF NOT EXISTS games (id BLOB PRIMARY KEY, state BLOB, head BLOB)")
    store.execute("CREATE TABLE IF NOT EXISTS frames (id BLOB, n INTEGER, frames BLOB, PRIMARY KEY (id, n))")
    return store


def keep(store, game_id, head_before, answer):
    """Stores an answer's state and frames, both or neither; whether the head was still the one that we sent."""
    with store:
        changed = store.execute("UPDATE games SET state = ?, head = ? WHERE id = ? AND head = ?",
                                (answer.state, answer.head, game_id, head_before)).rowcount
        if changed:
            store.execute("INSERT INTO frames VALUES (?, ?, ?)", (game_id, answer.n, answer.frames))
    return changed == 1


# 2. A game: the one that is stored, or a new one -------------------------------------------------------------------

class Table:
    def __init__(self, channel, store, rule_set):
        self.rules, self.audits, self.store = game_rpc.GameServiceStub(channel), audit_rpc.AuditServiceStub(channel), store
        row = store.execute("SELECT id, state, head FROM games").fetchone()
        self.id, self.state, self.head = row or self.begun(rule_set)

    def begun(self, rule_set):
        known = self.rules.GetRuleSet(game.GetRuleSetRequest(id=rule_set), timeout=SOON).rule_set.summary
        # Some rule sets leave the first dealer to the table: to us.
        asked = game.CreateGameRequest(rule_set=rule_set, deal_mode="DEAL_MODE_SEEDED", dealer=ME if known.dealer_required else None)
        answer = self.rules.CreateGame(asked, timeout=SOON)
        if answer.HasField("rejected"):
            self.explain(answer.rejected)
            sys.exit("there is no game")
        new = answer.created
        with self.store:
            self.store.execute("INSERT INTO games VALUES (?, ?, ?)", (new.game_id, new.state, new.head))
            self.store.execute("INSERT INTO frames VALUES (?, ?, ?)", (new.game_id, new.n, new.frames))
        return new.game_id, new.state, new.head

# 3. Asking on somebody's behalf -----------------------------------------------------------------------------------

    def view(self, who):
        return self.rules.GetView(game.GetViewRequest(state=self.state, actor=who), timeout=SOON).view

    def suggested(self, who):
        return self.rules.SuggestAction(game.SuggestActionRequest(state=self.state, actor=who), timeout=SOON).action

    def legal(self, who):
        asked = game.ListLegalActionsRequest(state=self.state, actor=who)
        return self.rules.ListLegalActions(asked, timeout=SOON).actions

# 4. Acting: a refusal is an answer, and changes nothing ------------------------------------------------------------

    def act(self, who, action):
        """What happened, or None if it was refused."""
        asked = game.ApplyActionRequest(state=self.state, actor=who, action=action, expected_head=self.head, want_head=True)
        answer = self.rules.ApplyAction(asked, timeout=SOON)
        if answer.HasField("rejected"):
            self.explain(answer.rejected)
            return None
        done = answer.accepted
        if not keep(self.store, self.id, self.head, done):
            sys.exit("somebody else has acted: start again, and go on from what is stored")
        self.state, self.head = done.state, done.head
        return done

    def explain(self, rejected):
        for violation in rejected.violations:
            rule = self.rules.GetRule(game.GetRuleRequest(rule_id=violation.rule_ids[0]), timeout=SOON).rule
            print(f"  not allowed: {violation.message} [{violation.code}]\n    {rule.id}: {rule.text}")
            if violation.repair.message:
                print(f"    {violation.repair.message}")

# 5. The log, and what an audit says of it --------------------------------------------------------------------------

    def log(self):
        rows = self.store.execute("SELECT frames FROM frames WHERE id = ? ORDER BY n", (self.id,))
        return b"".join(frames for (frames,) in rows)

    def audit(self, log, live):
        def pieces():
            yield audit.AuditLogRequest(question=audit.AuditQuestion(actor=TABLE, live=live))
            for at in range(0, len(log), 65_536):
                yield audit.AuditLogRequest(chunk=log[at:at + 65_536])
        return self.audits.AuditLog(pieces(), timeout=30)


# 6. Showing what one seat may see ----------------------------------------------------------------------------------

def show(view):
    print(f"\nround {view.round}, the stock has {view.stock}, the pile {view.pile.size} under {view.pile.top or 'nothing'}")
    for side in view.sides:
        melds = " · ".join(" ".join(meld.cards) for meld in side.melds) or "no meld"
        print(f"  side {side.side}: {side.score} points, {melds}")
    for seat in view.seats:
        cards = " ".join(seat.hand) if seat.hand else f"{seat.hand_size} cards"
        print(f"  seat {seat.seat}{' (you)' if seat.seat == ME else ''}: {cards}{' <' if view.to_act == seat.seat else ''}")


def words(action):
    kind = action.WhichOneof("kind")
    if kind == "meld":
        return "meld " + " / ".join(" ".join(group.cards) for group in action.meld.groups)
    return f"{kind} {text_format.MessageToString(getattr(action, kind), as_one_line=True)}".strip()


# 7. What the player wants to do ------------------------------------------------------------------------------------

def composed(line):
    """`meld Ks Kh Kd / 7s 7h 7d`, `discard 7h`: the service says what is wrong with it, not we."""
    verb, _, rest = line.partition(" ")
    if verb == "discard":
        return pb.Action(discard=pb.Action.Discard(card=rest.strip()))
    groups = [pb.Group(kind=pb.MELD_KIND_SET, cards=group.split()) for group in rest.split("/")]
    return pb.Action(meld=pb.Action.Meld(groups=groups))


def chosen(table, me):
    """An action, or None for: play on for me."""
    actions = table.legal(me)
    for number, action in enumerate(actions, 1):
        print(f"  {number:3} {words(action)}")
    while True:
        line = input(f"{HELP}\n> ").strip()
        if line == "quit":
            sys.exit(0)
        if line == "auto":
            return None
        if line == "hint":
            print(f"  {words(table.suggested(me))}")
        elif line.isdigit() and 0 < int(line) <= len(actions):
            return actions[int(line) - 1]
        elif line.startswith(("meld ", "discard ")):
            return composed(line)


# 8. The loop -------------------------------------------------------------------------------------------------------

def play(table):
    me, auto = Actor(seat=ME), False
    while True:
        view = table.view(me)
        if view.phase == view_pb2.PHASE_GAME_OVER:
            return
        if view.phase == view_pb2.PHASE_DEAL:
            done = table.act(TABLE, table.suggested(TABLE))
        elif view.to_act != ME or auto:
            who = Actor(seat=view.to_act)
            done = table.act(who, table.suggested(who))
        else:
            show(view)
            action = chosen(table, me)
            auto = action is None
            done = table.act(me, action) if action else None
        if done and done.HasField("round_end"):
            for score in done.round_end.scores:
                lines = ", ".join(f"{line.item} {line.points:+}" for line in score.lines)
                print(f"round {done.round_end.round}, side {score.side}: {lines} = {score.total}, now {score.cumulative}")


def main(address="127.0.0.1:50051", rule_set="classic-4p"):
    config = (Path(__file__).parent / "../../service-config.json").read_text()
    channel = grpc.insecure_channel(address, options=[("grpc.service_config", config)])
    table = Table(channel, opened("table.db"), rule_set)
    play(table)
    log = table.log()
    Path("table.clog").write_bytes(log)
    report = table.audit(log, live=False)
    print(f"table.clog: {report.records} records, {audit.Verdict.Name(report.verdict)}, "
          f"{audit.DealVerdict.Name(report.deal)}, {report.actions} actions in {report.rounds} rounds")
    print(f"side {report.result.winner} wins by {report.result.margin}" if report.result.HasField("winner") else "a draw")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except grpc.RpcError as error:
        sys.exit(f"{error.code().name}: {error.details()}")
