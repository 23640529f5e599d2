"""The pieces that a module defines: found by id or by name, and what each looks like when new."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, VassalFormatError
from hexmarshal.vassal.components import PlayerRoster
from hexmarshal.vassal.pieces.chain import decode_chain
from hexmarshal.vassal.state.at_start import placed_copy

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["Slots", "same_definition", "state_keys"]

# Properties by which many modules tell whose a counter is.
_SIDE: Final = ("side", "nation", "nationality", "faction", "owner", "army", "player", "country")


class Slots:
    """The piece slots of a module."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.definitions = {name: one.text for name, one in module.prototypes().items()}
        self.by_id: dict[str, PieceSlot] = {}
        self.by_name: dict[str, list[PieceSlot]] = {}
        self._new: dict[int, Piece | None] = {}
        self._sides: dict[int, str] = {}
        self._by_type: dict[tuple[str, str], str] = {}
        self._ids: dict[int, str] = {}
        # Kept: what identifies an element is lost with it.
        self._all = list(module.slots())
        for number, slot in enumerate(self._all, 1):
            key = slot.gpid or f"#{number}"
            self.by_id.setdefault(key, slot)
            self._ids[id(slot.element)] = key
            piece = self.new(slot)
            if piece is not None:
                self._by_type.setdefault((piece.name, piece.type.text), key)
            for name in {slot.name, piece.name if piece is not None else slot.name}:
                self.by_name.setdefault(name.casefold(), []).append(slot)

    def new(self, slot: PieceSlot) -> Piece | None:
        """The piece as it is taken from the slot; None if it cannot be read."""
        key = id(slot.element)
        if key not in self._new:
            try:
                self._new[key] = placed_copy(slot, self.definitions, "", (0, 0))
            except HexMarshalError:
                self._new[key] = None
        return self._new[key]

    def id_of(self, slot: PieceSlot) -> str:
        """The id of a slot, or its number in a module without ids."""
        return self._ids[id(slot.element)]

    def defining(self, gpid: str, name: str, type: str) -> str:
        """The id of the slot that defines a piece: by its own id, else one that makes the same."""
        if gpid in self.by_id:
            return gpid
        exact = self._by_type.get((name, type))
        if exact is not None:
            return exact
        alike = [
            slot
            for slot in self.by_name.get(name.casefold(), ())
            if (new := self.new(slot)) is not None and same_definition(new.type.text, type)
        ]
        return self.id_of(alike[0]) if alike else ""

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The sides of the module."""
        return tuple(side for roster in self.module.each(PlayerRoster) for side in roster.sides)

    def side(self, slot: PieceSlot) -> str:
        """Whose a piece is by the module's own means: a property, else the folder it is in."""
        key = id(slot.element)
        if key not in self._sides:
            self._sides[key] = self._marked(slot) or self._filed(slot)
        return self._sides[key]

    def _marked(self, slot: PieceSlot) -> str:
        from hexmarshal.vassal.traits import Marker

        piece = self.new(slot)
        for found in piece.each(Marker) if piece is not None else ():
            names = getattr(found.trait, "names", ())
            values = getattr(found.state, "values", ())
            for name, value in zip(names, values, strict=False):
                if str(name).casefold() in _SIDE and value:
                    return str(value)
        return ""

    def _filed(self, slot: PieceSlot) -> str:
        for folder in self.path(slot):
            for side in self.sides:
                stem = side.casefold().rstrip("s")
                if stem and stem in folder.casefold():
                    return side
        # A palette is often sorted by nations, whatever the sides are called.
        folders = self.path(slot)
        return folders[-3] if len(folders) > 3 else ""

    def path(self, slot: PieceSlot) -> list[str]:
        """The names of the folders that a slot is in, the innermost first."""
        return [above.name for above in slot.ancestors() if above.name]

    def called(self, name: str, side: str = "") -> list[PieceSlot]:
        """The slots of this name, those of the side first if it tells them apart."""
        found = self.by_name.get(name.casefold(), [])
        own = [slot for slot in found if side and self.side(slot).casefold() == side.casefold()]
        found = own or found
        kinds = {slot.text.strip() for slot in found}
        return found[:1] if len(kinds) == 1 else found


def same_definition(old: str, new: str) -> bool:
    """Whether two types are one: a newer engine writes fields that an older one did not have."""
    if old == new:
        return True
    try:
        one, other = decode_chain(old, "\t"), decode_chain(new, "\t")
    except VassalFormatError:
        return False
    return len(one) == len(other) and all(
        a == b or b.startswith(f"{a.rstrip(';')};") for a, b in zip(one, other, strict=True)
    )


def state_keys(piece: Piece) -> Iterator[tuple[int, str]]:
    """A name for each trait but the innermost: its kind, and its own name where it has one."""
    seen: Counter[str] = Counter()
    for i, trait in enumerate(piece.traits[:-1]):
        kind = type(trait).__name__
        own = str(getattr(trait, "name", "") or getattr(trait, "property", "") or "")
        key = f"{kind} {own}".strip()
        seen[key] += 1
        yield i, key if seen[key] == 1 else f"{key} #{seen[key]}"
