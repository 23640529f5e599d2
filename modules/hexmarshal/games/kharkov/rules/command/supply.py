"""Section 11: who is supplied, and along which hexes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.command import headquarters
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET

if TYPE_CHECKING:
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["german_net", "line", "reason", "road_net", "soviet_net", "supplied", "sustained"]


def soviet_net(now: Situation) -> int:
    """Every hex with a supply path to the east edge, however long (KHA-11.21, KHA-11.23)."""
    return now.position.remember("soviet net", lambda: _soviet_net(now))


def _soviet_net(now: Situation) -> int:
    board, through = now.board, now.traceable(SOVIET)
    return board.spread(board.region("east_edge") & through, through, now.lines("passable"))


def road_net(now: Situation) -> int:
    """The road hexes that are sources: joined by road to the west edge or a named hex.

    KHA-11.33: no Soviet unit and no Soviet zone on the way, unless an Axis unit is in it.
    """
    return now.position.remember("road net", lambda: _road_net(now))


def _road_net(now: Situation) -> int:
    board = now.board
    through = now.traceable(AXIS) & board.region("road")
    return board.spread(board.region("road_ends") & through, through, board.crossing("road"))


def city_sources(now: Situation) -> int:
    """City hexes that no Soviet unit ever occupied (KHA-11.31)."""
    entered = now.board.mask(c for c, r in now.position.cells.items() if r.get("soviet"))
    return now.board.region("city") & ~entered & now.traceable(AXIS)


def german_net(now: Situation) -> int:
    """Every hex with a German supply path (KHA-11.3)."""
    return now.position.remember("german net", lambda: _german_net(now))


def _german_net(now: Situation) -> int:
    lengths = now.tables.schedule["supply"]
    cities = city_sources(now)

    def work() -> int:
        # KHA-11.31: 15 hexes from a city; KHA-11.32: 5 from a road.
        near = _within(now, cities, lengths["city"])
        return near | _within(now, road_net(now), lengths["road"])

    key = ("german net", now.traceable(AXIS), cities, bool(now.option("dnieper_lines")))
    return now.board.remember(key, work)


def _within(now: Situation, sources: int, length: int) -> int:
    """Hexes so near to a source; one hex beyond the Donets a path ends (KHA-11.34)."""
    board, through = now.board, now.traceable(AXIS)
    land, over = now.lines("land"), now.lines("donets")

    def work() -> int:
        found = edge = sources
        beyond = 0
        for _ in range(length):
            beyond |= board.step(edge, over) & through
            edge = board.step(edge, land) & through & ~found
            found |= edge
            if not edge:
                break
        return found | beyond

    return board.remember((sources, through, land, over, length), work)


def sustained(now: Situation, unit: Unit) -> str:
    """The rule that keeps the unit supplied wherever it stands; '' if none does."""
    if unit.has("arrived"):
        return "KHA-16.0"  # reinforcements, on the turn of their entry
    if unit.has("activated"):
        return "KHA-6.57"  # the southern sector, on the turn of its activation
    if unit.side == AXIS and _by_air(now, unit.cell):
        return "KHA-13.2"  # KHA-11.37
    return ""


def _by_air(now: Situation, cell: str) -> bool:
    markers = now.position.markers_at(cell)
    return any(m.kind == "air_supply" and m.values.get("turn") == now.turn for m in markers)


def net(now: Situation, unit: Unit) -> int:
    """The hexes where such a unit is supplied.

    KHA-11.2: Soviet and Romanian units need a line to an active headquarters that is itself
    supplied; KHA-11.22 and KHA-11.24: the Romanian one as a German unit is; KHA-10.27: it cannot
    supply Germans.
    """
    if unit.type == "hq":
        return soviet_net(now) if unit.side == SOVIET else german_net(now)
    if not now.commanded(unit):
        return german_net(now)
    return now.position.remember(
        f"commanded net of {unit.side}", lambda: _commanded_net(now, unit.side)
    )


def _commanded_net(now: Situation, side: str) -> int:
    sources = soviet_net(now) if side == SOVIET else german_net(now)
    found = 0
    for hq in headquarters.active(now, side):
        # KHA-10.22; a headquarters that arrives or stands under an air drop is supplied too
        if now.board.bit[hq.cell] & sources or sustained(now, hq):
            found |= headquarters.reach(now, hq)
    return found


def supplied(now: Situation, unit: Unit) -> bool:
    """Whether the unit is supplied at this moment (KHA-11.0-P, KHA-11.42).

    Lack of supply halves and slows; it never eliminates (KHA-11.44).
    """
    if not unit.cell:
        return True
    if sustained(now, unit):
        return True
    return bool(net(now, unit) & now.board.bit[unit.cell])


def reason(now: Situation, unit: Unit) -> tuple[str, str]:
    """The rule that decides, and a sentence."""
    if rule := sustained(now, unit):
        return rule, "supplied this turn wherever it stands"
    if supplied(now, unit):
        if now.commanded(unit) and unit.type != "hq":
            return "KHA-11.2", "a supplied headquarters commands it"
        return ("KHA-11.21" if unit.side == SOVIET else "KHA-11.3"), "a supply path is open"
    if now.commanded(unit) and unit.type != "hq":
        if not headquarters.in_command(now, unit):
            return "KHA-10.25", "no line to an active headquarters"
        return "KHA-10.22", "its headquarters is not supplied"
    return "KHA-11.1", "no supply path is open"


def line(now: Situation, unit: Unit) -> tuple[str, ...]:
    """A shortest legal way from the unit to what supplies it; empty where no path does.

    Units under command: to a supplied headquarters whose radius holds the way.
    """
    board = now.board
    if not unit.cell or not supplied(now, unit):
        return ()
    if now.commanded(unit) and unit.type != "hq":
        return _way(now, unit.cell, unit.side, _ranges(now, unit.side))
    if unit.side == SOVIET:
        edge = board.names(board.region("east_edge"))
        return _way(now, unit.cell, unit.side, dict.fromkeys(edge, len(board.hexes)))
    return _german_way(now, unit.cell)


def _german_way(now: Situation, cell: str) -> tuple[str, ...]:
    """A path from a hex that an Axis unit is in, or is taken to be in (KHA-11.3)."""
    lengths, names = now.tables.schedule["supply"], now.board.names
    goals = dict.fromkeys(names(road_net(now)), lengths["road"])
    goals |= dict.fromkeys(names(city_sources(now)), lengths["city"])
    return _way(now, cell, AXIS, goals, bounded=True)


def _ranges(now: Situation, side: str) -> dict[str, int]:
    """The hexes of the supplied headquarters, each with the longest line from it."""
    found: dict[str, int] = {}
    for hq in headquarters.active(now, side):
        if supplied(now, hq):
            found[hq.cell] = max(hq.number("radius"), found.get(hq.cell, 0))
    return found


def _way(
    now: Situation, start: str, side: str, goals: dict[str, int], *, bounded: bool = False
) -> tuple[str, ...]:
    """The way to the nearest goal that is no farther than its limit.

    `bounded` paths cross the Donets next to their start or not at all (KHA-11.34).
    """
    land = now.lines("land" if bounded else "passable")
    first = now.lines("donets") if bounded else ()
    return now.board.path(start, goals, now.traceable(side), land, first)


def cut_off(now: Situation, cell: str, side: str) -> bool:
    """Whether a city hex, taken as a unit of the side, would lack supply (KHA-17.11, KHA-17.12)."""
    if side == SOVIET:
        return not soviet_net(now) & now.board.bit[cell]
    # The hex counts as a unit of its own: a zone there is cancelled, those around are not.
    return not _german_way(now, cell)
