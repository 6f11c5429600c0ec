"""A player of your own: it gets links, and decides what to do at their tables. docs/start/FIRST_BOT.md goes through it.

    bot.py [ADDRESS [TOKEN ...]]      a table for each link; without one it makes a table of its own, with the recorder's bots
"""

import asyncio
import sys

import grpc
from canasta.v1 import game_service_pb2 as game, record_service_pb2 as record
from canasta.v1.identity_pb2 import Actor
from canasta_client import OPTIONS, AsyncRoom, create

WILD = ("X", "2")


def merit(action, view):
    """How good a legal action looks; None: this kind is left to the recorder's own player."""
    hand = next(seat.hand for seat in view.seats if seat.seat == view.actor.seat)
    kind = action.WhichOneof("kind")
    if kind == "take_pile":
        return 30 + view.pile.size
    if kind == "draw_stock":
        return 30
    if kind == "meld":
        cards = [card for group in action.meld.groups for card in group.cards]
        # Naturals on the table are points; wild cards are kept for later.
        return 20 + len(cards) - 5 * sum(card[0] in WILD for card in cards)
    if kind == "discard":
        card = action.discard.card
        alike = sum(other[0] == card[0] for other in hand)
        return 10 - alike - (8 if card[0] in WILD else 0)
    return None


async def decided(room, view):
    known = [(merit(action, view), action) for action in await room.legal()]
    if not known or any(merit is None for merit, _ in known):
        return await room.suggest()
    return max(known, key=lambda pair: pair[0])[1]


async def play(room):
    """Plays one seat to the end of the game. Returns the last view."""
    seat, view = room.actor.seat, None
    async for message in room.news():
        if not message.HasField("observation"):
            continue
        view = message.observation.view
        if view.HasField("to_act") and view.to_act == seat:
            answer = await room.act(await decided(room, view), message.log_end.seq)
            if answer is not None and answer.HasField("rejected"):
                # What is listed as legal is legal: only a table that has changed leads here, and the news tell how.
                await room.act(await room.suggest(), message.log_end.seq)
    return view


async def main(address="127.0.0.1:50051", *tokens):
    channel = grpc.aio.insecure_channel(address, OPTIONS)
    rooms = [AsyncRoom(channel, token) for token in tokens]
    if not rooms:
        players = [game.Player(name=name) for name in ("Mine", "Robot 1", "Robot 2", "Robot 3")]
        bots = [record.Bot(seat=seat) for seat in (1, 2, 3)]
        rooms = [await create(channel, rule_set="classic-4p", deal_mode="DEAL_MODE_COMMITTED", players=players, bots=bots,
                              creator=Actor(seat=0), auto_table=True)]
    for room, view in zip(rooms, await asyncio.gather(*map(play, rooms))):
        scores = " : ".join(str(side.score) for side in view.sides)
        print(f"game {room.link.game_id.hex()}, seat {room.actor.seat}: {scores} after {view.round} rounds")


asyncio.run(main(*sys.argv[1:]))
