"""Checks of names that VASSAL needs to be unique, or to be there at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.components import (
    Board,
    BoardPicker,
    Component,
    DrawPile,
    GamePieceImage,
    GlobalProperties,
    GlobalProperty,
    Map,
    MapShader,
    PlayerRoster,
    PrototypeDefinition,
    ScenarioPropertiesOptionTab,
    TurnTracker,
    Zone,
    ZoneProperty,
)
from hexmarshal.vassal.lint.checks import Check, Found, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.lint.subject import ModuleSubject

__all__ = ["CHECKS"]


@dataclass(frozen=True, slots=True)
class _Unique:
    """Components of a class are told apart by name within a scope (None: the whole module)."""

    cls: type[Component]
    scope: type[Component] | None
    what_happens: str


_UNIQUE: Final = (
    _Unique(Map, None, "saves and traits find only the first"),
    _Unique(PrototypeDefinition, None, "pieces get only the last"),
    _Unique(DrawPile, None, "cards are returned only to the first"),
    _Unique(Board, BoardPicker, "only the first can be chosen"),
    _Unique(ZoneProperty, Zone, "only the last counts"),
    _Unique(GlobalProperty, GlobalProperties, "only the last counts"),
    _Unique(ScenarioPropertiesOptionTab, GlobalProperties, "the engine wants one of a name"),
    _Unique(MapShader, Map, "only the first is found by name"),
    _Unique(TurnTracker, None, "saves find only the first"),
    _Unique(GamePieceImage, None, "only one of them is drawn"),
)


def _duplicate(subject: ModuleSubject) -> Iterator[Found]:
    for rule in _UNIQUE:
        seen: dict[tuple[object, str], Component] = {}
        for component in subject.each(rule.cls):
            if isinstance(component, ZoneProperty) and rule.cls is GlobalProperty:
                continue
            key = (_scope(component, rule.scope), component.name)
            first = seen.setdefault(key, component) if component.name else component
            if first is not component:
                kind = rule.cls.tag.rpartition(".")[2]
                where = f" (the first is in line {first.line})" if first.line else ""
                message = f"a second {kind} {component.name!r}{where}: {rule.what_happens}"
                yield subject.found(component, message)
    for roster in subject.each(PlayerRoster):
        for side in dict.fromkeys(s for s in roster.sides if roster.sides.count(s) > 1):
            yield subject.found(roster, f"the side {side!r} is there more than once")


def _scope(component: Component, scope: type[Component] | None) -> object:
    if scope is None:
        return None
    return next((a for a in component.ancestors() if isinstance(a, scope)), None)


def _nameless(subject: ModuleSubject) -> Iterator[Found]:
    for component in subject.components:
        match component:
            case Map() if component.stock and not component.name:
                yield subject.found(component, "a map without a name")
            case PrototypeDefinition() | GlobalProperty() if not component.name:
                kind = component.short_name
                yield subject.found(component, f"a {kind} without a name can never be used")


CHECKS: Final[tuple[Check[ModuleSubject], ...]] = (
    Check(
        "duplicate-name",
        Severity.WARNING,
        "A name is used twice where VASSAL tells things apart by name",
        "rename one of them, and what refers to it",
        _duplicate,
    ),
    Check(
        "nameless",
        Severity.WARNING,
        "A map, prototype or property has no name",
        "give it one: a map without a name is known by its place in the build file",
        _nameless,
    ),
)
