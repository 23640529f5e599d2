"""HOS-3.9, HOS-5.11, HOS-5.12: destruction points, buildings that collapse, wrecks removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.cards.windows import throw
from hexmarshal.games.heroes_of_stalingrad.rules.fire.shooting import dice_of
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.state.kinds import DESTROYED, INFANTRY, RUSSIAN
from hexmarshal.rules.copying import copied
from hexmarshal.rules.dice import Roll
from hexmarshal.rules.state.effects import AddMarker, MoveUnit, RemoveMarker, SetCell
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.ground.ground import Element
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Record, Value

__all__ = [
    "add_points",
    "candidates",
    "check",
    "collapse",
    "demolish",
    "deploy",
    "points_on",
    "redeploy",
    "rolled",
    "structures",
]


def structures(now: Situation, cells: Iterable[str]) -> Iterator[tuple[str, int, str]]:
    """HOS-3.9: the structures in some cells: what, its value, one of its cells; each once."""
    seen: set[str] = set()
    for cell in cells:
        element = now.element(cell)
        if element is not None and element.kind.structure and element.id not in seen:
            seen.add(element.id)
            yield element.id, element.kind.structure, cell
        for wreck in now.wrecks(cell):
            kind = now.tables.kinds.get(now.face(wreck).terrain)
            if kind is not None and kind.structure and wreck.id not in seen:
                seen.add(wreck.id)
                yield wreck.id, kind.structure, cell


def _cells_of(now: Situation, what: str) -> frozenset[str]:
    element = now.ground.elements.get(what)
    if element is not None:
        return element.cells
    unit = now.position.units.get(what)
    return frozenset(unit.cells) if unit is not None else frozenset()


def points_on(now: Situation, what: str) -> int:
    """HOS-5.11: the destruction points on a structure."""
    return sum(
        points
        for marker in now.position.markers.values()
        if marker.kind == "destruction"
        and _belongs(now, marker, what)
        and isinstance(points := marker.values.get("points", 0), int)
    )


def _belongs(now: Situation, marker: Marker, what: str) -> bool:
    if marker.unit:
        return marker.unit == what
    if what in now.position.units:
        element = now.element(marker.cell)
        if element is not None and element.kind.structure:
            return False
    return marker.cell in _cells_of(now, what)


def demolish(play: Play, entry: Record) -> None:
    """HOS-5.11: dice against the structure of a cell; each 4 or more is a destruction point."""
    cells = entry.get("cells", ())
    names = [str(c) for c in cells] if isinstance(cells, tuple) else []
    found = list(structures(play.now, names))
    if not found:
        return
    if entry.get("all") is not True:
        found = found[:1]
    count = entry["count"]
    assert isinstance(count, int)
    (what, _, cell), *rest = found
    if rest:
        others = {c for w, _, c in rest}
        play.first({**dict(entry), "cells": sorted(others)})
    by = play.position.units.get(str(entry.get("by", "")))
    side = by if by is not None else play.now.initiative
    then = {"kind": "demolished", "what": what, "cell": cell, "by": entry.get("by")}
    throw(play, "destruction", count, side, then)


def rolled(play: Play, entry: Record) -> None:
    """The dice of Destruction; Suppressed does not count."""
    dice = dice_of(entry)
    success = int(play.now.tables.limits["destruction"]["success"])
    points = sum(die >= success for die in dice)
    play.decide(
        Resolution(
            "destruction",
            f"{points} points",
            dice=tuple(Roll(6, d, "destruction") for d in dice),
            steps=(Step(f"{list(dice)}: {success} or more counts", "HOS-5.11"),),
            values=FrozenMap({"what": str(entry["what"]), "points": points}),
        )
    )
    if points:
        play.first({"kind": "points", "what": str(entry["what"]), "count": points})


def add_points(play: Play, entry: Record) -> None:
    """HOS-3.9: points are added; at the structure's value it is destroyed."""
    now = play.now
    what = str(entry.get("what") or entry.get("target"))
    count = entry["count"]
    assert isinstance(count, int)
    cells = _cells_of(now, what)
    found = next((s for s in structures(now, sorted(cells)) if s[0] == what), None)
    if found is None:
        return
    _, value, _ = found
    total = points_on(now, what) + count
    _set_points(play, what, min(cells), total)
    rule = str(entry.get("rule", "HOS-5.11"))
    play.tell("destruction points", f"{what}: {total} of {value}", (f"{count} more", rule))
    if total >= value:
        if what in now.position.units:
            _drop_points(play, what)
            play.do(MoveUnit(what, box=DESTROYED))
            play.tell(
                "destruction", f"{what} is removed", ("a wreck goes off the board", "HOS-3.9")
            )
        else:
            play.first({"kind": "collapse", "what": what})


def _set_points(play: Play, what: str, cell: str, total: int) -> None:
    _drop_points(play, what)
    name = f"destruction-{what}"
    wreck = what in play.position.units
    marker = Marker(
        name,
        "destruction",
        unit=what if wreck else "",
        cell="" if wreck else cell,
        values=FrozenMap({"points": total}),
    )
    play.do(AddMarker(name, marker))


def _drop_points(play: Play, what: str) -> None:
    for marker in list(play.position.markers.values()):
        if marker.kind == "destruction" and _belongs(play.now, marker, what):
            play.do(RemoveMarker(marker.id))


def collapse(play: Play, entry: Record) -> None:
    """HOS-5.12: a building becomes a ruin; who is inside is shaken, vehicles are destroyed."""
    what = str(entry["what"])
    now = play.now
    element = now.ground.elements.get(what)
    if element is None:
        return
    _drop_points(play, what)
    units = [unit for unit in now.live() if unit.cell and not element.cells.isdisjoint(unit.cells)]
    _ruin(play, element)
    play.tell("collapse", f"{what} is destroyed", ("its ruin shows", "HOS-5.12"))
    infantry = [u for u in units if now.family(u) == INFANTRY]
    vehicles = [u for u in units if now.family(u) != INFANTRY]
    entries: list[dict[str, object]] = [
        {"kind": "suppress", "unit": unit.id, "count": 1} for unit in infantry
    ]
    entries += [{"kind": "destroy", "unit": unit.id} for unit in vehicles]
    for side in now.in_order():
        mine = [u.id for u in infantry if u.side == side]
        if mine:
            cells = sorted(element.cells)
            entries.append({"kind": "redeploy", "units": mine, "cells": cells, "side": side})
    play.first(*entries)


def _ruin(play: Play, element: Element) -> None:
    if element.tile:
        marker = play.position.markers[element.tile]
        ruins = marker.values.get("ruins", ())
        known = ruins if isinstance(ruins, tuple) else ()
        parts = play.now.tables.tile_rows[str(marker.values["tile"])]["parts"]
        fallen = tuple(part for part in parts if part in known or part == element.part)
        values = marker.values.set("ruins", fallen)
        play.do(AddMarker(marker.id, copied(marker, values=values)))
        return
    for cell in sorted(element.cells):
        play.do(SetCell(cell, FrozenMap({"terrain": element.kind.ruin or "", "openings": None})))


def redeploy(play: Play, entry: Record) -> None:
    """HOS-5.12: the units of one side are placed anew in the ruin, one after the other."""
    units, cells = entry.get("units", ()), entry.get("cells", ())
    names = [str(u) for u in units] if isinstance(units, tuple) else []
    alive = [name for name in names if play.now.is_live(play.unit(name))]
    if not alive:
        return
    side = str(entry.get("side", RUSSIAN))
    play.ask("redeploy", side, about={"units": alive, "cells": cells})


def check(now: Situation, action: Action) -> Verdict:
    """HOS-5.12: where a unit may be placed in a ruin."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = now.position.frame("redeploy")
    if frame is None:
        return
    unit = action.text("unit")
    if unit not in frame.texts("units"):
        yield Violation("HOS-5.12", f"{unit} is not to be placed anew", units=(unit,))
    cell = action.text("cell")
    if cell not in frame.texts("cells"):
        yield Violation("HOS-5.12", f"{cell} is not in the ruin", cells=(cell,), units=(unit,))
        return
    waiting = frame.texts("units")
    for one in now.occupants(cell):
        if one.id != unit and one.id not in waiting:
            text = f"{one.id} is in {cell}"
            yield Violation("HOS-5.12", text, cells=(cell,), units=(unit, one.id))


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The units and the cells of the ruin."""
    del action
    frame = now.position.frame("redeploy")
    if frame is None or slot not in ("unit", "cell"):
        return None
    return frame.texts("units" if slot == "unit" else "cells")


def deploy(play: Play, action: Action) -> None:
    """One unit is placed; the next one waits."""
    frame = play.answered("redeploy")
    unit, cell = action.text("unit"), action.text("cell")
    here = play.unit(unit).cell
    left = [name for name in frame.texts("units") if name != unit]
    # Who stands there and is still to be placed changes places with it.
    for one in play.now.occupants(cell):
        if one.id in left and one.id != unit:
            play.do(MoveUnit(one.id, here))
    play.do(MoveUnit(unit, cell))
    if left:
        play.ask("redeploy", action.side, about={"units": left, "cells": frame.texts("cells")})
    go_on(play)
