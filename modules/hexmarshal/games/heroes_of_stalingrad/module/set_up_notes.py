"""The notes of a set-up: how it is won, who has the initiative, who is placed where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["notes"]


def notes(scenario: Mapping[str, Any]) -> Iterator[str]:
    """In words, one line for each thing."""
    if wanted := scenario.get("victory", {}).get("points"):
        yield f"Who has {wanted} points as a turn ends, and more than the other, wins."
    yield f"After turn {scenario['turns']} who has more points wins."
    yield from _objectives(scenario.get("objectives", {}))
    yield ""
    yield f"Initiative in turn 1: {scenario['initiative'].capitalize()}"
    for side, cards in scenario["hand"].items():
        yield f"{side.capitalize()}: {counted(cards, 'card')} at the start"
    if budget := scenario.get("budget"):
        yield f"Each side recruits an army of {budget} points."
    yield from _zones(scenario)


def _objectives(given: Mapping[str, Any]) -> Iterator[str]:
    """HOS-2.2: what a turn is worth to the side that alone has units in a place."""
    if not given:
        return
    yield ""
    yield "Objectives, for the side that alone has units there as a turn ends"
    for name, row in given.items():
        words = name.replace("_", " ").capitalize()
        yield f"{words}: {counted(row['points'], 'point')} ({', '.join(row['cells'])})"


def _zones(scenario: Mapping[str, Any]) -> Iterator[str]:
    zones = scenario.get("zones", {})
    if not zones:
        return
    yield ""
    yield "Where units are placed"
    placed = scenario.get("deploy", ())
    for side, cells in zones.items():
        own = [unit for unit in placed if scenario["units"][unit]["side"] == side]
        who = f" ({', '.join(own)})" if own else ""
        yield f"{side.capitalize()}{who}: {', '.join(cells)}"
