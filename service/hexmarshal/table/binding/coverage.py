"""What a binding covers of a module, and what in it the game or the module does not have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.errors import GeometryError, VassalFormatError
from hexmarshal.rules import engine
from hexmarshal.table.binding.not_known import not_known
from hexmarshal.table.binding.patterns import PieceLook
from hexmarshal.table.placing.board_choice import boards_for
from hexmarshal.table.reading import TableReader
from hexmarshal.vassal.components import DiceButton
from hexmarshal.vassal.state.at_start import new_game, placed_copy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.geometry.terrain.boards import BoardMap
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.table.binding import Binding
    from hexmarshal.table.binding.patterns import Match
    from hexmarshal.vassal.module import Module

__all__ = ["Coverage", "coverage"]


@dataclass(frozen=True, slots=True)
class Coverage:
    """How many counters are units, markers, cards, or unknown; and what does not fit.

    `not_known` is what the game keeps and nothing shows; that is no fault.
    """

    units: int
    markers: int
    cards: int
    unknown: tuple[str, ...]
    problems: tuple[str, ...]
    not_known: tuple[str, ...] = ()

    def counts(self) -> dict[str, int]:
        """The numbers."""
        return {
            "units": self.units,
            "markers": self.markers,
            "cards": self.cards,
            "unknown": len(self.unknown),
        }

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            **self.counts(),
            "unknown_counters": list(self.unknown),
            "problems": list(self.problems),
            "not_known": list(self.not_known),
        }


def coverage(module: Module, binding: Binding, plugin: GamePlugin) -> Coverage:
    """Look at every counter of the module with the binding's eyes."""
    table = TableReader(module, binding, plugin, new_game(module))
    definitions = {name: one.text for name, one in module.prototypes().items()}
    decks = {rule.deck for rule in binding.piles}
    types = {kind.key for kind in plugin.game.unit_types}
    sides = {side.key for side in plugin.game.sides}
    units = markers = cards = 0
    unknown: list[str] = []
    problems: list[str] = []
    for slot in module.slots():
        if any(above.name in decks for above in slot.ancestors()):
            cards += 1
            continue
        try:
            look = PieceLook(
                placed_copy(slot, definitions, "", (0, 0)),
                gpid=slot.gpid,
                prototypes=table.reader.prototypes_of(slot.gpid),
            )
        except VassalFormatError as why:
            problems.append(f"counter {slot.gpid} {slot.name!r}: {why.message}")
            continue
        known = table.reader.identify(look)
        if known is None:
            on_track = any(spot.match.find(look) is not None for spot in binding.spots())
            markers += on_track
            if not on_track:
                unknown.append(slot.name)
        elif known.marker is not None:
            markers += 1
        else:
            units += 1
            if known.kind not in types:
                problems.append(f"counter {slot.name!r}: the game has no type {known.kind!r}")
            if known.side not in sides:
                problems.append(f"counter {slot.name!r}: the game has no side {known.side!r}")
            problems += (f"counter {slot.name!r}: {text}" for text in known.problems)
    problems += (f"counter {name!r} is neither a unit nor a marker" for name in unknown)
    problems += _in_vain("units", [rule.match for rule in binding.units])
    problems += _in_vain("markers", [rule.match for rule in binding.markers])
    problems += _names(module, binding, plugin, table)
    problems += _cells(module, binding, plugin)
    starts = [engine.start(plugin, scenario.key) for scenario in plugin.scenarios()]
    unshown = not_known(binding, plugin.game, starts)
    told = tuple(dict.fromkeys(problems))
    return Coverage(units, markers, cards, tuple(unknown), told, unshown)


def _in_vain(part: str, matches: Sequence[Match]) -> Iterator[str]:
    """Rules that never count: an earlier one takes the same pieces."""
    for at, match in enumerate(matches):
        first = matches.index(match)
        if first < at:
            yield f"{part}[{at}] never counts: {part}[{first}] takes the same pieces before it"


def _cells(module: Module, binding: Binding, plugin: GamePlugin) -> Iterator[str]:
    """Whether the grid names the cells as the binding says: else no piece is anywhere."""
    if binding.map.name not in {of_map.name for of_map in module.maps()}:
        return
    for scenario in plugin.scenarios():
        start = engine.start(plugin, scenario.key)
        cells = sorted({unit.cell for unit in start.units.values() if unit.cell})
        state = new_game(module, boards_for(module, binding, start))
        table = TableReader(module, binding, plugin, state)
        binding, grid = table.binding, table.reader.locator.on(binding.map.name)
        named = [cell for cell in cells if _is_named(grid, binding.map.location(cell))]
        if named or not cells:
            return
    location = binding.map.location(cells[0])
    hint = "map.cells and map.names say how; hexmarshal enhance numbers a grid"
    yield f"the grid of {binding.map.name!r} names no cell such as {location!r}: {hint}"


def _is_named(grid: BoardMap, location: str) -> bool:
    try:
        grid.pixel_named(location)
    except GeometryError:
        return False
    return True


def _names(
    module: Module, binding: Binding, plugin: GamePlugin, table: TableReader
) -> Iterator[str]:
    """Names in the binding that nothing has."""
    game = plugin.game
    maps = {of_map.name for of_map in module.maps()}
    for name in dict.fromkeys((binding.map.name, *(rule.map for rule in binding.boxes))):
        if name not in maps:
            yield f"the module has no map {name!r}"
    if table.tracker is not None and not table.tracker.exists:
        yield f"the module has no turn tracker {table.tracker.rule.tracker!r}"
    phases = {phase.key for phase in game.phases}
    for text, shown in binding.turn.phases.items() if binding.turn is not None else ():
        if shown is not None and shown.phase not in phases:
            yield f"turn.phases: {text!r}: the game has no phase {shown.phase!r}"
    buttons = {button.name for button in module.each(DiceButton)}
    for rule in binding.dice:
        if rule.button and rule.button not in buttons:
            yield f"the module has no dice button {rule.button!r}"
    sides = {side.key for side in game.sides}
    for seat, side in binding.sides.items():
        if side not in sides:
            yield f"sides: {seat!r}: the game has no side {side!r}"
    for kind in binding.drags:
        if kind not in game.actions:
            yield f"drags: the game has no action {kind!r}"
    if binding.advance and binding.advance not in game.actions:
        yield f"advance: the game has no action {binding.advance!r}"
    if binding.turn is None and binding.ends_phase not in game.actions and not binding.advance:
        text = f"no tracker shows phases, and the game has no action {binding.ends_phase!r}"
        yield f"advance: {text}: name the one that lets the others go on"
    for kind in binding.laid:
        if kind not in game.actions:
            yield f"laid: the game has no action {kind!r}"
    for kind in binding.silence:
        if kind not in game.frames:
            yield f"silence: the game knows no decision {kind!r}"
