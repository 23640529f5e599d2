"""What a seat is told of a match, as it is sent: worked out once for all who watch from there."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.v1 import match_service_pb2 as pb
from hexmarshal.wire.verdicts import encode_outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hexmarshal.service.matches.match import Happening, HeldMatch
    from hexmarshal.service.rulings.here import Here

__all__ = ["Told", "ToldEvents"]


class Told(NamedTuple):
    """One event as it is sent, with its version in the store; `last` if the match ended with it."""

    version: int
    data: bytes
    last: bool


class ToldEvents:
    """The events after some version, from the seat of a side; whole for no side."""

    def __init__(self, held: HeldMatch, side: str) -> None:
        self._held = held
        self._side = side
        self._turn = asyncio.Lock()
        self._start = self._end = held.version
        self._told: list[Told] = []

    async def after(self, version: int, here: Here) -> Sequence[Told]:
        """Those after a version; others get their turn while they are worked out."""
        async with self._turn:
            if version < self._start:
                self._start = self._end = version
                self._told = []
            newest = self._held.version
            if self._end < newest:
                size = str((newest - self._end).bit_length())
                key = (self._held.row.game, "tell", size)
                self._told += await here.do(key, partial(self._made, self._end, newest))
                self._end = newest
            first = bisect_right(self._told, version, key=lambda told: told.version)
            return self._told[first:]

    def _made(self, after: int, newest: int) -> list[Told]:
        return [
            self._sent(happening)
            for happening in self._held.told(after, self._side)
            if happening.event.version <= newest
        ]

    def _sent(self, happening: Happening) -> Told:
        held = self._held
        response = pb.WatchMatchResponse(event=held.seen(happening, self._side))
        ended = held.outcome_at(happening)
        if ended is not None:
            response.outcome.CopyFrom(encode_outcome(ended))
        return Told(happening.event.version, response.SerializeToString(), ended is not None)
