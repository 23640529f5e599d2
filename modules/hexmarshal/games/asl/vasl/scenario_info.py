"""The scenario information that VASL keeps in a save: who moves first, the turn, ELR and SAN."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["ALLIED", "AXIS", "ScenarioInfo", "info_command", "info_in"]

_COMMAND: Final = "INFO\t"
AXIS: Final = "axis"
ALLIED: Final = "allied"


@dataclass(frozen=True, slots=True)
class ScenarioInfo:
    """What players typed into VASL's window of that name; None where nothing is."""

    first: str = AXIS
    moving: str = AXIS
    turn: int = 1
    elr: tuple[int | None, int | None] = (None, None)
    """Of the axis and the allied side."""
    san: tuple[int | None, int | None] = (None, None)


def info_in(commands: Iterable[str]) -> ScenarioInfo | None:
    """The information in the commands of a save."""
    text = next((c for c in commands if c.startswith(_COMMAND)), None)
    if text is None:
        return None
    words = [*text[len(_COMMAND) :].split("\t"), *[""] * 7]
    first, moving = (ALLIED if w.lower().startswith("allied") else AXIS for w in words[:2])
    axis_elr, axis_san, allied_elr, allied_san = map(_number, words[3:7])
    return ScenarioInfo(
        first, moving, _number(words[2]) or 1, (axis_elr, allied_elr), (axis_san, allied_san)
    )


def info_command(info: ScenarioInfo) -> str:
    """The command for it."""
    told = [
        "?" if n is None else str(n) for pair in zip(info.elr, info.san, strict=True) for n in pair
    ]
    words = [info.first.title(), info.moving.title(), str(info.turn), *told, "?", "?"]
    return _COMMAND + "\t".join(words) + "\t"


def _number(word: str) -> int | None:
    word = word.strip()
    return int(word) if word.isdigit() else None
