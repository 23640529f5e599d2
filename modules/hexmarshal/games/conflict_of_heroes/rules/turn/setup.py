"""Setting up a firefight: counters, tracks, pools, cards, secrets (COH-1.0a)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hexmarshal.games.conflict_of_heroes.rules.turn.solitaire import DECOY
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.rules.state.pieces import Marker, Pile, Unit
from hexmarshal.rules.values import EMPTY, FrozenMap, Value, freeze

if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from hexmarshal.games.conflict_of_heroes.state.board import Board
    from hexmarshal.games.conflict_of_heroes.state.scenarios import Firefight
    from hexmarshal.games.conflict_of_heroes.state.situation import Situation
    from hexmarshal.games.conflict_of_heroes.state.tables import Tables
    from hexmarshal.rules.dice import Generator
    from hexmarshal.rules.state.position import Position

__all__ = ["full_pools", "joined", "set_up", "sides_of", "solo_cap"]


def sides_of(forces: Mapping[str, Any], order: str) -> tuple[str, ...]:
    """COH-20.0a: the players in the order in which they act."""
    alternate = ("german", "soviet", "german2", "soviet2")
    together = ("german", "german2", "soviet", "soviet2")
    return tuple(s for s in (together if order == "together" else alternate) if s in forces)


def joined(forces: Mapping[str, Any]) -> dict[str, Any]:
    """COH-20.1a: two players for four: the forces of a side are one, with a CAP less than both."""
    whole: dict[str, Any] = {}
    for side, force in forces.items():
        own = camp(side)
        if own not in whole:
            whole[own] = dict(force)
            continue
        first = whole[own]
        merged = {**first, "cap": first["cap"] + force["cap"] - 1}
        merged["units"] = {**first["units"], **force["units"]}
        for name in ("draw", "deal"):
            merged[name] = first.get(name, 0) + force.get(name, 0)
        merged["artillery"] = [*first.get("artillery", ()), *force.get("artillery", ())]
        whole[own] = merged
    return whole


def solo_cap(cap: int) -> int:
    """COH-20.2d: a fifth more for the side without a player, rounded up."""
    return -(-cap * 6 // 5)


def full_pools(tables: Tables) -> dict[str, Pile]:
    """Two pools of hit markers, face down."""
    return {
        f"hits-{pool}": Pile(f"hits-{pool}", tables.full_pools[pool], "", frozenset())
        for pool in ("foot", "vehicle")
    }


def set_up(
    ground: Situation,
    scenario: Firefight,
    options: Mapping[str, Value],
    generator: Generator | None,
) -> Position:
    """The first position of a firefight; chance comes in with the first turn's preparation.

    `ground` is its board without anything on it.
    """
    plan, forces = scenario.data, scenario.forces
    if options.get("players") == 2:
        forces = joined(forces)
    sides = sides_of(forces, str(options.get("order", "alternate")))
    units: dict[str, Unit] = {}
    tracks: dict[str, int] = {}
    piles = full_pools(ground.tables)
    for side in sides:
        force = forces[side]
        cap = _starting_cap(side, force["cap"], options)
        tracks |= {f"cap-start-{side}": cap, f"cap-{side}": cap, f"losses-{side}": 0}
        tracks |= {f"ap-{side}": 0, f"vp-{side}": force.get("vp", 0)}
        piles[f"hand-{side}"] = Pile(f"hand-{side}", (), side, frozenset({side}))
        batteries = tuple(force.get("artillery", ()))
        name = f"artillery-{side}"
        piles[name] = Pile(name, batteries, side, frozenset({side}))
        for key, row in force["units"].items():
            units[key] = _unit(key, side, row)
    markers = {k: _marker(k, row) for k, row in plan.get("markers", {}).items()}
    ai = str(options.get("solo", ""))
    if ai in sides:
        _fill_cup(ai, forces[ai]["units"], ground.board, units, markers, piles)
    deck = tuple(card for card, n in sorted(plan.get("deck", {}).items()) for _ in range(n))
    piles["deck"] = Pile("deck", deck, "", frozenset())
    piles["discard"] = Pile("discard")
    return replace(
        ground.position,
        scenario=scenario.key,
        options=FrozenMap(options),
        sides=sides,
        turn=1,
        phase="prep",
        state="start",
        active=sides[:1],
        units=FrozenMap(units),
        markers=FrozenMap(markers),
        piles=FrozenMap(piles),
        cells=FrozenMap({c: _record(row) for c, row in plan.get("objectives", {}).items()}),
        tracks=FrozenMap(tracks),
        extras=_extras(plan, forces, sides),
        generator=generator,
    )


def _fill_cup(
    side: str,
    rows: Mapping[str, Any],
    board: Board,
    units: dict[str, Unit],
    markers: dict[str, Marker],
    piles: dict[str, Pile],
) -> None:
    """COH-20.3a: two coins for each hidden unit, and as many decoys as units in the cup."""
    hidden = [key for key, row in rows.items() if row.get("hidden")]
    if not hidden:
        return
    taken = {unit.cell for unit in units.values()} | {rows[key].get("decoy") for key in hidden}
    for key in hidden:
        cell = rows[key]["cell"]
        second = rows[key].get("decoy") or _second_hex(board, cell, taken)
        taken.add(second)
        for n, place in enumerate((cell, second), start=1):
            name = f"coin-{key}-{n}"
            markers[name] = Marker(name, "coin", side=side, cell=place)
        # Where it turns up is not known, so neither is the trench that it is in.
        values = units[key].values.without("fort")
        units[key] = replace(units[key], cell="", box="cup", values=values)
    piles["cup"] = Pile("cup", (*hidden, *([DECOY] * len(hidden))), "", frozenset())


def _second_hex(ground: Board, cell: str, taken: Container[str | None]) -> str:
    """The neighbour that hides a unit best, where a firefight names none: free, in cover, dry."""

    def worth(other: str) -> tuple[bool, bool, bool]:
        kind = ground.kinds[other]
        return other in taken, not kind.cover, kind.key == "water"

    return min(ground.neighbours[cell], key=worth)


def _starting_cap(side: str, cap: int, options: Mapping[str, Value]) -> int:
    balance = options.get("balance")
    more = balance.get(side, 0) if isinstance(balance, FrozenMap) else 0
    # COH-3.2.5a: one or two more for the weaker player.
    cap += min(2, max(0, more)) if isinstance(more, int) else 0
    return solo_cap(cap) if options.get("solo") == side else cap


def _unit(key: str, side: str, row: Mapping[str, Any]) -> Unit:
    values: dict[str, Value] = {}
    for name in ("fort", "weapon", "arrives", "entry"):
        if name in row:
            values[name] = freeze(row[name])
    hidden = row.get("hidden", False)
    return Unit(
        key,
        row["type"],
        side,
        cell=row.get("cell", ""),
        carrier=row.get("carrier", ""),
        box="reinforcements" if "arrives" in row and "carrier" not in row else "",
        facing=None if hidden or "arrives" in row else row.get("facing", 0),
        values=FrozenMap(values) if values else EMPTY,
        # COH-10.0a: noted in secret.
        seen_by=frozenset({side}) if hidden else None,
    )


def _marker(key: str, row: Mapping[str, Any]) -> Marker:
    side = row.get("side", "")
    return Marker(
        key,
        row["kind"],
        side=side,
        cell=row["cell"],
        facing=row.get("facing"),
        values=_record(row.get("values", {})),
        seen_by=frozenset({side}) if row.get("hidden") else None,
    )


def _record(row: Mapping[str, Any]) -> FrozenMap[Value]:
    frozen = freeze(dict(row))
    assert isinstance(frozen, FrozenMap)
    return frozen


def _extras(
    plan: Mapping[str, Any], forces: Mapping[str, Any], sides: tuple[str, ...]
) -> FrozenMap[Value]:
    extras: dict[str, object] = {"turns": plan["turns"], **plan.get("rules", {})}
    for name in ("draw", "deal"):
        if counts := {s: forces[s][name] for s in sides if forces[s].get(name)}:
            extras[name] = counts
    if named := {s: forces[s]["observers"] for s in sides if forces[s].get("observers")}:
        extras["observers"] = named
    return _record(extras)
