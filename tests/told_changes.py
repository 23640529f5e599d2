"""What the chat tells of a piece's keys: the lines, as the engine would write them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.vassal.pieces.piece_names import properties_of
from hexmarshal.vassal.state.at_start import placed_copy
from hexmarshal.vassal.traits import (
    CalculatedProperty,
    Delete,
    DynamicProperty,
    Hideable,
    Layer,
    Mask,
    ReportState,
    ReturnToDeck,
    RotateFixed,
    SendToLocation,
    TriggerAction,
)
from hexmarshal.vassal.values import ctrl
from hexmarshal.vassal.values.evaluation import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.traits import Trait
    from hexmarshal.vassal.values import KeyStroke

__all__ = ["pieces", "told", "untold"]

_SENT = (Delete, Hideable, Mask, ReturnToDeck, SendToLocation)
_AIDS = {"Take part"}  # told by what is announced


def pieces(module: Module) -> Iterator[Piece]:
    """Every piece of a module's palettes and maps, with the traits of its prototypes."""
    shared = {name: found.text for name, found in module.prototypes().items()}
    for slot in module.slots():
        yield placed_copy(slot, shared, "", (0, 0))


def untold(module: Module) -> set[tuple[str, str]]:
    """Names of pieces, with the menu entries that change them without a word."""
    found = set()
    for piece in pieces(module):
        for i, trait in enumerate(piece.traits):
            reports = [t for t in piece.traits[:i] if isinstance(t, ReportState)]
            heard = {key for report in reports for key in report.keys.keys}
            for menu, key in _changes(trait):
                if menu and menu not in _AIDS and key not in heard:
                    found.add((piece.name, menu))
    return found


def _changes(trait: Trait) -> Iterator[tuple[str, KeyStroke]]:
    if isinstance(trait, Layer) and len(trait.images) > 1:
        yield trait.up_command, trait.increase_key
        yield trait.down_command, trait.decrease_key
    elif isinstance(trait, RotateFixed):
        yield trait.clockwise_command, trait.clockwise_key
        yield trait.counter_clockwise_command, trait.counter_clockwise_key
    elif isinstance(trait, DynamicProperty):
        for command in trait.commands.commands:
            yield command.menu, command.key
    elif isinstance(trait, _SENT) or (isinstance(trait, TriggerAction) and _pressed(trait.key)):
        yield trait.command, trait.key


def _pressed(key: KeyStroke) -> bool:
    """Whether it is a letter and Ctrl; other keys are those of announcements, and speak so."""
    return key.text.endswith(f",{ctrl('A').text.partition(',')[2]}")


def told(piece: Piece, key: KeyStroke, **facts: str) -> list[str]:
    """The lines of a key, once these facts hold; what only the engine knows stays as it is."""
    known = {**properties_of(piece), **facts}
    for trait in piece.traits:
        if isinstance(trait, CalculatedProperty):
            known[trait.name] = evaluate(trait.expression, known.get)
    lines = []
    for trait in piece.traits:
        if isinstance(trait, ReportState) and key in trait.keys.keys:
            line = trait.format.text
            for name, value in known.items():
                line = line.replace(f"${name}$", str(value))
            lines.append(line)
    return lines
