"""Writes a scenario in any form, with an exact account of what that form cannot hold."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hexmarshal.errors import UsageError
from hexmarshal.rules.state.position import Position
from hexmarshal.scenario import losses, read_scenario, scenario_document, to_json, to_yaml
from hexmarshal.scenario.model import Scenario, UnitEntry
from hexmarshal.scenario.sheets import (
    Lexicon,
    Part,
    lay,
    read_sheet,
    update_workbook,
    write_sheet,
)
from hexmarshal.scenario.sheets.tables import known_columns
from hexmarshal.scenario.source import read_file
from hexmarshal.table.scenarios.forms import Form, sheet_kinds
from hexmarshal.table.scenarios.from_position import scenario_of
from hexmarshal.table.scenarios.spelling import Spelling
from hexmarshal.table.scenarios.to_position import position_of
from hexmarshal.workbook import read_workbook

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.scenario import Loss
    from hexmarshal.table.module_finder import Means

__all__ = ["Written", "write_into", "write_scenario"]


@dataclass(frozen=True, slots=True)
class Written:
    """The bytes of a file; what it cannot hold, and what it holds but does not show."""

    data: bytes
    losses: tuple[Loss, ...]
    notes: tuple[str, ...] = ()


def write_scenario(
    scenario: Scenario,
    form: Form,
    plugin: GamePlugin,
    means: Means,
    part: Part = Part.BOTH,
    separator: str = ",",
    name: str = "",
) -> Written:
    """The scenario in this form. What is lost is found by reading back what was written."""
    notes: tuple[str, ...] = ()
    match form:
        case Form.YAML | Form.JSON:
            text = to_yaml(scenario) if form is Form.YAML else to_json(scenario)
            data = text.encode()
            again = read_scenario(data, f"scenario.{form.value}")
        case Form.POSITION:
            document = position_of(plugin, scenario).to_json()
            data = (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()
            again = scenario_of(plugin, Position.from_json(json.loads(data)))
        case Form.MESSAGE:
            data, read_back = _message(position_of(plugin, scenario))
            again = scenario_of(plugin, read_back)
        case Form.SHEET:
            kinds = sheet_kinds(plugin)
            data = write_sheet(scenario, part, kinds, separator, name or "units.csv")
            under = Scenario(scenario.game)
            if part is Part.SETUP:
                bare = {u.id: UnitEntry(u.id, u.side, u.type) for u in scenario.units.values()}
                under = replace(under, units=bare)
                notes = (
                    "a set-up sheet has no sides and types: lay it onto its units with --onto",
                )
            again, _ = lay(read_sheet(data, name or None, Lexicon(kinds)), under)
        case Form.SAVE:
            from hexmarshal.table.scenarios.saves import SaveWriter

            writer = SaveWriter(plugin, means)
            data, notes = writer.write(scenario)
            again = writer.again(data)
        case Form.GAME:
            raise UsageError("a game's own scenarios cannot be written")
    lost = losses(scenario_document(scenario), scenario_document(again))
    return Written(data, lost, notes)


def write_into(scenario: Scenario, book: Path, plugin: GamePlugin, encoding: str = "") -> Written:
    """The scenario in a user's own workbook, of which all else stays as it is."""
    data = read_file(book)
    lexicon = Spelling(plugin, scenario).lexicon()
    read = read_workbook(
        data, str(book), lambda cells: known_columns(cells, lexicon.kinds), encoding
    )
    update = update_workbook(data, read, scenario, lexicon)
    again, _ = lay(read_sheet(update.data, str(book), lexicon, encoding), scenario, replacing=True)
    lost = losses(scenario_document(scenario), scenario_document(again))
    told = f"{update.cells} cell{'s' if update.cells != 1 else ''} of {book.name} changed"
    return Written(update.data, lost, (*read.notes, told, *update.notes))


def _message(position: Position) -> tuple[bytes, Position]:
    from google.protobuf import json_format

    from hexmarshal.wire import decode_position, encode_position

    message = encode_position(position)
    text = json_format.MessageToJson(
        message, preserving_proto_field_name=True, ensure_ascii=False, indent=2
    )
    again = json_format.Parse(text, type(message)())
    return f"{text}\n".encode(), decode_position(again)
