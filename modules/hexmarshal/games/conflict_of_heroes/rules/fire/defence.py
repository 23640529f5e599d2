"""What protects a target: front or flank, terrain, smoke, shelter, each with its rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.games.conflict_of_heroes.rules.fire.attack_kinds import explosive, higher, shells
from hexmarshal.games.conflict_of_heroes.rules.terrain import sight
from hexmarshal.games.conflict_of_heroes.state.execution import listed, mapped
from hexmarshal.rules.verdict import Modifier

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.rules.fire.attack_kinds import Assault
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.rules.state.pieces import Marker, Unit

__all__ = ["Rating", "modifiers", "rating", "smoke"]


class Rating(NamedTuple):
    """The printed defence that counts, and the rules that say why."""

    facing: str
    value: int
    rules: tuple[str, ...]


def rating(now: Situation, assault: Assault, target: Unit) -> Rating:
    """COH-7.3a: the front or the flank rating."""
    counter = now.counter(target)
    if reason := _flank(now, assault, target):
        return Rating("flank", counter.flank, ("COH-7.3a", reason))
    if now.hidden(target):
        return Rating("front", counter.front, ("COH-7.3a", "COH-10.0d"))
    return Rating("front", counter.front, ("COH-7.3a",))


def _flank(now: Situation, assault: Assault, target: Unit) -> str:
    """The rule by which the attack meets the flank; '' if it meets the front."""
    if target.carrier:
        return "COH-17.1a"
    if assault.flame:
        return "COH-19.1a"
    if assault.weapon is not None:
        return assault.weapon.rule
    if assault.close:
        return "COH-7.7.3c"
    if explosive(now, assault):
        return "COH-10.0e" if now.hidden(target) else "COH-12.1a"
    facing = now.facing(target)
    # COH-10.0d: who is hidden has no facing yet, whatever is noted.
    if facing is None or not assault.origin or now.hidden(target):
        return ""
    if now.board.in_arc(now.cell(target), facing, assault.origin):
        return ""
    return "COH-6.1b" if now.fort(target) is None else "COH-18.4c"


def modifiers(
    now: Situation, assault: Assault, target: Unit, facing: str, colour: str
) -> Iterator[Modifier]:
    """All that is added to, or taken from, the printed defence."""
    yield from _terrain_mods(now, assault, target, colour)
    yield from smoke(now, assault)
    yield from _shelter_mods(now, assault, target)
    hit = now.hit(target)
    if hit is not None:
        change = hit.front if facing == "front" else hit.flank
        if change:
            yield Modifier(hit.title, change, hit.rule, "defence")
    last = mapped(now.position.extras.get("last"))
    if target.id in listed(last.get("exposed", ())) and not target.carrier:
        amount = now.tables.number("movement", "exposed")
        yield Modifier("moved without caution", amount, "COH-5.0.3a", "defence")


def _terrain_mods(
    now: Situation, assault: Assault, target: Unit, colour: str
) -> Iterator[Modifier]:
    cell = now.cell(target)
    kind = now.kind(cell)
    weapon = assault.weapon
    # COH-19.1a, COH-CW3: flames and mines under tracks do not care.
    ignored = assault.flame or (weapon is not None and weapon.vehicles_only)
    # COH-12.2a: shells burst in the trees; a closed vehicle does not feel it.
    airburst = kind.key == "forest" and shells(now, assault) and colour == "red"
    if kind.defence and not ignored and not airburst:
        yield Modifier(kind.title, kind.defence, "COH-5.0b", "defence")
    if airburst:
        yield Modifier("airburst: no forest", 0, "COH-12.2a", "defence")
    distant = assault.origin and not assault.close and not ignored
    # COH-5.0.2a; not against shells (COH-5.0.2b).
    direct = distant and not shells(now, assault) and assault.origin != cell
    if direct and sight.crosses_wall(now.board, assault.origin, cell):
        wall = now.tables.terrain["wall"].defence
        yield Modifier("wall", wall, "COH-5.0.2a", "defence")
    if assault.origin and not assault.close and higher(now, cell, assault.origin):
        rule = "COH-12.0e" if assault.indirect else "COH-11.2a"
        amount = now.tables.number("fire", "higher_target")
        yield Modifier("on higher ground", amount, rule, "defence")


def smoke(now: Situation, assault: Assault) -> Iterator[Modifier]:
    """COH-13.0a, COH-13.0d: smoke at either end, and thin smoke on the way."""
    if points := now.smoke(assault.cell):
        rule = "COH-13.0a" if points > 1 else "COH-13.0d"
        yield Modifier("smoke on the target", points, rule, "defence")
    elsewhere = assault.origin and assault.origin != assault.cell
    if elsewhere and (points := now.smoke(assault.origin)):
        rule = "COH-13.0a" if points > 1 else "COH-13.0d"
        yield Modifier("smoke on the firer", points, rule, "defence")
    if assault.crossed:
        yield Modifier("smoke on the way", assault.crossed, "COH-13.0d", "defence")


def _shelter_mods(now: Situation, assault: Assault, target: Unit) -> Iterator[Modifier]:
    cell = now.cell(target)
    counter = now.counter(target)
    if now.work(cell, "roadblock"):
        amount = now.tables.works["roadblock"].defence
        yield Modifier("roadblock", amount, "COH-18.3.2b", "defence")
    if target.carrier:
        carrier = now.position.units.get(target.carrier)
        shield = now.counter(carrier).shield if carrier is not None else 0
        if shield:
            yield Modifier("armoured carrier", shield, "COH-16.1a", "defence")
        return  # COH-17.0f: no other vehicle protects who rides on it.
    fort = now.fort(target)
    if fort is not None:
        # COH-18.1a, COH-7.7.3j: only those inside.
        work = now.tables.works[fort.kind]
        if fort.kind == "bunker":
            weak = _on_bunker_flank(now, assault, fort)
            flank = work.defence if work.defence_flank is None else work.defence_flank
            yield Modifier("bunker", flank if weak else work.defence, "COH-18.1.2b", "defence")
        else:
            yield Modifier(work.title, work.defence, "COH-18.1.1b", "defence")
    if target.has("hasty"):
        amount = now.tables.supply("hasty_defence", "defence")
        yield Modifier("hasty defence", amount, "COH-18.1.3b", "defence")
    if counter.infantry:
        # Each vehicle in the hex, whosever it is.
        vehicles = sum(now.counter(u).vehicle and not u.carrier for u in now.at(cell))
        if vehicles:
            amount = vehicles * now.tables.number("fire", "vehicle_shelter")
            yield Modifier("behind vehicles", amount, "COH-15.6a", "defence")


def _on_bunker_flank(now: Situation, assault: Assault, fort: Marker) -> bool:
    if assault.close or assault.weapon is not None or explosive(now, assault):
        return True
    if fort.facing is None or not assault.origin:
        return True
    return not now.board.in_arc(fort.cell, fort.facing, assault.origin)
