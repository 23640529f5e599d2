"""Markers that lie on a unit go where it goes, also when only the unit is dragged.

VASSAL moves a whole stack that is closed, and a single piece of one that is open or of which a
piece was chosen before. What would then be left behind with no unit below it follows; and where
others stand as well, what went along with the unit until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.kit.module.pieces.traits import ANYTHING
from hexmarshal.vassal.builder import markers
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import (
    CounterGlobalKeyCommand,
    DynamicProperty,
    SendToLocation,
    SetGlobalProperty,
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
)

if TYPE_CHECKING:
    from hexmarshal.vassal.builder import MapBuilder, ModuleBuilder

__all__ = ["LAID_ON", "LEADER", "WENT", "WENT_TO", "add_following", "follows", "leads"]

LEADER: Final = "Leader"
"""The property that names the unit that was dragged last, while its key is pressed."""
_FROM: Final = "LeftFrom"
WENT_TO: Final = "WentTo"
"""The property that tells where it went."""
_FOLLOWS: Final = "Follows"
LAID_ON: Final = "LaidOn"
"""The property of a marker that names the unit that it goes along with."""
WENT, _LEAD, _COME, _SEND, _NOTE, _LEAVE = (
    KeyStroke.named(name)
    for name in (
        "pieceWent",
        "leadsNow",
        "comeAfter",
        "sendAfter",
        "noteLeader",
        "leaveLeader",
    )
)
# What does not follow anybody is passed over before an expression is asked.
_THOSE: Final = GlobalCommandTarget(f"COUNTER|false|MAP|||||0|0||true|{_FOLLOWS}|unit|EQUALS||")
_ALONE: Final = r'CountLocation("{UnitType != \"\"}") == 0'


def add_following(module: ModuleBuilder, main: MapBuilder) -> None:
    """Let the map tell pieces that they were moved on it."""
    module.global_property(LEADER, "", "The unit that markers go after")
    module.global_property(_FROM, "", "Where it came from")
    module.global_property(WENT_TO, "", "Where it went")
    main.component.set("moveKey", WENT.text)


def leads(*, sided: bool = False) -> tuple[Equipped, ...]:
    """The traits of a unit; where markers are of a side, they follow their own."""
    own = ' && (MarkerSide == "" || MarkerSide == "$UnitSide$")' if sided else ""
    its = f"{LAID_ON} == {LEADER}"
    left = f'{_FOLLOWS} == "unit" && LocationName == {_FROM} && ({_ALONE} || {its}){own}'
    along = (
        f'{_FOLLOWS} == "unit" && OldLocationName == {_FROM} && LocationName == "$LocationName$"'
    )
    # One key for all of it, as each costs time: the engine asks the outermost first, the last here.
    return (
        _calls(_NOTE, f"{along}{own}"),
        _calls(_COME, left),
        _noted(LEADER, "PieceUID"),
        _noted(_FROM, "OldLocationName"),
        _noted(WENT_TO, "LocationName"),
        Equipped(
            TriggerAction(
                name=WENT.text,
                key=WENT,
                expression=Expression("{OldMap == CurrentMap && OldLocationName != LocationName}"),
                performed_keys=KeyStrokes.of(_LEAD),
            )
        ),
    )


def _calls(sent: KeyStroke, those: str) -> Equipped:
    which = Expression(f"{{{those}}}")
    return Equipped(
        CounterGlobalKeyCommand(key=_LEAD, global_key=sent, expression=which, target=_THOSE)
    )


def _noted(name: str, what: str) -> Equipped:
    # A location of digits is a number to expressions, and only equal to one that is read likewise.
    changes = PropertyCommands.of(PropertyCommand("", _LEAD, PropertyChange("P", f"{{{what}}}")))
    return Equipped(SetGlobalProperty(name=name, constraints=ANYTHING, commands=changes))


def follows() -> tuple[Equipped, ...]:
    """The traits of a marker; outside of a mask, which would keep the key from it."""
    led = PropertyCommand("", _NOTE, PropertyChange("P", f"{{{LEADER}}}"))
    left = PropertyCommand("", _LEAVE, PropertyChange("P", ""))
    gone = rf'CountLocation("{{PieceUID == \"${LAID_ON}$\"}}") == 0'
    return (
        markers({_FOLLOWS: "unit"}),
        Equipped(
            SendToLocation(
                key=_SEND, destination="A", expression=Expression(f'{{PieceUID == "${LEADER}$"}}')
            )
        ),
        Equipped(
            DynamicProperty(
                name=LAID_ON, constraints=ANYTHING, commands=PropertyCommands.of(led, left)
            )
        ),
        Equipped(
            TriggerAction(name=_COME.text, key=_COME, performed_keys=KeyStrokes.of(_SEND, _NOTE))
        ),
        # Who is dragged away from his unit lies where he was put.
        Equipped(
            TriggerAction(
                name=WENT.text,
                key=WENT,
                expression=Expression(f"{{{gone}}}"),
                performed_keys=KeyStrokes.of(_LEAVE),
            )
        ),
    )
