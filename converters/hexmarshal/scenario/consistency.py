"""What is wrong with a scenario by itself: names that nobody has, units in two places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hexmarshal.errors import BadInputError, Place
from hexmarshal.geometry.values_with_lines import Sourced
from hexmarshal.scenario.model import FORMAT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.geometry.values_with_lines import Keys
    from hexmarshal.scenario.model import Scenario

__all__ = ["ScenarioFinding", "demand_consistent", "inconsistencies", "places_of"]


@dataclass(frozen=True, slots=True)
class ScenarioFinding:
    """Something wrong with a scenario; `rule` is the game's rule that it breaks, if it is one."""

    code: str
    text: str
    place: Place = field(default_factory=Place)
    hint: str = ""
    rule: str = ""

    def __str__(self) -> str:
        where = str(self.place)
        said = f"{self.rule}: {self.text}" if self.rule else self.text
        return f"{where}: {said}" if where else said

    def to_json(self) -> dict[str, object]:
        """As JSON-able data, without what is empty."""
        known = {"code": self.code, "rule": self.rule, "text": self.text, "hint": self.hint}
        out: dict[str, object] = {name: value for name, value in known.items() if value}
        return out | {"place": self.place.as_dict()}


def demand_consistent(scenario: Scenario, source: Sourced | None = None) -> Scenario:
    """The scenario, if it is sound by itself; else an error about the first thing that is not."""
    found = list(inconsistencies(scenario, source))
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise BadInputError(f"{found[0].text}{more}", place=found[0].place, hint=found[0].hint)
    return scenario


def places_of(scenario: Scenario) -> Iterator[tuple[str, Keys, str, str]]:
    """Every place that a unit is said to have: the unit, where it is said, the kind, the name."""
    setup = scenario.setup
    for kind, stacks in (
        ("cells", setup.cells),
        ("boxes", setup.boxes),
        ("carried", setup.carried),
        ("areas", setup.areas),
    ):
        for name, stack in stacks.items():
            for i, unit in enumerate(stack):
                yield unit, ("setup", kind, name, i), kind, name
    for n, group in enumerate(scenario.reinforcements):
        for i, unit in enumerate(group.units):
            yield unit, ("reinforcements", n, "units", i), "reinforcements", f"turn {group.turn}"


def inconsistencies(scenario: Scenario, source: Sourced | None = None) -> Iterator[ScenarioFinding]:
    """Everything that is wrong whatever the game, each with its place in the file."""
    return _Check(scenario, source or Sourced(None, None)).findings()


class _Check:
    def __init__(self, scenario: Scenario, source: Sourced) -> None:
        self.scenario, self.source = scenario, source

    def findings(self) -> Iterator[ScenarioFinding]:
        yield from self._twice()
        yield from self._sides()
        yield from self._placed()
        yield from self._areas()
        yield from self._objectives()
        yield from self._markers()

    def _bad(
        self, code: str, text: str, *keys: str | int, unit: str = "", cell: str = ""
    ) -> ScenarioFinding:
        known = Place(unit=unit or None, cell=cell or None)
        return ScenarioFinding(code, text, known.within(self.source.place(*keys)))

    def _twice(self) -> Iterator[ScenarioFinding]:
        """Ids that two sides have: the model keeps one of them, the document has both."""
        document = self.source.value
        own = isinstance(document, dict) and document.get("format") == FORMAT
        rows = document.get("units") if isinstance(document, dict) and own else None
        owners: dict[str, str] = {}
        for side, units in rows.items() if isinstance(rows, dict) else ():
            for unit in units if isinstance(units, dict) else ():
                if unit in owners:
                    text = f"the unit {unit} is {owners[unit]}'s already"
                    yield self._bad("twice", text, "units", side, unit, unit=unit)
                owners.setdefault(unit, side)

    def _sides(self) -> Iterator[ScenarioFinding]:
        sides = self.scenario.sides
        if sides is None:
            return
        named: list[tuple[Keys, Iterable[str]]] = [(("briefings",), self.scenario.briefings)]
        named += [(("start", "active"), self.scenario.start.active or ())]
        named += [(("knowledge",), self.scenario.knowledge)]
        for unit in self.scenario.units.values():
            at: Keys = ("units", unit.side, unit.id)
            named += [(at, (unit.side,)), ((*at, "seen_by"), unit.seen_by or ())]
            named += [((*at, "known_to"), unit.known_to or ())]
        for name, marker in self.scenario.markers.items():
            named += [(("markers", name, "side"), (marker.side,) if marker.side else ())]
            named += [(("markers", name, "seen_by"), marker.seen_by or ())]
            named += [(("markers", name, "known_to"), marker.known_to or ())]
        for name, deck in (self.scenario.decks or {}).items():
            named += [(("decks", name, "side"), (deck.side,) if deck.side else ())]
            named += [(("decks", name, "known_to"), deck.known_to or ())]
            named += [(("decks", name, "seen_by"), deck.seen_by or ())]
        for keys, names in named:
            for side in names:
                if side not in sides:
                    unit_id = str(keys[2]) if keys[0] == "units" else ""
                    text = f"no side {side!r}; the sides are {', '.join(sides) or 'none'}"
                    where = (*keys, side) if keys[0] in ("briefings", "knowledge") else keys
                    yield self._bad("side", text, *where, unit=unit_id)

    def _placed(self) -> Iterator[ScenarioFinding]:
        units = self.scenario.units
        where: dict[str, str] = {}
        areas: dict[str, str] = {}
        cells = {u: cell for cell, stack in self.scenario.setup.cells.items() for u in stack}
        for unit, keys, kind, name in places_of(self.scenario):
            if unit not in units:
                text = f"no unit {unit!r} in the order of battle"
                yield self._bad("unit", text, *keys, unit=unit)
                continue
            kept = areas if kind == "areas" else where
            if unit in kept:
                text = f"the unit {unit} is in {kept[unit]} already"
                yield self._bad("placed twice", text, *keys, unit=unit)
            kept.setdefault(unit, name)
            if kind == "carried" and name not in units:
                yield self._bad("unit", f"no unit {name!r} to carry {unit}", *keys, unit=unit)
            elif kind == "areas":
                yield from self._within(unit, name, cells.get(unit, ""), keys)
                if unit in where and unit not in cells:
                    text = f"the unit {unit} is in {where[unit]} and cannot be set up in {name}"
                    yield self._bad("placed twice", text, *keys, unit=unit)

    def _within(self, unit: str, area: str, cell: str, keys: Keys) -> Iterator[ScenarioFinding]:
        known = self.scenario.areas.get(area)
        if known is not None and cell and cell not in known.cells:
            text = f"{unit} stands in {cell}, which is not in {known.title or area}"
            yield self._bad("area", text, *keys, unit=unit, cell=cell)

    def _areas(self) -> Iterator[ScenarioFinding]:
        for area in self.scenario.setup.areas:
            if area not in self.scenario.areas:
                yield self._bad("area", f"no area {area!r}", "setup", "areas", area)

    def _objectives(self) -> Iterator[ScenarioFinding]:
        seen = set()
        for i, one in enumerate(self.scenario.objectives):
            if one.area and one.area not in self.scenario.areas:
                yield self._bad("area", f"no area {one.area!r}", "objectives", i, "area")
            if one.cell and one.cell in seen:
                text = f"{one.cell} is an objective already"
                yield self._bad("twice", text, "objectives", i, "cell", cell=one.cell)
            seen.add(one.cell)
            if one.cell and set(one.facts) & set(self.scenario.cells.get(one.cell, ())):
                text = f"facts of {one.cell} are told twice, here and under cells"
                yield self._bad("twice", text, "objectives", i, "facts", cell=one.cell)

    def _markers(self) -> Iterator[ScenarioFinding]:
        for name, marker in self.scenario.markers.items():
            if sum(map(bool, (marker.cell, marker.unit, marker.box))) > 1:
                text = f"the marker {name} is in one place: a cell, a unit or a box"
                yield self._bad("placed twice", text, "markers", name)
            if marker.unit and marker.unit not in self.scenario.units:
                text = f"no unit {marker.unit!r} in the order of battle"
                yield self._bad("unit", text, "markers", name, "unit", unit=marker.unit)
