"""Text of requests that no store could keep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.descriptor import FieldDescriptor

from hexmarshal.service.calls import statuses
from hexmarshal.v1 import position_pb2, value_pb2, verdict_pb2

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

__all__ = ["refuse_nul"]

NUL = "\0"
# What the games read is kept as the bytes of a message, in which every text has its length.
_OF_THE_GAMES = {
    position_pb2.Position.DESCRIPTOR,
    value_pb2.Record.DESCRIPTOR,
    verdict_pb2.Action.DESCRIPTOR,
}


def refuse_nul(request: Message, data: bytes, path: str = "") -> None:
    """Refuse a NUL in names, titles, keys and tokens: PostgreSQL has no text with one."""
    if b"\0" in data:
        for field in _with_nul(request, path):
            raise statuses.invalid(field, "text with the character NUL")


def _with_nul(message: Message, path: str) -> Iterator[str]:
    for field, value in message.ListFields():
        kind = field.message_type
        if kind in _OF_THE_GAMES or (kind is not None and kind.GetOptions().map_entry):
            continue
        values = value if field.is_repeated else (value,)
        if kind is None and field.type != FieldDescriptor.TYPE_STRING:
            continue
        for i, one in enumerate(values):
            at = f"{path}{field.name}[{i}]" if field.is_repeated else f"{path}{field.name}"
            if kind is not None:
                yield from _with_nul(one, f"{at}.")
            elif NUL in one:
                yield at
