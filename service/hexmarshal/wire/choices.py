"""What may be chosen next, as a message."""

from __future__ import annotations

from hexmarshal.rules.choosing.choices import Choice, Choices, Refused
from hexmarshal.v1 import rules_service_pb2 as pb
from hexmarshal.wire.values import decode_value, fill_value
from hexmarshal.wire.verdicts import (
    decode_action,
    decode_cost,
    decode_verdict,
    decode_violation,
    encode_violation,
    fill_action,
    fill_cost,
    fill_verdict,
)

__all__ = ["decode_choices", "encode_choices"]


def encode_choices(found: Choices) -> pb.NextChoicesResponse:
    """The message of what may be chosen next."""
    message = pb.NextChoicesResponse(
        slot=found.slot,
        ready=found.ready,
        then=found.then,
        free=found.free,
        complete=found.complete,
    )
    for choice in found.choices:
        one = message.choices.add()
        fill_value(one.value, choice.value)
        fill_cost(one.cost, choice.cost)
    for refused in found.refused:
        told = message.refused.add(violations=[encode_violation(v) for v in refused.violations])
        fill_value(told.value, refused.value)
    if found.action is not None:
        fill_action(message.action, found.action)
    if found.verdict is not None:
        fill_verdict(message.verdict, found.verdict)
    return message


def decode_choices(message: pb.NextChoicesResponse) -> Choices:
    """What may be chosen next, from its message."""
    has = message.HasField
    return Choices(
        message.slot,
        tuple(Choice(decode_value(c.value), decode_cost(c.cost)) for c in message.choices),
        tuple(
            Refused(decode_value(r.value), tuple(decode_violation(v) for v in r.violations))
            for r in message.refused
        ),
        ready=message.ready,
        then=message.then,
        free=message.free,
        action=decode_action(message.action) if has("action") else None,
        verdict=decode_verdict(message.verdict) if has("verdict") else None,
    )
