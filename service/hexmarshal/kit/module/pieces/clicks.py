"""What a plain click on a counter does: on the name plate it marks, on an enemy it aims.

The engine knows clicks on pieces only, not on hexes; and none on what was just dragged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.kit.announcements import MARK_KEY
from hexmarshal.kit.module.pieces.traits import LISTED
from hexmarshal.kit.module.solitaire import SOLITAIRE
from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import ActionButton, TriggerAction
from hexmarshal.vassal.values import Expression, KeyStroke, KeyStrokes, ctrl

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["aimed_by_click", "marked_by_click", "marks"]

_PLATE, _COUNTER = (KeyStroke.named(name) for name in ("clickedPlate", "clickedCounter"))
_HIGH: Final = 7
"""Half of the height of a plate."""
_OWN: Final = f"{LISTED[0]} == PlayerSide"
_SEATED: Final = 'PlayerSide != "" && PlayerSide != "<observer>"'


def marks(marked: str, what: str = "", *, own: bool = False) -> str:
    """How many units are marked against the one that asks: not of its side, and of some kind.

    With `own`, only those of the player's seat.
    """
    those = rf'{marked}_Level == 2 && UnitSide != \"" + UnitSide + "\"'
    if own:
        those += rf' && {LISTED[0]} == \"" + PlayerSide + "\"'
    if what:
        some = what.replace('"', '\\"')
        those += f" && ({some})"
    return f'CountMap("{{{those}}}")'


def marked_by_click(marked: str, size: int, plate: int) -> Iterator[Equipped]:
    """Who sits on a unit's side marks it by a click on its name, so many pixels below its middle.

    Who plays all sides does where no enemy of the unit is marked, who would rather aim at it.
    """
    own = f'{_OWN} || PlayerSide == "{SOLITAIRE}" && {marks(marked)} == 0'
    yield _answers(_PLATE, own, ctrl(MARK_KEY))
    half, top, foot = size // 2, plate - _HIGH, plate + _HIGH
    corners = ((-half, top), (half, top), (half, foot), (-half, foot))
    yield Equipped(ActionButton(key=_PLATE, version=1, points=corners))


def aimed_by_click(marked: str, aims: Mapping[KeyStroke, str]) -> Iterator[Equipped]:
    """A click on a counter presses the first of some keys for which an enemy of it is marked.

    Nobody aims at a unit of his own side by a click, nor with what others have marked: he might
    only look at it.
    """
    if not aims:
        return
    # The last trait is asked first; once a key has said its line nobody is marked any more.
    for key, what in reversed(tuple(aims.items())):
        anybodys, his = marks(marked, what), marks(marked, what, own=True)
        count = f'(PlayerSide == "{SOLITAIRE}" ? {anybodys} : {his})'
        holds = f"!({_OWN}) && {_SEATED} && {count} > 0"
        yield _answers(_COUNTER, holds, key)
    yield Equipped(ActionButton(key=_COUNTER, whole_shape=True, version=1))


def _answers(key: KeyStroke, holds: str, performed: KeyStroke) -> Equipped:
    when, pressed = Expression(f"{{{holds}}}"), KeyStrokes.of(performed)
    return Equipped(TriggerAction(name=key.text, key=key, expression=when, performed_keys=pressed))
