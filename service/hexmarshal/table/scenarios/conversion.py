"""One scenario from a file into another, and nothing written where a strict user says no."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.errors import OutputError, Place
from hexmarshal.scenario.sheets import Part
from hexmarshal.table.scenarios.forms import Form, form_of
from hexmarshal.table.scenarios.writing import write_scenario
from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.scenario import Loss
    from hexmarshal.table.scenarios.reading import Reader

__all__ = ["Conversion", "convert"]


@dataclass(frozen=True, slots=True)
class Conversion:
    """What became of a conversion; `written` is False where losses were refused.

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
        }


def convert(
    reader: Reader,
    source: str,
    target: Path,
    *,
    form: Form | None = None,
    part: Part = Part.BOTH,
    separator: str = "",
    strict: bool = False,
    force: bool = False,
) -> Conversion:
    """Read, check by itself, write; the output is whole or not there."""
    form = form or form_of(str(target))
    for used in (source, reader.onto):
        if used and _same_file(used, target):
            raise OutputError(
                "this is the input; a conversion does not overwrite it",
                place=Place(file=str(target)),
                hint="choose another name",
            )
    refuse_existing(target, force=force)
    loaded = reader.read(source).sound()
    tab = target.suffix.lower() in (".tsv", ".txt")
    written = write_scenario(
        loaded.scenario,
        form,
        loaded.plugin,
        reader.means,
        part,
        separator or ("\t" if tab else ","),
    )
    refused = strict and bool(written.losses or loaded.left_out)
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
    )


def _same_file(one: str, other: Path) -> bool:
    try:
        return other.samefile(one) or os.path.realpath(one) == os.path.realpath(other)
    except (OSError, ValueError):
        return False
