"""Tables as they are: set-ups in the modules, verdicts on sample logs, positions at their ends.

Each is a text file under `pinned`, one line for each piece, unit or finding, so that a change shows
as what it is. `HEXMARSHAL_PIN=1` writes the files anew; look at the difference before you keep it.
The sample logs were written once, with rules broken on purpose, and stay as they are.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path

import coh_table
import kharkov_table
import pytest

from hexmarshal.rules.position import Position
from hexmarshal.table.reading import Table, base_position
from hexmarshal.vassal.components import PredefinedSetup
from hexmarshal.vassal.pieces.piece_names import properties_of
from hexmarshal.vassal.saves.log import GameLog
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.game_state import GameState
from hexmarshal.vassal.state.locator import ModuleLocator
from hexmarshal.vassal.state.placed import PlacedPiece

GAMES = {"kharkov": kharkov_table, "conflict_of_heroes": coh_table}
KEPT = re.compile(
    r"(?!(Basic|Piece)Name|Current(Map|X|Y)).*(?<!_Active)(?<!_Image)(?<!_Name)(?<!_Degrees)"
)
PINNED = Path(__file__).with_name("pinned")


def set_ups(game: str) -> Iterator[tuple[str, GameState]]:
    module = GAMES[game].module()
    for setup in module.each(PredefinedSetup):
        if setup.get("file"):
            saved = SavedGame.from_archive(module.archive.nested(setup.get("file")))
            yield setup.name, saved.state()


def told(properties: dict[str, str]) -> Iterator[str]:
    """What a player sees of a piece that is not as it comes out of the box."""
    for name, value in properties.items():
        level = name.endswith("_Level")
        if value in ("", "false", "1" if level else "") or not (level or KEPT.fullmatch(name)):
            continue
        yield f"{name}={value}"


def table_lines(game: str, state: GameState) -> Iterator[str]:
    """Where each piece lies and what it shows; what each deck holds; turn and properties."""
    locator = ModuleLocator.for_game(GAMES[game].module(), state)
    decks = {deck.id: deck for deck in state.decks.values()}
    held = {member: deck.name for deck in decks.values() for member in deck.members}
    lines = []
    for item in state.table.items.values():
        if isinstance(item, PlacedPiece) and item.id not in held:
            place = locator.locate(item.map or "", item.x, item.y).name
            shown = " ".join(sorted(told(properties_of(item.piece))))
            lines.append(f"  {item.map}, {place}: {item.piece.name} | {shown}")
    yield from sorted(lines)
    inside = Counter((held[i], state.find(i).piece.name) for i in held)
    yield from (f"  {deck}: {count} x {name}" for (deck, name), count in sorted(inside.items()))
    yield from (f"  {key}: {state.turns[key].state}" for key in sorted(state.turns))
    for (owner, name), text in sorted(state.properties.items()):
        yield f"  {owner} {name} = {text}"


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
def test_the_set_ups_in_the_module_lie_as_they_did(game: str) -> None:
    lines = []
    for name, state in set_ups(game):
        lines += [name, *table_lines(game, state)]
    compare(f"{game}_set_ups.txt", lines)


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
    table = Table(own.module(), own.binding(), own.PLUGIN, state)
    reading = table.read(state, base_position(own.PLUGIN, saved))
    lines = [*position_lines(reading.position), *(f"note {note}" for note in reading.notes)]
    compare(f"{game}_end.txt", lines)
