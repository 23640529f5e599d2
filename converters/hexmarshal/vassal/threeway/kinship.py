"""Whether three files are versions of one thing: by name, and where that changed, by contents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import Place, VassalFormatError
from hexmarshal.vassal.components import ModuleExtension
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.saves.ownership import OtherModuleError
from hexmarshal.vassal.traits import BasicPiece

if TYPE_CHECKING:
    from hexmarshal.vassal.components import Component, PieceSlot
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame

__all__ = ["KNOWN", "demand_kindred_games", "demand_kindred_modules"]

KNOWN: Final = 0.5
"""Below this share of what base holds, something is no longer recognised as made of it."""
_HINT: Final = "give the version that both were made of; --any-module merges them all the same"


def demand_kindred_modules(base: Module, *sides: Module) -> None:
    """An OtherModuleError for a module or extension that was not made of base.

    A version under another name passes if it has most of base's pieces, by their names or by
    gpid and picture; without pieces, most of its other components that have names.
    """
    for side in sides:
        if _called(side) == _called(base) and all(_called(side)):
            continue
        if _share(base, side) < KNOWN:
            raise OtherModuleError(
                f"{side.name!r} is no version of {base.name!r}: it has little of what that has"
                if side.name != base.name
                else f"is no version of the same {'extension' if side.is_extension else 'module'}",
                place=Place(file=side.place.file),
                hint=_HINT,
            )


def _called(module: Module) -> tuple[str, ...]:
    root = module.root
    own = (root.extension_id,) if isinstance(root, ModuleExtension) else ()
    return module.name, *own


def _share(base: Module, side: Module) -> float:
    """How much of what base holds is in the other, from 0 to 1."""
    marks = [_signs(slot) for slot in base.slots()]
    if marks:
        there = {sign for slot in side.slots() for sign in _signs(slot)}
    else:
        marks = [_sign(c) for c in base.walk() if c.parent is not None and c.name]
        there = {sign for c in side.walk() for sign in _sign(c)}
    return sum(not own.isdisjoint(there) for own in marks) / len(marks) if marks else 1.0


def _sign(component: Component) -> set[tuple[str, str]]:
    return {(component.class_name, component.name)}


def _signs(slot: PieceSlot) -> set[tuple[str, str]]:
    """What tells a piece; not its gpid alone, since all modules count from 0."""
    try:
        basic = parse_add(slot.text.strip()).first(BasicPiece)
    except VassalFormatError:
        basic = None
    signs = {("", slot.name)}
    if basic is not None and basic.trait.image:
        signs.add((slot.gpid, basic.trait.image))
    return signs


def demand_kindred_games(base: SavedGame, *sides: SavedGame) -> None:
    """An OtherModuleError for a game of another module than base's.

    One under another name passes if it has most of base's pieces, by their ids; where one does not
    say whose it is, a sort of piece that both have is enough.
    """
    for side in sides:
        names = [_module_of(base), _module_of(side)]
        if names[0] == names[1] != "":
            continue
        seen = [list(saved.glances()) for saved in (base, side)]
        known, here = ({glance.id for glance in glances} for glances in seen)
        if not known or len(known & here) >= KNOWN * len(known):
            continue
        sorts = [{(g.gpid, g.name) for g in glances if g.gpid and g.name} for glances in seen]
        if not all(names) and (not all(sorts) or sorts[0] & sorts[1]):
            continue
        told = f"a game of {names[1]!r}, not of {names[0]!r}"
        raise OtherModuleError(
            told if all(names) else "has no sort of piece that the base has",
            place=Place(file=side.place.file),
            hint=_HINT,
        )


def _module_of(saved: SavedGame) -> str:
    metadata = saved.module_metadata
    return "" if metadata is None else metadata.name
