"""Section 10.5: attackers advance into the hex that they emptied, mechanized units beyond it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.ground.control import enter, sweep
from hexmarshal.games.traces_of_war.rules.ground.stacking import crowded, overfull
from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.games.traces_of_war.state.kinds import HQ
from hexmarshal.rules.state.effects import ChangeFrame, MoveUnit
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["advance", "begin", "candidates", "check", "finish"]


def begin(play: Play, battle: Frame) -> None:
    """TOW-10.5a: ask the attacker, if the hex is empty and one of his units is left to go."""
    now, cell, side = play.now, battle.text("cell"), battle.text("side")
    if now.enemies(cell, side):
        return
    if battle.value("opening") and not now.option("opening_advance"):
        return
    origins = battle.value("origins")
    assert isinstance(origins, FrozenMap)
    able = [n for n, start in origins.items() if now.unit(n).cell == start]
    if any(now.unit(name).type != HQ for name in able):
        about = {"cell": cell, "units": able, "went": {}}
        play.ask("advance", side, about=about)


def check(now: Situation, action: Action) -> Verdict:
    """One unit's advance."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = now.position.frame("advance")
    unit = now.unit(action.text("unit"))
    mine = (unit.id,)
    if frame is None or unit.id not in frame.texts("units") or unit.side != action.side:
        yield Violation("TOW-10.5a", f"{unit.id} took no part in the attack", units=mine)
        return
    went = frame.value("went")
    if isinstance(went, FrozenMap) and unit.id in went:
        yield Violation("TOW-10.5a", f"{unit.id} has advanced", units=mine)
        return
    cell = frame.text("cell")
    if now.enemies(cell, unit.side):
        yield Violation("TOW-10.5a", f"{cell} is not empty", cells=(cell,), units=mine)
    path = action.texts("path")
    if not path:
        text = "an advance enters at least one hex"
        yield Violation("TOW-10.5d", text, field="path", cured_by=("path",))
        return
    if path[0] != cell:
        text = f"the first hex of an advance is {cell}, which was attacked"
        yield Violation("TOW-10.5d", text, cells=(path[0],), units=mine)
    yield from _far(now, frame, unit, path)
    yield from _way(now, unit, path)
    if path[-1] in now.board.hexes and (rule := crowded(now, unit, path[-1])):
        # TOW-10.5h: judged in the last hex; a full one may be passed through.
        yield from overfull(now, unit, path[-1], rule, "TOW-10.5h", "path")


def _far(now: Situation, frame: Frame, unit: Unit, path: tuple[str, ...]) -> Iterator[Violation]:
    mine = (unit.id,)
    if unit.type == HQ:
        # TOW-10.5c: as far as a combat unit of its hex has gone, on the same way.
        went = frame.value("went")
        gone = went.items() if isinstance(went, FrozenMap) else ()
        ways = [way for name, way in gone if _stacked(now, name, unit)]
        if not any(isinstance(way, tuple) and way[: len(path)] == path for way in ways):
            text = f"no combat unit that it was stacked with has gone to {path[-1]}"
            yield Violation("TOW-10.5c", text, cells=path, units=mine)
        return
    # TOW-10.5b: even where the defender went back one hex only.
    limit = 2 if now.kind(unit).mechanized else 1
    if len(path) > limit:
        text = f"it advances {limit} hex{'es' * (limit > 1)} at most"
        yield Violation("TOW-10.5b", text, cells=path, units=mine)
        if limit == 1:
            text = f"only mechanized units go on to other hexes: {unit.id} is none"
            yield Violation("TOW-10.5f", text, cells=path, units=mine)


def _stacked(now: Situation, name: str, hq: Unit) -> bool:
    """Whether a unit began the combat in the headquarters' hex."""
    battle = now.position.frame("battle")
    origins = battle.value("origins") if battle is not None else None
    if not isinstance(origins, FrozenMap) or now.unit(name).type == HQ:
        return False
    return origins.get(name) == hq.cell


def _way(now: Situation, unit: Unit, path: tuple[str, ...]) -> Iterator[Violation]:
    """TOW-10.5d, 10.5g, 10.5h; movement points and enemy zones do not matter (TOW-10.5e)."""
    mine, here = (unit.id,), unit.cell
    for i, cell in enumerate(path):
        pair = (here, cell)
        if cell not in now.board.hexes:
            yield Violation("TOW-10.5h", f"{cell} is off the map", cells=(cell,), units=mine)
            return
        if not now.board.adjacent(here, cell):
            text = f"{cell} is not adjacent to {here}"
            yield Violation("TOW-10.5d", text, cells=pair, units=mine)
        side = now.board.side(here, cell)
        if side.blocked:
            text = f"the hexside between {here} and {cell} is blocked"
            yield Violation("TOW-10.5h", text, cells=pair, units=mine)
        if side.unbridged_major and i:
            text = f"the second hex of an advance is not across the river at {here}"
            yield Violation("TOW-10.5g", text, cells=pair, units=mine)
        elif side.unbridged_major and len(path) > 1:
            text = "it crosses a major river without a bridge and must stop"
            yield Violation("TOW-10.5g", text, cells=pair, units=mine)
        if i and now.enemies(cell, unit.side):
            yield Violation("TOW-5.0d", f"enemies are in {cell}", cells=(cell,), units=mine)
            text = f"enemy zones are ignored, the enemies in {cell} are not"
            yield Violation("TOW-10.5e", text, cells=(cell,), units=mine)
        here = cell


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Who may still go; the attacked hex first."""
    frame = now.position.frame("advance")
    if frame is None:
        return ()
    if slot == "unit":
        went = frame.value("went")
        gone = went if isinstance(went, FrozenMap) else FrozenMap[Value]()
        return [name for name in frame.texts("units") if name not in gone]
    path = action.so_far("path")
    if not path:
        return (frame.text("cell"),)
    unit = now.unit(action.text("unit"))
    if len(path) > 1 or not (now.kind(unit).mechanized or unit.type == HQ):
        return ()
    return now.board.near.get(path[-1], ())


def advance(play: Play, action: Action) -> None:
    """One unit goes; units of one combat may end in different hexes (TOW-10.5f)."""
    unit, path = play.now.unit(action.text("unit")), action.texts("path")
    frame = play.position.frame("advance")
    assert frame is not None
    went = frame.value("went")
    gone = went if isinstance(went, FrozenMap) else FrozenMap[Value]()
    play.do(
        MoveUnit(unit.id, path[-1]),
        ChangeFrame("advance", about=FrozenMap({"went": gone.set(unit.id, path)})),
    )
    steps = [Step(f"{play.now.name(unit)} advances to {path[-1]}", "TOW-10.5a")]
    steps += enter(play, unit, path)
    steps += sweep(play)
    play.decide(Resolution("advance", path[-1], steps=tuple(steps)))
    if len(gone) + 1 == len(frame.texts("units")):
        play.answered("advance")
    go_on(play)


def finish(play: Play, action: Action) -> None:
    """TOW-10.5a: nobody has to go."""
    del action
    play.answered("advance")
    go_on(play)
