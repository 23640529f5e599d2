"""Every conformance case under tests/conformance holds, and every case names rules that exist."""

from __future__ import annotations

from pathlib import Path

import pytest
from tutorial import Crossroads

from hexmarshal.cli.rules.verify import report
from hexmarshal.rules.cases.conformance import CaseFile, load_cases, run_case
from hexmarshal.rules.plugins import registry

FOLDER = Path(__file__).parent
FILES = sorted(p for p in FOLDER.rglob("*") if p.suffix in {".yaml", ".yml", ".json"})


@pytest.fixture(scope="module")
def games() -> registry.Registry:
    known = registry.default()
    known.add(Crossroads())
    return known


def _name(file: Path) -> str:
    return file.relative_to(FOLDER).as_posix()


@pytest.mark.parametrize("file", FILES, ids=_name)
def test_every_case_of_the_file_holds(games: registry.Registry, file: Path) -> None:
    cases: CaseFile = load_cases(file)
    plugin = games.get(cases.game)
    results = [run_case(plugin, case) for case in cases.cases]
    lines = [line for result in results if not result.ok for line in report(result)]
    assert not lines, "\n" + "\n".join(lines)


def test_there_are_cases() -> None:
    assert FILES
