"""Terrain tiles: ground that lies on a board, turned by quarters and perhaps across its grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.kit.module.binding_facts import kind
from hexmarshal.kit.module.pieces.reports import tells_words
from hexmarshal.kit.module.pieces.traits import noted, taken_off
from hexmarshal.vassal.builder import Counter, can_delete, layer, markers
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import DynamicProperty, Immobilized, PropertyState
from hexmarshal.vassal.values import (
    Constraints,
    PropertyChange,
    PropertyCommand,
    PropertyCommands,
    ctrl,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.kit.module.workbench import Bench

__all__ = ["GROUND", "LAYER", "UNITS", "TilePiece", "add_tile"]

LAYER: Final = "Layer"
"""The property that says what is drawn below all other pieces, and what over the ground."""
GROUND: Final = "ground"
UNITS: Final = "units"
_LIES: Final = "Lies"
_ACROSS: Final = ((0, 0), (1, 0), (0, 1), (1, 1))
_TURNS: Final = 4
_TURN: Final = 360 // _TURNS


@dataclass(frozen=True, slots=True, kw_only=True)
class TilePiece:
    """A tile: to the rules a marker of its kind with the value `tile`, and its turn as facing.

    `looks` are its pictures after so many quarter turns, by the parts that are in ruins, the whole
    tile first; all are of one size and in cells of `cell` pixels, with the tile in the upper left
    corner; it lies at the cell below that corner. The value `across` tells that it lies half a cell
    to the right or down from there, `ruins` which of its parts are in ruins.
    """

    kind: str
    key: str
    name: str
    looks: Mapping[tuple[str, ...], tuple[str, ...]]
    cells: int
    cell: int
    zoom: float = 1.0
    panel: str = "Tiles"


def add_tile(bench: Bench, tile: TilePiece) -> None:
    """Put a tile into its palette, and what it shows into the binding."""
    images = [
        bench.pictures.add("-".join((tile.kind, tile.key, str(i), *ruins)), svg, zoom=tile.zoom)
        for ruins, turned in tile.looks.items()
        for i, svg in enumerate(turned)
    ]
    known = markers({"MarkerKind": tile.kind, "Tile": tile.key, LAYER: GROUND})
    traits = (
        can_delete(),  # what comes first is last in the menu
        *_layers(tile, images),
        known,
        _lies(len(tile.looks)),
        noted("MarkerId"),
        # Alt and a click choose a tile, so that it is not dragged along with what lies on it.
        Equipped(Immobilized(selection="A", movement="I", stacking="R")),
        *_told(tile),
        taken_off(),
    )
    counter = Counter(tile.name, "", traits, tile.cell, tile.cell)
    bench.slots[f"{tile.kind}-{tile.key}"] = bench.panel(tile.panel).counter(counter)
    bench.key("]", "turn right; a tile after four turns goes half a cell across")
    if len(tile.looks) > 1:
        bench.key("R", "of a tile: the next of its parts is in ruins, and all of it whole again")
    match = kind(tile.kind)
    bench.facts.sign({"property": "Tile", "value": "tile", "of": match["match"]})
    one = {"property": {**match["match"]["property"], "Tile": tile.key}}
    bench.facts.sign({"property": _LIES, "cases": dict(_meanings(tile)), "of": one})
    bench.facts.marker({**match, "kind": tile.kind, "id": "{MarkerId}"})


def _meanings(tile: TilePiece) -> Iterator[tuple[str, dict[str, object]]]:
    """What each number tells: a turn, whether it lies across, and what is in ruins."""
    for k, ruins in enumerate(tile.looks):
        for i, across in enumerate(_ACROSS):
            values: dict[str, object] = {"across": list(across)} if any(across) else {}
            if ruins:
                values["ruins"] = list(ruins)
            for turn in range(_TURNS):
                number = (k * len(_ACROSS) + i) * _TURNS + turn + 1
                yield str(number), {"facing": turn, **({"values": values} if values else {})}


def _layers(tile: TilePiece, images: list[str]) -> Iterator[Equipped]:
    """A layer for each way to lie across, of which the one shows whose number it is."""
    middle = (tile.cells - 1) * tile.cell / 2
    for i, (right, down) in enumerate(_ACROSS):
        shown = [""] * (len(_ACROSS) * len(images))
        for k in range(len(tile.looks)):
            at = (k * len(_ACROSS) + i) * _TURNS
            shown[at : at + _TURNS] = images[k * _TURNS : (k + 1) * _TURNS]
        x, y = (round(middle + half * tile.cell / 2) for half in (right, down))
        yield layer(f"{_LIES}{i}", shown, follow=_LIES, x=x, y=y)


def _told(tile: TilePiece) -> Iterator[Equipped]:
    """What the chat tells of a tile that was turned, or brought down."""
    line = "$location$: $newPieceName${}"
    across = {(0, 0): "", (1, 0): ", half a cell to the right", (0, 1): ", half a cell down"}
    lies = [
        f"{_TURN * turn} degrees{across.get(half, ', half a cell right and down')}"
        for half in _ACROSS
        for turn in range(_TURNS)
    ]
    number = f"({_LIES}-1)%{len(lies)}"
    cases = {f"{number} == {n}": f" is turned by {words}" for n, words in enumerate(lies)}
    yield from tells_words("Turned", cases, line, "[", "]")
    if len(tile.looks) > 1:
        parts = [f"in ruins: {', '.join(ruins)}" if ruins else "whole" for ruins in tile.looks]
        looks = {f"{_LIES} <= {len(lies) * (k + 1)}": f": {words}" for k, words in enumerate(parts)}
        yield from tells_words("Ruins", looks, line, "R")


def _lies(looks: int) -> Equipped:
    """The number of how it lies: turns stay among those of one look, ruins go from look to look."""
    ways = len(_ACROSS) * _TURNS
    commands = [
        PropertyCommand("Turn", ctrl("]"), PropertyChange("P", _turned(ways, 1))),
        PropertyCommand("Turn back", ctrl("["), PropertyChange("P", _turned(ways, ways - 1))),
    ]
    if looks > 1:
        commands.append(PropertyCommand("In ruins", ctrl("R"), PropertyChange("I", str(ways))))
    trait = DynamicProperty(
        name=_LIES,
        constraints=Constraints(f"true,1,{looks * ways},true"),
        commands=PropertyCommands.of(*commands),
    )
    return Equipped(trait, PropertyState(value="1"))


def _turned(ways: int, by: int) -> str:
    """The number after a turn, as VASSAL reckons it; its last numbers go round to the first."""
    before = f"({_LIES}-1)"
    return f"{{{before}-{before}%{ways}+({before}+{by})%{ways}+1}}"
