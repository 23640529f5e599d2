"""What no rule forbids and a designer would want to know: counters that cannot be meant so."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from hexmarshal.errors import HexMarshalError, Place
from hexmarshal.errors.names import did_you_mean
from hexmarshal.rules import engine
from hexmarshal.rules.params import ParamType
from hexmarshal.scenario.consistency import ScenarioFinding
from hexmarshal.scenario.sheets import same_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.geometry.values_with_lines import Sourced
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.scenario.model import Scenario, UnitEntry, Value

__all__ = ["implausible"]


def implausible(
    plugin: GamePlugin, scenario: Scenario, source: Sourced
) -> Iterator[ScenarioFinding]:
    """Two spellings of one unit, counters of the other side, units that nobody is, odd numbers."""
    yield from _twins(scenario, source)
    for unit in scenario.units.values():
        yield from _of_the_other_side(plugin, unit, source)
        yield from _values(plugin, scenario, unit, source)


def _at(unit: UnitEntry, source: Sourced, *more: str) -> Place:
    return Place(unit=unit.id).within(source.place("units", unit.side, unit.id, *more))


def _twins(scenario: Scenario, source: Sourced) -> Iterator[ScenarioFinding]:
    first: dict[str, str] = {}
    for unit in scenario.units.values():
        other = first.setdefault(same_name(unit.id), unit.id)
        if other != unit.id:
            text = f"{unit.id} and {other} are two spellings of one name"
            hint = "write one as the other if it is the same unit, else rename it"
            yield ScenarioFinding("twice", text, _at(unit, source), hint)


def _of_the_other_side(
    plugin: GamePlugin, unit: UnitEntry, source: Sourced
) -> Iterator[ScenarioFinding]:
    """A German counter under Soviet orders; of a second force of a side, its counters are too."""
    kind = next((one for one in plugin.game.unit_types if one.key == unit.type), None)
    titles = {side.key: side.title for side in plugin.game.sides}
    if kind is None or not kind.side or unit.side not in titles:
        return
    if unit.side != kind.side and not unit.side.startswith(kind.side):
        whose = titles.get(kind.side, kind.side)
        text = f"{unit.id} is {titles[unit.side]}, and its counter ({kind.title}) is {whose}"
        yield ScenarioFinding("side", text, _at(unit, source, "side"))


def _values(
    plugin: GamePlugin, scenario: Scenario, unit: UnitEntry, source: Sourced
) -> Iterator[ScenarioFinding]:
    params = {param.name: param for param in plugin.game.attributes}
    bounds = _bounds(plugin)
    for name, value in unit.values.items():
        param = params.get(name)
        if param is None:
            continue
        at = _at(unit, source, "values", name)
        if param.type in (ParamType.UNIT, ParamType.UNITS):
            for named in _texts(value):
                if named not in scenario.units:
                    hint = did_you_mean(named, scenario.units)
                    text = f"{name} of {unit.id} is {named}, and there is no such unit"
                    yield ScenarioFinding("unit", text, at, hint)
        elif isinstance(value, int) and not isinstance(value, bool) and name in bounds:
            least, most = bounds[name]
            if not least <= value <= most:
                limit = f"more than {most}" if value > most else f"less than {least}"
                text = f"{name} of {unit.id} is {value}, and no counter of the game has {limit}"
                yield ScenarioFinding("value", text, at)


def _texts(value: Value) -> Iterable[str]:
    values = value if isinstance(value, list) else [value]
    return (one for one in values if isinstance(one, str))


@lru_cache(maxsize=8)
def _bounds(plugin: GamePlugin) -> dict[str, tuple[int, int]]:
    """The least and the most that counters of the game have of each value, as far as is known.

    A value that changes in play, or that only one counter has, has no such bounds.
    """
    found: dict[str, set[int]] = {}
    records = [kind.values for kind in plugin.game.unit_types]
    for scenario in plugin.scenarios():
        try:
            position = engine.start(plugin, scenario.key, {})
        except HexMarshalError:
            continue
        records += [unit.values for unit in position.units.values()]
    for record in records:
        for name, value in record.items():
            if isinstance(value, int) and not isinstance(value, bool):
                found.setdefault(name, set()).add(value)
    terms = plugin.game.terms
    return {
        name: (min(values), max(values))
        for name, values in found.items()
        if len(values) > 1 and name not in (terms.arrival_turn, terms.arrival_entry)
    }
