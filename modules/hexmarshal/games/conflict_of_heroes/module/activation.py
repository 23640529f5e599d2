"""What activating a unit, paying and being spent do to the tracks of its side."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.module.not_here import NO_WORKS
from hexmarshal.games.conflict_of_heroes.module.tracks import (
    EMPTY,
    FILL,
    MOST_AP,
    PAYER,
    PRICE,
    TAKE,
)
from hexmarshal.kit.module.pieces.announcement_menus import Speech
from hexmarshal.kit.module.pieces.traits import ANYTHING, LISTED, sign
from hexmarshal.kit.module.solitaire import SOLITAIRE
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import (
    CounterGlobalKeyCommand,
    Layer,
    SetGlobalProperty,
    SubMenu,
    TriggerAction,
)
from hexmarshal.vassal.values import (
    Expression,
    GlobalCommandTarget,
    KeyStroke,
    KeyStrokes,
    PropertyChange,
    PropertyCommand,
    PropertyCommands,
    ctrl,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = [
    "FINISH",
    "FRESHEN",
    "FRESH_AGAIN",
    "SPEECH",
    "active_sign",
    "add_keys",
    "follows",
    "pays",
    "to_marker",
]

_KEY: Final = ctrl("A")
_FLIP: Final = ctrl("F")
_DESTROYED: Final = ctrl("E")
FINISH, FRESHEN = (KeyStroke.named(name) for name in ("finishActivation", "freshenAll"))
"""The hot keys that end an activation, and make all units fresh."""
FRESH_AGAIN: Final = KeyStroke.named("freshAgain")
"""The key by which a counter shows its fresh side."""
_ACTIVATE, _NO_MORE, _SPEND, _USE_UP, _FILL, _EMPTY, _PAYER = (
    KeyStroke.named(name)
    for name in (
        "activateUnit",
        "activeNoMore",
        "spendUnit",
        "useUpUnit",
        "fillPoints",
        "losePoints",
        "setPayer",
    )
)
_KINDS: Final = ("AP", "CAP")
_FOES: Final = 'UnitSide.startsWith("german") != "$UnitSide$".startsWith("german")'
_FRESH: Final = "Status_Level == 1 && Active_Level == 1"
_HITS: Final = " || ".join(rf"MarkerKind.startsWith(\"{pool}-\")" for pool in ("foot", "vehicle"))
_HIT_HERE: Final = f'CountLocation("{{{_HITS}}}")'
_OTHERS: Final = r'UnitSide.startsWith(\"german\") != " + UnitSide.startsWith("german") + "'
_FOE_HERE: Final = rf'CountLocation("{{Layer == \"works\" || UnitSide != \"\" && {_OTHERS}}}")'
_SAID_AT: Final = {
    "hide": 'Foot == "yes"',
    "activate": _FRESH,
    "opportunity": _FRESH,
    "rally": f"{_HIT_HERE} > 0",
    "close_combat": f"{_FOE_HERE} > 0",
    "shift": f"{NO_WORKS} != true",
}
SPEECH: Final = Speech(
    said_at=_SAID_AT,
    aimed=("fire",),
    # COH-3.1b: who is not active fires by an opportunity action.
    clicked={"fire": "Active_Level == 2", "fire-opportunity": "Active_Level == 1"},
    acting=f"Active_Level == 2 && {_FOES}",
    then={"activate": _ACTIVATE},
    after={"opportunity": _USE_UP},
)
"""Who says what: with nobody marked, the active enemy of a unit is who fires at it.

COH-3.1b: whoever takes an opportunity action is spent by it.
"""


def add_keys(module: ModuleBuilder) -> None:
    """COH-2.0a, COH-2.2d, COH-3.0c: what announcements do to counters.

    Ending an activation is meant for the side that both speaks and is to act.
    """
    place = r'"{MarkerKind == \"go\" && LocationName == \"" + ' + LISTED[0] + r' + " to act\"}"'
    mine = f'({LISTED[0]} == PlayerSide || PlayerSide == "{SOLITAIRE}")'
    own = f"Active_Level == 2 && {mine} && CountMap({place}) == 1"
    module.piece_key("Finish", FINISH, _SPEND, f"{{{own}}}")
    module.piece_key("Freshen", FRESHEN, FRESH_AGAIN, "{Status_Level == 2}")


def active_sign(picture: str, menu: str, suffix: str) -> Equipped:
    """The sign of the active unit, which another key takes off."""
    made = sign("Active", picture, "A", menu=menu, suffix=suffix)
    assert isinstance(made.trait, Layer)
    return replace(made, trait=replace(made.trait, reset_key=_NO_MORE))


def follows() -> Iterator[Equipped]:
    """COH-3.0a, COH-3.0c: points come with the sign, and go with it when the unit is spent."""
    yield to_marker(_FILL, FILL, "AP")
    yield to_marker(_EMPTY, EMPTY, "AP")
    yield _when("Active_Level == 2", _KEY, _FILL)
    yield _when("Active_Level == 2 && Status_Level == 2", _FLIP, _NO_MORE, _EMPTY)
    yield _when("Active_Level == 1", _ACTIVATE, _KEY)
    yield _when("Active_Level == 2 && Status_Level == 1", _SPEND, _FLIP)
    yield _when("Status_Level == 1", _USE_UP, _FLIP)
    yield _when("Active_Level == 2", _DESTROYED, _NO_MORE)


def _when(holds: str, key: KeyStroke, *performed: KeyStroke) -> Equipped:
    """What follows from a key, if something holds after it."""
    pressed = KeyStrokes.of(*performed)
    when = Expression(f"{{{holds}}}")
    return Equipped(TriggerAction(name=key.text, key=key, expression=when, performed_keys=pressed))


def pays() -> Iterator[Equipped]:
    """Menus by which a unit pays for what it does: a marker of its own side moves.

    Whoever sits at the table pays with it, so that one player may move the units of both sides.
    """
    points = range(1, MOST_AP + 1)
    yield _sets(
        PRICE, *(PropertyCommand("", _price(n), PropertyChange("P", str(n))) for n in points)
    )
    name = '{InvisibleToOthers == true ? "a hidden unit" : PieceName}'
    yield _sets(PAYER, PropertyCommand("", _PAYER, PropertyChange("P", name)))
    for kind in reversed(_KINDS):
        take = KeyStroke.named(f"take{kind}")
        yield to_marker(take, TAKE, kind)
        for n in reversed(points):
            yield Equipped(
                TriggerAction(
                    name=f"{n} {kind}",
                    command=f"{n} {kind}",
                    key=KeyStroke.named(f"pay{n}{kind}"),
                    performed_keys=KeyStrokes.of(_price(n), _PAYER, take),
                )
            )
        yield Equipped(SubMenu(name=f"Pay {kind}", commands=tuple(f"{n} {kind}" for n in points)))


def _price(points: int) -> KeyStroke:
    return KeyStroke.named(f"price{points}")


def _sets(name: str, *commands: PropertyCommand) -> Equipped:
    made = PropertyCommands.of(*commands)
    return Equipped(SetGlobalProperty(name=name, constraints=ANYTHING, commands=made))


def to_marker(key: KeyStroke, sent: KeyStroke, kind: str) -> Equipped:
    """A key sent to the marker of the unit's own side."""
    # The engine fills in `$...$` from the unit that pays, and asks the rest of each marker.
    track = kind.lower()
    own = Expression(f'{{Track == "{track}" && TrackSide == "$UnitSide$"}}')
    these = GlobalCommandTarget(f"COUNTER|false|MAP|||||0|0||true|Track|{track}|EQUALS||")
    return Equipped(
        CounterGlobalKeyCommand(
            key=key, global_key=sent, expression=own, suppress_single=False, target=these
        )
    )
