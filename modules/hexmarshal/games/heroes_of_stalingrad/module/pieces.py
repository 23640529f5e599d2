"""The counters, order tokens, markers and tiles of the module, and what each of them shows."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.heroes_of_stalingrad.art import counters, tokens
from hexmarshal.games.heroes_of_stalingrad.art.tiles import CELL, tile
from hexmarshal.games.heroes_of_stalingrad.module.army import army_markers
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.orders import TOKENS
from hexmarshal.games.heroes_of_stalingrad.state.kinds import (
    ACTIVATED,
    AMBUSHED,
    DAMAGE,
    HEAVY,
    ORDER,
    REPAIRED,
    SIDES,
)
from hexmarshal.kit.drawing.counters import SIZE as FACE
from hexmarshal.kit.module import MarkerPiece, Sides, State, Text, TilePiece, UnitPiece

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.counters import Counter
    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables

__all__ = ["ZOOM", "markers", "tiles", "units"]

ZOOM: Final = 1.6
"""The pixels of the module for each of a board's own."""
_CELL: Final = round(CELL * ZOOM)
_SIZE: Final = round(_CELL * FACE / counters.CELL)
_TOKEN: Final = 40
_ORDER: Final = 34
"""Small enough to lie at the corner of a counter and leave its values free."""
_MOST: Final = 6
_FACINGS: Final = 8
_ABOARD: Final = State("Aboard", tokens.ABOARD, "B", menu="Aboard the vehicle below", carrier=True)
_SIGNS: Final = (
    State("Activated", tokens.ACTIVATED, "A", ACTIVATED, "Activated"),
    State(
        "Repaired",
        tokens.REPAIRED,
        "G",
        REPAIRED,
        "Has repaired",
        aid=True,
        at='Abilities.contains("mechanic")',
    ),
    State(
        "Scouted",
        tokens.SCOUTED,
        "J",
        "scouted",
        "Has scouted",
        aid=True,
        at='Abilities.contains("scout")',
    ),
)
_GROUP: Final = Text("Group", "group", "Belongs to...", "W")
_FOR: Final = Text("For", "entry", "For the artillery...", "W")
_KEYS: Final = {"crew": "1", "tracks": "2", "hull": "3", "main": "4"}
_SUPPRESSED: Final = Sides(
    "Suppressed",
    tokens.SUPPRESSED,
    (
        ({}, {"values": {"suppressed": 0}}),
        *({"values": {"suppressed": n}} for n in range(1, _MOST + 1)),
    ),
    key="U",
    menu="Suppressed",
    back=("One Suppressed less", "I"),
    words=("not suppressed", *(f"{n} Suppressed" for n in range(1, _MOST + 1))),
)


def units(tables: Tables) -> tuple[UnitPiece, ...]:
    """Every counter of the data, with both sides of it."""
    return tuple(map(_unit, tables.counters.values()))


def _unit(counter: Counter) -> UnitPiece:
    ambush = any(face.has("ambush") for face in counter.faces)
    long = counter.cells > 1
    family = "heroes" if counter.character else "infantry" if not long else "vehicles"
    turning, turned = _turning(counter)
    return UnitPiece(
        type=counter.key,
        side=counter.side,
        name=counter.title,
        faces=counters.faces(counter),
        states=tuple(_states(counter)),
        sides=(_SUPPRESSED,),
        texts=(_GROUP,),
        facings=_FACINGS,
        turns=long,
        behind=_CELL if long else 0,
        back=counters.BACK[counter.side] if ambush else "",
        unknown=AMBUSHED,
        turning=turning,
        turned=turned,
        size=_SIZE,
        panel=f"{counter.side.capitalize()} {family}",
        known={"Family": counter.family.capitalize(), "Abilities": _abilities(counter)},
    )


def _abilities(counter: Counter) -> str:
    """What either face and its weapons can do, for menus and filters."""
    able = {name for face in counter.faces for name in face.abilities}
    able |= {name for f in counter.faces for weapon in f.weapons for name in weapon.abilities}
    return " ".join(sorted(able))


_Turns = tuple[str, str]


def _turning(counter: Counter) -> tuple[_Turns, _Turns]:
    """HOS-2.90, HOS-5.1: what the other face of a counter is, in its menu and in the chat."""
    names = {face.name for face in counter.faces}
    if "wreck" in names:
        menu = "Becomes a wreck", "No wreck after all"
        return menu, ("becomes a wreck", "is no wreck after all")
    if "inactive" in names:
        menu = "Turn to the inactive face", "Turn to the active face"
        return menu, ("shows its inactive face", "shows its active face")
    return ("Lose a step", "Regain a step"), ("loses a step", "regains a step")


def _states(counter: Counter) -> Iterator[State]:
    yield from _SIGNS
    if counter.family == HEAVY:
        for place, flag in DAMAGE.items():
            title = f"Damaged: {place}"
            yield State(place.capitalize(), tokens.DAMAGED[place], _KEYS[place], flag, title)
    else:
        yield _ABOARD


def markers(tables: Tables) -> tuple[MarkerPiece, ...]:
    """Order tokens, destruction, templates, flags and what players keep beside the board."""
    return (*_orders(), *_lying(), *army_markers(tables), *_templates(tables))


def _orders() -> Iterator[MarkerPiece]:
    for side in SIDES:
        for token in TOKENS:
            yield MarkerPiece(
                kind=ORDER,
                name=f"{side.capitalize()} order {token}",
                faces=(tokens.order(side, token),),
                side=side,
                on_unit=True,
                own=("token", token),
                texts=(_FOR,),
                back=tokens.order_back(side),
                covered=True,
                covered_name="order token",
                unknown=ORDER,
                panel=f"{side.capitalize()} orders",
                size=_ORDER,
            )


def _lying() -> Iterator[MarkerPiece]:
    points = range(1, _MOST + 1)
    yield MarkerPiece(
        kind="destruction",
        name="Destruction points",
        faces=tuple(map(tokens.destruction, points)),
        values=tuple({"points": n} for n in points),
        size=_TOKEN,
    )
    for side in SIDES:
        yield MarkerPiece(
            kind=f"held-{side}",
            name=f"{side.capitalize()} control",
            faces=(tokens.CONTROL[side],),
            nothing=True,
            stacks=False,
            size=_TOKEN,
        )


def _templates(tables: Tables) -> Iterator[MarkerPiece]:
    """Templates are for players alone: they show what a blast or a flame would cover."""
    limits = tables.limits
    for kind, radius in (("Explosion", limits["blast"]), ("Grenade", limits["grenades"])):
        yield MarkerPiece(
            kind=kind.lower(),
            name=kind,
            faces=(tokens.blast(float(Fraction(radius["radius"])), counters.CELL),),
            nothing=True,
            stacks=False,
            panel="Templates",
            size=_SIZE,
        )
    flame = limits["flame"]
    yield MarkerPiece(
        kind="flame",
        name="Flame",
        faces=(tokens.flames(flame["length"], flame["width"], counters.CELL),),
        nothing=True,
        stacks=False,
        panel="Templates",
        size=_SIZE,
    )


def tiles(tables: Tables) -> tuple[TilePiece, ...]:
    """Every terrain tile of the data."""
    return tuple(
        TilePiece(
            kind="tile",
            key=key,
            name=str(row["title"]),
            looks={
                ruins: tuple(tile(tables, key, turn, ruins) for turn in range(4))
                for ruins in _ruins(tables, row)
            },
            cells=max(row["size"]),
            cell=_CELL,
            zoom=ZOOM,
        )
        for key, row in tables.tile_rows.items()
    )


def _ruins(tables: Tables, row: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    """HOS-3.10: the parts of a tile that may be in ruins together, none of them first."""
    parts = [name for name, part in row["parts"].items() if tables.kinds[part["kind"]].ruin]
    for count in range(len(parts) + 1):
        yield from combinations(parts, count)
