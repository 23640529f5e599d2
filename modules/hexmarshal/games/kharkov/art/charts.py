"""The game's charts, filled from the rules' data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.games.kharkov.art import colours
from hexmarshal.kit.drawing.charts import ChartLook
from hexmarshal.rules.charts import Chart, ChartTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hexmarshal.games.kharkov.state.source import Source

__all__ = ["CHARTS", "charts"]

CHARTS = ChartLook(title=colours.FRONT, tints={
    "Ae": "#e39a8c", "A2": "#ecb8aa", "A1": "#f1cfc3", "Eng": "#efe1a4", "D1/A1": "#f3ecc4",
    "D1": "#e3ecc8", "D2/A1": "#dbe9c4", "D2": "#c6e0bd", "De/A1": "#aad3b0", "De": "#8cc4a2",
})  # fmt: skip
_SEQUENCE = (
    ("", "Phase", "What is done"),
    ("A1", "Soviet reserve commitment", "from turn 2: units leave the reserve boxes"),
    ("A2", "Soviet movement", "supply, headquarters, reinforcements, movement, rail, overruns"),
    ("A3", "Soviet combat", "attacks; morale bonus on turns 1-4; both sides' air points"),
    ("A4", "Soviet disruption", "Soviet units recover, displaced headquarters become active"),
    ("B1", "Axis initial movement", "supply, breakdown, strongpoints, movement, rail, overruns"),
    ("B2", "Axis combat", "attacks; both sides' air points"),
    ("B3", "Axis mechanised movement", "panzer and panzergrenadier units only; not on turn 10"),
    ("B4", "Axis disruption", "Axis units recover"),
    ("B5", "Axis air support", "unused air points supply hexes for the next turn"),
    ("C", "End of turn", "victory points of this turn; advance the turn marker"),
)


def charts(source: Source) -> Iterator[Chart]:
    """Every chart of the game."""
    combat = source.read("rules/combat.yaml", "combat")
    yield Chart("crt", "Combat results", (_results(combat), _morale(combat)))
    terrain = source.read("rules/terrain.yaml", "terrain")
    yield Chart("terrain", "Terrain effects", (_terrain(terrain),))
    yield Chart("sequence", "Sequence of play", (ChartTable(_SEQUENCE[0], _SEQUENCE[1:]),))
    victory = source.read("rules/victory.yaml", "victory")
    cities = source.read("boards/kharkov/map.yaml", "map")["cities"]
    units = source.read("rules/units.yaml", "units")["types"]
    tables = (_cities(victory, cities), _losses(victory, units), _levels(victory))
    yield Chart("victory", "Victory", tables)
    breakdown = source.read("rules/breakdown.yaml", "breakdown")
    schedule = source.read("rules/schedule.yaml", "schedule")
    both = (_breakdown(breakdown, units), _limits(schedule))
    yield Chart("limits", "Breakdown and limits", both)


def _table(title: str, rows: Sequence[tuple[str, ...]], note: str = "") -> ChartTable:
    """A table whose first row is its heading."""
    return ChartTable(rows[0], tuple(rows[1:]), title, note)


def _results(combat: dict[str, Any]) -> ChartTable:
    columns = combat["columns"]
    results = [combat["results"][column] for column in columns]
    rows = [("Die", *columns), *_by_die(results)]
    return _table(
        "Combat results",
        rows,
        "Odds are rounded for the defender. A 7 on the die is read as 6. D#/A#: lose # steps or "
        "retreat # hexes; Eng: each side loses a step.",
    )


def _morale(combat: dict[str, Any]) -> ChartTable:
    turns = combat["morale"]
    shifts = [[str(shift or "-") for shift in turns[turn]] for turn in turns]
    rows = (("Die", *(f"Turn {turn}" for turn in turns)), *_by_die(shifts))
    return _table("Soviet morale: columns to the right", rows, "Attacks only, no overruns.")


def _by_die(columns: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    """Rows for a die of 1 to 6, from columns of results."""
    for die, row in enumerate(zip(*columns, strict=True), 1):
        yield str(die), *row


def _terrain(terrain: dict[str, Any]) -> ChartTable:
    rows = [("Terrain", "Infantry", "Other units", "Combat")]
    for kind, row in terrain["hexes"].items():
        effect = f"defender x{row['defence']}" if "defence" in row else "-"
        rows.append((kind.capitalize(), str(row["infantry"]), str(row["other"]), effect))
    road = terrain["road"]
    rows.append(("Road", str(road["infantry"]), str(road["other"]), "-"))
    rows.append(("Town, railway", "other terrain", "other terrain", "-"))
    for kind, row in terrain["sides"].items():
        effects = []
        if "attack" in row:
            effects.append("each attacker across it halved")
        if "die" in row:
            effects.append(f"+{row['die']} to the die if all attack across rivers")
        name = {"river": "River (side)", "donets": "Donets (side)", "dnieper": "Dnieper (side)"}
        costs = (
            ("bridge only",) * 2
            if row.get("bridge")
            else (f"+{row['infantry']}", f"+{row['other']}")
        )
        rows.append((name.get(kind, kind), *costs, "; ".join(effects)))
    return _table(
        "Movement points and combat", rows,
        "Infantry: all that is not motorised, armoured or mounted. Headquarters move as infantry, "
        "but by road as other units.",
    )  # fmt: skip


def _cities(victory: dict[str, Any], cities: dict[str, Any]) -> ChartTable:
    rows = [("For", "Points", "When")]
    for name, city in cities.items():
        rows.append((f"Control of {name} (either side)", str(city["vp"]), "end of the game"))
    rows += [
        ("Soviet: each city hex entered", str(victory["city_hex"]), "at once, once a hex"),
        ("Soviet: Kharkov isolated or held", str(victory["kharkov_turn"]), "each turn"),
        ("Soviet: no continuous Axis front", str(victory["broken_front"]), "each turn"),
    ]
    return _table("Places and turns", rows)


def _losses(victory: dict[str, Any], units: dict[str, Any]) -> ChartTable:
    rows = [("Enemy unit destroyed", "Points")]
    rows.append(("Panzer division, all three regiments", str(victory["panzer_division"])))
    for kind, points in victory["losses"].items():
        rows.append((units[kind]["title"], str(points)))
    return _table(
        "Losses, counted at the end", rows,
        "Soviet units out of supply at the end count as destroyed.",
    )  # fmt: skip


def _levels(victory: dict[str, Any]) -> ChartTable:
    rows = [("Difference", "Result")]
    above: int | None = None
    for level in victory["levels"]:
        span = f"{level['from']} and more" if above is None else f"{level['from']} to {above - 1}"
        rows.append((span, level["title"].capitalize()))
        above = level["from"]
    return _table("Levels of victory", rows)


def _breakdown(breakdown: dict[str, Any], units: dict[str, Any]) -> ChartTable:
    rows = (
        (units[row["type"]]["title"], row["strength"], ", ".join(row["regiments"]))
        for row in breakdown["rows"]
    )
    return _table("Divisions and regiments", (("Division", "Strength", "Regiments"), *rows))


def _limits(schedule: dict[str, Any]) -> ChartTable:
    rail, supply = schedule["rail"], schedule["supply"]
    return _table(
        "Limits",
        (
            ("Of", "Limit"),
            ("Combat units in a hex", str(schedule["stacking"])),
            ("Overrun", f"+{schedule['overrun_cost']} movement points"),
            ("German disengagement", f"{schedule['disengagement_cost']} movement points"),
            ("Rail movement", f"{rail['hexes']} hexes"),
            ("Units by rail a turn", f"Axis {rail['axis']}, Soviet {rail['soviet']} and all HQ"),
            ("German supply path", f"{supply['city']} to a city, {supply['road']} to a road"),
            ("Reserve units, turns 2 and 3", str(schedule["reserves"]["limit"])),
            ("Reserves go on the map within", f"{schedule['reserve_radius']} hexes of the marker"),
        ),
    )
