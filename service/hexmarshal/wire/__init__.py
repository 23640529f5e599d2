"""Between the kernel's values and the messages of the API, both ways, without loss."""

from hexmarshal.wire.games import encode_game, encode_rule, encode_scenario
from hexmarshal.wire.positions import decode_position, encode_position
from hexmarshal.wire.values import decode_record, decode_value, encode_record, encode_value
from hexmarshal.wire.verdicts import (
    decode_action,
    decode_verdict,
    encode_action,
    encode_verdict,
)

__all__ = [
    "decode_action",
    "decode_position",
    "decode_record",
    "decode_value",
    "decode_verdict",
    "encode_action",
    "encode_game",
    "encode_position",
    "encode_record",
    "encode_rule",
    "encode_scenario",
    "encode_value",
    "encode_verdict",
]
