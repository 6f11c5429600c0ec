"""Games of Canasta over canasta.v1. See README.md."""

from canasta_client.messages import render, speaker
from canasta_client.policy import RETRIES, Closed, Trouble
from canasta_client.room import OPTIONS, AsyncRoom, Link, Refused, Room, create
from canasta_client.sentences import Sentences, get_wordings

__all__ = [
    "OPTIONS", "RETRIES", "AsyncRoom", "Closed", "Link", "Refused", "Room", "Sentences", "Trouble",
    "create", "get_wordings", "render", "speaker",
]
