"""Effects as JSON, there and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hexmarshal.rules.codec import (
    FLAGS,
    INT,
    OPTIONAL_INT,
    RECORD,
    TEXT,
    TEXTS,
    VALUE,
    Shape,
    optional,
)
from hexmarshal.rules.frames import effects as frames
from hexmarshal.rules.state.effects import (
    AddMarker,
    AddUnit,
    ChangeUnit,
    MoveCards,
    MoveUnit,
    Proceed,
    RemoveMarker,
    RemoveUnit,
    SetCell,
    SetExtra,
    SetKnowledge,
    SetPile,
    SetTrack,
)
from hexmarshal.rules.state.pieces import BONDS, MARKER, PILE, UNIT
from hexmarshal.rules.values import FieldError

if TYPE_CHECKING:
    from hexmarshal.rules.state.effects import Effect

__all__ = ["effect_from_json", "effect_to_json"]

_ALL: tuple[Shape[Any], ...] = (
    Shape(
        MoveUnit,
        {
            "unit": TEXT,
            "cell": TEXT,
            "level": INT,
            "box": TEXT,
            "carrier": TEXT,
            "footprint": TEXTS,
            "facing": OPTIONAL_INT,
            "place": TEXT,
        },
    ),
    Shape(
        ChangeUnit,
        {
            "unit": TEXT,
            "type": TEXT,
            "side": TEXT,
            "facing": OPTIONAL_INT,
            "steps": OPTIONAL_INT,
            "rank": OPTIONAL_INT,
            "level": OPTIONAL_INT,
            "flags": FLAGS,
            "unflags": FLAGS,
            "values": RECORD,
            "seen_by": optional(TEXTS),
            "known_to": optional(TEXTS),
            "place": optional(TEXT),
            "bonds": BONDS,
        },
    ),
    Shape(AddUnit, {"id": TEXT, "unit": UNIT.converter}),
    Shape(RemoveUnit, {"unit": TEXT}),
    Shape(AddMarker, {"id": TEXT, "marker": MARKER.converter}),
    Shape(RemoveMarker, {"marker": TEXT}),
    Shape(SetTrack, {"track": TEXT, "value": INT}),
    Shape(SetPile, {"name": TEXT, "pile": PILE.converter}),
    Shape(MoveCards, {"source": TEXT, "target": TEXT, "cards": TEXTS, "place": TEXT}),
    Shape(SetCell, {"cell": TEXT, "values": RECORD}),
    Shape(SetExtra, {"name": TEXT, "value": VALUE}),
    Shape(SetKnowledge, {"side": TEXT, "values": RECORD}),
    Shape(
        Proceed,
        {
            "turn": OPTIONAL_INT,
            "phase": optional(TEXT),
            "state": optional(TEXT),
            "active": optional(TEXTS),
        },
    ),
    *frames.SHAPES,
)
_SHAPES: dict[str, Shape[Any]] = {shape.cls.effect: shape for shape in _ALL}


def effect_to_json(effect: Effect) -> dict[str, object]:
    """`{"effect": its name, ...its fields}`."""
    return {"effect": effect.effect, **_SHAPES[effect.effect].encode(effect)}


def effect_from_json(document: object) -> Effect:
    """The effect back from its JSON form; errors name the field."""
    try:
        if not isinstance(document, Mapping):
            raise FieldError("must be an object")
        fields = dict(document)
        name = fields.pop("effect", None)
        if not isinstance(name, str) or name not in _SHAPES:
            raise FieldError(f"{name!r} is not one of {', '.join(_SHAPES)}", "effect")
        effect: Effect = _SHAPES[name].decode(fields)
    except FieldError as error:
        raise error.as_error("the effect") from None
    return effect
