"""What a trait does in words when it hears a key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.vassal.pieces.embedded import marker_path, marker_piece
from hexmarshal.vassal.search.trait_uses import trait_uses
from hexmarshal.vassal.traits import (
    CounterGlobalKeyCommand,
    DynamicProperty,
    Layer,
    PlaceMarker,
    ReportState,
    RestrictCommands,
    ReturnToDeck,
    SendToLocation,
    SetGlobalProperty,
    SetPieceProperty,
    TriggerAction,
)
from hexmarshal.vassal.traits.actions import GlobalHotKey, Replace, Translate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.vassal.traits import Trait
    from hexmarshal.vassal.values.structures import PropertyCommand

__all__ = ["condition_of", "effects", "sent_by"]

_LAYER: Final = {
    "activate_key": "switches on or off",
    "increase_key": "shows the next level of",
    "decrease_key": "shows the level before of",
    "reset_key": "sets the level of",
    "random_key": "shows a random level of",
    "keys": "switches on or off",
    "up_key": "shows the next level of",
    "down_key": "shows the level before of",
}


def effects(trait: Trait, key: str) -> Iterator[str]:
    """What the trait does on a key, as people write it; nothing if it does not hear it."""
    for use in trait_uses(trait):
        if use.kind == "key" and use.name == key and use.role in {"hears", "watches", "blocks"}:
            if isinstance(trait, DynamicProperty | SetGlobalProperty | SetPieceProperty):
                yield from _property(trait, key)
            else:
                yield _words(trait, use.field)


def _words(trait: Trait, field: str) -> str:
    if isinstance(trait, Layer) and field in _LAYER:
        what = f"{_LAYER[field]} the layer {trait.name!r}" if trait.name else _LAYER[field]
        if field == "reset_key":
            what += f" to {trait.reset_level.text}"
        return what if trait.name else f"{what} a layer without a name"
    for cls, said in _SAID.items():
        if isinstance(trait, cls):
            return said(trait, field)
    menu = getattr(trait, field.replace("key", "command"), "")
    return f"{trait.title.lower()}" + (f" ({menu})" if isinstance(menu, str) and menu else "")


def _trigger(trait: TriggerAction, _field: str) -> str:
    name = f" {trait.name!r}" if trait.name else ""
    again = f", again and again ({trait.loop_type})" if trait.loop else ""
    return f"trigger{name} performs {trait.performed_keys.human() or 'nothing'}{again}"


def _placed(trait: PlaceMarker, _field: str) -> str:
    inner = marker_piece(trait)
    path = marker_path(trait)
    name = inner.name if inner is not None else (path or "nothing").rpartition(":")[2]
    then = f" and sends it {trait.after_key.human()}" if not trait.after_key.is_none else ""
    return f"{'is replaced by' if isinstance(trait, Replace) else 'places'} {name!r}{then}"


def _sent(trait: SendToLocation, field: str) -> str:
    if field == "back_key":
        return "sends the piece back to where it was"
    parts = (trait.map, trait.zone, trait.region, trait.grid_location)
    where = ", ".join(part.text for part in parts if part.text)
    return f"sends the piece to {where or f'{trait.x.text}, {trait.y.text}'}"


def _global(trait: CounterGlobalKeyCommand, _field: str) -> str:
    whom = trait.expression.text or "all"
    return f"sends {trait.global_key.human() or 'nothing'} to other pieces: {whom}"


_SAID: Final[dict[type[Trait], Callable[[Any, str], str]]] = {
    TriggerAction: _trigger,
    PlaceMarker: _placed,
    SendToLocation: _sent,
    CounterGlobalKeyCommand: _global,
    GlobalHotKey: lambda trait, _: f"presses {trait.hotkey.human() or 'nothing'} in the module",
    ReturnToDeck: lambda trait, _: f"sends the piece to the deck {trait.deck or 'that is chosen'}",
    ReportState: lambda trait, _: f"reports {trait.format.text!r}",
    RestrictCommands: lambda trait, _: f"{trait.action.lower()}s the command",
    Translate: lambda trait, _: f"moves the piece by {trait.dx.text}, {trait.dy.text}",
}


def _property(
    trait: DynamicProperty | SetGlobalProperty | SetPieceProperty, key: str
) -> Iterator[str]:
    whose = {SetGlobalProperty: "the global ", SetPieceProperty: "other pieces' "}
    for command in trait.commands.commands:
        if command.key.human() == key:
            yield f"{_change(command)} {whose.get(type(trait), '')}property {trait.name!r}" + (
                f" to {command.change.value}" if command.change.kind == "P" else ""
            )


def _change(command: PropertyCommand) -> str:
    change = command.change
    if change.kind == "I":
        return f"adds {change.value} to"
    if change.kind == "R":
        return "asks for a value of"
    if change.kind == "E":
        return f"asks to choose ({', '.join(change.choices)})"
    return "sets"


def condition_of(trait: Trait) -> str:
    """The condition under which the trait does anything; empty if there is none."""
    if isinstance(trait, TriggerAction | RestrictCommands):
        return trait.expression.text
    return ""


def sent_by(trait: Trait) -> tuple[str, ...]:
    """The keys that a trait sends to its own piece, in order, as people write them."""
    if not isinstance(trait, TriggerAction):
        return ()
    keys = [*trait.performed_keys.keys]
    if trait.loop:
        keys = [trait.pre_loop_key, *keys, trait.post_loop_key]
    return tuple(key.human() for key in keys if not key.is_none)
