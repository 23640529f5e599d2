"""The hint for a name that is not known: what was meant, in one wording."""

from __future__ import annotations

import pytest

from hexmarshal.errors.names import did_you_mean

COMMANDS = ("doctor", "demo", "render", "refresh", "serve")


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("doctr", COMMANDS, "did you mean doctor?"),
        ("DEMO", COMMANDS, "did you mean demo?"),
        ("b02", ("B02", "B03", "C02"), "did you mean B02?"),
        ("0116", ("0115", "0117", "0118", "2501"), "did you mean 0118, 0117 or 0115?"),
        ("zzz", COMMANDS, "'hexmarshal --help' lists them"),
        ("", COMMANDS, "'hexmarshal --help' lists them"),
        (7, ("7th", "17"), "did you mean 17?"),
        ("anything", (), "'hexmarshal --help' lists them"),
        ("nothere.png", ("moved.png", "boxes.png"), "'hexmarshal --help' lists them"),
        ("legnd.png", ("legend.png", "sand.png"), "did you mean legend.png?"),
        ("legend.gif", ("legend.png", "legends.gif"), "did you mean legend.png?"),
        ("Legend.PNG", ("legend.gif", "legend.png"), "did you mean legend.png?"),
        ("legend", ("legend.gif", "legend.png"), "did you mean legend.png or legend.gif?"),
    ],
)
def test_the_names_most_like_it_are_told(name: object, known: tuple[str, ...], hint: str) -> None:
    assert did_you_mean(name, known, "'hexmarshal --help' lists them") == hint


def test_a_long_name_costs_nothing() -> None:
    assert did_you_mean("x" * 1_000_000, ("doctor",) * 1000) == ""
