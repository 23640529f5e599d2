"""The position that a scenario begins with."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from hexmarshal.errors import HexMarshalError, Place, RulesError
from hexmarshal.rules import engine
from hexmarshal.rules.frames.frame import base_of
from hexmarshal.rules.state.pieces import Marker, Pile, Unit
from hexmarshal.rules.values import EMPTY, FieldError, FrozenMap, Record, Value, freeze
from hexmarshal.scenario.model import default_ranks

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.pieces import Bonds
    from hexmarshal.rules.state.position import Position
    from hexmarshal.scenario.model import Deck, Facts, MarkerEntry, Scenario, UnitEntry

__all__ = ["beginning", "position_of"]

T = TypeVar("T")


def beginning(plugin: GamePlugin, scenario: str, options: Facts) -> Position:
    """What a scenario leaves unsaid: the scenario that it is based on, else an empty position."""
    said = {name: value for name, value in options.items() if value is not None}
    try:
        return engine.start(plugin, scenario, said) if scenario else plugin.blank()
    except HexMarshalError:
        return plugin.blank()


def position_of(plugin: GamePlugin, scenario: Scenario) -> Position:
    """The position that the scenario begins with; what the game keeps no place for is left out."""
    if scenario.game != plugin.game.key:
        raise RulesError(
            f"a scenario of {scenario.game!r}, not of {plugin.game.key!r}",
            place=Place(field="game"),
        )
    default = beginning(plugin, scenario.based_on, scenario.options)
    terms, start = plugin.game.terms, scenario.start
    extras: dict[str, object] = dict(default.extras if scenario.extras is None else scenario.extras)
    if terms.length and scenario.turns is not None:
        extras[terms.length] = scenario.turns
    cells: dict[str, dict[str, object]] = {c: dict(facts) for c, facts in scenario.cells.items()}
    for objective in scenario.objectives:
        if objective.cell and objective.facts:
            cells.setdefault(objective.cell, {}).update(objective.facts)
    begun = replace(
        plugin.blank(),
        version=_or(scenario.version, default.version),
        scenario=scenario.based_on,
        board=_or(scenario.map, default.board),
        options=_all_options(plugin, scenario),
        sides=_or(scenario.sides, default.sides),
        turn=_or(start.turn, default.turn),
        phase=_or(start.phase, default.phase),
        state=_or(start.state, default.state),
        active=_or(start.active, default.active),
        units=FrozenMap(_placed_units(plugin, scenario)),
        markers=_each("markers", _marker, scenario.markers),
        piles=(default.piles if scenario.decks is None else _each("decks", _pile, scenario.decks)),
        cells=_each("cells", _record, cells),
        tracks=default.tracks if scenario.tracks is None else FrozenMap(scenario.tracks),
        knowledge=_each("knowledge", _record, scenario.knowledge),
        extras=_at("extras", _record, extras),
    )
    if start.state is None:
        return _asking(begun, default)
    # Where only decisions let anybody act, the phase begins with its own.
    return begun if begun.active or not plugin.game.phases else plugin.opened(begun)


def _asking(begun: Position, default: Position) -> Position:
    """The position with the decision that its basis begins with, if it begins there and then."""
    if (begun.turn, begun.phase, begun.active) == (default.turn, default.phase, default.active):
        return replace(begun, frames=default.frames)
    return replace(begun, state=base_of(default).state)


def _or(said: T | None, default: T) -> T:
    return default if said is None else said


def _at(path: str, make: Callable[[Any], T], said: object) -> T:
    """What is made of a part of the scenario; an error names the part."""
    try:
        return make(said)
    except FieldError as error:
        raise error.under(path).as_error("the scenario") from None


def _each(path: str, make: Callable[[Any], T], rows: Mapping[str, object]) -> FrozenMap[T]:
    return FrozenMap({key: _at(f"{path}.{key}", make, row) for key, row in rows.items()})


def _record(facts: Mapping[str, object]) -> Record:
    return FrozenMap({name: freeze(value) for name, value in facts.items()}) if facts else EMPTY


def _frozen(sides: tuple[str, ...] | None) -> frozenset[str] | None:
    return None if sides is None else frozenset(sides)


def _marker(entry: MarkerEntry) -> Marker:
    return Marker(
        entry.id,
        entry.kind,
        entry.side,
        entry.cell,
        entry.level,
        entry.unit,
        entry.box,
        entry.facing,
        _record(entry.values),
        _frozen(entry.seen_by),
        _frozen(entry.known_to),
        entry.face,
    )


def _pile(deck: Deck) -> Pile:
    known_to, seen_by = _frozen(deck.known_to), _frozen(deck.seen_by)
    return Pile(deck.name, deck.cards, deck.side, known_to, seen_by)


def _all_options(plugin: GamePlugin, scenario: Scenario) -> Record:
    said = {name: value for name, value in scenario.options.items() if value is not None}
    unsaid = {name for name, value in scenario.options.items() if value is None}
    try:
        found = engine.complete_options(plugin, said)
    except HexMarshalError as error:
        raise error.at(Place(field="options")) from None
    return FrozenMap({name: value for name, value in found.items() if name not in unsaid})


def _placed_units(plugin: GamePlugin, scenario: Scenario) -> dict[str, Unit]:
    terms, setup = plugin.game.terms, scenario.setup
    units = {
        entry.id: _at(f"units.{entry.side}.{entry.id}", _unit, entry)
        for entry in scenario.units.values()
    }

    def place(stack: Iterable[str], **where: Any) -> None:  # noqa: ANN401 - fields of a unit
        ids = tuple(stack)
        for unit, rank in zip(ids, default_ranks(ids), strict=True):
            if unit in units:
                told = scenario.units[unit].rank
                units[unit] = replace(units[unit], rank=rank if told is None else told, **where)

    for area in setup.areas.values():
        if terms.deployment:
            place(area, box=terms.deployment)
    for cell, stack in setup.cells.items():
        place(stack, cell=cell, box="")
    for box, stack in setup.boxes.items():
        place(stack, box=box)
    for carrier, stack in setup.carried.items():
        place(stack, carrier=carrier)
    for i, group in enumerate(scenario.reinforcements):
        if not terms.arrivals:
            continue
        more: dict[str, Value] = {terms.arrival_turn: group.turn} if terms.arrival_turn else {}
        if terms.arrival_entry and group.entry is not None:
            more[terms.arrival_entry] = _at(f"reinforcements[{i}].entry", freeze, group.entry)
        place(group.units, box=terms.arrivals)
        for unit in group.units:
            if unit in units:
                units[unit] = replace(units[unit], values=units[unit].values.merged(more))
    return units


def _unit(entry: UnitEntry) -> Unit:
    return Unit(
        entry.id,
        entry.type,
        entry.side,
        level=entry.level,
        footprint=entry.footprint,
        rank=entry.rank or 0,
        facing=entry.facing,
        steps=entry.steps,
        flags=frozenset(entry.flags),
        values=_record(entry.values),
        seen_by=_frozen(entry.seen_by),
        known_to=_frozen(entry.known_to),
        face=entry.face,
        place=entry.place,
        bonds=_bonds(entry.bonds),
    )


def _bonds(said: Facts) -> Bonds:
    return FrozenMap(
        {role: tuple(map(str, by)) for role, by in said.items() if isinstance(by, list)}
    )
