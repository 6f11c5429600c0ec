#!/usr/bin/env python3
"""Keeps states of this version for later ones, and plays on from those that were kept.

    tokens.py keep OPEN SEALED FILE    plays every rule set against two running services, one that seals with the key
                                       of tests/data/tokens/v1/seal.keys for the audience "club", and writes the states
    tokens.py check OPEN SEALED FILE   takes up the game at every state of FILE, open and sealed, twenty actions each

A line of FILE: rule set, record number, sequence number, open state and sealed state in base64.
"""

import base64
import sys

import grpc
from google.protobuf import json_format

from grpc_client import Client

TABLE, JUDGE = {"role": "ROLE_TABLE"}, {"role": "ROLE_JUDGE"}
# How many actions are played before a state is kept.
KEPT = (0, 1, 2, 30, 75, 140, 260)
# A house rule of a base preset, so that states that bring their rules along are kept too.
HOUSE = {"name": "club", "knobs": {"target": "3000", "one_card_pile": '"forbid"'}}


def who_acts(view):
    return {"seat": view.to_act} if view.HasField("to_act") else TABLE


def step(client, state, seed):
    """Whose turn it is, and what the bot would do there; None at the end of the game."""
    view = client("GetView", state=state, as_=JUDGE).view
    phase = view.DESCRIPTOR.fields_by_name["phase"].enum_type.values_by_number[view.phase].name
    if phase == "PHASE_GAME_OVER":
        return None
    who = who_acts(view)
    if who == TABLE:
        return TABLE, json_format.MessageToDict(client("ListLegalActions", state=state, as_=TABLE).actions[0])
    action = client("SuggestAction", state=state, as_=who, seed=seed).action
    # The two clients do not share their classes.
    return who, json_format.MessageToDict(action)


def act(client, state, who, action):
    answer = client("ApplyAction", state=state, as_=who, action=action)
    assert answer.WhichOneof("outcome") == "accepted", answer
    return answer.accepted


def games(client):
    for number, one in enumerate(client("ListRuleSets").rule_sets):
        if one.playable:
            yield one.id, {"rule_set": one.id}, number
    yield "house", {"rule_set": "classic-4p", "house_rules": HOUSE, "expires_at_ms": 4_000_000_000_000}, 99


def keep(both, path):
    lines = []
    for name, rules, number in games(both[0]):
        ids = dict(deal_mode=1, secret=bytes([number]) * 64, game_id=bytes([number]) * 16)
        at = [client("CreateGame", **rules, **ids) for client in both]
        if at[0].WhichOneof("outcome") == "rejected":
            # Some leave the first dealer to the table.
            at = [client("CreateGame", **rules, **ids, dealer=0) for client in both]
        assert {one.WhichOneof("outcome") for one in at} == {"created"}, (name, at)
        at = [one.created for one in at]
        for played in range(KEPT[-1] + 1):
            assert at[0].head == at[1].head and at[0].n == at[1].n
            if played in KEPT:
                states = [base64.b64encode(one.state).decode() for one in at]
                lines.append(f"{name} {at[0].n} {at[0].seq} {states[0]} {states[1]}\n")
            proposed = step(both[0], at[0].state, played)
            if proposed is None:
                break
            at = [act(client, one.state, *proposed) for client, one in zip(both, at)]
    with open(path, "x") as file:
        file.writelines(lines)
    print(f"kept     {len(lines)} states")


def check(both, path):
    played, lines = 0, open(path).read().splitlines()
    for number, line in enumerate(lines):
        name, n, seq, *states = line.split()
        at = [base64.b64decode(state) for state in states]
        for turn in range(20):
            proposed = step(both[0], at[0], turn)
            if proposed is None:
                break
            answers = [act(client, state, *proposed) for client, state in zip(both, at)]
            assert answers[0].head == answers[1].head and answers[0].frames == answers[1].frames, name
            if turn == 0:
                assert answers[0].seq > int(seq) and answers[0].n > int(n), line
            at, played = [answer.state for answer in answers], played + 1
    print(f"taken up {len(lines)} games of the first version, open and sealed; {played} actions each way")


if __name__ == "__main__":
    what, *addresses, path = sys.argv[1:]
    {"keep": keep, "check": check}[what]([Client(grpc.insecure_channel(address)) for address in addresses], path)
