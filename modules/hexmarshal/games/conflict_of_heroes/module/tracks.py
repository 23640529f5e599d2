"""The markers of tracks: what they show by the box they lie in, and who acts."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.markers import GO, START, TRACK
from hexmarshal.games.conflict_of_heroes.art.sheet import SEATS, TURNS
from hexmarshal.games.conflict_of_heroes.module.not_here import HANDS
from hexmarshal.games.conflict_of_heroes.state.situation import camp
from hexmarshal.kit.module.pieces.traits import ANYTHING, LISTED, told_by
from hexmarshal.kit.module.turn_marker import add_turn_key, goes_with_turn
from hexmarshal.vassal.builder import Counter, does_not_stack, markers
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import (
    CalculatedProperty,
    SendToLocation,
    SetGlobalProperty,
    TriggerAction,
)
from hexmarshal.vassal.values import (
    Expression,
    FormattedText,
    KeyStroke,
    KeyStrokes,
    PropertyChange,
    PropertyCommand,
    PropertyCommands,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = [
    "EMPTY", "END_GO", "FILL", "HANDED_OVER", "MOST_AP", "PASSED", "PASSED_BY", "PAYER", "PRICE",
    "TAKE", "add_keys", "answers", "begins", "go_marker", "goes", "track_key", "track_marker",
]  # fmt: skip

MOST_AP: Final = 7
PAYER, PRICE, PASSED_BY, GO_BY = "Payer", "Price", "PassedBy", "GoBy"
"""The properties that say who pays how much, which seat has just passed, and who hands over."""
_ALL: Final = "all"
"""What `GO_BY` is once more than one seat has handed over."""
_FOR_BOTH: Final = "ForBoth"
_ENDED: Final = "Ended"
"""The property of the marker that says where it lay with the side whose go ends."""
END_GO, PASSED = (KeyStroke.named(name) for name in ("nextToAct", "passedToNext"))
"""The hot keys that end a go: by a deed, by passing."""
TAKE, FILL, EMPTY = (KeyStroke.named(name) for name in ("takePoints", "fillTrack", "emptyTrack"))
"""The keys by which the marker of a side is told that somebody pays, or how much there is."""
_END, _PASS, _TURN, _ALREADY, _NOTE, _FORGET, HANDED_OVER, _MOVE, _POOR = (
    KeyStroke.named(name)
    for name in (
        "endGo", "passGo", "turnToAct", "wentAlready", "notePass", "forgetPass", "noteWho",
        "movePaid", "tooPoor",
    )
)  # fmt: skip


def add_keys(module: ModuleBuilder) -> None:
    """What buttons tell the marker of who acts, and what markers and units tell each other."""
    for name in (PAYER, PRICE, PASSED_BY, GO_BY):
        module.global_property(name, "", "What pieces of this module tell each other")
    add_turn_key(module, "turn")
    told = [(f"{seat} begins", begins(seat), _put(seat)) for seat in SEATS.values()]
    for name, hot, sent in (("To act", END_GO, _END), ("Passed", PASSED, _PASS), *told):
        module.piece_key(name, hot, sent, '{MarkerKind == "go"}')


def begins(seat: str) -> KeyStroke:
    """COH-2.1a: the hot key that puts the marker to the seat that won the initiative."""
    return KeyStroke.named(f"begins {seat}")


def _put(seat: str) -> KeyStroke:
    return KeyStroke.named(f"put {seat}")


def _paying(seat: str, kind: str) -> Iterator[Equipped]:
    """The marker of a side goes down by what is paid, unless there is less."""
    places = f"{seat} {kind.upper()} "
    left = f"Integer.parseInt(LocationName.substring({len(places)}))"
    who = "$PlayerName$ ($PlayerSide$): "
    yield goes(_MOVE, "R", f'{{"{places}" + ({left} - {PRICE})}}')
    yield told_by(f"{who}${PAYER}$ pays ${PRICE}$ {kind.upper()}: $location$ *", _MOVE)
    yield told_by(
        f"{who}${PAYER}$ cannot pay ${PRICE}$ {kind.upper()}, that is more than there is *", _POOR
    )
    # The one that is asked first leaves the marker where it lies.
    yield answers(TAKE, f"{left} < {PRICE}", _POOR)
    yield answers(TAKE, f"{left} >= {PRICE}", _MOVE)
    if kind == "ap":
        yield goes(FILL, "R", f"{places}{MOST_AP}")
        yield goes(EMPTY, "R", f"{places}0")
        yield told_by("$location$ *", FILL, EMPTY)


def goes(key: KeyStroke, to: str, place: str) -> Equipped:
    """What a key puts into a region (`R`) or a zone (`Z`)."""
    where, here = FormattedText(place), FormattedText("$CurrentMap$")
    made = SendToLocation(key=key, map=here, destination=to)
    return Equipped(replace(made, region=where) if to == "R" else replace(made, zone=where))


def answers(key: KeyStroke, holds: str, *performed: KeyStroke) -> Equipped:
    """The keys that follow from one, if something holds."""
    when, pressed = Expression(f"{{{holds}}}"), KeyStrokes.of(*performed)
    return Equipped(TriggerAction(name=key.text, key=key, expression=when, performed_keys=pressed))


def track_marker(kind: str, side: str, *more: Equipped) -> Counter:
    """A marker that shows a number by the box it lies in, with what else it does."""
    image = f"track-{kind}-{camp(side)}.png" if side else f"track-{kind}.png"
    lies = "works" if kind == "start" else "track"
    known = {"MarkerKind": track_key(kind, side), "Layer": lies}
    pays: tuple[Equipped, ...] = ()
    if kind == "turn":
        pays = goes_with_turn("Turn", TURNS)
    if kind in ("ap", "cap"):
        known |= {"Track": kind, "TrackSide": side}
        pays = tuple(_paying(SEATS[side], kind))
    name = f"{SEATS[side]} {kind.upper()}" if side else kind.capitalize()
    size = START if kind == "start" else (TRACK, TRACK)
    return Counter(name, image, (markers(known), *pays, *more, does_not_stack()), *size)


def go_marker(*more: Equipped) -> Counter:
    """The marker that lies with the side whose go it is; a key turns it to the next one.

    Who passes has ended his go: if he then says so, too, the marker stays with the other side.
    """
    known = markers({"MarkerKind": "go", "Layer": "track"})
    own = 'LocationName == PlayerSide + " to act"'
    again = f"{PASSED_BY} == PlayerSide && ({_seated()}) && !({own})"
    only = f'{GO_BY} == "" || {GO_BY} == PlayerSide'
    traits = (
        known,
        _for_both(),
        _ended(),
        goes(_TURN, "Z", f"{{{_next_to_act()}}}"),
        told_by("$location$ *", _TURN),
        told_by("$location$: the pass has ended the go already *", _ALREADY),
        _notes(PASSED_BY, {_NOTE: "{PlayerSide}", _FORGET: ""}),
        _notes(GO_BY, {HANDED_OVER: f'{{({only}) ? PlayerSide : "{_ALL}"}}'}),
        answers(_PASS, "true", _TURN, _NOTE, HANDED_OVER),
        # The one that is asked first forgets the pass, and the other then has none to go by.
        answers(_END, f"!({again})", _FORGET, _TURN, HANDED_OVER),
        answers(_END, again, _FORGET, _ALREADY),
        *(trait for seat in SEATS.values() for trait in _beginning(seat)),
        *more,
        does_not_stack(),
    )
    return Counter("To act", "track-go.png", traits, *GO)


def _beginning(seat: str) -> Iterator[Equipped]:
    key = KeyStroke.named(f"lie {seat}")
    yield goes(key, "Z", f"{seat} to act")
    yield told_by("$location$ *", key)
    yield answers(_put(seat), "true", _FORGET, key, HANDED_OVER)


def _notes(name: str, values: Mapping[KeyStroke, str]) -> Equipped:
    """A property of the game that keys set."""
    commands = PropertyCommands.of(
        *(PropertyCommand("", key, PropertyChange("P", value)) for key, value in values.items())
    )
    return Equipped(SetGlobalProperty(name=name, constraints=ANYTHING, commands=commands))


def _seated() -> str:
    """Whether the player has a seat of this firefight, and does not play all sides from another."""
    return " || ".join(
        f'PlayerSide == "{seat}"' + (f" && {HANDS} >= {n}" if n > 2 else "")
        for n, seat in enumerate(SEATS.values(), 1)
    )


def _for_both() -> Equipped:
    """Whether who first says that a go ends means that of the marker: only there a unit is active.

    COH-2.2a: the go of a side that has activated nobody is seldom what ends.
    """

    def active(who: str) -> str:
        those = rf'Active_Level == 2 && {LISTED[0]} + \" to act\" == \"" + {who} + "\"'
        return f'CountMap("{{{those}}}")'

    own, shown = active('PlayerSide + " to act"'), active("LocationName")
    expression = f'{{{GO_BY} == "" && {own} == 0 && {shown} > 0}}'
    return Equipped(CalculatedProperty(name=_FOR_BOTH, expression=expression))


def _ended() -> Equipped:
    """Whose go ends: that of who says so, wherever the marker was left.

    If nobody but he ever says so, he plays all sides, and it is whose go the marker shows.
    """
    named = f"({_seated()}) && {GO_BY} != PlayerSide && {_FOR_BOTH} != true"
    expression = f'{{{named} ? PlayerSide + " to act" : LocationName}}'
    return Equipped(CalculatedProperty(name=_ENDED, expression=expression))


def _next_to_act() -> str:
    """COH-2.2a: the sides act in turn, as many of them as there are."""
    seats = [f"{seat} to act" for seat in SEATS.values()]
    cases = "".join(
        f'{_ENDED} == "{here}" && {HANDS} > {n} ? "{there}" : '
        for n, (here, there) in enumerate(pairwise(seats), 1)
    )
    return f'{cases}{HANDS} == 0 ? LocationName : "{seats[0]}"'


def track_key(kind: str, side: str) -> str:
    """What the rules call a track."""
    if not side:
        return kind
    return f"cap-start-{side}" if kind == "start" else f"{kind}-{side}"
