"""The box of an army: recruitment tiles, options with their markers, cards that are in force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.heroes_of_stalingrad.art import army
from hexmarshal.games.heroes_of_stalingrad.state.kinds import SIDES
from hexmarshal.games.heroes_of_stalingrad.state.table_markers import (
    BONUS,
    FURY,
    OPTION,
    TAKEN,
    TILE,
    WINDOWS,
)
from hexmarshal.kit.module import Count, MarkerPiece, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables

__all__ = ["army_markers"]

_SIZE: Final = 88
_TOKEN: Final = 40
_NAME: Final = Text("Entry", "entry", "Name...", "N")
_OF: Final = Text("Of", "of", "In a slot of...", "W")
_SLOT: Final = Count("Slot", "slot", most=9, up="L", down="K")
_BONUSES: Final = ("movement", "fire", "assault", "any")
_WINDOWS: Final = range(1, 4)


def army_markers(tables: Tables) -> Iterator[MarkerPiece]:
    """HOS-8.1, HOS-8.6: what lies in the box of an army; it only helps players remember."""
    for side in SIDES:
        for key, row in tables.recruitment_tiles.items():
            if row["side"] == side:
                yield _recruited(TILE, "tile", key, side, row)
        for key, row in tables.recruitment_options.items():
            if row.get("side", side) == side:
                yield _recruited(OPTION, "option", key, side, row)
        yield from _in_force(side)
    yield MarkerPiece(
        kind=WINDOWS,
        name="Through a window",
        faces=tuple(map(army.windows, _WINDOWS)),
        on_unit=True,
        values=tuple({"count": count} for count in _WINDOWS),
        aid=True,
        size=_TOKEN,
    )


def _recruited(kind: str, own: str, key: str, side: str, row: Mapping[str, Any]) -> MarkerPiece:
    left = row.get("markers") or {}
    counts = tuple(
        Count(f"{name.capitalize()}Left", name, count, most=count, down=str(n), up=str(n + 5))
        for n, (name, count) in enumerate(left.items(), 1)
    )
    shown = ("$Entry$", *(f"{name} ${name.capitalize()}Left$" for name in left))
    return MarkerPiece(
        kind=kind,
        name=str(row["title"]),
        faces=(army.recruited(side, row),),
        side=side,
        own=(own, key),
        counts=(*counts, _SLOT) if kind == OPTION else counts,
        texts=(_NAME, _OF) if kind == OPTION else (_NAME,),
        shows=", ".join(shown),
        aid=True,
        panel=f"{side.capitalize()} army",
        size=_SIZE,
    )


def _in_force(side: str) -> Iterator[MarkerPiece]:
    """HOS-2.5, HOS-6.4, HOS-6.5: the tokens taken in a turn, and what cards do for a while."""
    seat = side.capitalize()
    yield MarkerPiece(
        kind=TAKEN,
        name=f"{seat} tokens of the turn",
        faces=(army.taken(side),),
        side=side,
        counts=(
            Count("Numbered", "numbered", most=10, down="1", up="6"),
            Count("Bluffs", "bluff", most=9, down="2", up="7"),
            Count("OfTurn", "turn", most=99, down="3", up="8"),
        ),
        shows="turn $OfTurn$: $Numbered$ + $Bluffs$ bluff",
        aid=True,
        panel=f"{seat} army",
        size=_SIZE,
    )
    yield MarkerPiece(
        kind=FURY,
        name=f"{seat} Assault +2",
        faces=(army.in_force(side, "ASSAULT", "+2"),),
        side=side,
        aid=True,
        panel=f"{seat} army",
        size=_SIZE,
    )
    for sort in _BONUSES:
        yield MarkerPiece(
            kind=BONUS,
            name=f"{seat} +1 {sort}",
            faces=(army.in_force(side, sort.upper(), "+1"),),
            side=side,
            own=("sort", sort),
            aid=True,
            panel=f"{seat} army",
            size=_SIZE,
        )
