"""The markers of air points: laid out turn by turn, and taken by those who announce their use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.kharkov.art.boxes import AIR_MARKER, TURNS, air_box
from hexmarshal.kit.module.pieces.traits import told_by
from hexmarshal.vassal.builder import Counter, does_not_stack, markers
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import CounterGlobalKeyCommand, SendToLocation, TriggerAction
from hexmarshal.vassal.values import (
    Expression,
    FormattedText,
    GlobalCommandTarget,
    KeyStroke,
    KeyStrokes,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hexmarshal.vassal.builder import ModuleBuilder
    from hexmarshal.vassal.state.game_state import GameState

__all__ = [
    "EACH_TURN", "SAID", "SIDES", "USE_OWN", "USE_THEIRS", "add_keys", "air_marker",
    "tell_points", "uses",
]  # fmt: skip

SIDES: Final = ("axis", "soviet")
_LAY, _DEFEND, USE_OWN, USE_THEIRS, _RENEW, _USE, _TAKE, _NONE = (
    KeyStroke.named(name)
    for name in (
        "airOfTheTurn", "airOfTheDefender", "useOwnAir", "useTheirAir", "renewAir", "useAir",
        "takeAir", "noAirLeft",
    )
)  # fmt: skip
EACH_TURN: Final = (('{Phase.startsWith("A1")}', _LAY),)
"""KHA-13.0-G: what the tracker presses as a turn begins, in its first phase."""
SAID: Final = {"[air_defence] yes": (_DEFEND,)}
"""What an announcement at the table presses."""
_ALL: Final = GlobalCommandTarget("COUNTER|false|MAP|||||0|0||false|||EQUALS||")
_MARKS: Final = " || ".join(f'MarkerKind == "air-{side}"' for side in SIDES)


def add_keys(module: ModuleBuilder) -> None:
    """The points of each turn as properties, and the hot keys of the tracker and the toolbar."""
    for side in SIDES:
        module.global_property(_points(side), "", "The air points of each turn")
    module.piece_key("Air points of the turn", _LAY, _RENEW, f"{{{_MARKS}}}")
    # In the Soviet part of a turn, whose phases begin with an A, the Axis defends.
    defends = 'MarkerKind == (Phase.startsWith("A") ? "air-axis" : "air-soviet")'
    module.piece_key("Air point of the defender", _DEFEND, _USE, f"{{{defends}}}")


def tell_points(air: Mapping[str, Sequence[int]], state: GameState) -> None:
    """Let a set-up say how many points each turn has."""
    for key in state.properties:
        for side in SIDES:
            if key[1] == _points(side):
                # A letter before the digits, one a turn: what has digits alone is a number.
                state.properties[key] = "t" + "".join(map(str, air[side][:TURNS]))


def air_marker(side: str, image: str) -> Counter:
    """The marker that shows by its box how many points a side has left."""
    seat = side.capitalize()
    places = air_box(side, "")
    left = f"Integer.parseInt(LocationName.substring({len(places)}))"
    points = _points(side)
    of_turn = f'(Turn < {points}.length() ? {points}.substring(Turn, Turn + 1) : "0")'
    traits = (
        markers({"MarkerKind": f"air-{side}"}),
        _goes(_RENEW, f'{{"{places}" + {of_turn}}}'),
        _goes(_TAKE, f'{{"{places}" + ({left} - 1)}}'),
        told_by("$location$ *", _RENEW),
        told_by(f"$PlayerName$: {seat} uses an air point: $location$ *", _TAKE),
        told_by(f"$PlayerName$: {seat} has no air point left *", _NONE),
        # The one that is asked first leaves the marker where it lies.
        _when(f"{left} == 0", _NONE),
        _when(f"{left} > 0", _TAKE),
        does_not_stack(),
    )
    return Counter(f"{seat} air points", image, traits, AIR_MARKER, AIR_MARKER)


def uses() -> tuple[Equipped, ...]:
    """What a unit tells the markers: its own side uses a point, or the one that it fights."""
    own = 'MarkerKind == "air-$UnitSide$"'
    return (
        _to_markers(USE_OWN, own),
        _to_markers(USE_THEIRS, f"({_MARKS}) && !({own})"),
    )


def _points(side: str) -> str:
    return f"{side.capitalize()}Air"


def _goes(key: KeyStroke, place: str) -> Equipped:
    here = FormattedText("$CurrentMap$")
    return Equipped(SendToLocation(key=key, map=here, destination="Z", zone=FormattedText(place)))


def _when(holds: str, performed: KeyStroke) -> Equipped:
    return Equipped(
        TriggerAction(
            name=_USE.text,
            key=_USE,
            expression=Expression(f"{{{holds}}}"),
            performed_keys=KeyStrokes.of(performed),
        )
    )


def _to_markers(key: KeyStroke, which: str) -> Equipped:
    return Equipped(
        CounterGlobalKeyCommand(
            key=key, global_key=_USE, expression=Expression(f"{{{which}}}"),
            suppress_single=False, target=_ALL,
        )
    )  # fmt: skip
