"""The game's charts, filled from the rules' data; a value of ours carries an asterisk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.heroes_of_stalingrad.state.kinds import FAMILIES
from hexmarshal.kit.drawing.charts import ChartLook
from hexmarshal.rules.charts import Chart, ChartTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.tables import Tables

__all__ = ["CHARTS", "charts"]

OURS: Final = "*"
_NOTE: Final = f"{OURS} is ours: the rulebook prints it on a picture, or not at all."
CHARTS: Final = ChartLook(title="#7c2a23", tints={})


def charts(tables: Tables) -> Iterator[Chart]:
    """Every chart of the game."""
    yield Chart("sequence", "Sequence of play", (_sequence(), _calculation()))
    yield Chart("terrain", "Terrain", (_terrain(tables),))
    yield Chart("damage", "Damage and snipers", (_location(tables), _sniper(tables)))
    yield Chart("templates", "Templates and markers", (_templates(tables), _suppressed(tables)))
    yield Chart("cards", "Action cards", (_cards(tables),))


def _sequence() -> ChartTable:
    rows = (
        ("Order", "take tokens: 1 to the number of stars; place them face down, one a unit"),
        ("Activation", "initiative first: reveal 1, act; then the enemy's 1; then 2, and so on"),
        ("", "special orders and autonomous units between activations"),
        ("Reserve", "discard bluffs; initiative first: move units without orders,"),
        ("", "then discard one Suppressed a unit; discard and draw cards"),
        ("End", "victory, time limit; the initiative changes sides"),
    )
    return ChartTable(("Phase", "Steps"), rows)


def _calculation() -> ChartTable:
    rows = (
        ("1", "combat value against the target's family"),
        ("2", "Moving fire: minus its number"),
        ("3", "bonuses: Ammo, card"),
        ("4", "Suppression fire: doubled"),
        ("5", "Burst: split"),
        ("6", "plus the die; Twin weapons: the best of two"),
        ("7", "minus Suppressed, long range, obstacles"),
        ("8", "defence or more: a step loss; twice the defence: destroyed"),
    )
    return ChartTable(("", "Fire"), rows, "Calculation of fire")


def _terrain(tables: Tables) -> ChartTable:
    rows = []
    for key, kind in tables.kinds.items():
        ours = set(tables.terrain["kinds"][key].get("ours") or ())

        def told(value: object, name: str, ours: set[str] = ours) -> str:
            return f"{value}{OURS if value and name in ours else ''}" if value else ""

        bonus = ", ".join(f"{family} +{n}" for family, n in kind.bonus.items())
        obstacle = "X" if kind.blocks else f"-{kind.obstacle}" if kind.obstacle else ""
        barred = "all" if kind.impassable else ", ".join(kind.forbidden)
        rows.append(
            (
                kind.title,
                told(bonus, "bonus"),
                told(obstacle, "obstacle"),
                told(barred, "impassable" if kind.impassable else "forbidden"),
                told("stop" if kind.difficult else "", "difficult"),
                told(kind.structure or "", "structure"),
            )
        )
    heads = ("Terrain", "Bonus", "Obstacle", "Forbidden to", "Difficult", "Structure")
    return ChartTable(heads, tuple(rows), "", _NOTE)


def _location(tables: Tables) -> ChartTable:
    effects = {
        "crew": "one weapon a turn",
        "tracks": "no Move Action any more; stops at once",
        "hull": "and two Suppressed; stops at once",
        "main": "the main weapon is lost",
        "destroyed": "a wreck",
    }
    rows = tuple(
        (f"{die}+" if die == "6" else die, place, effects[place])
        for die, place in tables.limits["location"].items()
    )
    note = "A second marker of the same sort destroys the vehicle."
    return ChartTable(("Die", "Location", "Effect"), rows, "Location", note)


def _sniper(tables: Tables) -> ChartTable:
    rows = tuple(
        (f"{die}+" if die == "6" else die, result.replace("_", " "))
        for die, result in tables.limits["sniper"].items()
    )
    return ChartTable(("Die", "Result"), rows, "Sniper", "Minus Suppressed and obstacles.")


def _templates(tables: Tables) -> ChartTable:
    limits = tables.limits
    rows: list[tuple[str, ...]] = [
        ("Explosion", f"radius {limits['blast']['radius']} cells{OURS}", "", "", ""),
        (
            "Flame",
            f"{limits['flame']['length']} long, {limits['flame']['width']} wide{OURS}",
            "",
            "",
            "",
        ),
    ]
    for name in ("grenades", "artillery"):
        row = limits[name]
        how = f"range {row['range']}" if name == "grenades" else f"dispersion {row['dispersion']}"
        values = tuple(f"{row['combat'].get(family, 'X')}{OURS}" for family in FAMILIES)
        rows.append((name.title(), how, *values))
    return ChartTable(("", "", "Infantry", "Light", "Heavy"), tuple(rows), "", _NOTE)


def _suppressed(tables: Tables) -> ChartTable:
    off = tables.limits["suppressed"]
    rows = (
        ("rolls", f"-{off} each; not on scatter, location and destruction"),
        ("movement", f"-{off} each; at 0 immobilised"),
        ("zone of control", "ignored"),
        ("long range", f"beyond {tables.limits['long_range']['beyond']} cells: -2"),
    )
    return ChartTable(("Suppressed", ""), rows)


def _cards(tables: Tables) -> ChartTable:
    rows = tuple(
        (card.title, ", ".join(card.phases), card.text, card.bonus)
        for card in tables.cards.values()
    )
    return ChartTable(("Card", "Phases", "Event", "Bonus +1"), rows, "", "The texts are ours.")
