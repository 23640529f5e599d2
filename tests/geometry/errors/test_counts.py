"""One is one: no command says "1 pieces"."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hexmarshal.errors.counts import counted, some

CLI = Path(__file__).parents[3] / "service" / "hexmarshal" / "cli"
# A number of which nobody knows that it is not 1, with a word that would be wrong then.
NOUNS = "cell|change|component|deck|entrie|file|game|image|log|map|piece|row|rule|step|unit"
FIXED = re.compile(rf"\{{(?!counted)[^{{}}]*\}} (?:{NOUNS})s\b")


@pytest.mark.parametrize(
    ("number", "words", "told"),
    [
        (1, ("piece",), "1 piece"),
        (0, ("piece",), "0 pieces"),
        (2, ("entry", "entries"), "2 entries"),
        (1, ("die", "dice"), "1 die"),
        (1, ("piece is", "pieces are"), "1 piece is"),
    ],
)
def test_a_count_is_told_in_words(number, words, told):
    assert counted(number, *words) == told


@pytest.mark.parametrize(
    ("names", "told"),
    [([], ""), (["a"], "a"), (["a", "b"], "a, b"), (["a", "b", "c", "d"], "a, b and 2 more")],
)
def test_of_many_names_the_first_are_told(names, told):
    assert some(iter(names), 2) == told


def test_every_command_counts_by_it():
    found = [
        f"{path.name}: {line.strip()}"
        for path in CLI.rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if FIXED.search(line)
    ]
    assert not found
