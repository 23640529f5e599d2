"""The report of a folder as a director meets it: in a real browser, sorted, filtered, followed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chromium_pipe import Browser, BrowserError, Page, browser, chromium

from hexmarshal.referee.batch.pages import Pages
from hexmarshal.referee.batch.results_store import Results
from hexmarshal.referee.report.page import page as made_page

pytestmark = pytest.mark.skipif(chromium() is None, reason="no Chromium on the PATH")

HOSTILE = """<img src=x onerror="window.hurt=1"><script>window.hurt=2</script>'"&lt;"""
FILE = """javascript:hurt=3;'"<b onclick=hurt=4>#?%41&.vlog"""


def entry(
    step: int, player: str, status: str = "violation", sure: str = "certain"
) -> dict[str, Any]:
    broken = [{"rule": "TUT-2", "text": HOSTILE}] if status == "violation" else []
    return {
        "steps": [step, step],
        "turn": 1,
        "phase": "move",
        "player": player,
        "what": HOSTILE,
        "status": status,
        "certainty": sure,
        "violations": broken,
    }


def result(wrong: int, player: str, faces: list[int]) -> dict[str, Any]:
    done = [entry(n, player) for n in range(wrong)]
    dice = {"player": player, "sides": 6, "count": sum(faces), "mean": 3.5, "p": 0.5}
    return {
        "kind": "log",
        "bound": True,
        "game": "tutorial",
        "scenario": "meeting",
        "steps": 10 + wrong,
        "certain": wrong,
        "dice": [{**dice, "faces": faces, "exact": True}],
        "entries": [*done, entry(90, player, "legal"), entry(91, player, "violation", "likely")],
        "notes": [],
    }


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    with browser() as found:
        try:
            found.send("Browser.getVersion")
        except BrowserError as why:
            pytest.skip(f"Chromium does not start here: {why}")
        yield found


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("season")
    pages = Pages.at(place / "season.html", HOSTILE, rule_title=lambda _game, rule: f"of {rule}")
    names = [*(f"round {n % 3}/game{n}.vlog" for n in range(11)), FILE]
    with Results(place / "results") as results:
        for number, name in enumerate(names):
            player = HOSTILE if number % 2 else "Ann"
            results.keep(name, "k", result(number % 11, player, [number, 1, 1, 1, 1, 1]))
            text = "".join(made_page(name, ["a page"], styles=("report.css",), scripts=()))
            pages.write(name, text)
        results.keep("broken.vlog", "k", {"error": HOSTILE})
        unbound = {"kind": "log", "bound": False, "certain": 0, "steps": 3}
        results.keep("other.vlog", "k", {**unbound, "notes": [{"code": "x", "text": HOSTILE}]})
        pages.write_index(results)
    return pages.index


@pytest.fixture
def desk(chrome: Browser, file: Path) -> Iterator[Page]:
    page = chrome.page(file, 1200, 900)
    yield page
    page.close()


def column(page: Page, table: str, number: int) -> list[str]:
    return list(
        page.run(
            f"[...document.querySelectorAll('#{table} tbody tr')].filter(r => !r.hidden)"
            f".map(r => r.cells[{number}].textContent)"
        )
    )


def test_every_part_is_there_and_nothing_foreign_acts(desk: Page) -> None:
    assert desk.run("document.querySelector('.outcome b').textContent") == "55 certain violations"
    assert [set(column(desk, "players", n)) for n in (0, 1)] == [{"Ann", HOSTILE}, {"6"}]
    assert column(desk, "games", 2) == ["12"]
    assert [column(desk, "rules", n) for n in (0, 1, 3, 4)] == [
        ["TUT-2"],
        ["of TUT-2"],
        ["55"],
        ["12"],
    ]
    # 0 + 2 + 4 + 6 + 8 + 10 ones, and one of each other face in each of six files.
    assert column(desk, "dice", 4) == ["36 6 6 6 6 6", "30 6 6 6 6 6"]
    assert column(desk, "failed", 0) == ["broken.vlog"]
    assert len(column(desk, "files", 0)) == 14
    assert desk.run("window.hurt === undefined") is True
    assert desk.run("document.querySelectorAll('img, b[onclick]').length") == 0
    assert desk.run("document.querySelector('h1').textContent") == HOSTILE
    assert desk.complaints() == []


def test_a_head_sorts_up_and_down(desk: Page) -> None:
    heads = "#files th:nth-child"
    desk.click(f"{heads}(6) button")
    numbers = [int(text) for text in column(desk, "files", 5)]
    assert numbers == sorted(numbers, reverse=True)
    assert desk.run(f"document.querySelector('{heads}(6)').ariaSort") == "descending"
    desk.click(f"{heads}(6) button")
    assert [int(text) for text in column(desk, "files", 5)] == sorted(numbers)
    desk.click(f"{heads}(1) button")
    names = column(desk, "files", 0)
    assert names.index("round 1/game4.vlog") < names.index("round 1/game10.vlog")
    assert desk.run(f"document.querySelector('{heads}(6)').ariaSort") == "none"


def test_files_are_filtered_by_outcome_and_words(desk: Page) -> None:
    desk.click("form .chip.violation")
    assert len(column(desk, "files", 0)) == 4
    assert desk.run("document.getElementById('told').textContent") == "4 of 14 shown"
    desk.click("form .chip.violation")
    desk.click("input[type=search]")
    desk.type("ROUND Game5")
    assert column(desk, "files", 0) == ["round 2/game5.vlog"]


def test_each_file_leads_to_its_own_report(desk: Page, chrome: Browser, file: Path) -> None:
    links = desk.run("[...document.querySelectorAll('#files a')].map(a => [a.textContent, a.href])")
    assert len(links) == 12
    for name, link in links:
        assert link.startswith(file.parent.as_uri() + "/season-files/"), name
    hostile = dict(links)[FILE]
    desk.send("Page.navigate", url=hostile)
    other = chrome.page(file.parent / "season-files" / f"{FILE}.html", 800, 600)
    assert other.run("location.href") == hostile
    assert other.run("document.title") == FILE
    other.close()


@pytest.mark.parametrize("width", [320, 1200])
def test_nothing_is_wider_than_the_screen(chrome: Browser, file: Path, width: int) -> None:
    page = chrome.page(file, width, 800)
    assert page.run("(e => e.scrollWidth - e.clientWidth)(document.documentElement)") == 0
    page.close()
