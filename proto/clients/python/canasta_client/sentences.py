"""The catalogue's wordings, for messages as generated code has them, at one table."""

from __future__ import annotations

from typing import Any

from canasta.v1 import catalogue_pb2, game_service_pb2_grpc
from google.protobuf.json_format import MessageToDict

from canasta_client.messages import speaker


def plain(message: Any) -> dict[str, Any]:
    """Returns a message as `speaker` reads it."""
    return MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)


def get_wordings(channel: Any, language_code: str = "en", timeout: float = 10) -> list[dict[str, Any]]:
    """Gets the catalogue of a language, for Sentences, by a channel for Room."""
    ask, request, found = game_service_pb2_grpc.GameServiceStub(channel).GetCatalogue, catalogue_pb2.GetCatalogueRequest, []
    token = None
    while token != "":
        page = plain(ask(request(language_code=language_code, page_token=token), timeout=timeout))
        found, token = found + page["wordings"], page["next_page_token"]
    return found


class Sentences:
    """Says events, actions, refusals, repairs, score lines and reasons; with a view also seats and sides by their players' names, and
    melds by their cards. What is newer than the wordings is said in the service's own words, or as nothing."""

    def __init__(self, wordings: list[dict[str, Any]], view: Any = None, side: int | None = None) -> None:
        self.view, self.side = view, side
        """The side whose melds an action or a refusal is about. Unset: that of the view's own seat."""
        if view and side is None and view.actor.WhichOneof("who") == "seat":
            self.side = next((each.side for each in view.seats if each.seat == view.actor.seat), None)
        self._say = speaker(wordings, self.write)

    def write(self, kind: str, value: Any) -> str | None:
        """Writes a value. An application overrides it for its own names and pictures. None: as the wordings have it."""
        if self.view is None:
            return None
        if kind in ("FACT_TYPE_SEAT", "FACT_TYPE_SEATS"):
            return next((seat.name for seat in self.view.seats if seat.seat == value), None)
        if kind == "FACT_TYPE_SIDE":
            return " & ".join(seat.name for seat in self.view.seats if seat.side == value and seat.name)
        if kind == "FACT_TYPE_MELD":
            melds = (meld for side in self.view.sides if side.side == self.side for meld in side.melds)
            return next((" ".join(meld.cards) for meld in melds if meld.id == value), None)
        return None

    def _of(self, kind: str, message: Any) -> str:
        name = message.WhichOneof("kind")
        return self._say(kind, name, plain(getattr(message, name))) if name else ""

    def event(self, event: Any) -> str:
        value = getattr(event, event.WhichOneof("kind") or "", None)
        before, self.side = self.side, getattr(value, "side", self.side)
        try:
            return self._of("WORDING_KIND_EVENT", event)
        finally:
            self.side = before

    def action(self, action: Any) -> str:
        return self._of("WORDING_KIND_ACTION", action) or action.WhichOneof("kind") or ""

    def violation(self, violation: Any) -> str:
        return self._say("WORDING_KIND_CODE", violation.code, plain(violation)) or violation.message or violation.code

    def repair(self, repair: Any) -> str:
        return self._say("WORDING_KIND_REPAIR", repair.name, plain(repair)) or repair.message

    def line(self, line: Any) -> str:
        return self._say("WORDING_KIND_SCORE_LINE", line.item, plain(line)) or line.item

    def reason(self, name: str) -> str:
        """Says the reason for a suggestion."""
        return self._say("WORDING_KIND_REASON", name, {})

    def side_name(self, side: int) -> str:
        """Returns the names of a side's players."""
        return self.write("FACT_TYPE_SIDE", side) or f"side {side}"

    def owner_name(self, score: Any) -> str:
        """Returns whose score it is: a side's, or a seat's where seats keep the score."""
        if score.WhichOneof("owner") == "side":
            return self.side_name(score.side)
        return self.write("FACT_TYPE_SEAT", score.seat) or f"seat {score.seat}"
