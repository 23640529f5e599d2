"""Hidden units: what gives them away, and how a unit goes into hiding."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes import payment, sight, solo, source
from hexmarshal.games.conflict_of_heroes.flow import end_action
from hexmarshal.games.conflict_of_heroes.movement import connected
from hexmarshal.rules.effects import AddUnit, ChangeUnit
from hexmarshal.rules.verdict import Cost, CostPart, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.conflict_of_heroes.scene import Scene
    from hexmarshal.games.conflict_of_heroes.table import Table
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.pieces import Unit

__all__ = [
    "apply_face",
    "apply_hide",
    "check_hide",
    "in_cover",
    "look_around",
    "reveal",
    "reveal_actor",
]


def in_cover(scene: Scene, unit: Unit, watcher: str) -> bool:
    """COH-10.0f: whether a hidden unit is in cover as seen from a hex; height is no cover."""
    cell = scene.cell(unit)
    if scene.kind(cell).cover or unit.has("hasty") or scene.fort(unit) is not None:
        return True
    # COH-5.0.2d
    return watcher != cell and sight.crosses_wall(scene.board, watcher, cell)


def betrayed(scene: Scene, unit: Unit) -> bool:
    """Whether a hidden unit can be hidden no longer where it is."""
    cell = scene.cell(unit)
    if _shares(scene, unit):
        return True
    for watcher in scene.watchers(unit.side):
        if scene.hidden(watcher):
            continue
        place = scene.cell(watcher)
        # COH-10.0f, COH-10.1b
        if (
            scene.board.distance(place, cell) <= solo.NEAR
            and not in_cover(scene, unit, place)
            and scene.sees(place, cell)
        ):
            return True
    return False


def look_around(table: Table) -> None:
    """Reveal every hidden unit that has been given away."""
    hidden = [u for u in table.position.units.values() if u.seen_by is not None and u.cell]
    for unit in hidden:
        now = table.position.units[unit.id]
        if now.seen_by is not None and betrayed(table.scene, now):
            reveal(table, unit.id, "COH-10.0c" if _shares(table.scene, now) else "COH-10.0f")
    solo.turn_coins(table)


def _shares(scene: Scene, unit: Unit) -> bool:
    """COH-10.0c, COH-10.0f: in one hex with a unit that is not hidden, or with any enemy."""
    others = (other for other in scene.at(scene.cell(unit)) if other.id != unit.id)
    return any(not scene.hidden(o) or scene.hostile(unit.side, o) for o in others)


def reveal(table: Table, unit: str, rule: str, facing: int | None = None) -> None:
    """COH-10.0a, COH-10.0b: a unit comes to light with all hidden ones in its hex.

    Its owner chooses the facing: now, if his own action reveals it, else as a decision.
    """
    first = table.unit(unit)
    if first.seen_by is None:
        return
    # COH-10.0c: whose they are does not matter.
    mates = [u for u in table.scene.at(first.cell) if u.seen_by is not None and u.id != unit]
    for one in (first, *mates):
        table.do(ChangeUnit(one.id, seen_by=("*",)))
        table.tell("revealed", f"{one.id} is revealed in {one.cell}", rule)
        if one.id == unit and facing is not None:
            table.do(ChangeUnit(one.id, facing=facing))
        elif one.facing is None and not one.carrier:
            table.ask("face", one.side, unit=one.id)


def reveal_actor(table: Table, unit: str, facing: int | None) -> None:
    """COH-10.0b: who acts is revealed, even out of every enemy's sight."""
    if table.unit(unit).seen_by is not None:
        reveal(table, unit, "COH-10.0b", facing)


def apply_face(table: Table, action: Action) -> None:
    """The owner of a unit that came to light says where it looks."""
    from hexmarshal.games.conflict_of_heroes.flow import advance

    entry = table.answered()
    table.do(ChangeUnit(str(entry["unit"]), facing=action.number("facing")))
    advance(table)


def check_hide(scene: Scene, action: Action) -> Verdict:
    """COH-10.2a."""
    units = [scene.position.unit(u) for u in action.texts("units")]
    cells = action.texts("cells")
    cost = Cost((CostPart(source.number("costs", "hide"), "go into hiding", "COH-10.2a"),), "AP")
    found = list(_hide_objections(scene, units, cells))
    found += payment.objections(scene, action, units, cost)
    return Verdict(tuple(found), payment.bill(action, cost))


def _hide_objections(
    scene: Scene, units: Sequence[Unit], cells: tuple[str, ...]
) -> Iterator[Violation]:
    rule = "COH-10.2a"
    if not units or len(units) != len(cells) or len({u.id for u in units}) != len(units):
        yield Violation(rule, "name each unit once, and a hex for each", field="cells")
        return
    if not connected(scene, units):
        yield Violation("COH-9.1a", "the group does not hang together")
    for unit, cell in zip(units, cells, strict=True):
        me, here = (unit.id,), scene.cell(unit)
        if scene.hidden(unit) or not here or unit.carrier:
            yield Violation(rule, f"{unit.id} is not in the open on the map", units=me)
            continue
        if not scene.counter(unit).light:
            yield Violation(rule, f"{unit.id} is no light foot unit", units=me)
        if scene.hit_marker(unit) is not None:
            yield Violation(rule, f"{unit.id} is hit", units=me)
        if scene.board.distance(here, cell) > 1:
            yield Violation(rule, f"{cell} is more than a hex away", units=me, cells=(cell,))
        for place in dict.fromkeys((here, cell)):
            if scene.watched(place, unit.side):
                yield Violation(rule, f"an enemy sees {place}", units=me, cells=(place,))
        if any(not scene.hidden(u) and u not in units for u in scene.at(cell)):
            text = f"{cell} holds a unit that is not hidden"
            yield Violation("COH-10.0c", text, units=me, cells=(cell,))


def apply_hide(table: Table, action: Action) -> None:
    """Off the map, to a hex that its owner alone knows."""
    units, cells = action.texts("units"), action.texts("cells")
    cost = Cost((CostPart(source.number("costs", "hide"), "hide", "COH-10.2a"),), "AP")
    payment.settle(table, action, units, cost)
    for unit, cell in zip(units, cells, strict=True):
        own = table.unit(unit)
        # In one stroke, so that the account shows the enemy nothing of where it went.
        gone = replace(
            own,
            cell=cell,
            facing=None,
            seen_by=frozenset({own.side}),
            flags=own.flags - {"hasty"},
            values=own.values.without("fort"),
        )
        table.do(AddUnit(unit, gone))
    look_around(table)
    end_action(table, action.side)
