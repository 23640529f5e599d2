"""The notes of a set-up: what the Soviets need, and what they have it for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.art.charts import victory_of
from hexmarshal.games.traces_of_war.rules.victory.score import NEEDED, RACE
from hexmarshal.kit.pages.notes import table_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["notes"]


def notes(victory: str, turns: int) -> Iterator[str]:
    """In words, one line for each thing."""
    when = f"at the end of turn {turns}" if victory == RACE else "at the end of any turn"
    yield f"The Soviets win with {NEEDED[victory]} points {when}."
    yield "They win at once if a city under an order falls."
    yield f"If they have not won after turn {turns}, the Axis has."
    yield ""
    yield from table_lines(replace(victory_of(victory), note=""))
