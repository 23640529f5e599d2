"""Tables as they are: the modules' parts, verdicts on sample logs, positions at their ends.

Each is a text file under `pinned`, one line for each unit or finding, so that a change shows as
what it is. `HEXMARSHAL_PIN=1` writes the files anew; look at the difference before you keep it.
The sample logs were written once, with rules broken on purpose, and stay as they are.
"""

from __future__ import annotations

import json
import os
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path

import coh_table
import kharkov_table
import pytest

from hexmarshal.rules.state.position import Position
from hexmarshal.table.reading import TableReader, base_position
from hexmarshal.vassal.components import Component
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.pieces.piece_names import properties_of
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.at_start import placed_copy

GAMES = {"kharkov": kharkov_table, "conflict_of_heroes": coh_table}
PINNED = Path(__file__).with_name("pinned")


def module_lines(module: Module) -> Iterator[str]:
    """How many components there are of each kind, and counters with the same traits and states."""
    kinds = Counter(type(component).__name__ for component in module.each(Component))
    yield from (f"{count} {kind}" for kind, count in sorted(kinds.items()))
    shared = {name: found.text for name, found in module.prototypes().items()}
    counters: Counter[str] = Counter()
    for slot in module.slots():
        piece = placed_copy(slot, shared, "", (0, 0))
        traits = " ".join(type(trait).__name__ for trait in piece.traits)
        shown = properties_of(piece).items()
        levels = (f"{k}={v}" for k, v in shown if k.endswith(("_Level", "Obscured", "Invisible")))
        counters[f"counters of {traits}, which show {' '.join(sorted(levels)) or 'nothing'}"] += 1
    yield from (f"{count} {told}" for told, count in sorted(counters.items()))


def position_lines(position: Position) -> Iterator[str]:
    for key, part in position.to_json().items():
        if key in ("units", "markers", "piles", "cells"):
            assert isinstance(part, dict)
            for name, row in part.items():
                yield f"{key} {name} {json.dumps(row, sort_keys=True)}"
        elif part and key != "version":
            yield f"{key} {json.dumps(part, sort_keys=True)}"


def compare(name: str, lines: list[str]) -> None:
    path = PINNED / name
    if os.environ.get("HEXMARSHAL_PIN"):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert path.read_text(encoding="utf-8").splitlines() == lines


@pytest.mark.parametrize("game", GAMES)
def test_the_parts_of_the_module_are_what_they_were(game: str) -> None:
    compare(f"{game}_module.txt", list(module_lines(GAMES[game].module())))


@pytest.mark.parametrize("game", GAMES)
def test_the_verdicts_on_a_sample_log_are_as_they_were(game: str) -> None:
    lines = []
    for entry in GAMES[game].checked(SavedGame.open(PINNED / f"{game}.vlog")).entries:
        rules = " ".join(violation.rule for violation in entry.violations)
        sure = entry.certainty.value
        steps = f"{entry.first}-{entry.last}"
        lines.append(f"{steps} {entry.kind} {entry.status.value} {sure} {rules}".rstrip())
    compare(f"{game}_verdicts.txt", lines)


@pytest.mark.parametrize("game", GAMES)
def test_the_position_at_its_end_is_as_it_was(game: str) -> None:
    own = GAMES[game]
    saved = SavedGame.open(PINNED / f"{game}.vlog")
    ((_, state),) = deque(GameLog(saved).replay(), maxlen=1)
    table = TableReader(own.module(), own.binding(), own.PLUGIN, state)
    reading = table.read(state, base_position(own.PLUGIN, saved))
    lines = [*position_lines(reading.position), *(f"note {note}" for note in reading.notes)]
    compare(f"{game}_end.txt", lines)
