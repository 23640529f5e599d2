"""Whether a position makes sense for its game: names that exist, places that hold, invariants."""

from __future__ import annotations

from functools import partial
from itertools import filterfalse
from typing import TYPE_CHECKING

from hexmarshal.errors import Place, RulesError
from hexmarshal.rules.frames.checking import (
    declared_values,
    extra_problems,
    frame_problems,
    knowledge_problems,
)
from hexmarshal.rules.frames.standing import standing_problems
from hexmarshal.rules.plugin import MarkerType
from hexmarshal.rules.state.pieces import NO_BONDS, UNKNOWN, Marker, Pile, Unit
from hexmarshal.rules.state.sound import Sound
from hexmarshal.rules.state.view import knows
from hexmarshal.rules.state.whereabouts import bond_faults, circles, place_fault
from hexmarshal.rules.values import LARGEST, FieldError
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.rules.plugin import Game, GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record

__all__ = ["POSITION_RULE", "admit", "problems", "setup_problems"]

POSITION_RULE = "HM-position"


def problems(plugin: GamePlugin, position: Position) -> tuple[Violation, ...]:
    """Everything wrong with a position; the game's own invariants once its names are in order."""
    found = tuple(_names(plugin, position))
    return found or tuple(plugin.invariants(position))


def setup_problems(plugin: GamePlugin, position: Position) -> tuple[Violation, ...]:
    """Everything wrong with a position as a set-up: what no position may be, then the game's own.

    The rules of setting up are asked once the names are in order.
    """
    found = tuple(_names(plugin, position))
    return found or (*plugin.invariants(position), *plugin.setup_violations(position))


def admit(plugin: GamePlugin, position: Position) -> Position:
    """The position, if it can be worked with; else an error that names the first wrong field."""
    found = position.remember("problems", lambda: problems(plugin, position))
    if found:
        first, more = found[0], len(found) - 1
        also = f" (and {more} more)" if more else ""
        raise RulesError(
            f"the position: {first.text}{also}", place=Place(field=first.field or None)
        )
    return position


def _bad(field: str, text: str, *, unit: str = "", cell: str = "") -> Violation:
    return Violation(
        POSITION_RULE,
        text,
        field=field,
        units=(unit,) if unit else (),
        cells=(cell,) if cell else (),
    )


def _one_of(field: str, name: str, known: Iterable[str], what: str) -> Iterator[Violation]:
    names = tuple(known)
    if name not in names:
        yield _bad(field, f"no {what} {name!r}; known: {', '.join(names) or 'none'}")


def _names(plugin: GamePlugin, position: Position) -> Iterator[Violation]:
    game = plugin.game
    yield from _one_of("game", position.game, (game.key,), "game")
    sides = tuple(side.key for side in game.sides)
    for i, side in enumerate(position.sides):
        yield from _one_of(f"sides[{i}]", side, sides, "side")
    if not position.sides:
        yield _bad("sides", "a position needs its sides")
    if position.turn < 0:
        yield Violation(game.turn_rule, f"there is no turn {position.turn}", field="turn")
    yield from _too_large(position)
    yield from _one_of("phase", position.phase, (p.key for p in game.phases), "phase")
    if position.state and position.asked() is None:
        yield from _one_of("state", position.state, (s.key for s in game.states), "state")
    boards = tuple(board.key for board in game.boards)
    if position.board and boards and position.board not in boards:
        yield from _one_of("board", position.board, boards, "board")
        return  # of a map that there is not, no cell can be looked up
    for i, side in enumerate(position.active):
        yield from _one_of(f"active[{i}]", side, position.sides, "side")
    for side in position.knowledge:
        yield from _one_of(f"knowledge.{side}", side, position.sides, "side")
    if position.viewer:
        yield from _one_of("viewer", position.viewer, position.sides, "side")
    yield from _SOUND_VALUES.under(game, "options").of(
        position.options, partial(_options, game, position.options)
    )
    for cell in position.cells:
        if not plugin.has_cell(position, cell):
            yield _bad(f"cells.{cell}", f"the map has no cell {cell!r}", cell=cell)
    yield from _units(plugin, position)
    yield from _bonds(plugin, position)
    yield from _markers(plugin, position)
    for pile in position.piles.values():
        if pile.side:
            yield from _one_of(f"piles.{pile.name}.side", pile.side, position.sides, "side")
        yield from _secrecy(f"piles.{pile.name}", pile, position.sides)
    for find in (frame_problems, extra_problems, knowledge_problems, standing_problems):
        for field, text in find(plugin, position):
            yield _bad(field, text)


def _too_large(position: Position) -> Iterator[Violation]:
    """Numbers that play would count up beyond what can be written down."""
    drawn = position.generator.count if position.generator is not None else 0
    counts = {"turn": position.turn, "generator.count": drawn}
    for field, number in (
        *counts.items(),
        *((f"tracks.{n}", v) for n, v in position.tracks.items()),
    ):
        if not -LARGEST <= number <= LARGEST:
            yield _bad(field, _LARGE)


def _options(game: Game, options: Record) -> Iterator[Violation]:
    declared = {option.param.name: option.param for option in game.options}
    for name, value in options.items():
        if name not in declared:
            yield _bad(f"options.{name}", "no such option")
            continue
        try:
            declared[name].decode(value)
        except FieldError as error:
            yield _bad(f"options.{name}", error.message)


_SOUND, _SOUND_VALUES = Sound(), Sound()
_LARGE = "is larger than any number of a game"


def _units(plugin: GamePlugin, position: Position) -> Iterator[Violation]:
    units = position.units.values()
    # Not by the stacks: who goes along with whom is not looked at yet.
    cells = {unit.cell for unit in units}.union(*(unit.cells for unit in units if unit.footprint))
    cells.discard("")
    absent = frozenset(filterfalse(partial(plugin.has_cell, position), cells))
    masked = bool(position.viewer)
    counters = _Counters(plugin.game, position.sides, absent, masked=masked)
    besides = (position.sides, absent, masked)
    yield from _SOUND.under(plugin.game, besides).problems(units, counters.problems)


class _Counters:
    """What is wrong with a counter by itself; `absent` are the cells named that the map has not.

    `masked`: it is a side's view, in which others' counters are what they show.
    """

    def __init__(
        self, game: Game, sides: tuple[str, ...], absent: frozenset[str], *, masked: bool
    ) -> None:
        self.game, self.sides, self.absent, self.masked = game, sides, absent, masked
        self.types = {kind.key for kind in game.unit_types} | {UNKNOWN}
        self.attributes = {param.name: param for param in game.attributes}
        self.flags = None if game.flags is None else {flag.key for flag in game.flags}
        self.places = {kind.key: kind for kind in game.places}
        self.sound_values = _SOUND_VALUES.under(game)

    def problems(self, unit: Unit) -> Iterator[Violation]:
        """All of them."""
        at = f"units.{unit.id}"
        if unit.side not in self.sides:
            yield _bad(f"{at}.side", f"no side {unit.side!r}", unit=unit.id)
        yield from self._place(unit, at)
        if unit.seen_by or unit.known_to:
            yield from _secrecy(at, unit, self.sides)
        if unit.type not in self.types:
            yield _bad(f"{at}.type", f"no unit type {unit.type!r}", unit=unit.id)
        if not (unit.known_to is None or unit.known_to or unit.face or self.masked):
            text = "a unit that no side knows needs a face to show"
            yield _bad(f"{at}.face", text, unit=unit.id)
        if unit.face and unit.face not in self.types:
            yield _bad(f"{at}.face", f"no unit type {unit.face!r}", unit=unit.id)
        if unit.steps > LARGEST or abs(unit.rank) > LARGEST or abs(unit.level) > LARGEST:
            large = next(n for n in ("steps", "rank", "level") if abs(getattr(unit, n)) > LARGEST)
            yield _bad(f"{at}.{large}", _LARGE, unit=unit.id)
        if unit.steps < 0:
            yield _bad(f"{at}.steps", "steps cannot be negative", unit=unit.id)
        if self.flags is not None and not unit.flags <= self.flags:
            unknown = ", ".join(sorted(unit.flags - self.flags))
            yield _bad(f"{at}.flags", f"no flag {unknown}", unit=unit.id)
        # A unit changes all the time, and its values seldom.
        yield from self.sound_values.of(unit.values, partial(self._values, unit, at))

    def _values(self, unit: Unit, at: str) -> Iterator[Violation]:
        for name, value in unit.values.items():
            param = self.attributes.get(name)
            if param is None:
                yield _bad(f"{at}.values.{name}", "units have no such value", unit=unit.id)
                continue
            try:
                param.decode(value)
            except FieldError as error:
                yield _bad(f"{at}.values.{name}", error.message, unit=unit.id)

    def _place(self, unit: Unit, at: str) -> Iterator[Violation]:
        if sum(map(bool, (unit.cell, unit.box, unit.carrier))) > 1:
            yield _bad(at, "a unit is in one place: a cell, a box or a carrier", unit=unit.id)
        if unit.footprint and not unit.cell:
            yield _bad(f"{at}.footprint", "a unit off the map covers no cells", unit=unit.id)
        for cell in unit.cells:
            if cell in self.absent:
                field = f"{at}.cell" if cell == unit.cell else f"{at}.footprint"
                yield _bad(field, f"the map has no cell {cell!r}", unit=unit.id, cell=cell)
        if unit.box:
            yield from _one_of(f"{at}.box", unit.box, (b.key for b in self.game.boxes), "box")
        if unit.place and (fault := place_fault(self.places, unit)):
            yield _bad(f"{at}.place", fault, unit=unit.id)


def _bonds(plugin: GamePlugin, position: Position) -> Iterator[Violation]:
    units = position.units
    roles = {role.key: role for role in plugin.game.bonds}
    bonded = [u for u in units.values() if u.carrier or (u.bonds is not NO_BONDS and u.bonds)]
    found = [(unit.id, fault) for unit in bonded for fault in bond_faults(roles, units, unit)]
    if bonded and not found:
        found = list(circles(units))
    for name, (field, text) in found:
        yield _bad(f"units.{name}.{field}", text, unit=name)


def _markers(plugin: GamePlugin, position: Position) -> Iterator[Violation]:
    kinds = {kind.key for kind in plugin.game.markers} | {UNKNOWN}
    typed = {kind.key: kind for kind in plugin.game.markers if isinstance(kind, MarkerType)}
    for marker in position.markers.values():
        at = f"markers.{marker.id}"
        if marker.kind not in kinds:
            yield _bad(f"{at}.kind", f"no kind of marker {marker.kind!r}")
        if marker.face and marker.face not in kinds:
            yield _bad(f"{at}.face", f"no kind of marker {marker.face!r}")
        if marker.side:
            yield from _one_of(f"{at}.side", marker.side, position.sides, "side")
        if marker.cell and not plugin.has_cell(position, marker.cell):
            yield _bad(f"{at}.cell", f"the map has no cell {marker.cell!r}", cell=marker.cell)
        if marker.unit and marker.unit not in position.units:
            yield _bad(f"{at}.unit", f"no unit {marker.unit!r}")
        # Of a marker that one does not know there is no telling.
        if (kind := typed.get(marker.kind)) is not None and _is_known(marker, position):
            for field, text in declared_values(
                plugin, position, kind.params, marker.values, f"{at}.values"
            ):
                yield _bad(field, text)
        yield from _secrecy(at, marker, position.sides)


def _is_known(marker: Marker, position: Position) -> bool:
    return not position.viewer or knows(position.viewer, marker)


def _secrecy(at: str, thing: Unit | Marker | Pile, sides: tuple[str, ...]) -> Iterator[Violation]:
    for name in ("seen_by", "known_to"):
        for side in sorted(getattr(thing, name, None) or ()):
            yield from _one_of(f"{at}.{name}", side, sides, "side")
