"""Markers that lie on a unit go where it goes, also when only the unit is dragged.

VASSAL moves a whole stack that is closed, and a single piece of one that is open or of which a
piece was chosen before. What would then be left behind with no unit below it follows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.kit.module.pieces.traits import ANYTHING
from hexmarshal.vassal.builder import markers
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import (
    CounterGlobalKeyCommand,
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
_FOLLOWS: Final = "Follows"
_WENT, _LEAD, _CALL, _COME = (
    KeyStroke.named(name) for name in ("pieceWent", "leadsNow", "callAfter", "comeAfter")
)
_MAP: Final = GlobalCommandTarget("COUNTER|false|MAP|||||0|0||false|||EQUALS||")
_ALONE: Final = r'CountLocation("{UnitType != \"\"}") == 0'


def add_following(module: ModuleBuilder, main: MapBuilder) -> None:
    """Let the map tell pieces that they were moved on it."""
    module.global_property(_LEADER, "", "The unit that markers go after")
    module.global_property(_FROM, "", "Where it came from")
    main.component.set("moveKey", _WENT.text)


def leads(*, sided: bool = False) -> tuple[Equipped, ...]:
    """The traits of a unit; where markers are of a side, they follow their own."""
    own = ' && (MarkerSide == "" || MarkerSide == "$UnitSide$")' if sided else ""
    left = f'{_FOLLOWS} == "unit" && LocationName == {_FROM} && {_ALONE}{own}'
    return (
        _noted(_LEADER, "PieceUID"),
        _noted(_FROM, "OldLocationName"),
        Equipped(
            CounterGlobalKeyCommand(
                key=_CALL, global_key=_COME, expression=Expression(f"{{{left}}}"), target=_MAP
            )
        ),
        Equipped(
            TriggerAction(
                name=_WENT.text,
                key=_WENT,
                expression=Expression("{OldMap == CurrentMap && OldLocationName != LocationName}"),
                performed_keys=KeyStrokes.of(_LEAD, _CALL),
            )
        ),
    )


def _noted(name: str, what: str) -> Equipped:
    # A location of digits is a number to expressions, and only equal to one that is read likewise.
    changes = PropertyCommands.of(PropertyCommand("", _LEAD, PropertyChange("P", f"{{{what}}}")))
    return Equipped(SetGlobalProperty(name=name, constraints=ANYTHING, commands=changes))


def follows() -> tuple[Equipped, ...]:
    """The traits of a marker; outside of a mask, which would keep the key from it."""
    return (
        markers({_FOLLOWS: "unit"}),
        Equipped(
            SendToLocation(
                key=_COME, destination="A", expression=Expression(f'{{PieceUID == "${_LEADER}$"}}')
            )
        ),
    )
