"""Scenarios in the eyes of the rules: to and from positions and saves, checked, drawn."""

from hexmarshal.table.scenarios.checking import check_scenario
from hexmarshal.table.scenarios.conversion import Conversion, convert
from hexmarshal.table.scenarios.forms import Form, form_of
from hexmarshal.table.scenarios.from_position import scenario_of
from hexmarshal.table.scenarios.reading import Loaded, Reader
from hexmarshal.table.scenarios.to_position import position_of
from hexmarshal.table.scenarios.writing import Written, write_scenario

__all__ = [
    "Conversion",
    "Form",
    "Loaded",
    "Reader",
    "Written",
    "check_scenario",
    "convert",
    "form_of",
    "position_of",
    "scenario_of",
    "write_scenario",
]
