"""The neutral scenario format: its model, YAML and JSON, and sheets for spreadsheets."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from hexmarshal.scenario.consistency import ScenarioFinding, demand_consistent, inconsistencies
from hexmarshal.scenario.differences import Loss, losses
from hexmarshal.scenario.document import load_document, scenario_document, schema
from hexmarshal.scenario.model import FORMAT, Scenario
from hexmarshal.scenario.source import read_source
from hexmarshal.scenario.yaml_text import write_yaml

if TYPE_CHECKING:
    from hexmarshal.geometry.values_with_lines import Sourced

__all__ = [
    "FORMAT",
    "ScenarioFinding",
    "Loss",
    "Scenario",
    "inconsistencies",
    "losses",
    "read_scenario",
    "scenario_document",
    "schema",
    "to_json",
    "to_yaml",
]


def read_scenario(data: bytes, file: str | None = None) -> Scenario:
    """The scenario in a YAML or JSON file, sound by itself; errors name the line."""
    source: Sourced = read_source(data, file)
    return demand_consistent(load_document(source), source)


def to_yaml(scenario: Scenario) -> str:
    """The scenario as YAML for people."""
    return write_yaml(scenario_document(scenario))


def to_json(scenario: Scenario) -> str:
    """The scenario as JSON."""
    return json.dumps(scenario_document(scenario), ensure_ascii=False, indent=2) + "\n"
