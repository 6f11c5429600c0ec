"""Games of Canasta over canasta.v1. See README.md."""

from canasta_client.messages import render, speaker
from canasta_client.room import Link, Room, create, patiently

__all__ = ["Link", "Room", "create", "patiently", "render", "speaker"]
