"""The markers of tracks: what they show by the box they lie in, and who acts."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.markers import GO, START, TRACK
from hexmarshal.games.conflict_of_heroes.art.sheet import SEATS
from hexmarshal.games.conflict_of_heroes.module.not_here import HANDS
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.kit.module.pieces.traits import told_by
from hexmarshal.vassal.builder import Counter, does_not_stack, markers
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import SendToLocation
from hexmarshal.vassal.values import FormattedText, KeyStroke

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "MOST_AP", "NEXT", "TURN_GO", "go_marker", "spend", "track_key", "track_marker",
]  # fmt: skip

MOST_AP: Final = 7
NEXT, TURN_GO = (KeyStroke.named(name) for name in ("nextToAct", "turnToAct"))
"""The hot key that ends a go, and the key by which the marker then goes to the next side."""


def spend(points: int) -> KeyStroke:
    """The key by which the marker of a side is told what is paid."""
    return KeyStroke.named(f"spend{points}")


def _spent(seat: str) -> Iterator[Equipped]:
    """The AP marker of a side goes down by what is paid, to nought at least."""
    places = f"{seat} AP "
    left = f"Integer.parseInt(LocationName.substring({len(places)}))"
    for n in range(1, MOST_AP + 1):
        yield Equipped(
            SendToLocation(
                key=spend(n),
                map=FormattedText("$CurrentMap$"),
                destination="R",
                region=FormattedText(f'{{"{places}" + Math.max(0, {left} - {n})}}'),
            )
        )


def track_marker(kind: str, side: str) -> Counter:
    """A marker that shows a number by the box it lies in."""
    image = f"track-{kind}-{camp(side)}.png" if side else f"track-{kind}.png"
    lies = "works" if kind == "start" else "track"
    known = {"MarkerKind": track_key(kind, side), "Layer": lies}
    pays: tuple[Equipped, ...] = ()
    if kind == "ap":
        known |= {"Track": kind, "TrackSide": side}
        pays = tuple(_spent(SEATS[side]))
    name = f"{SEATS[side]} {kind.upper()}" if side else kind.capitalize()
    size = START if kind == "start" else (TRACK, TRACK)
    return Counter(name, image, (markers(known), *pays, does_not_stack()), *size)


def go_marker() -> Counter:
    """The marker that lies with the side whose go it is; a key turns it to the next one."""
    known = markers({"MarkerKind": "go", "Layer": "track"})
    turns = SendToLocation(
        key=TURN_GO,
        map=FormattedText("$CurrentMap$"),
        destination="Z",
        zone=FormattedText(f"{{{_next_to_act()}}}"),
    )
    told = told_by("$location$ *", TURN_GO)
    return Counter("To act", "track-go.png", (known, Equipped(turns), told, does_not_stack()), *GO)


def _next_to_act() -> str:
    """COH-2.2a: the sides act in turn, as many of them as there are."""
    seats = [f"{seat} to act" for seat in SEATS.values()]
    cases = "".join(
        f'LocationName == "{here}" && {HANDS} > {n} ? "{there}" : '
        for n, (here, there) in enumerate(pairwise(seats), 1)
    )
    return f'{cases}{HANDS} == 0 ? LocationName : "{seats[0]}"'


def track_key(kind: str, side: str) -> str:
    """What the rules call a track."""
    if not side:
        return kind
    return f"cap-start-{side}" if kind == "start" else f"{kind}-{side}"
