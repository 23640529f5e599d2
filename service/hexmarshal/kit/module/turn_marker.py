"""The marker on the track of turns goes where the tracker is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import SendToLocation
from hexmarshal.vassal.values import FormattedText, KeyStroke

if TYPE_CHECKING:
    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["EACH_STEP", "add_turn_key", "each_step", "goes_with_turn"]

_STEP, _FIRST, _GO, _BACK = (
    KeyStroke.named(name) for name in ("trackerWent", "inFirstTurn", "goToTurn", "goToFirst")
)
EACH_STEP: Final = (("{true}", _STEP),)
"""What the turn tracker presses wherever it comes to."""


def each_step(apart: str, begins: str) -> tuple[tuple[str, KeyStroke], ...]:
    """The same of a tracker that keeps the phases of the first turn apart, in a property.

    While it goes through the others, that stays at the phase with which the first turn begins.
    """
    return (f'{{{apart} == "{begins}"}}', _STEP), (f'{{{apart} != "{begins}"}}', _FIRST)


def add_turn_key(module: ModuleBuilder, kind: str) -> None:
    """Let the tracker tell the marker of this kind."""
    which = f'{{MarkerKind == "{kind}"}}'
    module.piece_key("Turn marker", _STEP, _GO, which, quiet=True)
    module.piece_key("Turn marker in the first turn", _FIRST, _BACK, which, quiet=True)


def goes_with_turn(track: str, last: int, *, in_zones: bool = False) -> tuple[Equipped, ...]:
    """The traits of the marker; boxes are places of the track's own grid, or zones alone."""
    return (
        _goes(_GO, f'{{"{track} " + (Turn > {last} ? {last} : Turn)}}', in_zones=in_zones),
        _goes(_BACK, f"{track} 1", in_zones=in_zones),
    )


def _goes(key: KeyStroke, place: str, *, in_zones: bool) -> Equipped:
    to, here = FormattedText(place), FormattedText("$CurrentMap$")
    if in_zones:
        return Equipped(SendToLocation(key=key, map=here, destination="Z", zone=to))
    return Equipped(SendToLocation(key=key, map=here, destination="R", region=to))
