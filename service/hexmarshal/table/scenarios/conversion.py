"""One scenario from a file into another, and nothing written where a strict user says no."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hexmarshal.errors import OutputError, Place, UsageError
from hexmarshal.scenario.sheets import Part
from hexmarshal.table.scenarios.checking import check_scenario
from hexmarshal.table.scenarios.forms import Form, form_of
from hexmarshal.table.scenarios.writing import write_into, write_scenario
from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically
from hexmarshal.workbook import Workbook, demand_same_kind

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.scenario import Loss, ScenarioFinding
    from hexmarshal.table.scenarios.reading import Reader

__all__ = ["Conversion", "convert"]


@dataclass(frozen=True, slots=True)
class Conversion:
    """What became of a conversion; `written` is False where losses were refused.

    `findings` are what `check` finds wrong with the scenario, in the file that it was read from.
    `left_out` is what the source has and a scenario does not, `losses` what the target cannot hold.
    """

    source: str
    target: str
    form: Form
    game: str
    units: int
    losses: tuple[Loss, ...]
    notes: tuple[str, ...]
    left_out: tuple[str, ...]
    written: bool
    findings: tuple[ScenarioFinding, ...] = ()

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        return {
            "from": self.source,
            "to": self.target,
            "form": self.form.value,
            "game": self.game,
            "units": self.units,
            "written": self.written,
            "not_held": [loss.to_json() for loss in self.losses],
            "left_out": list(self.left_out),
            "notes": list(self.notes),
            "findings": [finding.to_json() for finding in self.findings],
        }


def convert(
    reader: Reader,
    source: str,
    target: Path,
    *,
    form: Form | None = None,
    part: Part = Part.BOTH,
    separator: str = "",
    into: Path | None = None,
    strict: bool = False,
    force: bool = False,
) -> Conversion:
    """Read, check, write; the output is whole or not there.

    `into` is a workbook of the user's: the output is that workbook with the scenario in it.
    """
    form = form or form_of(str(target))
    if into is not None:
        if form is not Form.SHEET:
            raise UsageError("--into writes a sheet", place=Place(file=str(target)))
        demand_same_kind(Workbook(str(into), ()), str(target))
    for used in (source, reader.onto):
        if used and _same_file(used, target):
            raise OutputError(
                "this is the input; a conversion does not overwrite it",
                place=Place(file=str(target)),
                hint="choose another name",
            )
    refuse_existing(target, force=force)
    if into is not None:
        # What VASSAL does not keep of a scenario, the workbook that it came from still tells.
        reader = replace(reader, told=str(into))
    loaded = reader.read(source).sound()
    found = check_scenario(loaded)
    tab = target.suffix.lower() in (".tsv", ".txt")
    if into is not None:
        written = write_into(loaded.scenario, into, loaded.plugin, reader.encoding)
    else:
        written = write_scenario(
            loaded.scenario,
            form,
            loaded.plugin,
            reader.means,
            part,
            separator or ("\t" if tab else ","),
            target.name,
        )
    refused = strict and bool(written.losses or loaded.left_out or found)
    if not refused:
        write_atomically(target, [written.data], force=force)
    return Conversion(
        source,
        str(target),
        form,
        loaded.scenario.game,
        len(loaded.scenario.units),
        written.losses,
        (*loaded.notes, *written.notes),
        loaded.left_out,
        written=not refused,
        findings=found,
    )


def _same_file(one: str, other: Path) -> bool:
    try:
        return other.samefile(one) or os.path.realpath(one) == os.path.realpath(other)
    except (OSError, ValueError):
        return False
