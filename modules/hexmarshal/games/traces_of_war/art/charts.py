"""The game's charts, filled from the rules' data; a cell of ours carries an asterisk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.traces_of_war.art import colours
from hexmarshal.games.traces_of_war.rules.victory.score import RACE
from hexmarshal.kit.drawing.charts import ChartLook
from hexmarshal.rules.charts import Chart, ChartTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.traces_of_war.state.tables import Cell, Tables

__all__ = ["CHARTS", "OURS", "charts", "victory_of"]

OURS: Final = "*"
"""Stands behind a value that no rulebook prints."""
_NOTE: Final = (
    f"{OURS} is ours: the rulebook does not print this cell. Put in the numbers of your copy with "
    "--data."
)
_TINTS: Final = {
    "A2": "#ecb8aa", "A1": "#f1cfc3", "-": "#f3ecd8", "R": "#e3ecc8", "RR": "#cfe3b8",
    "1RR": "#b3d7a8", "2RR": "#93c793", "3RR": "#74b583",
}  # fmt: skip
CHARTS: Final = ChartLook(
    title=colours.SOVIET_RED,
    tints={**_TINTS, **{f"{code}{OURS}": tint for code, tint in _TINTS.items()}},
)


def charts(tables: Tables) -> Iterator[Chart]:
    """Every chart of the game."""
    yield Chart("crt", "Combat results", (_results(tables), _codes()))
    yield Chart("terrain", "Terrain effects", (_terrain(tables), _sides(tables)))
    yield Chart("crossings", "Crossing points", (_by_count(tables), _by_turn(tables)))
    yield Chart("tokens", "Command tokens", (_tokens(tables), _costs(tables)))
    yield Chart("victory", "Victory", (_race(), _campaign()))
    yield Chart("sequence", "Sequence of play", (_sequence(),))


def _shown(cell: Cell) -> str:
    return f"{cell.value}{OURS if cell.ours else ''}"


def _results(tables: Tables) -> ChartTable:
    columns = range(len(tables.columns))
    rows = tuple(
        (str(die), *(_shown(tables.result(column, die)) for column in columns))
        for die in range(1, 7)
    )
    note = "Ratios round down; above 10-1 they count as 10-1+. Below 1-1 after terrain: no attack. "
    return ChartTable(("Die", *tables.columns), rows, "", note + _NOTE)


def _codes() -> ChartTable:
    rows = (
        ("R, RR", "the defender retreats one hex, two hexes"),
        ("1RR, 2RR ...", "he first loses so many steps, then retreats two hexes"),
        (f"A1{OURS}, A2{OURS}", "the attacker loses so many steps; no printed column has such"),
        (f"-{OURS}", "nothing happens"),
        ("Offensive air support", "two columns to the right, Axis attacks"),
        ("Defensive air support", "2 off the die, at least 1, Soviet attacks"),
        ("Under an order", "a city is not left: R is one step more, RR two"),
    )
    return ChartTable(("Result", "Meaning"), rows, "What results mean")


def _terrain(tables: Tables) -> ChartTable:
    rows = []
    for key, row in tables.terrain["hexes"].items():
        ours = row.get("ours", ())
        if row.get("closed"):
            rows.append((row["title"], f"nobody enters{OURS if 'closed' in ours else ''}", "-"))
            continue
        cost = str(row.get("cost", "as the ground"))
        shift = row.get("shift", 0)
        gained = f"{shift} column{'s' if shift > 1 else ''} left" if shift else "none"
        rows.append(
            (
                row.get("title", key),
                cost + (OURS if "cost" in ours else ""),
                gained + (OURS if "shift" in ours else ""),
            )
        )
    note = "Shifts add up: a city on rough ground gains two. " + _NOTE
    return ChartTable(("Ground", "Movement points", "For the defender"), tuple(rows), "", note)


def _sides(tables: Tables) -> ChartTable:
    minor, zone = tables.terrain["sides"]["minor"], tables.terrain["zone"]
    rows = (
        ("Minor river", f"+{minor['cost']}, none by a bridge", "attackers across it halved"),
        ("Major river", "all points, beside it at the start; free by a bridge", "halved"),
        ("Road, railway", str(tables.terrain["road"]), "-"),
        ("Strategic, by road", str(tables.terrain["strategic"]), "never in an enemy zone"),
        ("Enemy zone", f"+{zone} to enter, +{zone} to leave", "-"),
        ("Blocked hexside", "never", "no attack, zone, supply or command across it"),
    )  # fmt: skip
    return ChartTable(("Between hexes", "Movement points", "Combat"), rows, "Ways and rivers")


def _by_count(tables: Tables) -> ChartTable:
    counts = range(8)
    names = {
        "luftwaffe": "Luftwaffe markers drawn",
        "okh_command": "Units that OKH command activates",
        "negotiation": "Negotiation points",
    }
    rows = tuple(
        (title, *(_shown(tables.by_count(name, count)) for count in counts))
        for name, title in names.items()
    )
    heads = ("Soviet crossing points", *map(str, counts))
    return ChartTable(heads, rows, "By crossing points under Soviet control", _NOTE)


def _by_turn(tables: Tables) -> ChartTable:
    turns = range(1, 9)
    limits = (tables.stavka(turn) for turn in turns)
    rows = (
        ("Axis tokens chosen", *(_shown(tables.axis_tokens(turn)) for turn in turns)),
        ("STAVKA up to crossing points", *("-" if c is None else _shown(c) for c in limits)),
    )
    return ChartTable(("Turn", *map(str, turns)), rows, "By turn", _NOTE)


_DOES: Final = {
    "hq": "that headquarters and the units within its radius",
    "reinforcement": "the next Soviet reinforcements",
    "airborne": "the next reinforcements, then bridgehead and 18G; once a game",
    "stavka": "any Soviet headquarters; may stand in for one front",
    "okh": "any Axis headquarters, OKH command, or negotiation",
    "supply": "both sides check the supply of all units",
}


def _tokens(tables: Tables) -> ChartTable:
    rows = []
    for row in tables.tables["tokens"].values():
        side = {"axis": "Axis", "soviet": "Soviet"}.get(row["side"], "both")
        title = row["title"] + (OURS if "title" in row.get("ours", ()) else "")
        start = f"turn {row.get('from', 1)}"
        rows.append((title, side, str(row["count"]), start, _DOES[row["kind"]]))
    note = (
        "The Soviets choose six: one of each front and two more. The Axis may keep tokens in hand "
        f"and throw them in at any moment. {_NOTE}"
    )
    return ChartTable(("Token", "Side", "Count", "From", "Activates"), tuple(rows), "", note)


def _costs(tables: Tables) -> ChartTable:
    names = {
        "order": "Lift a Supreme Command order",
        "PR": "Panzer reinforcement",
        "IR": "Infantry reinforcement",
        "AR": "Axis minor reinforcement",
    }
    rows = tuple((title, str(tables.cost(key))) for key, title in names.items())
    return ChartTable(("For", "Points"), rows, "Negotiation")


def victory_of(scenario: str) -> ChartTable:
    """What scores in scenarios of this kind."""
    return _race() if scenario == RACE else _campaign()


def _race() -> ChartTable:
    rows = (
        ("Crossing point (not the bridgehead)", "5", "5"),
        ("Mechanized unit west of the Dnipro", "1", "1/2"),
        ("Other unit west of the Dnipro", "1/2", "1/4"),
    )
    heads = ("Soviet points for", "supplied", "cut off")
    note = "The Soviets win with 50 at the end of turn 4."
    return ChartTable(heads, rows, "Race to the Dnipro", note)


def _campaign() -> ChartTable:
    rows = (
        ("Major city", "8"),
        ("German panzer unit destroyed", "2"),
        ("Other German unit destroyed", "1"),
        ("German headquarters relocated", "2"),
        ("Soviet headquarters relocated", "-2"),
        ("Soviet unit on a breakthrough hex", "5"),
    )
    note = (
        "The Soviets win with 65 at the end of any turn, and at once if a city under an order "
        "falls."
    )
    return ChartTable(("Soviet points for", "Points"), rows, "Campaign", note)


def _sequence() -> ChartTable:
    rows = (
        ("1", "Luftwaffe Reorganisation", "the Axis draws its markers"),
        ("", "Soviet opening, turn 1", "one headquarters and its units attack, without moving"),
        ("2", "Command Token Selection", "both in secret; Supply always goes in"),
        ("3", "Action Phase", "a token is drawn and carried out, until cup and hand are empty"),
        ("4", "End of Turn", "victory is checked, the marker moves on"),
    )
    return ChartTable(("", "Phase", "What is done"), rows)
