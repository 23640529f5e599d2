"""What names refer to: units, cells, markers, cards, sides and boxes that must be there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.rules.state.view import knows, sees

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from hexmarshal.rules.action import Param, Signature
    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position
    from hexmarshal.rules.values import Record, Value

__all__ = ["missing", "missing_in"]


def missing(
    plugin: GamePlugin, known: Position, kind: Signature, params: Record, side: str
) -> list[tuple[str, str, str]]:
    """Everything named that is not there, as far as the side can know: what, its name, where."""
    found: list[tuple[str, str, str]] = []
    given = params.plain()
    for param, what in kind.references:
        value = given.get(param)
        if value is None:
            continue
        exists = _EXISTS[what]
        if isinstance(value, tuple):
            for i, name in enumerate(value):
                if isinstance(name, str) and not exists(plugin, known, name, side):
                    found.append((what, name, f"{param}[{i}]"))
        elif isinstance(value, str) and not exists(plugin, known, value, side):
            found.append((what, value, param))
    for nested in kind.nested:
        found += missing_in(plugin, known, nested, params.get(nested.name), side)
    return found


def missing_in(
    plugin: GamePlugin, known: Position, param: Param, value: Value, side: str = ""
) -> Iterator[tuple[str, str, str]]:
    """Everything that one value names and that is not there."""
    for what, name, where in param.named(value, param.name):
        if not _EXISTS[what](plugin, known, name, side):
            yield what, name, where


def _has_unit(_: GamePlugin, known: Position, name: str, side: str) -> bool:
    unit = known.units.get(name)
    return unit is not None and (not side or sees(side, unit))


def _has_cell(plugin: GamePlugin, known: Position, name: str, _: str) -> bool:
    return plugin.has_cell(known, name)


def _has_marker(_: GamePlugin, known: Position, name: str, side: str) -> bool:
    marker = known.markers.get(name)
    return marker is not None and (not side or sees(side, marker))


def _has_card(plugin: GamePlugin, known: Position, name: str, side: str) -> bool:
    if plugin.has_card(name):
        return True
    piles = known.piles.values()
    return any(name in p.cards for p in piles if not side or knows(side, p))


def _has_side(_: GamePlugin, known: Position, name: str, __: str) -> bool:
    return name in known.sides


def _has_box(plugin: GamePlugin, _: Position, name: str, __: str) -> bool:
    return any(box.key == name for box in plugin.game.boxes)


_EXISTS: Mapping[str, Callable[[GamePlugin, Position, str, str], bool]] = {
    "unit": _has_unit,
    "cell": _has_cell,
    "marker": _has_marker,
    "card": _has_card,
    "side": _has_side,
    "box": _has_box,
}
