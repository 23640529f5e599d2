"""What the scenario commands print, and the picture that they draw."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from hexmarshal.cli.output import print_fields, print_table
from hexmarshal.errors import Place, UsageError
from hexmarshal.errors.counts import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from hexmarshal.scenario import Scenario, ScenarioFinding
    from hexmarshal.scenario.model import Facts
    from hexmarshal.table.scenarios import Conversion, Loaded

__all__ = ["draw", "print_conversion", "print_findings", "print_scenario"]

_MOST_LINES = 20


def print_conversion(done: Conversion) -> None:
    """What was written; on standard error what could not be held."""
    for note in done.notes:
        print(f"note: {note}", file=sys.stderr)
    for text in done.left_out:
        print(f"left out: {text}", file=sys.stderr)
    for loss in done.losses[:_MOST_LINES]:
        print(f"not held: {loss}", file=sys.stderr)
    if (more := len(done.losses) - _MOST_LINES) > 0:
        print(f"not held: {more} more; --json lists them all", file=sys.stderr)
    for finding in done.findings[:_MOST_LINES]:
        print(f"wrong: {finding}", file=sys.stderr)
        if finding.hint:
            print(f"  hint: {finding.hint}", file=sys.stderr)
    if (more := len(done.findings) - _MOST_LINES) > 0:
        print(f"wrong: {more} more; 'hexmarshal scenario check' lists them all", file=sys.stderr)
    if done.written:
        print(
            f"written: {done.target}"
            f" ({done.form.value}, {done.game}, {counted(done.units, 'unit')})"
        )
    else:
        why = "something is wrong" if done.findings else "not everything can be held"
        print(f"nothing written: --strict, and {why}", file=sys.stderr)


def _print_notes(loaded: Loaded) -> None:
    for note in loaded.notes:
        print(f"note: {note}", file=sys.stderr)
    for text in loaded.left_out:
        print(f"left out: {text}", file=sys.stderr)


def print_findings(loaded: Loaded, findings: Sequence[ScenarioFinding]) -> None:
    """One finding a line, then a summary."""
    _print_notes(loaded)
    for finding in findings:
        print(finding)
        if finding.hint:
            print(f"  hint: {finding.hint}")
    units = len(loaded.scenario.units)
    number = f"{len(findings)} finding{'s' if len(findings) > 1 else ''}"
    verdict = number if findings else "nothing wrong"
    print(f"{loaded.name}: {loaded.plugin.game.title}, {counted(units, 'unit')}, {verdict}")


def print_scenario(loaded: Loaded) -> None:
    """A scenario as tables."""
    scenario, game = loaded.scenario, loaded.plugin.game
    _print_notes(loaded)
    told = {
        "title": scenario.title,
        "game": game.title,
        "summary": scenario.summary,
        "author": scenario.author,
        "source": scenario.source,
        "licence": scenario.licence,
        "map": scenario.map or "",
        "turns": scenario.turns or "",
        "victory": scenario.victory,
        "units": len(scenario.units),
    }
    print_fields({name: value for name, value in told.items() if value != ""})
    titles = {kind.key: kind.title for kind in game.unit_types}
    places = _places(scenario)
    named = {side.key: side.title for side in game.sides}
    for side in dict.fromkeys(unit.side for unit in scenario.units.values()):
        rows = [
            (
                unit.id,
                titles.get(unit.type, unit.type),
                unit.steps,
                places.get(unit.id, "nowhere")
                + (f", facing {unit.facing}" if unit.facing is not None else ""),
            )
            for unit in scenario.units.values()
            if unit.side == side
        ]
        if scenario.briefings.get(side):
            print(f"\n{scenario.briefings[side]}")
        title = f"{named.get(side, side)}: {counted(len(rows), 'unit')}"
        print_table(title, ("unit", "type", "steps", "where"), rows, right=("steps",))
    if scenario.objectives:
        rows_of_goals = [
            (one.cell or one.area, _facts(one.facts), one.text) for one in scenario.objectives
        ]
        print_table("Objectives", ("where", "facts", "text"), rows_of_goals)
    for rule in scenario.special_rules:
        print(f"special rule: {rule.title}: {rule.text}" if rule.title else f"rule: {rule.text}")


def _facts(facts: Facts) -> str:
    return ", ".join(f"{name} {value}" for name, value in facts.items())


def _places(scenario: Scenario) -> dict[str, str]:
    return dict(_each_place(scenario))


def _each_place(scenario: Scenario) -> Iterator[tuple[str, str]]:
    setup = scenario.setup
    for area, stack in setup.areas.items():
        yield from ((unit, f"in {area}") for unit in stack)
    for cell, stack in setup.cells.items():
        yield from ((unit, cell) for unit in stack)
    for box, stack in setup.boxes.items():
        yield from ((unit, f"box {box}") for unit in stack)
    for carrier, stack in setup.carried.items():
        yield from ((unit, f"aboard {carrier}") for unit in stack)
    for group in scenario.reinforcements:
        entry = group.entry
        where = " ".join(map(str, entry)) if isinstance(entry, list) else str(entry or "")
        text = f"turn {group.turn}" + (f", {where}" if where else "")
        yield from ((unit, text) for unit in group.units)


def draw(
    loaded: Loaded, output: Path, *, names: bool, legend: bool, zoom: float, force: bool
) -> str:
    """Draw the scenario; the name of the file."""
    from hexmarshal.cli.geometry.options import save
    from hexmarshal.table.scenarios.picture import scenario_picture

    kind = output.suffix.lower()
    if kind not in (".svg", ".png"):
        raise UsageError(
            f"a picture cannot be {kind or 'without an ending'}",
            place=Place(file=str(output)),
            hint="let the name end in .svg or .png",
        )
    picture = scenario_picture(loaded, names=names, legend=legend)
    svg, png = (output, None) if kind == ".svg" else (None, output)
    return save(picture, svg, png, zoom=zoom, force=force)[0]
