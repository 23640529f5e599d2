"""Section 9.7: advance after combat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.combat.engagement import Engagement, current, decide, update
from hexmarshal.games.kharkov.rules.movement import reserves, stacking
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET, other
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["begin", "follow", "group_violations", "offers", "onward", "victor", "way_violations"]


def victor(engagement: Engagement) -> str:
    """Who may advance: the attacker if the defender suffered at all, else the defender.

    KHA-9.58: after a split result the defender never does.
    """
    return engagement.side if engagement.result.startswith("D") else other(engagement.side)


def _candidates(now: Situation, engagement: Engagement) -> tuple[Unit, ...]:
    """Victorious units that are left and did not retreat themselves (KHA-9.71)."""
    attacking = victor(engagement) == engagement.side
    ids = engagement.attackers if attacking else engagement.defenders
    moved = set(engagement.shaken)
    units = (now.position.units[unit_id] for unit_id in ids)
    return tuple(
        u for u in units if u.cell and now.fights(u) and u.id not in moved and not u.has("fled")
    )


def routes(now: Situation, engagement: Engagement) -> tuple[tuple[tuple[str, ...], bool], ...]:
    """Ways to follow: the trail of each retreat, or a hex whose units were all eliminated.

    With each, whether its second hex is free to choose (KHA-9.74). The first hex must be empty of
    enemies now.
    """
    found: dict[tuple[str, ...], bool] = {}
    left = {trail[0] for trail in engagement.trails if len(trail) > 1}
    for trail in engagement.trails:
        # KHA-9.75: as many hexes as the retreat called for
        found[trail[: engagement.called]] = False
    for cell in engagement.wiped:
        # KHA-9.74 lets eliminations be followed by 2 hexes; the switch keeps to KHA-9.75. Where
        # somebody of the hex got away there is his trail.
        far = engagement.called == 2 or now.option("wipeout_advance") == "two"
        found[(cell,)] = far and cell not in left
    origins = _origins(engagement)
    return tuple(
        (route, free)
        for route, free in found.items()
        if route
        and route[0] in origins
        and not now.closed(victor(engagement)) & now.board.bit[route[0]]
    )


def _origins(engagement: Engagement) -> set[str]:
    """Hexes of the beaten side that the combat was about."""
    if victor(engagement) == engagement.side:
        return set(engagement.targets)
    return {t[0] for t in engagement.trails} | set(engagement.wiped)


def begin(play: Play) -> bool:
    """Whether somebody can advance: then his side decides at once (KHA-9.73)."""
    now = play.now
    engagement = current(now)
    units = _candidates(now, engagement)
    update(play, stayed=tuple(u.id for u in units))
    if next(offers(play.now), None) is None:
        return False
    decide(play, "advance", victor(engagement))
    return True


def offers(now: Situation) -> Iterator[tuple[tuple[Unit, ...], tuple[str, ...]]]:
    """Who may go how far."""
    engagement = current(now)
    if not engagement.stayed:
        return
    ways = routes(now, engagement)
    for unit_id in engagement.stayed:
        unit = now.position.units[unit_id]
        for path in _paths(now, unit, ways, gone(engagement, unit_id)):
            if stacking.fits(now, (unit,), path[-1], unit.side):
                yield (unit,), path


def gone(engagement: Engagement, unit_id: str) -> tuple[str, ...]:
    """The hexes that a unit had advanced when an alarm stopped it (KHA-6.75)."""
    return next((way[1:] for way in engagement.halfway if way[0] == unit_id), ())


def _paths(
    now: Situation, unit: Unit, ways: Sequence[tuple[tuple[str, ...], bool]], done: tuple[str, ...]
) -> Iterator[tuple[str, ...]]:
    seen: set[tuple[str, ...]] = set()
    for route, free in ways:
        longer = [route[: i + 1] for i in range(len(route))]
        if free:
            longer += [(route[0], to) for to in now.board.near[route[0]] if to != unit.cell]
        for path in longer:
            left = path[len(done) :]
            if not left or path[: len(done)] != done or left in seen:
                continue
            if not any(_step_violations(now, unit, left)):
                seen.add(left)
                yield left


def _step_violations(now: Situation, unit: Unit, path: Sequence[str]) -> Iterator[Violation]:
    board, side, mine = now.board, unit.side, (unit.id,)
    here = unit.cell
    for i, to in enumerate(path):
        if not here:
            return  # KHA-9.71: who is not on the map does not advance
        if not board.adjacent(here, to):
            text = f"{to} is not adjacent to {here}"
            yield Violation("KHA-9.72", text, cells=(here, to), units=mine)
            return
        if board.side(here, to).barred:
            yield Violation("KHA-6.3", "the Dnieper has no bridge here", cells=(to,), units=mine)
        if now.closed(side) & board.bit[to]:
            yield Violation("KHA-9.74", f"the enemy is in {to}", cells=(to,), units=mine)
        if i and side == SOVIET and now.zoc(AXIS) & board.bit[here]:
            # KHA-9.72: Axis units ignore zones of control, Soviet ones stop in them.
            text = f"Soviet units stop in the zone of control in {here}"
            yield Violation("KHA-9.72", text, cells=(here,), units=mine)
        here = to


def group_violations(now: Situation, units: Sequence[Unit]) -> Iterator[Violation]:
    """What is wrong with these advancing; it is never compulsory."""
    engagement = current(now)
    ids = tuple(u.id for u in units)
    if not units:
        yield Violation("KHA-9.71", "who advances?", field="units")
    if len({u.cell for u in units}) > 1:
        yield Violation("KHA-9.71", "a group advances from one hex", units=ids)
    fighting = [u for u in units if now.fights(u)]
    for unit in units:
        rides = unit.type == "hq" and any(f.cell == unit.cell for f in fighting)
        if unit.side != victor(engagement) or not (unit.id in engagement.stayed or rides):
            # KHA-10.13: a headquarters may go along with the units of its hex.
            cure = ("units",) if unit.type == "hq" and _stayed_in(now, unit.cell) else ()
            text = f"{unit.id} may not advance"
            yield Violation("KHA-9.71", text, units=(unit.id,), cured_by=cure)


def _stayed_in(now: Situation, cell: str) -> bool:
    """Whether somebody in this hex may advance."""
    return any(now.position.units[unit].cell == cell for unit in current(now).stayed)


def way_violations(
    now: Situation, units: Sequence[Unit], path: Sequence[str]
) -> Iterator[Violation]:
    """What is wrong with the way that they follow."""
    engagement = current(now)
    ids = tuple(u.id for u in units)
    if not units:
        return
    if not path:
        yield Violation("KHA-9.71", "where do they advance?", field="path")
        return
    for unit in units:
        yield from _step_violations(now, unit, path)
    done = max((gone(engagement, u.id) for u in units), key=len)
    yield from _on_route(now, engagement, ids, (*done, *path))
    yield from stacking.violations(now, units, path[-1], units[0].side, cured_by=("path",))


def _on_route(
    now: Situation, engagement: Engagement, ids: tuple[str, ...], path: Sequence[str]
) -> Iterator[Violation]:
    ways = routes(now, engagement)
    if path[0] not in {route[0] for route, _ in ways}:
        text = f"{path[0]} was not left by the beaten units"
        yield Violation("KHA-9.71", text, cells=(path[0],), units=ids)
        return
    farthest = max(2 if free else len(route) for route, free in ways if route[0] == path[0])
    if len(path) > farthest:
        text = f"an advance of {len(path)} hexes, at most {farthest}"
        yield Violation("KHA-9.75", text, cells=tuple(path), units=ids)
    fits = any(
        route[: len(path)] == tuple(path) or (free and len(path) <= 2 and route[0] == path[0])
        for route, free in ways
    )
    if not fits:
        yield Violation("KHA-9.72", "off the path of the retreat", cells=tuple(path), units=ids)


def onward(now: Situation, engagement: Engagement, path: Sequence[str]) -> set[str]:
    """The hexes by which an advance that has come so far may go on."""
    done = len(path)
    found: set[str] = set()
    for route, free in routes(now, engagement):
        if route[:done] == path and len(route) > done:
            found.add(route[done])
        if free and done == 1 and route[0] == path[0]:
            found.update(now.board.near[path[0]])
    return found


def follow(play: Play, units: Sequence[Unit], path: Sequence[str]) -> None:
    """They advance; who advanced does not fight again this phase (KHA-9.73)."""
    ids = tuple(u.id for u in units)
    engagement = current(play.now)
    here, side = units[0].cell, units[0].side
    done = list(gone(engagement, ids[0]))
    alarms: tuple[str, ...] = ()
    for cell in path:
        play.enter(ids, cell)
        alarms = reserves.alarmed(play.now, side, here, cell)
        done.append(cell)
        here = cell
        if alarms:
            break
    play.flag((i for i in ids if play.now.fights(play.unit(i))), "advanced")
    play.unflag(ids, "strongpoint")
    play.settle(here)
    # KHA-6.75: who was stopped by an alarm may go on afterwards.
    stopped = here != path[-1]
    others = tuple(h for h in engagement.halfway if h[0] not in ids)
    update(
        play,
        stayed=tuple(i for i in engagement.stayed if stopped or i not in ids),
        halfway=(*others, *((i, *done) for i in ids if stopped)),
    )
    play.note("advance", f"{', '.join(ids)} to {here}", "KHA-9.71")
    reserves.ring(play, alarms)
