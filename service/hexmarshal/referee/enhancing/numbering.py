"""Names for the cells of a map whose grid has none, such as the rules call them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import GeometryError, HexMarshalError, UsageError
from hexmarshal.referee.enhancing.additions import Addition, Outcome, Part
from hexmarshal.rules import engine
from hexmarshal.vassal.builder.grids import numbered
from hexmarshal.vassal.components import HexGrid, SquareGrid
from hexmarshal.vassal.state.locator import board_size, grid_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.geometry.grids.grid import Size
    from hexmarshal.referee.enhancing.additions import Bench
    from hexmarshal.rules.state.position import Position

__all__ = ["add_numbering"]

_DIGITS: Final = {"hType": "N", "vType": "N"}
# How games name cells: 0101, 01.01, A1, A01; each counting from 0 or 1, columns or rows first.
_STYLES: Final = (
    {**_DIGITS, "sep": ""},
    {**_DIGITS, "sep": "."},
    {"hType": "A", "vType": "N", "vLeading": "0", "sep": ""},
    {"hType": "A", "vType": "N", "vLeading": "1", "sep": ""},
    {**_DIGITS, "hLeading": "0", "vLeading": "0", "sep": ","},
)
_TRIED: Final = 400
# The half hexes and margins around a small map may be many.
_ENOUGH: Final = 0.5


def add_numbering(bench: Bench, wanted: Mapping[str, str]) -> Iterator[Addition]:
    """Number the grids of the map's boards that have no numbering."""
    of_map = next((m for m in bench.module.maps() if m.name == bench.binding.map.name), None)
    if of_map is None:
        why = f"the module has no map {bench.binding.map.name!r}"
        yield Addition(Part.NUMBERING, Outcome.LEFT_OUT, "numbering", why)
        return
    for board in of_map.boards:
        what = f"numbering of board {board.name!r}"
        grids: list[HexGrid | SquareGrid] = [*board.each(HexGrid), *board.each(SquareGrid)]
        bare = [grid for grid in grids if grid.numbering is None]
        size = board_size(bench.module, board)
        if board.grid is None:
            yield Addition(Part.NUMBERING, Outcome.LEFT_OUT, what, "it has no grid to number")
        elif not bare:
            yield Addition(Part.NUMBERING, Outcome.THERE, what)
        elif size is None:
            yield Addition(Part.NUMBERING, Outcome.LEFT_OUT, what, "its size is not known")
        else:
            for grid in bare:
                yield _number(bench, grid, size, wanted, what)


def _number(
    bench: Bench,
    grid: HexGrid | SquareGrid,
    size: Size,
    wanted: Mapping[str, str],
    what: str,
) -> Addition:
    chooser = _Chooser(bench)
    style = chooser.best(grid, size, wanted or chooser.declared())
    if style is None:
        why = "no way of numbering gives the names that the rules know"
        return Addition(Part.NUMBERING, Outcome.LEFT_OUT, what, why)
    if not wanted and not chooser.declared():
        # Names alone do not tell left from right.
        fits = " ".join(f"--numbering {name}={style[name]}" for name in ("first", "hOff", "vOff"))
        why = f"the game does not say where it begins and which way it runs; {fits} would fit"
        return Addition(Part.NUMBERING, Outcome.LEFT_OUT, what, why)
    numbered(grid, style)
    names = list(islice(chooser.names(grid, size), 2))
    return Addition(Part.NUMBERING, Outcome.ADDED, what, f"{', '.join(names)} ...")


class _Chooser:
    """Finds the numbering whose names the rules know."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._positions = list(_starts(bench))

    def declared(self) -> dict[str, str]:
        """How the map of the rules is numbered, in VASSAL's own words, if its file says so."""
        for position in self._positions:
            terrain = self._bench.plugin.terrain_map(position)
            given = terrain.grid.get("numbering") if terrain and terrain.grid else None
            if isinstance(given, Mapping):
                return {str(name): _word(value) for name, value in given.items()}
        return {}

    def best(
        self, grid: HexGrid | SquareGrid, size: Size, wanted: Mapping[str, str]
    ) -> dict[str, str] | None:
        """The first style that fits best, among those with the settings wanted."""
        found: tuple[float, dict[str, str]] | None = None
        for style, first, across, down in product(_STYLES, "HV", "10", "10"):
            trial = {**style, "first": first, "hOff": across, "vOff": down, **wanted}
            copy = grid.copy()
            try:
                numbered(copy, trial)
                score = self._score(copy, size)
            except GeometryError as why:
                raise UsageError(f"--numbering: {why.message}") from None
            if score >= _ENOUGH and (found is None or score > found[0]):
                found = score, trial
        return found[1] if found is not None else None

    def names(self, grid: HexGrid | SquareGrid, size: Size) -> Iterator[str]:
        """What the grid calls its cells."""
        made = grid_of(grid, size)
        return (name for cell in made.cells() if (name := made.name(cell)))

    def _score(self, grid: HexGrid | SquareGrid, size: Size) -> float:
        rule, plugin = self._bench.binding.map, self._bench.plugin
        names = list(islice(self.names(grid, size), _TRIED))
        cells = {cell for name in names if (cell := rule.cell(name))}
        best = 0.0
        for position in self._positions:
            used = {unit.cell for unit in position.units.values() if unit.cell}
            known = sum(plugin.has_cell(position, cell) for cell in cells)
            every = set(map(rule.cell, self.names(grid, size)))
            best = max(best, known / max(1, len(names)) * (used <= every))
        return best


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _starts(bench: Bench) -> Iterator[Position]:
    for scenario in bench.plugin.scenarios():
        try:
            yield engine.start(bench.plugin, scenario.key, seed=scenario.key)
        except HexMarshalError:
            continue
