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

__all__ = ["add_following", "follows", "leads"]

_LEADER: Final = "Leader"
_FROM: Final = "LeftFrom"
_TO: Final = "WentTo"
_FOLLOWS: Final = "Follows"
_LAID_ON: Final = "LaidOn"
_WENT, _LEAD, _CALL, _COME, _SEND, _KEEP, _NOTE, _LEAVE = (
    KeyStroke.named(name)
    for name in (
        "pieceWent",
        "leadsNow",
        "callAfter",
        "comeAfter",
        "sendAfter",
        "keepWith",
        "noteLeader",
        "leaveLeader",
    )
)
_MAP: Final = GlobalCommandTarget("COUNTER|false|MAP|||||0|0||false|||EQUALS||")
_ALONE: Final = r'CountLocation("{UnitType != \"\"}") == 0'


def add_following(module: ModuleBuilder, main: MapBuilder) -> None:
    """Let the map tell pieces that they were moved on it."""
    module.global_property(_LEADER, "", "The unit that markers go after")
    module.global_property(_FROM, "", "Where it came from")
    module.global_property(_TO, "", "Where it went")
    main.component.set("moveKey", _WENT.text)


def leads(*, sided: bool = False) -> tuple[Equipped, ...]:
    """The traits of a unit; where markers are of a side, they follow their own."""
    own = ' && (MarkerSide == "" || MarkerSide == "$UnitSide$")' if sided else ""
    its = f"{_LAID_ON} == {_LEADER}"
    left = f'{_FOLLOWS} == "unit" && LocationName == {_FROM} && ({_ALONE} || {its}){own}'
    along = (
        f'{_FOLLOWS} == "unit" && OldLocationName == {_FROM} && LocationName == "$LocationName$"'
    )
    return (
        _noted(_LEADER, "PieceUID"),
        _noted(_FROM, "OldLocationName"),
        _noted(_TO, "LocationName"),
        Equipped(
            CounterGlobalKeyCommand(
                key=_CALL, global_key=_COME, expression=Expression(f"{{{left}}}"), target=_MAP
            )
        ),
        Equipped(
            CounterGlobalKeyCommand(
                key=_KEEP,
                global_key=_NOTE,
                expression=Expression(f"{{{along}{own}}}"),
                target=_MAP,
            )
        ),
        Equipped(
            TriggerAction(
                name=_WENT.text,
                key=_WENT,
                expression=Expression("{OldMap == CurrentMap && OldLocationName != LocationName}"),
                performed_keys=KeyStrokes.of(_LEAD, _CALL, _KEEP),
            )
        ),
    )


def _noted(name: str, what: str) -> Equipped:
    # A location of digits is a number to expressions, and only equal to one that is read likewise.
    changes = PropertyCommands.of(PropertyCommand("", _LEAD, PropertyChange("P", f"{{{what}}}")))
    return Equipped(SetGlobalProperty(name=name, constraints=ANYTHING, commands=changes))


def follows() -> tuple[Equipped, ...]:
    """The traits of a marker; outside of a mask, which would keep the key from it."""
    led = PropertyCommand("", _NOTE, PropertyChange("P", f"{{{_LEADER}}}"))
    left = PropertyCommand("", _LEAVE, PropertyChange("P", ""))
    gone = rf'CountLocation("{{PieceUID == \"${_LAID_ON}$\"}}") == 0'
    return (
        markers({_FOLLOWS: "unit"}),
        Equipped(
            SendToLocation(
                key=_SEND, destination="A", expression=Expression(f'{{PieceUID == "${_LEADER}$"}}')
            )
        ),
        Equipped(
            DynamicProperty(
                name=_LAID_ON, constraints=ANYTHING, commands=PropertyCommands.of(led, left)
            )
        ),
        Equipped(
            TriggerAction(name=_COME.text, key=_COME, performed_keys=KeyStrokes.of(_SEND, _NOTE))
        ),
        # Who is dragged away from his unit lies where he was put.
        Equipped(
            TriggerAction(
                name=_WENT.text,
                key=_WENT,
                expression=Expression(f"{{{gone}}}"),
                performed_keys=KeyStrokes.of(_LEAVE),
            )
        ),
    )
