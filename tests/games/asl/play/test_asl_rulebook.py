"""The rulebook lists every rule; what is not ruled says why, and the documentation counts it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hexmarshal.games.asl import plugin
from hexmarshal.rules.rulebook import Rulebook, Status

FOLDER = Path(plugin.__file__).parent / "rulebook"
PAGE = Path(__file__).parents[4] / "docs/games/asl.md"
FILES = sorted(FOLDER.glob("rulebook-*.yaml"))
ROW = re.compile(r"^\| `(rulebook-[a-z-]+)` \|.*\| (\d+) \| (\d+) \|$", re.MULTILINE)
ID = re.compile(r"\bASL-[A-Za-z0-9.-]*[A-Za-z0-9]\b")


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return plugin.AdvancedSquadLeader().rulebook


def test_every_file_of_rules_is_read(book):
    assert len(book) == sum(len(Rulebook.load(file)) for file in FILES) > 1180


def test_what_a_rule_says_of_others_names_rules_that_are_there(book):
    for rule in book.values():
        named = set(ID.findall(f"{rule.text} {rule.why} {rule.reading}"))
        assert named <= set(book), rule.id


def test_a_rule_is_told_in_a_sentence_or_two_of_plain_words(book):
    for rule in book.values():
        assert rule.text[-1] in '."', rule.id
        assert rule.title, rule.id
        assert rule.status is Status.IMPLEMENTED or rule.why[-1] == ".", rule.id


def test_the_page_counts_the_rules_of_each_file(book):
    page, rows = PAGE.read_text(), []
    for file in FILES:
        ruled = len((rules := Rulebook.load(file)).with_status(Status.IMPLEMENTED))
        rows.append((file.stem, str(ruled), str(len(rules) - ruled)))
    assert ROW.findall(page) == rows
    done = len(book.with_status(Status.IMPLEMENTED))
    assert f"{len(book)} rules, {done} of them ruled" in " ".join(page.split())
