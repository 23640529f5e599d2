"""Section 6.7: army reserves, their markers and their commitment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.movement import southern_sector, stacking
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit, SetTrack
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "alarmed",
    "commit",
    "markers",
    "place_violations",
    "places",
    "step_violations",
    "unit_violations",
    "waiting",
]


def markers(now: Situation) -> tuple[Unit, ...]:
    """The reserve markers on the map; each stands for the units in its box (KHA-6.71)."""
    return tuple([u for u in now.position.of_type(SOVIET, "reserve") if u.cell])


def box_of(marker: Unit) -> str:
    """The box of a marker's army."""
    return f"reserve-{marker.value('army')}"


def waiting(now: Situation) -> tuple[Unit, ...]:
    """Every unit that is still in reserve."""
    return tuple(u for m in markers(now) for u in now.position.in_box(box_of(m)))


def marker_of(now: Situation, unit: Unit) -> Unit | None:
    """The marker that stands for a unit in its box."""
    return next((m for m in markers(now) if box_of(m) == unit.box), None)


def too_near(now: Situation) -> int:
    """Hexes too near to Axis units for a marker (KHA-6.72)."""
    distance: int = now.tables.schedule["reserve_distance"]
    if now.option("reserve_distance") == "nearer":
        distance -= 1
    near = now.occupied(AXIS)
    for _ in range(distance):
        near |= now.board.around(near)
    return near


def step_violations(
    now: Situation, units: Sequence[Unit], here: str, to: str
) -> Iterator[Violation]:
    """What binds markers (KHA-6.72) and the southern armies (KHA-6.77) on their way."""
    for unit in units:
        if unit.type == "reserve":
            near = now.position.remember("near Axis units", lambda: too_near(now))
            if near & now.board.bit[to]:
                text = f"{to} is too near to Axis units for a reserve"
                yield Violation("KHA-6.72", text, cells=(to,), units=(unit.id,))
    yield from out_of_the_south(now, units, here, to)


def out_of_the_south(
    now: Situation, units: Sequence[Unit], here: str, to: str
) -> Iterator[Violation]:
    """KHA-6.77: by rail alone, until the south is active."""
    if southern_sector.awake(now) or not now.board.south(here) or now.board.south(to):
        return
    for unit in units:
        if unit.has("southern"):
            text = "southern units reach the north by rail alone before the south is active"
            yield Violation("KHA-6.77", text, cells=(here, to), units=(unit.id,))


# Commitment


def places(now: Situation, unit: Unit) -> tuple[str, ...]:
    """The hexes on which a unit may be placed: within 2 of its marker (KHA-6.73)."""
    marker = marker_of(now, unit)
    if marker is None:
        return ()
    disk = now.board.disk(marker.cell, now.tables.schedule["reserve_radius"])
    through = disk & ~now.closed(SOVIET)
    if now.fights(unit):
        through &= ~now.full(SOVIET)
    return tuple(now.board.names(through))


def unit_violations(now: Situation, unit: Unit) -> Iterator[Violation]:
    """What is wrong with committing this unit anywhere."""
    mine = (unit.id,)
    marker = marker_of(now, unit)
    if unit.side != SOVIET or marker is None:
        yield Violation("KHA-6.71", f"{unit.id} is not in reserve", units=mine)
    elif now.position.state != "alarm_placement":
        yield from _limits(now, marker, mine)
    elif (alarm := _alarm(now)) != marker.id:
        text = f"only the reserve of {alarm} is alarmed"
        yield Violation("KHA-6.75", text, units=mine)


def place_violations(now: Situation, unit: Unit, cell: str) -> Iterator[Violation]:
    """What is wrong with the hex to which a unit in reserve is committed."""
    mine = (unit.id,)
    marker = marker_of(now, unit)
    if unit.side != SOVIET or marker is None:
        return
    radius = now.tables.schedule["reserve_radius"]
    if now.board.distance(marker.cell, cell) > radius:
        text = f"{cell} is more than {radius} hexes from {marker.id}"
        yield Violation("KHA-6.73", text, cells=(marker.cell, cell), units=mine)
    if now.closed(SOVIET) & now.board.bit[cell]:
        yield Violation("KHA-6.22", f"the enemy is in {cell}", cells=(cell,), units=mine)
    yield from stacking.violations(now, (unit,), cell, SOVIET)


def _limits(now: Situation, marker: Unit, mine: tuple[str, ...]) -> Iterator[Violation]:
    plan = now.tables.schedule["reserves"]
    if now.turn < plan["first"]:
        yield Violation("KHA-4.2.A1", "no reserves on the first turn", units=mine)
    elif now.turn <= plan["limited_until"] and committed(now, marker) >= plan["limit"]:
        # KHA-6.76: from turn 4 on there is no limit.
        text = f"only {plan['limit']} units may be committed so early"
        yield Violation("KHA-6.74", text, units=mine)


def _counter(now: Situation, marker: Unit) -> str:
    """The track that counts against the limit of KHA-6.74, by the reading in use."""
    if now.option("reserve_limit") == "reserve":
        return f"committed-{marker.value('army')}"
    return "committed"


def committed(now: Situation, marker: Unit) -> int:
    """How many units count against the limit now."""
    return now.position.track(_counter(now, marker))


def commit(play: Play, unit: Unit, cell: str) -> None:
    """The unit comes onto the map and acts normally from now on."""
    now = play.now
    marker = marker_of(now, unit)
    assert marker is not None
    if now.position.state != "alarm_placement":
        track = _counter(now, marker)
        play.do(SetTrack(track, now.position.track(track) + 1))
    play.enter((unit.id,), cell)
    if now.board.south(marker.cell):
        play.flag((unit.id,), "southern")
    guarded = now.tables.schedule["guarded_reserve"]
    if marker.value("army") == guarded["army"] and now.turn <= guarded["until"]:
        southern_sector.activate(play, "KHA-6.55", f"the reserve of {marker.id} is committed early")
    if not play.now.position.in_box(box_of(marker)):
        # KHA-6.73: an empty reserve needs no marker.
        play.do(
            MoveUnit(marker.id, box="eliminated"), ChangeUnit(marker.id, flags=frozenset({"empty"}))
        )


# The alarm of KHA-6.75


def alarmed(now: Situation, side: str, before: str, cell: str) -> tuple[str, ...]:
    """The markers that an Axis unit has just come too near to, if their boxes are not empty."""
    if side != AXIS or not (now.turn >= _first(now) or now.option("first_turn_alarm")):
        return ()
    distance: int = now.tables.schedule["reserve_distance"]
    if now.option("reserve_distance") == "within":
        distance += 1
    far = now.board.distance
    return tuple(
        marker.id
        for marker in markers(now)
        if far(cell, marker.cell) < distance
        and (not before or far(before, marker.cell) >= distance)
        and now.position.in_box(box_of(marker))
    )


def _first(now: Situation) -> int:
    """The first turn with a phase for reserves."""
    first: int = now.tables.schedule["reserves"]["first"]
    return first


def ring(play: Play, alarms: Sequence[str]) -> None:
    """The Soviet player may commit that whole reserve at once; of several, one after the other."""
    if alarms:
        _ask(play, "alarm", alarms)


def _ask(play: Play, kind: str, alarms: Sequence[str]) -> None:
    others = [{"kind": "reserve", "marker": marker} for marker in alarms[1:]]
    play.ask(kind, SOVIET, about={"marker": alarms[0]}, agenda=others)


def answer(play: Play, *, accept: bool) -> None:
    """KHA-6.75: all of that reserve is committed, or none of it."""
    if accept and left_to_place(play.now):
        alarm = play.answered("alarm")
        _ask(play, "alarm_placement", (alarm.text("marker"), *_others(alarm)))
    else:
        silence(play)


def silence(play: Play) -> None:
    """The alarm is over, unless another reserve heard it too."""
    alarm = play.answered(play.now.position.state)
    ring(play, _others(alarm))


def _others(alarm: Frame) -> tuple[str, ...]:
    return tuple(str(entry["marker"]) for entry in alarm.agenda)


def _alarm(now: Situation) -> str:
    """The marker of the reserve that is alarmed."""
    asked = now.position.asked()
    return asked.text("marker") if asked is not None else ""


def left_to_place(now: Situation) -> tuple[Unit, ...]:
    """The alarmed units that still have somewhere to go."""
    marker = now.position.units.get(_alarm(now))
    if marker is None or not marker.cell:
        return ()
    return tuple(u for u in now.position.in_box(box_of(marker)) if places(now, u))
