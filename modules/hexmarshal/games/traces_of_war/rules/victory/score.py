"""Sections 13.2 and 13.3: victory points, in exact halves and quarters."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.combat.losses import ELIMINATED
from hexmarshal.games.traces_of_war.rules.ground.supply import can_trace
from hexmarshal.games.traces_of_war.state.kinds import AXIS, HQ, MINOR_NATIONS, SOVIET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["CAMPAIGN", "NEEDED", "RACE", "Item", "campaign", "needed", "points", "race"]

RACE, CAMPAIGN = "race", "campaign"
NEEDED = {RACE: 50, CAMPAIGN: 65}  # TOW-13.2a, TOW-13.3a


@dataclass(frozen=True, slots=True)
class Item:
    """One line of the account: so many, so much each."""

    label: str
    count: int
    each: Fraction
    rule: str

    @property
    def total(self) -> Fraction:
        """What the line is worth."""
        return self.count * self.each


def needed(now: Situation, victory: str) -> int:
    """What the Soviets need: as the scenario says, or as they bid (TOW-14.1)."""
    bid = now.option("bid")
    return bid if isinstance(bid, int) and bid > 0 else NEEDED[victory]


def points(items: list[Item]) -> Fraction:
    """The sum, never rounded."""
    return sum((item.total for item in items), start=Fraction(0))


def race(now: Situation) -> list[Item]:
    """TOW-13.2b: crossing points, without the bridgehead, and units west of the Dnipro."""
    found = [Item("crossing points", len(now.soviet_crossings()), Fraction(5), "TOW-13.2b")]
    west = [u for u in now.on_map(SOVIET) if u.cell in now.board.west and _scores(now, u)]
    for mechanized in (True, False):
        for traced in (True, False):
            each = Fraction(1 if mechanized else Fraction(1, 2)) / (1 if traced else 2)
            alike = [u for u in west if now.kind(u).mechanized is mechanized]
            those = [u for u in alike if can_trace(now, u) is traced]
            word = "mechanized" if mechanized else "non-mechanized"
            line = (
                f"{word} units west of the Dnipro {'with' if traced else 'without'} a supply line"
            )
            found.append(Item(line, len(those), each, "TOW-13.2b"))
    return found


def _scores(now: Situation, unit: Unit) -> bool:
    return unit.type != HQ or bool(now.option("headquarters_score"))


def campaign(now: Situation, *, final: bool) -> list[Item]:
    """TOW-13.3b; at the end of the game who cannot trace counts as destroyed (TOW-13.3c)."""
    cities = [c for c in now.board.majors() if now.controller(c) == SOVIET]
    lost = [u for u in now.position.in_box(ELIMINATED) if u.side == AXIS]
    if final:
        lost += [u for u in now.on_map(AXIS) if u.type != HQ and not can_trace(now, u)]
    german = [u for u in lost if u.values.get("nation") not in MINOR_NATIONS]
    panzers = [u for u in german if _panzer(now, u)]
    return [
        Item("major cities", len(cities), Fraction(8), "TOW-13.3b"),
        Item("German panzer units destroyed", len(panzers), Fraction(2), "TOW-13.3b"),
        Item("other German units destroyed", len(german) - len(panzers), Fraction(1), "TOW-13.3b"),
        Item("Axis minor units destroyed", len(lost) - len(german), Fraction(0), "TOW-13.3b"),
        Item(
            "German headquarters relocated",
            now.position.track("relocations-axis"),
            Fraction(2),
            "TOW-2.3f",
        ),
        Item(
            "Soviet headquarters relocated",
            now.position.track("relocations-soviet"),
            Fraction(-2),
            "TOW-2.3f",
        ),
        Item(
            "Soviet units on breakthrough hexes",
            len(set(_through(now, final=final))),
            Fraction(5),
            "TOW-13.3b",
        ),
    ]


def _panzer(now: Situation, unit: Unit) -> bool:
    return unit.type == "tank" or (
        unit.type == "mechanized_infantry" and bool(now.option("panzergrenadiers"))
    )


def _through(now: Situation, *, final: bool) -> Iterator[str]:
    """What scores for breakthroughs: units, or with the switch their hexes."""
    per_hex = now.option("breakthrough") == "hex"
    for unit in now.on_map(SOVIET):
        if unit.cell not in now.board.breakthrough or not _scores(now, unit):
            continue
        if not final or can_trace(now, unit):
            yield unit.cell if per_hex else unit.id
