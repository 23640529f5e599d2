"""Draws the combat of docs/games/traces-of-war.md, the rulebook's own: run it as it is.

Positions, total strengths, column, die and result are the rulebook's; how the 20 points spread over
the four attackers, and the map around them, are ours.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexmarshal.games.traces_of_war import TracesOfWar
from hexmarshal.games.traces_of_war.art import counters
from hexmarshal.games.traces_of_war.art.map import map_sheet
from hexmarshal.geometry.svg.png import png
from hexmarshal.geometry.svg.view import View
from hexmarshal.kit.drawing.canvas import Canvas, Drawing, Point
from hexmarshal.kit.drawing.counters import SIZE
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap

if TYPE_CHECKING:
    from collections.abc import Mapping

HERE = Path(__file__).resolve().parent
TARGET = "1731"
UNITS: dict[str, tuple[str, str, str, list[str]]] = {
    "A": ("infantry", "axis", "1731", ["3-5", "2-5"]),
    "B": ("infantry", "soviet", "1832", ["5-4", "3-4"]),
    "C": ("tank", "soviet", "1832", ["6-5-7", "4-3-7"]),
    "D": ("infantry", "soviet", "1732", ["4-4", "2-4"]),
    "E": ("mechanized_infantry", "soviet", "1732", ["5-5-7", "3-3-7"]),
}
ATTACKERS = ("B", "C", "D", "E")
WIDE, HIGH, SHEET = 470, 470, 560
INK, PAPER, ARROW, GOLD = "#22201c", "#f6f1e4", "#3a1457", "#f0c75e"


def stage(plugin: TracesOfWar) -> Position:
    """The rulebook's situation on the map, its attackers activated."""
    nations = {"axis": "german", "soviet": "soviet"}
    units = {
        name: {
            "type": kind,
            "side": side,
            "cell": cell,
            "steps": len(ladder),
            "values": {"name": name, "nation": nations[side], "ladder": ladder},
        }
        for name, (kind, side, cell, ladder) in UNITS.items()
    }
    about = {
        "side": "soviet",
        "units": list(ATTACKERS),
        "mode": "move_combat",
        "segment": 2,
        **{name: [] for name in ("moved", "fought", "targets")},
    }
    frames = [
        {"kind": "activation", "about": about},
        {"kind": "combat", "deciders": [{"side": "soviet"}]},
    ]
    document = plugin.blank().to_json() | {"board": "ukraine", "units": units, "frames": frames}
    return Position.from_json(document)


def resolved(
    plugin: TracesOfWar, position: Position
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The odds of the attack, and what the rulebook's die makes of it."""
    params = FrozenMap({"target": TARGET, "attackers": ATTACKERS})
    odds: Any = engine.ask(plugin, position, "odds", params).to_json()
    attack = plugin.game.actions.make("attack", "soviet", target=TARGET, attackers=ATTACKERS)
    applied = engine.perform(plugin, position, attack, Dice(None, given=[5]))
    combat: Any = next(r for r in applied.resolutions if r.kind == "combat").to_json()
    return odds, combat


def nested(svg: str, x: float, y: float, wide: float, high: float, view: str) -> str:
    """A picture inside another."""
    inside = re.sub(r"^.*?<svg[^>]*>", "", svg, count=1, flags=re.DOTALL).rpartition("</svg>")[0]
    frame = f'x="{x}" y="{y}" width="{wide}" height="{high}" viewBox="{view}"'
    return f"<svg {frame}>{inside}</svg>"


def arrow(canvas: Canvas, start: Point, end: Point) -> None:
    """From an attacker's hex towards the target."""
    (ax, ay), (bx, by) = start, end
    dx, dy = bx - ax, by - ay
    length = (dx * dx + dy * dy) ** 0.5
    ux, uy = dx / length, dy / length
    tip = bx - 46 * ux, by - 46 * uy
    tail = ax + 42 * ux, ay + 42 * uy
    back = tip[0] - 16 * ux, tip[1] - 16 * uy
    canvas.polyline((tail, back), stroke=ARROW, stroke_width=9)
    sides = ((back[0] - 11 * uy, back[1] + 11 * ux), (back[0] + 11 * uy, back[1] - 11 * ux))
    canvas.polygon((tip, *sides), fill=ARROW)


def scene(plugin: TracesOfWar, position: Position) -> str:
    """The hexes around the combat with their counters."""
    board = plugin.boards["ukraine"]
    on_map = View(board.map)
    centre = on_map.centre(board.hexes[TARGET])
    left, top = centre[0] - 135, centre[1] - 150
    zoom = WIDE / 300
    data = plugin.data.read("boards/ukraine/map.yaml", "map")
    view = f"{left} {top} {WIDE / zoom} {HIGH / zoom}"
    parts = [nested(map_sheet(board.map, data), 0, 0, WIDE, HIGH, view)]

    def at(cell: str) -> Point:
        x, y = on_map.centre(board.hexes[cell])
        return (x - left) * zoom, (y - top) * zoom

    over = Drawing(WIDE, HIGH)
    for cell in dict.fromkeys(UNITS[name][2] for name in ATTACKERS):
        arrow(over, at(cell), at(TARGET))
    parts.append(nested(over.svg(), 0, 0, WIDE, HIGH, f"0 0 {WIDE} {HIGH}"))
    stacked: dict[str, int] = {}
    for unit in position.units.values():
        step = stacked.setdefault(unit.cell, 0)
        stacked[unit.cell] += 1
        x, y = at(unit.cell)
        size = 54
        shift = 13 * step - (6 if unit.side == "soviet" else 0)
        row = {**unit.values.plain(), "type": unit.type}
        where = x - size / 2 + shift, y - size / 2 - shift
        parts.append(nested(counters.face(row), *where, size, size, f"0 0 {SIZE} {SIZE}"))
    return "".join(parts)


def account(
    canvas: Canvas, odds: Mapping[str, Any], combat: Mapping[str, Any], codes: list[str]
) -> None:
    """The reckoning, line by line, with the rule that each rests on."""
    x, y = WIDE + 24.0, 40.0

    def line(text: str, rule: str = "", *, bold: bool = False, gap: float = 23) -> None:
        nonlocal y
        canvas.write(text, (x, y), 10, anchor="start", weight=1.7 if bold else 1.05, colour=INK)
        if rule:
            canvas.write(rule, (WIDE + SHEET - 18, y), 8, anchor="end", colour="#7a6f5a")
        y += gap

    line("THE ATTACK ON 1731", bold=True, gap=30)
    for one in combat["strengths"]:
        role = "attack with" if one["role"] == "attack" else "defends with"
        rule = "TOW-10.0e" if one["role"] == "attack" else "TOW-10.0f"
        line(f"{one['label']} {role} {one['counted']}", rule)
    line(combat["steps"][0]["text"], combat["steps"][0]["rule"], bold=True)
    for one in combat["modifiers"]:
        line(f"{one['label']}: {one['amount']} column, so {combat['column']}", one["rule"])
    die = combat["values"]["die"]
    line(f"Die {die} on {combat['column']}: {combat['result']}", "TOW-10.3a", bold=True)
    line("1RR: the defender loses a step and retreats two hexes", "TOW-10.3d", gap=34)
    line("BEFORE THE DIE IS ROLLED", bold=True, gap=30)
    for i, code in enumerate(codes):
        left, hit = x + 78 * i, i + 1 == die
        fill = GOLD if hit else PAPER
        canvas.rectangle((left, y), 74, 46, rx=5, fill=fill, stroke=INK, stroke_width=1.2)
        canvas.write(f"die {i + 1}", (left + 37, y + 17), 7.5, colour="#7a6f5a")
        canvas.write(code, (left + 37, y + 37), 11, weight=1.7, colour=INK)
    y += 72
    told = ", ".join(f"{code} {share}" for code, share in odds["distribution"].items())
    line(f"Exact chances: {told}")
    line("Both columns, 5-1 and 6-1, are printed in the rulebook: no cell of ours was used.")


def main() -> None:
    """Write the picture beside this file."""
    plugin = TracesOfWar()
    position = stage(plugin)
    odds, combat = resolved(plugin, position)
    sheet = Drawing(WIDE + SHEET, HIGH)
    sheet.rectangle((0, 0), WIDE + SHEET, HIGH, fill=PAPER)
    column = plugin.tables.columns.index(combat["column"])
    codes = [str(plugin.tables.result(column, die).value) for die in range(1, 7)]
    account(sheet, odds, combat, codes)
    frame = f'<rect width="{WIDE}" height="{HIGH}" fill="none" stroke="{INK}" stroke-width="3"/>'
    svg = sheet.svg("A combat explained")
    whole = svg.replace("</svg>", scene(plugin, position) + frame + "</svg>")
    (HERE / "traces-of-war-combat.png").write_bytes(png(whole, zoom=1.5))


if __name__ == "__main__":
    main()
