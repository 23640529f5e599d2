"""What a seat was told of a match, event by event, and the position after each."""

from __future__ import annotations

import json
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING

from google.protobuf import json_format

from hexmarshal.rules.state.effects import apply_effects
from hexmarshal.rules.state.view import NOBODY
from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.web.connect.errors import aborted_of
from hexmarshal.wire.effects import decode_effect
from hexmarshal.wire.positions import decode_position

if TYPE_CHECKING:
    from starlette.requests import Request

    from hexmarshal.rules.state.position import Position
    from hexmarshal.web.connect.calls import Calls

__all__ = ["Histories", "History"]

_MOST = 8


class History:
    """A start and what was told since; positions are worked out as they are asked for."""

    def __init__(self, start: Position, events: list[pb.Event]) -> None:
        self.events = events
        self._positions = [start]

    def at(self, version: int) -> Position:
        """The position after so many events."""
        if not 0 <= version <= len(self.events):
            raise aborted_of("version", f"is 0 to {len(self.events)}, not {version}")
        while len(self._positions) <= version:
            event = self.events[len(self._positions) - 1]
            effects = [decode_effect(effect) for effect in event.effects]
            self._positions.append(apply_effects(self._positions[-1], effects))
        return self._positions[version]


class Histories:
    """Histories of a few matches; each caller's right to one is asked anew every time."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls
        self._held: OrderedDict[tuple[str, str, int], History] = OrderedDict()

    async def of(self, request: Request, match: pb.Match, side: str) -> History:
        """The history of a match that the caller was just shown from this seat."""
        key = (match.id, side, match.version)
        if key in self._held:
            self._held.move_to_end(key)
            return self._held[key]
        # Who looks on names no side.
        asked = pb.ExportMatchRequest(match=match.id, side="" if side == NOBODY else side)
        parts = [
            part.chunk
            async for part in self._calls.stream(request, "MatchService/ExportMatch", asked)
        ]
        history = self._held[key] = await self._calls.here.apart(partial(_told, b"".join(parts)))
        if len(self._held) > _MOST:
            self._held.popitem(last=False)
        return history


def _told(record: bytes) -> History:
    """What a record tells of the match: its start and its events, not what was refused."""
    # Names may hold any character that Python, and not JSON, takes for the end of a line.
    first, *rest = map(json.loads, record.decode().rstrip("\n").split("\n"))
    start = json_format.ParseDict(first["match"], pb.Match())
    events = [json_format.ParseDict(line["event"], pb.Event()) for line in rest if "event" in line]
    return History(decode_position(start.position), events)
