"""The colours in which sides speak: VASSAL takes them from the first letter of a report.

Players choose the shades in their preferences, under the chat window.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.builder.counters import Equipped
from hexmarshal.vassal.traits import CalculatedProperty

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["GREEN", "PURPLE", "RED", "ROSE", "SPEAKER", "tone_of_speaker", "tones", "toned"]

GREEN, RED, PURPLE, ROSE = "!", "~", "`", "?"
"""What the colours are unless a player chose others."""
_ORDER: Final = (GREEN, RED, PURPLE, ROSE)
_TONE: Final = "Tone"
_NAMED: Final = "$PlayerName$ ($PlayerSide$)"
SPEAKER: Final = f"${_TONE}${_NAMED}: "
"""What a line begins with that a piece with this property says for its player."""


def tones(seats: Iterable[str]) -> dict[str, str]:
    """The colours of some seats in their order; who sits elsewhere speaks without one."""
    return dict(zip(seats, _ORDER, strict=False))


def tone_of_speaker(colours: Mapping[str, str]) -> Equipped:
    """The property by which a piece knows the colour of who speaks."""
    return Equipped(CalculatedProperty(name=_TONE, expression=f"{{{_chosen(colours)}}}"))


def toned(colours: Mapping[str, str], line: str) -> str:
    """The report of a button that names its player first, and says no property besides."""
    if not colours:
        return f"{_NAMED}{line}"
    quoted = line.replace('"', '\\"')
    said = f'PlayerName + " (" + PlayerSide + "){quoted}"'
    return f"{{({_chosen(colours)}) + {said}}}"


def _chosen(colours: Mapping[str, str]) -> str:
    cases = "".join(f'PlayerSide == "{seat}" ? "{code}" : ' for seat, code in colours.items())
    return f'{cases}""'
