"""Requests from their bytes: bounded and weighed before they are read.

Requests come as bytes and are decoded here, because a message that gRPC itself fails to decode is
answered with INTERNAL, which would call the client's mistake a bug of ours.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from google.protobuf.message import DecodeError

from hexmarshal.service.calls import statuses
from hexmarshal.service.calls.request_text import refuse_nul
from hexmarshal.service.rulings.position_cache import OversizeError, split

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from hexmarshal.service.calls.call import Call

__all__ = ["POSITION_FIELD", "SMALL_BYTES", "Shape", "read"]

POSITION_FIELD = 1
MATCH_FIELD = 2
# What is wanted of files, which may hold a whole position: read where the files are.
PLAN_FIELD = 1
# What a request may hold besides a position and actions.
FEW_FIELDS = 64
# The largest request about games and matches, which carries an action at most.
SMALL_BYTES = 16 << 10
# What is larger than this is not parsed here: the parser lets nobody else run meanwhile.
LARGE_BYTES = 64 << 10
# So many fields of a request are looked at before others get their turn.
INLINE_FIELDS = 1000


@dataclass(frozen=True, slots=True)
class Shape:
    """How a method's requests are read: with a position set aside, or in chunks of files."""

    kind: type[Message]
    split_off: bool
    chunks: bool
    watch: bool = False


async def read(call: Call, shape: Shape, data: bytes, max_actions: int) -> Any:  # noqa: ANN401
    """The request, with its position set aside, or a plan that is too large to be read here."""
    try:
        call.position, call.raw = None, None
        if not shape.split_off:
            if shape.chunks:
                # The parser would take its time for many.
                found, rest = await _cut(data, PLAN_FIELD, FEW_FIELDS)
                if sum(map(len, found)) > SMALL_BYTES:
                    if len(found) > 1 or rest:
                        raise OversizeError("parts", 1)
                    call.raw = found[0]
                    return shape.kind()
            elif len(data) > SMALL_BYTES:
                raise OversizeError("bytes", SMALL_BYTES)
            request = shape.kind.FromString(data)
        else:
            request = await _split(call, shape, data, max_actions)
        refuse_nul(request, data)
    except OversizeError as error:
        raise statuses.exhausted(f"request_{error.what}", str(error)) from None
    except (DecodeError, RecursionError) as error:
        text = f"not a {shape.kind.DESCRIPTOR.full_name}: {error}"
        raise statuses.invalid("", text, reason="UNREADABLE") from None
    return request


async def _split(call: Call, shape: Shape, data: bytes, max_actions: int) -> Any:  # noqa: ANN401
    """The request without its position; only with its match if the rest is too large."""
    most = max_actions + FEW_FIELDS
    big = len(data) > LARGE_BYTES
    found, rest = await _cut(data, POSITION_FIELD, most)
    # Twice the same field means a merge of both, which the real parser knows to do.
    if len(found) == 1:
        call.position, data = found[0], rest
    elif found and big:
        raise OversizeError("positions", 1)
    if len(data) > LARGE_BYTES:
        found, call.raw = await _cut(data, MATCH_FIELD, most)
        if sum(map(len, found)) > SMALL_BYTES:
            raise OversizeError("bytes in the match", SMALL_BYTES)
        part: Any = shape.kind()
        for match in found:
            part.match.MergeFromString(match)
        return part
    request: Any = shape.kind.FromString(data)
    if call.position is None and request.HasField("position"):
        call.position = request.position.SerializeToString()
    return request


async def _cut(data: bytes, field: int, most: int) -> tuple[list[bytes], bytes]:
    """A field set apart; in a thread if there is much to look at."""
    if len(data) <= LARGE_BYTES:
        try:
            return split(data, field, min(most, INLINE_FIELDS))
        except OversizeError:
            if most <= INLINE_FIELDS:
                raise
    return await asyncio.to_thread(split, data, field, most)
