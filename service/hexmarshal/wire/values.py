"""Exact values, numbers and odds as messages."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.values import EMPTY, INT_MAX, INT_MIN, FieldError, FrozenMap, Record, Value
from hexmarshal.v1 import value_pb2 as pb

if TYPE_CHECKING:
    from hexmarshal.rules.verdict import Amount

__all__ = [
    "decode_amount",
    "decode_distribution",
    "decode_record",
    "decode_value",
    "encode_distribution",
    "encode_record",
    "encode_value",
    "fill_amount",
    "fill_record",
    "fill_value",
]


def encode_value(value: Value) -> pb.Value:
    """The message of one value."""
    message = pb.Value()
    fill_value(message, value)
    return message


def fill_value(message: pb.Value, value: Value) -> None:
    """Put the value into a message that exists already."""
    if value is None:
        return
    if isinstance(value, bool):
        message.bool_value = value
    elif isinstance(value, int):
        if not INT_MIN <= value <= INT_MAX:
            raise FieldError("a whole number must fit into 64 bits")
        message.int_value = value
    elif isinstance(value, str):
        message.string_value = _text(value)
    elif isinstance(value, tuple):
        message.list_value.SetInParent()
        add = message.list_value.values.add
        for item in value:
            fill_value(add(), item)
    else:
        message.record_value.SetInParent()
        fill_record(message.record_value, value)


def fill_record(message: pb.Record, record: Record) -> None:
    """Put the record into a message that exists already."""
    fields = message.fields
    for name, value in record.items():
        fill_value(fields[_text(name)], value)


def encode_record(record: Record) -> pb.Record:
    """The message of one record."""
    message = pb.Record()
    fill_record(message, record)
    return message


def _text(text: str) -> str:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise FieldError("text with half of a surrogate pair cannot be sent") from None
    return text


def decode_value(message: pb.Value) -> Value:
    """The value of a message."""
    kind = message.WhichOneof("kind")
    if kind == "string_value":
        return message.string_value
    if kind == "int_value":
        return message.int_value
    if kind == "bool_value":
        return message.bool_value
    if kind is None:
        return None
    if kind == "list_value":
        return tuple([decode_value(item) for item in message.list_value.values])
    return decode_record(message.record_value)


def decode_record(message: pb.Record) -> Record:
    """The record of a message."""
    fields = message.fields
    if not fields:
        return EMPTY
    return FrozenMap({name: decode_value(value) for name, value in fields.items()})


def fill_amount(message: pb.Rational, amount: Amount) -> None:
    """Put an exact number into a message that exists already."""
    top, bottom = amount.numerator, amount.denominator
    if not (INT_MIN <= top <= INT_MAX and bottom <= INT_MAX):
        raise FieldError("a number is too large to be sent")
    message.numerator = top
    message.denominator = bottom


def decode_amount(message: pb.Rational) -> Amount:
    """The exact number of a message."""
    if message.denominator in {0, 1}:
        return message.numerator
    return Fraction(message.numerator, message.denominator)


def encode_distribution(distribution: Distribution[str]) -> pb.Distribution:
    """The message of exact odds."""
    return pb.Distribution(
        chances=[
            pb.Chance(outcome=str(outcome), exact=str(chance), rounded=float(chance))
            for outcome, chance in distribution.items()
        ]
    )


def decode_distribution(message: pb.Distribution) -> Distribution[str]:
    """The exact odds of a message."""
    try:
        chances = {chance.outcome: Fraction(chance.exact) for chance in message.chances}
        return Distribution.weighted(chances)
    except (ValueError, ZeroDivisionError) as error:
        raise FieldError(f"not a distribution: {error}", "chances") from None
