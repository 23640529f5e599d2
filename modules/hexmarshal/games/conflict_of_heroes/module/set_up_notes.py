"""The notes of a set-up: all that players must know of a firefight and the board does not show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from hexmarshal.games.conflict_of_heroes.art.sheet import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.conflict_of_heroes.state.tables import Tables

__all__ = ["notes"]

_WHEN: Final = {
    "turn": "at the end of each turn",
    "end": "at the end of the firefight",
    "card": "when the card Scoring is drawn",
}


def notes(firefight: Mapping[str, Any], tables: Tables) -> str:
    """In words, one line for each thing."""
    return "\n".join(_lines(firefight, tables))


def _lines(given: Mapping[str, Any], tables: Tables) -> Iterator[str]:
    yield f"{given['title']}: {given['turns']} turns on board {given['board']}"
    if given.get("doc"):
        yield given["doc"]
    for side, force in given["forces"].items():
        yield ""
        yield f"{SEATS[side]}: {force['cap']} command points"
        yield from _of_force(force, tables)
    objectives = given.get("objectives", {})
    if objectives:
        yield ""
        yield "Objectives"
    for cell, row in objectives.items():
        points = "point" if row["vp"] == 1 else "points"
        yield f"{cell}: {row['vp']} {points}, {_WHEN[row['when']]}"


def _of_force(force: Mapping[str, Any], tables: Tables) -> Iterator[str]:
    drawn = force.get("draw", 0)
    first = drawn + force.get("deal", 0)
    if first:
        yield f"draws {_count(first)} before the first turn, {_count(drawn)} before each later one"
    for unit, row in force["units"].items():
        title = tables.counters[row["type"]].title
        if "arrives" in row:
            where = ", ".join(row.get("entry", ())) or "its own edge"
            yield f"{title} ({unit}) comes from turn {row['arrives']} on, by {where}"
        if "weapon" in row:
            yield f"{title} ({unit}) has {tables.cards[row['weapon']].title}"


def _count(number: int) -> str:
    return "no card" if number == 0 else "1 card" if number == 1 else f"{number} cards"
