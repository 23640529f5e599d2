"""The counters of a user's VASL module by what they show, to take from when a save is written."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from hexmarshal.errors import HexMarshalError
from hexmarshal.games.asl.vasl.counters.counter_faces import (
    CONCEALMENT,
    MARKER,
    SNIPER,
    WEAPON,
    face_of,
)
from hexmarshal.games.asl.vasl.counters.counter_names import own_names
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.state.at_start import placed_copy
from hexmarshal.vassal.traits import (
    FacingState,
    Layer,
    LayerState,
    RawState,
    RawTrait,
    RotateFixed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.asl.vasl.counters.counter_faces import CounterFace
    from hexmarshal.games.asl.vasl.counters.counter_names import Mark
    from hexmarshal.vassal.components import PieceSlot
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["CounterSupply", "Drawn"]

_BROKEN: Final = "BRK"
_MARKERS: Final = ("MS/", "ML/")
_OTHERS: Final = re.compile(r"[,;][a-z]{2}\\?/(?:veh|gun)\\?/")
"""Vehicles and guns are found by name: a look at the text is quicker than reading it."""
_ARCS: Final = re.compile(r"\+? ?v?ca([1-6])")
_TURRETS: Final = re.compile(r"\+? ?\w?tca([1-6])")
_TURRETED: Final = "turr;"
_SIDES, _PRINTED = 6, 3
_STANCE: Final = re.compile(r"\s+(?:[vt]?ca[1-6]|BU|CE)\b.*$")


class Drawn(NamedTuple):
    """A slot, and how its layers have to be switched to show what is wanted."""

    slot: PieceSlot
    levels: tuple[tuple[int, int], ...]
    """Layers counted from the innermost, and the level of each; others stay as they are."""


class CounterSupply:
    """Finds the slot for a counter of the rules, a leader of a nation, or a marker."""

    def __init__(self, module: Module) -> None:
        self.module, self.names = module, own_names()
        self._definitions = {name: one.text for name, one in module.prototypes().items()}

    @cached_property
    def _index(self) -> tuple[dict[tuple[str, str], Drawn], dict[str, Drawn], dict[str, Drawn]]:
        """Units by counter and nation, markers by name, and what each nation has of its own."""
        units: dict[tuple[str, str], Drawn] = {}
        markers: dict[str, Drawn] = {}
        hidden: dict[str, Drawn] = {}
        for slot in self.module.slots():
            if _OTHERS.search(slot.text):
                continue
            try:
                piece = parse_add(slot.text.strip())
            except HexMarshalError:
                continue
            face = face_of(piece, self.names, slot.gpid)
            if face.cls in (CONCEALMENT, SNIPER) and face.nation:
                hidden.setdefault(f"{face.cls} {face.nation}", Drawn(slot, ()))
            elif face.is_personnel or face.cls == WEAPON:
                for levels, shown in self._shown(piece, face):
                    if shown.counter and not shown.flags & {"broken", "malfunctioned"}:
                        nation = "" if shown.men is not None or shown.weapon else shown.nation
                        units.setdefault((shown.counter, nation), Drawn(slot, levels))
            elif face.cls == MARKER and any(i.startswith(_MARKERS) for i in _pictures(piece)):
                for levels, shown in self._each_level(piece):
                    if shown.mark is not None:
                        markers.setdefault(shown.name, Drawn(slot, levels))
        return units, markers, hidden

    def _shown(
        self, piece: Piece, face: CounterFace
    ) -> Iterator[tuple[tuple[tuple[int, int], ...], CounterFace]]:
        """The piece with the layers that change together at each of their levels."""
        yield (), face
        together = list(_together(piece))
        most = max((count for _, _, count in together), default=1)
        for level in range(1, most + 1):
            levels = tuple((n, level if on else -level) for n, on, c in together if level <= c)
            yield levels, face_of(_switched(piece, levels), self.names, face.gpid)

    def _each_level(
        self, piece: Piece
    ) -> Iterator[tuple[tuple[tuple[int, int], ...], CounterFace]]:
        yield (), face_of(piece, self.names)
        layers = list(_layers(piece))
        for number, layer in enumerate(layers):
            for level in range(1, len(layer.images) + 1):
                levels = ((number, level),)
                yield levels, face_of(_switched(piece, levels), self.names)

    def unit(self, counter: str, nation: str) -> Drawn | None:
        """The slot of a counter of the rules; leaders and heroes have those of their nation."""
        units = self._index[0]
        return units.get((counter, "")) or units.get((counter, nation))

    def named(self, name: str, nation: str = "") -> Drawn | None:
        """The slot of a vehicle or gun by the name that it shows, without where it looks."""
        wanted = _STANCE.sub("", name).strip()
        found = [slot for slot in self.module.slots() if slot.name.strip() == wanted]
        folders = [f for f, n in self.names.nations.items() if n == nation]
        own = [s for s in found if any(re.search(rf"[,;]{f}\\?/", s.text) for f in folders)]
        return Drawn((own or found)[0], ()) if found else None

    def marker(self, name: str) -> Drawn | None:
        """The slot of a marker by the name that it shows."""
        return self._index[1].get(name)

    def marker_of(self, wanted: Mark) -> tuple[str, Drawn] | None:
        """A marker that means this."""
        for name, drawn in self._index[1].items():
            found = self.names.mark(name)
            if found is not None and found[0] is wanted:
                return name, drawn
        return None

    def concealment(self, nation: str) -> Drawn | None:
        """The concealment counter of a nation."""
        return self._index[2].get(f"{CONCEALMENT} {nation}")

    def sniper(self, nation: str) -> Drawn | None:
        """The sniper of a nation."""
        return self._index[2].get(f"{SNIPER} {nation}")

    def piece(self, drawn: Drawn, on: str, at: tuple[int, int]) -> Piece:
        """A counter taken from its slot."""
        whole = placed_copy(drawn.slot, self._definitions, on, at)
        # Prototypes lie outside of what the slot itself draws, and so do not move its layers.
        bare = len(list(_layers(parse_add(drawn.slot.text.strip()))))
        own = _own_layers(whole, bare)
        levels = tuple((own[number], level) for number, level in drawn.levels)
        return _switched(whole, levels)

    def facing(self, piece: Piece, arc: int, turret: int) -> Piece | None:
        """A vehicle or gun turned to its covered arc, its turret too; None if it has none."""
        has_arc = False
        for index, trait in enumerate(piece.traits):
            if isinstance(trait, Layer):
                for wanted, names in ((arc, _ARCS), (turret, _TURRETS)):
                    level = _level_named(trait, names, wanted)
                    state = trait.decode_state(piece.state_texts[index])
                    if level and isinstance(state, LayerState):
                        piece = piece.with_state(index, replace(state, level=level))
                        has_arc = has_arc or names is _ARCS
            elif isinstance(trait, RotateFixed) and trait.facings == _SIDES:
                # Counters lie as they are printed while they look at the third side.
                piece = piece.with_state(index, FacingState(facing=(arc - _PRINTED) % _SIDES))
            elif isinstance(trait, RawTrait) and trait.own_prefix == _TURRETED:
                rest = piece.state_texts[index].lstrip("0123456789-")
                ahead = (turret - arc + _PRINTED - 1) % _SIDES + 1
                piece = piece.with_state(index, RawState(text=f"{ahead}{rest}"))
        return piece if has_arc else None

    def broken(self, piece: Piece) -> Piece:
        """The counter turned to its broken or malfunctioned side."""
        level = max((abs(_level(piece, n)) for n, _, c in _together(piece) if c > 1), default=1)
        layers = list(_layers(piece))
        switches = tuple(
            (n, min(level, len(layer.images)))
            for n, layer in enumerate(layers)
            if layer.name == _BROKEN or any(t.startswith("broken") for t in layer.level_names)
        )
        turned = _switched(piece, tuple(s for s in switches if layers[s[0]].name == _BROKEN))
        flags = face_of(turned, self.names).flags
        if "broken" in flags or "malfunctioned" in flags:
            return turned
        return _switched(piece, switches)


def _level_named(layer: Layer, names: re.Pattern[str], wanted: int) -> int:
    """The level of a layer whose name says this arc; 0 if none does."""
    for level, name in enumerate(layer.level_names, 1):
        found = names.fullmatch(name.strip())
        if found is not None and int(found[1]) == wanted:
            return level
    return 0


def _layers(piece: Piece) -> Iterator[Layer]:
    """Innermost first."""
    for trait in reversed(piece.traits):
        if isinstance(trait, Layer):
            yield trait


def _pictures(piece: Piece) -> Iterator[str]:
    basic = piece.basic
    yield str(getattr(basic, "image", ""))
    for layer in _layers(piece):
        yield from layer.images


def _own_layers(piece: Piece, bare: int) -> list[int]:
    """The layers of a whole piece that the slot itself has, innermost first."""
    return list(range(min(bare, sum(1 for _ in _layers(piece)))))


def _level(piece: Piece, number: int) -> int:
    index = _index_of(piece, number)
    state = piece.traits[index].decode_state(piece.state_texts[index])
    return state.level if isinstance(state, LayerState) else -1


def _index_of(piece: Piece, number: int) -> int:
    places = [i for i, trait in enumerate(piece.traits) if isinstance(trait, Layer)]
    return places[::-1][number]


def _together(piece: Piece) -> Iterator[tuple[int, bool, int]]:
    """Layers that change together when a unit is replaced: number, whether on, how many levels."""
    for number, layer in enumerate(_layers(piece)):
        if len(layer.images) > 1:
            yield number, _level(piece, number) > 0, len(layer.images)


def _switched(piece: Piece, levels: tuple[tuple[int, int], ...]) -> Piece:
    for number, level in levels:
        index = _index_of(piece, number)
        state = piece.traits[index].decode_state(piece.state_texts[index])
        if isinstance(state, LayerState):
            piece = piece.with_state(index, replace(state, level=level))
    return piece
