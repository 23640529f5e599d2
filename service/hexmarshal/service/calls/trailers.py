"""Makes what a refusal tells fit into the trailers of a call, which hold some kilobytes at most.

Requests may hold names of any length, and refusals name what was asked for: too much of it, and
the caller would see a broken stream in place of the status.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from google.protobuf.any_pb2 import Any as AnyMessage
from google.rpc.status_pb2 import Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from google.protobuf.message import Message

__all__ = ["packed", "shortened"]

_MESSAGE, _DETAILS, _STRING = 1200, 3600, 160
"""So many bytes on the wire; so many bytes of details; so long a string where they are too many."""
_GAP = " ... "
_DEAREST = 12
"""A character takes four bytes at most, each of which a trailer may have to spell with three."""


def shortened(text: str, most: int = _MESSAGE) -> str:
    """The text, without its middle if it is too long for a trailer."""
    if len(text) * _DEAREST <= most:
        return text
    if len(text) > 2 * most:
        text = text[:most] + text[-most:]  # what is between has no place in any case
    room = most - len(_GAP)
    if text.isascii() and text.isprintable():  # one each, and quickly counted
        kept = text[: room * 3 // 4] + _GAP + text[len(text) - room // 4 + 1 :]
        return text if len(text) <= most else kept
    costs = list(accumulate(1 if " " <= c <= "~" else 3 * len(c.encode()) for c in text))
    if costs[-1] <= most:
        return text
    head = sum(cost <= room * 3 // 4 for cost in costs)
    tail = sum(costs[-1] - cost < room // 4 for cost in costs)
    return text[:head] + _GAP + text[len(text) - tail + 1 :]


def packed(code: int, message: str, details: Iterable[Message]) -> bytes:
    """A google.rpc.Status; of details that are too long only the beginning."""
    told = list(details)
    status = _status(code, message, told)
    if status.ByteSize() > _DETAILS:
        told = [_copy(each) for each in told]
        for each in told:
            _shorten(each)
        status = _status(code, message, told)
    while status.ByteSize() > _DETAILS and len(told) > 1:
        longest = max(told, key=lambda each: each.ByteSize())
        if not _halved(longest):
            told.remove(longest)
        status = _status(code, message, told)
    return bytes(status.SerializeToString())


def _status(code: int, message: str, details: Iterable[Message]) -> Status:
    status = Status(code=code, message=message)
    for detail in details:
        into = AnyMessage()
        into.Pack(detail)
        status.details.append(into)
    return status


def _copy(message: Message) -> Message:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy


def _shorten(message: Message) -> None:
    for field, value in message.ListFields():
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            if isinstance(next(iter(value.values())), str):
                for key, text in list(value.items()):
                    value[key] = shortened(text, _STRING)
        elif field.type == field.TYPE_MESSAGE:
            for each in value if field.is_repeated else [value]:
                _shorten(each)
        elif field.type == field.TYPE_STRING and field.is_repeated:
            value[:] = [shortened(text, _STRING) for text in value]
        elif field.type == field.TYPE_STRING:
            setattr(message, field.name, shortened(value, _STRING))


def _halved(message: Message) -> bool:
    """Leave out the last half of its longest list; false if it has no list with two or more."""
    lists = [
        value
        for field, value in message.ListFields()
        if field.is_repeated
        and not (field.message_type is not None and field.message_type.GetOptions().map_entry)
        and len(value) > 1
    ]
    if not lists:
        return False
    longest = max(lists, key=len)
    del longest[-(len(longest) // 2) :]
    return True
