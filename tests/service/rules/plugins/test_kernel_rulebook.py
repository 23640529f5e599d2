"""A rulebook is checked when it is read; a rule marked implemented needs code and a test."""

from __future__ import annotations

from pathlib import Path

import pytest
from tutorial import Crossroads

from hexmarshal.errors import NotFoundError, RulesError
from hexmarshal.rules import Rulebook, Status
from hexmarshal.rules.cases.coverage import coverage_of
from hexmarshal.rules.plugins import registry

registry.default().add(Crossroads())

RULE = """
  - id: {id}
    section: "{section}"
    title: T
    text: One sentence.
    status: {status}
"""

ONE = "rules: [{{id: X-1, section: {}, title: t, text: s, status: {}}}]"


def write(folder: Path, *rules: str, name: str = "rulebook.yaml") -> Path:
    file = folder / name
    file.write_text("game: x\ntitle: X\nrules:" + "".join(rules))
    return file


def rule(id: str, status: str = "implemented", section: str = "1") -> str:
    return RULE.format(id=id, status=status, section=section)


def test_a_rulebook_is_one_file_or_all_of_a_folder(tmp_path: Path) -> None:
    write(tmp_path, rule("X-1"), rule("X-2", "advisory") + "    why: Taste.\n")
    (tmp_path / "more").mkdir()
    write(tmp_path / "more", rule("X-3", section="9.30"), name="rulebook-vehicles.yaml")
    book = Rulebook.load(tmp_path)
    assert list(book) == ["X-3", "X-1", "X-2"]
    assert book.section("X-3") == "9.30"
    assert book.section("X-9") == ""
    assert book.rule("x-2").status is Status.ADVISORY
    assert [r.id for r in book.with_status(Status.IMPLEMENTED)] == ["X-3", "X-1"]
    with pytest.raises(NotFoundError, match="no rule 'X-7'"):
        book.rule("X-7")


LATER = """
status: out of scope
why: Vehicles come later.
rules:
  - {id: X-1, section: D1, title: t, text: s.}
  - {id: X-2, section: D2, title: t, text: s., why: Only wrecks are ruled.}
  - {id: X-3, section: D3, title: t, text: s., status: implemented}
"""


def test_a_reason_at_the_head_of_a_file_holds_for_all_its_rules_but_those_with_a_status(tmp_path):
    (tmp_path / "rulebook.yaml").write_text(LATER)
    book = Rulebook.load(tmp_path)
    told = [(rule.status, rule.why) for rule in book.values()]
    assert told == [
        (Status.OUT_OF_SCOPE, "Vehicles come later."),
        (Status.OUT_OF_SCOPE, "Only wrecks are ruled."),
        (Status.IMPLEMENTED, ""),
    ]


@pytest.mark.parametrize(
    ("text", "field", "says"),
    [
        ("rules: 3", "rules", "must be a list"),
        ("rules: [3]", "rules[0]", "must be an object"),
        ("rules: [{id: X-1}]", "rules[0].section", "is missing"),
        (ONE.format("9.3", "implemented"), "rules[0].section", "in quotes"),
        (ONE.format("'1'", "done"), "rules[0].status", "not one of implemented"),
        (ONE.format("'1'", "advisory"), "why", "without a reason"),
        ("why: Taste.\n" + ONE.format("'1'", "advisory"), "why", "without a reason"),
        ("rules: []\nchapters: 3", "chapters", "no such field"),
        ("[1, 2]", None, "must be an object at the top"),
        ("rules: [", None, "not YAML"),
        ("rules: !!python/object:os.system {}", None, "not YAML"),
    ],
)
def test_a_bad_rulebook_names_file_and_field(tmp_path, text, field, says) -> None:
    file = tmp_path / "rulebook.yaml"
    file.write_text(text)
    with pytest.raises(RulesError, match=says) as caught:
        Rulebook.load(file)
    assert caught.value.place.field == field
    assert caught.value.place.file == str(file)


def test_a_rule_stands_in_the_book_once(tmp_path: Path) -> None:
    with pytest.raises(RulesError, match="twice"):
        Rulebook.load(write(tmp_path, rule("X-1"), rule("X-1")))
    with pytest.raises(NotFoundError):
        Rulebook.load(tmp_path / "nothing")


class Booked(Crossroads):
    """The tutorial game with another rulebook."""

    def __init__(self, book: Rulebook) -> None:
        self.__dict__["rulebook"] = book


def test_coverage_counts_exact_ids_only(tmp_path: Path) -> None:
    code, tests = tmp_path / "game", tmp_path / "tests"
    code.mkdir()
    tests.mkdir()
    ids = ("XX-9.3", "XX-9.31", "XX-9.3(a)", "XX-2", "XX-4.2.A1", "XX-7")
    book = Rulebook.load(write(code, *map(rule, ids)))
    (code / "rules.py").write_text(
        '# XX-9.31: a, (XX-2).\nx = "XX-9.3(a)"  # XX-4.2.A1/XX-7 XX-8\n'
    )
    (tests / "test_it.py").write_text("# XX-9.31 XX-2, XX-9.3(a); XX-4.2.A1. XX-EX-1\n")
    found = coverage_of(Booked(book), tests, code)
    assert set(found.implemented) == {"XX-9.31", "XX-2", "XX-9.3(a)", "XX-4.2.A1", "XX-7"}
    assert str(found.implemented["XX-2"][0]) == "game/rules.py:1"
    assert found.problems() == [
        "XX-9.3 is marked implemented, but no code cites it",
        "XX-9.3 is marked implemented, but no test names it",
        "XX-7 is marked implemented, but no test names it",
        "XX-8 is cited in game/rules.py:2, but the rulebook does not have it",
    ]


@pytest.mark.parametrize("key", registry.default().keys())
def test_every_implemented_rule_is_cited_by_code_and_named_by_a_test(key: str) -> None:
    problems = coverage_of(registry.default().get(key)).problems()
    assert not problems, "\n" + "\n".join(problems)
