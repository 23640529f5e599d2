"""Terrain tiles: ground that lies on a board, turned by quarters and perhaps across its grid."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.kit.module.facts import kind
from hexmarshal.kit.module.traits import asked, noted
from hexmarshal.vassal.builder import Counter, can_delete, label, layer, markers
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
    from collections.abc import Iterator

    from hexmarshal.kit.module.bench import Bench

__all__ = ["GROUND", "LAYER", "TilePiece", "add_tile"]

LAYER: Final = "Layer"
"""The property that says what is drawn below all other pieces."""
GROUND: Final = "ground"
_LIES: Final = "Lies"
_ACROSS: Final = ((0, 0), (1, 0), (0, 1), (1, 1))
_TURNS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class TilePiece:
    """A tile: to the rules a marker of its kind with the value `tile`, and its turn as facing.

    `turned` are its pictures after so many quarter turns, all of one size and in cells of `cell`
    pixels, with the tile in the upper left corner; it lies at the cell below that corner. The value
    `across` tells that it lies half a cell to the right or down from there, `ruins` which of its
    parts are in ruins.
    """

    kind: str
    key: str
    name: str
    turned: tuple[str, ...]
    cells: int
    cell: int
    zoom: float = 1.0
    panel: str = "Tiles"


def add_tile(bench: Bench, tile: TilePiece) -> None:
    """Put a tile into its palette, and what it shows into the binding."""
    images = [
        bench.pictures.add(f"{tile.kind}-{tile.key}-{i}", svg, zoom=tile.zoom)
        for i, svg in enumerate(tile.turned)
    ]
    known = markers({"MarkerKind": tile.kind, "Tile": tile.key, LAYER: GROUND})
    traits = (
        *_layers(tile, images),
        known,
        _lies(),
        noted("MarkerId"),
        asked("Ruins", "In ruins...", "R", PropertyChange("R", "The parts that are in ruins")),
        label("$Ruins$", size=10, prop="", editable=False, rise=-tile.cell // 3),
        # Alt and a click choose a tile, so that it is not dragged along with what lies on it.
        Equipped(Immobilized(selection="A", movement="I", stacking="R")),
        can_delete(),
    )
    counter = Counter(tile.name, "", traits, tile.cell, tile.cell)
    bench.slots[f"{tile.kind}-{tile.key}"] = bench.panel(tile.panel).counter(counter)
    bench.key("]", "turn right; a tile after four turns goes half a cell across")
    match = kind(tile.kind)
    of = {"of": match["match"]}
    bench.facts.sign({"property": "Tile", "value": "tile", **of})
    bench.facts.sign({"property": _LIES, "cases": dict(_meanings()), **of})
    bench.facts.sign({"property": "Ruins", "value": "ruins", "list": True, **of})
    bench.facts.marker({**match, "kind": tile.kind, "id": "{MarkerId}"})


def _meanings() -> Iterator[tuple[str, dict[str, object]]]:
    """What each number of the property tells: a turn, and whether it lies across."""
    for i, across in enumerate(_ACROSS):
        values = {"values": {"across": list(across)}} if any(across) else {}
        for turn in range(_TURNS):
            yield str(i * _TURNS + turn + 1), {"facing": turn, **values}


def _layers(tile: TilePiece, images: list[str]) -> Iterator[Equipped]:
    """A layer for each way to lie across, of which the one shows whose number it is."""
    middle = (tile.cells - 1) * tile.cell / 2
    for i, (right, down) in enumerate(_ACROSS):
        shown = [""] * (len(_ACROSS) * _TURNS)
        shown[i * _TURNS : (i + 1) * _TURNS] = images
        x, y = (round(middle + half * tile.cell / 2) for half in (right, down))
        yield layer(f"{_LIES}{i}", shown, follow=_LIES, x=x, y=y)


def _lies() -> Equipped:
    most = len(_ACROSS) * _TURNS
    trait = DynamicProperty(
        name=_LIES,
        constraints=Constraints(f"true,1,{most},true"),
        commands=PropertyCommands.of(
            PropertyCommand("Turn", ctrl("]"), PropertyChange("I", "1")),
            PropertyCommand("Turn back", ctrl("["), PropertyChange("I", "-1")),
        ),
    )
    return Equipped(trait, PropertyState(value="1"))
