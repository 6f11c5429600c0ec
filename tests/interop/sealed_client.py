#!/usr/bin/env python3
"""Plays whole games against a sealing service over TLS: the table by certificate, seats by token, a judge by key.

Nobody trusts anybody: while they play, seats try to see other hands, to act for others, to read other games, and to
bend the states that they hold. All of that must be refused alike. sealed_client.sh starts the service and makes keys.

    sealed_client.py PORT PORT_OF_ANOTHER_AUDIENCE FOLDER
"""

import pathlib
import random
import sys
import time

import grpc
import jwt
from grpc_client import TABLE, Client, chain

PRESETS = ["classic-4p", "american-4p", "samba-4p", "hand-and-foot-4p"]
ISS = "https://id.club.example"
JUDGE, DIRECTOR = {"role": "ROLE_JUDGE"}, {"role": "ROLE_DIRECTOR"}
# Turns between two attempts of every seat to see more.
PRYING = 150

DRAW = random.Random(7)


class House:
    """Makes callers: each has a connection of its own, and shows one kind of credentials."""

    def __init__(self, port, folder):
        self.port, self.folder = port, folder

    def read(self, name):
        return (self.folder / name).read_bytes()

    def caller(self, certificate=None, **headers):
        pair = (self.read(f"{certificate}.key"), self.read(f"{certificate}.pem")) if certificate else (None, None)
        credentials = grpc.ssl_channel_credentials(self.read("ca.pem"), *pair)
        metadata = [(name.replace("_", "-"), value) for name, value in headers.items()]
        return Client(grpc.secure_channel(f"127.0.0.1:{self.port}", credentials), metadata)

    def bearer(self, key="issuer", alg="EdDSA", **claims):
        claims = {"iss": ISS, "aud": "canasta", "exp": int(time.time()) + 3600, **claims}
        token = jwt.encode(claims, self.read(f"{key}.key"), algorithm=alg, headers={"kid": key})
        return self.caller(authorization=f"Bearer {token}")

    def seat(self, game, seat):
        key, alg = [("issuer", "EdDSA"), ("issuer2", "ES256"), ("issuer3", "RS256")][seat % 3]
        return self.bearer(key, alg, sub=f"player-{seat}", games=[game.hex()], **{"as": [seat]})


def refusal(call, method, **fields):
    """Everything that a caller gets of a refusal, but for the request's own id and the hour."""
    try:
        answer = call(method, **fields)
    except grpc.RpcError as error:
        trailers = {key: value for key, value in error.trailing_metadata() if key not in ("x-request-id", "date")}
        return error.code(), error.details(), tuple(sorted(trailers.items()))
    raise AssertionError(f"{method} {fields} is answered: {answer}")


def view(call, state, who):
    return call("GetView", state=state, actor=who).view


class Refusals:
    """The three ways in which a caller is refused; each always looks the same."""

    def __init__(self):
        self.seen = {}

    def check(self, code, got):
        assert got[0] == code, got
        assert self.seen.setdefault(code, got) == got, (self.seen[code], got)

    def unknown(self, call, method, **fields):
        self.check(grpc.StatusCode.UNAUTHENTICATED, refusal(call, method, **fields))

    def denied(self, call, method, **fields):
        self.check(grpc.StatusCode.PERMISSION_DENIED, refusal(call, method, **fields))

    def no_state(self, call, method, **fields):
        self.check(grpc.StatusCode.INVALID_ARGUMENT, refusal(call, method, **fields))


def pry(refused, seats, state, foreign):
    """Every seat tries what it may not."""
    for own, call in enumerate(seats):
        own_view = view(call, state, {"seat": own})
        for seat in own_view.seats:
            assert (len(seat.hand) == seat.hand_size) == (seat.seat == own or seat.hand_size == 0), seat
            assert not seat.foot
        assert not own_view.stock_cards and not any(talon.cards for talon in own_view.talons)
        others = [{"seat": seat} for seat in range(6) if seat != own] + [TABLE, JUDGE, DIRECTOR]
        for who in others:
            refused.denied(call, "GetView", state=state, actor=who)
        who = DRAW.choice(others)
        for method in ("ListLegalActions", "SuggestAction"):
            refused.denied(call, method, state=state, actor=who)
        for method in ("ApplyAction", "CheckAction"):
            refused.denied(call, method, state=state, actor=who, action={"draw_stock": {}})
        refused.denied(call, "ApplyAction", state=state, actor=TABLE, register={"dealer": 0})
        refused.denied(call, "CreateGame", rule_set="classic-4p", deal_mode=1)
        for other in (foreign, foreign[:-1], foreign[:40] + b"\0" * 300):
            refused.denied(call, "GetView", state=other, actor={"seat": own})


def bend(refused, call, own, state, before, foreign):
    """A seat changes the state that it holds; the game's id it may not change to another's (bytes 8 to 23)."""
    def looks(bent):
        # Tokens of one game may agree up to there.
        if bent not in (state, before):
            refused.no_state(call, "GetView", state=bent, actor={"seat": own})

    for _ in range(60):
        at = DRAW.choice([byte for byte in range(len(state)) if not 8 <= byte < 24])
        looks(state[:at] + bytes([state[at] ^ 1 << DRAW.randrange(8)]) + state[at + 1 :])
    for at in (6, 24, 56, 60, len(state) - 16):
        looks(state[:at] + before[at:])
        looks(before[:at] + state[at:])
    # Another game's cards under this game's name.
    looks(state[:24] + foreign[24:])
    looks(state[:-1])
    looks(state + b"\0")


def play(house, refused, preset, table, judge, foreign):
    mode = 2 if preset == "samba-4p" else 1
    # In Hand and Foot the table says who deals first.
    dealer = {"dealer": 0} if preset.startswith("hand-and-foot") else {}
    created = table("CreateGame", rule_set=preset, deal_mode=mode, **dealer).created
    state, log, game = created.state, created.frames, created.game_id
    seats = [house.seat(game, seat) for seat in range(4)]
    seen, before, steps, lengths = view(table, state, TABLE), state, 0, set()
    phases = {value.name: value.number for value in seen.DESCRIPTOR.fields_by_name["phase"].enum_type.values}
    while seen.phase != phases["PHASE_GAME_OVER"]:
        if seen.phase == phases["PHASE_DEAL"]:
            call, who, action = table, TABLE, {"deal": {}}
        else:
            call, who = seats[seen.to_act], {"seat": seen.to_act}
            action = call("SuggestAction", state=state, actor=who, seed=steps).action
        answer = call(
            "ApplyAction", state=state, actor=who, action=action, want_view=True, want_events=True,
            want_head=True, expected_seq=seen.seq, expected_head=seen.head,
        )
        assert answer.WhichOneof("outcome") == "accepted", answer
        before, state, seen = state, answer.accepted.state, answer.accepted.view
        log += answer.accepted.frames
        lengths.add(len(state))
        steps += 1
        if steps % PRYING == 2:
            pry(refused, seats, state, foreign)
            bend(refused, seats[steps % 4], steps % 4, state, before, foreign)
            everything = view(judge, state, JUDGE)
            for own, call in enumerate(seats):
                assert list(view(call, state, {"seat": own}).seats[own].hand) == list(everything.seats[own].hand)
    records, head = chain(log)
    assert (records, head) == (answer.accepted.n + 1, answer.accepted.head)
    # In committed games two lengths: seats have registered, or not.
    assert len(lengths) == 1 or mode == 2 and len(lengths) == 2, lengths
    print(f"played   {preset:17} {steps:5} actions, {seen.round} rounds, states of {lengths} bytes, {records} records")
    return state


def credentials(house, refused, state):
    """Who shows nothing good is nobody."""
    everything = {"games": "all", "as": "all"}
    key = house.read("judge.key").decode().strip()
    good = jwt.encode({"iss": ISS, "aud": "canasta", "exp": int(time.time()) + 60, **everything},
                      house.read("issuer.key"), algorithm="EdDSA", headers={"kid": "issuer"})
    unsigned = jwt.encode({"iss": ISS, "aud": "canasta", "exp": int(time.time()) + 60, **everything},
                          None, algorithm="none", headers={"kid": "issuer"})
    nobody = [
        house.caller(),
        house.caller("unknown"),
        house.caller(x_api_key=key[:-1]),
        house.caller(x_api_key=key, authorization=f"Bearer {good}"),
        house.caller(authorization=f"Basic {good}"),
        house.caller(authorization=f"Bearer {good[:-3]}AAA"),
        house.caller(authorization=f"Bearer {unsigned}"),
        house.bearer("other", **everything),
        house.bearer(aud="bridge", **everything),
        house.bearer(iss="https://id.other.example", **everything),
        house.bearer(exp=int(time.time()) - 1, **everything),
        house.bearer(nbf=int(time.time()) + 60, **everything),
        house.bearer(),
    ]
    for call in nobody:
        refused.unknown(call, "GetView", state=state, actor=JUDGE)
        refused.unknown(call, "ListRuleSets")
        refused.unknown(call, "CreateGame", rule_set="classic-4p", deal_mode=1)
    # The same signature, and a good key: these do work.
    assert view(house.caller(authorization=f"Bearer {good}"), state, JUDGE).stock_cards is not None
    try:
        house.caller("stranger")
        raise AssertionError("a stranger's certificate is taken")
    except grpc.RpcError as error:
        assert error.code() == grpc.StatusCode.UNAVAILABLE, error
    print(f"refused  {len(nobody)} callers with bad credentials, alike")


def rotate(house, refused, table, judge, state, program_keys):
    """A key is added, made active, and the old one revoked while the service runs."""
    lines = [line for line in program_keys.read_text().splitlines() if line]
    (old,) = [line.split()[1] for line in lines]
    new = house.read("new.keys").decode().split()[1]

    def settle(text, done):
        program_keys.write_text(text)
        for _ in range(100):
            if done():
                return
            time.sleep(0.1)
        raise AssertionError("the keys are not read again")

    def create():
        return table("CreateGame", rule_set="classic-4p", deal_mode=1).created.state

    settle(f"open-only {old}\nactive {new}\n", lambda: create()[2:6].hex() == new.split("+")[2])
    assert view(judge, state, JUDGE).seats, "states of the old key are still taken"
    # A file that is none changes nothing.
    program_keys.write_text("active nonsense\n")
    time.sleep(0.5)
    assert view(judge, state, JUDGE).seats

    def is_revoked():
        try:
            return not view(judge, state, JUDGE)
        except grpc.RpcError:
            return True

    settle(f"revoked {old}\nactive {new}\n", is_revoked)
    refused.no_state(judge, "GetView", state=state, actor=JUDGE)
    assert view(judge, create(), JUDGE)
    print("rotated  the seal key while games went on; the revoked one opens nothing")


def dismiss(house, refused, table):
    """Who is taken out of the file is out at once, on an open connection too."""
    file = house.folder / "identities.toml"
    text = file.read_text()
    assert table("ListRuleSets").rule_sets
    file.write_text(text.replace('dns = "table.club.example"', 'dns = "other.club.example"'))
    for _ in range(100):
        try:
            table("ListRuleSets")
            time.sleep(0.1)
        except grpc.RpcError:
            break
    refused.unknown(table, "ListRuleSets")
    print("dismissed the table while it was connected")


def main(port, elsewhere, folder):
    folder = pathlib.Path(folder)
    house, refused = House(port, folder), Refusals()
    table, director = house.caller("table"), house.caller("director")
    judge = house.caller(x_api_key=house.read("judge.key").decode().strip())
    foreign = table("CreateGame", rule_set="classic-4p", deal_mode=1, game_id=b"\x0f" * 16).created.state
    states = [play(house, refused, preset, table, judge, foreign) for preset in PRESETS]

    # The table deals and sees no hand; the director, known by the certificate's subject, sees all and deals not.
    refused.denied(table, "GetView", state=foreign, actor=JUDGE)
    refused.denied(table, "GetView", state=foreign, actor={"seat": 0})
    assert view(director, foreign, DIRECTOR)
    refused.denied(director, "ApplyAction", state=foreign, actor=TABLE, action={"deal": {}})
    refused.denied(judge, "ApplyAction", state=foreign, actor=DIRECTOR, action={"deal": {}})
    credentials(house, refused, states[0])

    # Of another audience, with the same keys; and over.
    other = House(elsewhere, folder).caller("table")
    theirs = other("CreateGame", rule_set="classic-4p", deal_mode=1).created.state
    refused.no_state(table, "GetView", state=theirs, actor=TABLE)
    refused.no_state(other, "GetView", state=states[0], actor=TABLE)
    soon = int(time.time() * 1000) + 1500
    short = table("CreateGame", rule_set="classic-4p", deal_mode=1, expires_at_ms=soon).created.state
    assert view(table, short, TABLE)
    time.sleep(1.6)
    refused.no_state(table, "GetView", state=short, actor=TABLE)
    rotate(house, refused, table, judge, states[0], folder / "seal.keys")
    dismiss(house, refused, table)
    for code, (_, message, _) in refused.seen.items():
        print(f"refused  {code.name:18} always as {message!r}")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3])
