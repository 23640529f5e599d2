"""Scenarios in the eyes of the rules: to and from positions and saves, checked, drawn."""

from hexmarshal.referee.scenarios.checking import check_scenario
from hexmarshal.referee.scenarios.conversion import Conversion, convert
from hexmarshal.referee.scenarios.forms import Form, form_of
from hexmarshal.referee.scenarios.from_position import scenario_of
from hexmarshal.referee.scenarios.reading import Loaded, Reader
from hexmarshal.referee.scenarios.to_position import position_of
from hexmarshal.referee.scenarios.writing import Written, write_scenario

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
