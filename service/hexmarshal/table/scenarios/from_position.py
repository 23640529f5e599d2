"""A position as the scenario that begins with it."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import Place, RulesError
from hexmarshal.rules import engine
from hexmarshal.rules.frames.frame import base_of
from hexmarshal.rules.values import thaw
from hexmarshal.scenario.model import (
    Deck,
    MarkerEntry,
    Objective,
    Reinforcement,
    Scenario,
    Setup,
    Start,
    UnitEntry,
    default_ranks,
)
from hexmarshal.table.scenarios.to_position import beginning, position_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.pieces import Marker, Unit
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record
    from hexmarshal.scenario.model import Facts, Value

__all__ = ["open_decision", "scenario_of"]


def scenario_of(plugin: GamePlugin, position: Position) -> Scenario:
    """The scenario that begins with this position; the dice to come are no part of it."""
    if position.viewer:
        raise RulesError(
            f"this is what {position.viewer} sees; a scenario needs the whole truth",
            place=Place(field="viewer"),
        )
    terms = plugin.game.terms
    info = next((one for one in plugin.scenarios() if one.key == position.scenario), None)
    extras = dict(position.extras)
    turns = None if info is None or terms.length else info.turns or None
    length = extras.get(terms.length)
    if isinstance(length, int) and not isinstance(length, bool) and length > 0:
        turns = length
        del extras[terms.length]
    units = _Units(plugin, position)
    options = _options(plugin, position.options)
    default = beginning(plugin, position.scenario, options)
    start = _start(position, default)
    decks = {
        key: Deck(pile.name, pile.cards, pile.side, _sides(pile.known_to), _sides(pile.seen_by))
        for key, pile in position.piles.items()
    }
    besides = {name: _plain(value) for name, value in extras.items()}
    objectives, cells = [], {}
    for cell, facts in position.cells.items():
        if any(name in facts for name in terms.objectives):
            objectives.append(Objective(cell, facts=_facts(facts)))
        else:
            cells[cell] = _facts(facts)
    return Scenario(
        position.game,
        version=position.version,
        title=info.title if info is not None else "",
        summary=info.doc if info is not None else "",
        based_on=position.scenario,
        map=position.board,
        turns=turns,
        options=options,
        sides=position.sides,
        start=start,
        units=units.entries,
        setup=units.setup(),
        reinforcements=units.reinforcements(),
        objectives=tuple(objectives),
        markers={key: _marker_entry(marker) for key, marker in position.markers.items()},
        decks=decks if decks or default.piles else None,
        cells=cells,
        tracks=dict(position.tracks) if position.tracks or default.tracks else None,
        knowledge={side: _facts(facts) for side, facts in position.knowledge.items()},
        extras=besides if besides or default.extras else None,
    )


def _start(position: Position, default: Position) -> Start:
    """Where play begins; a scenario holds no open decision but the one that it is based on."""
    turn, phase = position.turn, position.phase
    if position.frames == default.frames:
        state = None if position.state == default.state else position.state
        return Start(turn, phase, state, position.active)
    base = base_of(position)
    as_begun = not default.frames and base.state == default.state
    return Start(turn, phase, None if as_begun else base.state, base.active)


def open_decision(plugin: GamePlugin, position: Position, scenario: Scenario) -> tuple[str, ...]:
    """In words: what is in the middle of being decided, which a scenario does not hold."""
    if position_of(plugin, scenario).frames == position.frames:
        return ()
    who = " and ".join(position.active) or "nobody"
    what = f"{position.state}, by {who}" if position.state else position.phase
    return (f"a scenario holds no open decision: how far play is in {what}",)


def _plain(value: object) -> Value:
    plain: Any = thaw(value)  # type: ignore[arg-type]
    return plain  # type: ignore[no-any-return]


def _facts(facts: Record) -> dict[str, Value]:
    return {name: _plain(value) for name, value in facts.items()}


def _sides(sides: frozenset[str] | None) -> tuple[str, ...] | None:
    return None if sides is None else tuple(sorted(sides))


def _options(plugin: GamePlugin, options: Record) -> Facts:
    """Those that are not as by default; one that the position does not say is None."""
    defaults = engine.complete_options(plugin, {})
    said: dict[str, Value] = {
        name: _plain(value)
        for name, value in options.items()
        if name not in defaults or defaults[name] != value
    }
    return said | {name: None for name in defaults if name not in options}


def _marker_entry(marker: Marker) -> MarkerEntry:
    return MarkerEntry(
        marker.id,
        marker.kind,
        marker.side,
        marker.cell,
        marker.level,
        marker.unit,
        marker.box,
        marker.facing,
        _facts(marker.values),
        _sides(marker.seen_by),
        _sides(marker.known_to),
        marker.face,
    )


class _Units:
    """Sorts units into an order of battle, a set-up and reinforcements."""

    def __init__(self, plugin: GamePlugin, position: Position) -> None:
        self.terms = plugin.game.terms
        self.entries: dict[str, UnitEntry] = {}
        self._stacks: dict[str, dict[str, list[Unit]]] = {"cells": {}, "boxes": {}, "carried": {}}
        self._late: dict[tuple[int, str], tuple[Value, list[Unit]]] = {}
        order = {side: i for i, side in enumerate(position.sides)}
        units = sorted(position.units.values(), key=lambda u: (order.get(u.side, 99), u.id))
        for unit in units:
            if sum(map(bool, (unit.cell, unit.box, unit.carrier))) > 1:
                raise RulesError(
                    "a unit is in one place: a cell, a box or a carrier",
                    place=Place(unit=unit.id),
                )
            self.entries[unit.id] = self._sorted_in(unit)
        for stack in (*self._all_stacks(), *(units for _, units in self._late.values())):
            self._keep_ranks(stack)

    def _sorted_in(self, unit: Unit) -> UnitEntry:
        values = unit.values
        kind = "cells" if unit.cell else "boxes" if unit.box else "carried"
        place = unit.cell or unit.box or unit.carrier
        arrival = self._arrival(unit)
        if arrival is not None:
            turn, entry = arrival
            values = values.without(self.terms.arrival_turn, self.terms.arrival_entry)
            key = (turn, json.dumps(entry, sort_keys=True))
            self._late.setdefault(key, (entry, []))[1].append(unit)
        elif place:
            self._stacks[kind].setdefault(place, []).append(unit)
        return UnitEntry(
            unit.id,
            unit.side,
            unit.type,
            unit.steps,
            unit.facing,
            unit.level,
            None if place else unit.rank or None,
            tuple(sorted(unit.flags)),
            unit.footprint,
            _facts(values),
            _sides(unit.seen_by),
            _sides(unit.known_to),
            unit.face,
            unit.place,
            {role: list(by) for role, by in unit.bonds.items()},
        )

    def _arrival(self, unit: Unit) -> tuple[int, Value] | None:
        """When and where it arrives, if it waits for that."""
        terms = self.terms
        if not terms.arrivals or unit.box != terms.arrivals or not terms.arrival_turn:
            return None
        turn = unit.values.get(terms.arrival_turn)
        entry = unit.values.get(terms.arrival_entry) if terms.arrival_entry else None
        said = terms.arrival_entry in unit.values
        if not isinstance(turn, int) or isinstance(turn, bool) or (said and entry is None):
            return None
        return turn, _plain(entry)

    def _all_stacks(self) -> list[list[Unit]]:
        return [stack for stacks in self._stacks.values() for stack in stacks.values()]

    def _keep_ranks(self, stack: list[Unit]) -> None:
        stack.sort(key=lambda unit: (unit.rank, unit.id))
        told = default_ranks(tuple(unit.id for unit in stack))
        for unit, rank in zip(stack, told, strict=True):
            if unit.rank != rank:
                self.entries[unit.id] = replace(self.entries[unit.id], rank=unit.rank)

    def setup(self) -> Setup:
        def named(stacks: Mapping[str, list[Unit]]) -> dict[str, tuple[str, ...]]:
            return {place: tuple(u.id for u in stacks[place]) for place in sorted(stacks)}

        return Setup(**{kind: named(stacks) for kind, stacks in self._stacks.items()})

    def reinforcements(self) -> tuple[Reinforcement, ...]:
        return tuple(
            Reinforcement(turn, tuple(unit.id for unit in units), entry)
            for (turn, _), (entry, units) in sorted(self._late.items(), key=lambda item: item[0])
        )
