"""The report as readers meet it: in a real browser, on a phone, at a desk, on paper."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from chromium_pipe import Browser, BrowserError, Page, browser, chromium
from crossroads_module import binding, builder
from PIL import Image
from tutorial import Crossroads

from hexmarshal.cli import main as cli
from hexmarshal.errors import ExitCode
from hexmarshal.referee.check.dice_fairness import statistics
from hexmarshal.referee.check.findings import Certainty, CheckReport, Entry, Status, StepNote
from hexmarshal.referee.report.html_report import render_report
from hexmarshal.referee.report.map_sketch import Sketcher
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.codec import RECORD
from hexmarshal.rules.plugins import registry
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.verdict import Violation
from hexmarshal.table.reading import Note
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.recipes import Recipe, edit_module

pytestmark = pytest.mark.skipif(chromium() is None, reason="no Chromium on the PATH")

PLUGIN = Crossroads()
GROUND, UNIT = (120, 200, 90), (90, 60, 220)
HOSTILE = """<img src=x onerror="window.hurt=1"><script>window.hurt=2</script>'"&lt;"""
PAINT = """
recipe: 1
steps:
  - pieces: {name: "*"}
    do: [{set_image: unit.png}]
  - components: Board
    do: [{set: {image: field.png}}]
"""


def picture(size: tuple[int, int], colour: tuple[int, int, int]) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return out.getvalue()


def painted() -> Module:
    """The tutorial's module with a map and counters of plain colours."""
    module = Module.from_archive(builder().archive())
    edit_module(module, Recipe.parse(PAINT))
    module.changes["images/field.png"] = picture((600, 480), GROUND)
    module.changes["images/unit.png"] = picture((30, 30), UNIT)
    return module


def start() -> Position:
    return engine.start(PLUGIN, seed="report")


def entry(step: int, player: str, *, legal: bool = False, turn: int = 1) -> Entry:
    """A unit that goes a cell too far, or does not."""
    at = start()
    unit = next(unit for unit in at.units.values() if unit.cell == "A2" or unit.cell)
    path = (unit.cell, "C3", "D3")[1:]
    there = at.with_unit(replace(unit, cell="D3"))
    broken = Violation("TUT-2", f"the path costs {step}", "2", cells=("D3",), units=(unit.id,))
    return Entry(
        step,
        step,
        turn,
        "move",
        unit.side,
        player,
        f"{unit.id}: {unit.cell} -> C3 -> D3",
        "move",
        Status.LEGAL if legal else Status.VIOLATION,
        violations=() if legal else (broken,),
        units=(unit.id,),
        path=path,
        before=at,
        after=there,
    )


def attack(step: int) -> Entry:
    at = start()
    ours = next(u for u in at.units.values() if u.side == "blue" and u.cell)
    theirs = next(u for u in at.units.values() if u.side == "red" and u.cell and not u.seen_by)
    action = PLUGIN.game.actions.make("attack", "blue", attackers=[ours.id], target=theirs.id)
    return replace(
        entry(step, "Ann"),
        kind="attack",
        what=str(action),
        action=RECORD.decode(action.to_json()),
        violations=(Violation("TUT-3", "not adjacent", "3", units=(ours.id,)),),
        path=(),
        units=(ours.id, theirs.id),
        certainty=Certainty.LIKELY,
        dice=(3, 4),
        right="no attack",
        turn=2,
    )


def report(*more: Entry) -> CheckReport:
    """Fifteen violations of two players among legal deeds, with everything a stranger can name."""
    deeds = [entry(n, "Ann" if n % 3 else HOSTILE, legal=n % 2 == 0) for n in range(1, 29)]
    unclear = Entry(
        90, 90, 2, "combat", "red", HOSTILE, HOSTILE, "announcement", Status.UNKNOWN, hint=HOSTILE
    )
    return CheckReport(
        f"/games/{HOSTILE.replace('/', '')}.vlog",
        "log",
        bound=True,
        game="tutorial",
        title=HOSTILE,
        module=HOSTILE,
        scenario="meeting",
        steps=99,
        entries=(*deeds, attack(80), unclear, *more),
        notes=(StepNote(7, Note("dice", HOSTILE, HOSTILE)),),
        dice=statistics([("Ann", 6, face) for face in (1, 1, 2, 3, 5, 6, 6, 6)]),
        players=(("Ann", "Blue"), (HOSTILE, "Red")),
    )


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
    path = tmp_path_factory.mktemp("report") / "report.html"
    sketcher = Sketcher(painted(), binding(), PLUGIN, start())
    path.write_text(render_report(report(), sketcher, PLUGIN), encoding="utf-8")
    return path


@pytest.fixture
def desk(chrome: Browser, file: Path) -> Iterator[Page]:
    page = chrome.page(file, 1200, 900)
    yield page
    page.close()


def shown(page: Page) -> int:
    """How many entries can be seen; the page says the same."""
    seen = page.run(
        "[...document.querySelectorAll('article')].filter(a => a.getClientRects().length).length"
    )
    assert page.run("document.getElementById('told').textContent").startswith(f"{seen} of 30 ")
    return int(seen)


@pytest.mark.parametrize("width", [320, 390, 700, 1200])
def test_nothing_is_wider_than_the_screen(chrome: Browser, file: Path, width: int) -> None:
    page = chrome.page(file, width, 800)
    page.click("summary, .rules button")
    assert page.run("(e => e.scrollWidth - e.clientWidth)(document.documentElement)") == 0
    assert page.run("innerWidth") == width
    assert page.run("visualViewport.scale") == 1
    beyond = page.run(
        "[...document.querySelectorAll('body *')].filter(e => !e.closest('svg') &&"
        " e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"
    )
    assert beyond == []
    page.close()


def test_a_phone_shows_pictures_one_below_the_other_and_large_enough_to_touch(
    chrome: Browser, file: Path
) -> None:
    page = chrome.page(file, 390, 800)
    before, after = page.run(
        "[...document.querySelector('.pictures').children].map(f => f.getBoundingClientRect().x)"
    )
    assert before == after
    least = page.run(
        "Math.min(...[...document.querySelectorAll('.timeline a, .chip')]"
        ".map(a => a.getBoundingClientRect()).map(b => Math.min(b.width, b.height)))"
    )
    assert least >= 18
    page.close()


def test_the_page_asks_for_nothing_and_complains_of_nothing(desk: Page, file: Path) -> None:
    desk.click("form input[type=search]")
    desk.settle()
    asked = [url for url in desk.requests() if not url.startswith("data:image/")]
    assert asked == [file.as_uri()]
    assert desk.complaints() == []


def test_what_strangers_wrote_is_text(desk: Page) -> None:
    assert desk.run("typeof window.hurt") == "undefined"
    assert desk.run("document.querySelectorAll('body img').length") == 0
    assert desk.run("document.title").startswith(HOSTILE)
    for selector in ("h1", "article.unknown .what", "article.unknown header", ".panel.wide li"):
        assert HOSTILE in desk.run(
            f"[...document.querySelectorAll({selector!r})].map(e => e.textContent).join(' ')"
        ), selector


def test_a_script_that_slipped_through_would_not_run(
    chrome: Browser, file: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.html"
    text = file.read_text(encoding="utf-8").replace("</h1>", f"</h1>{HOSTILE}", 1)
    broken.write_text(text, encoding="utf-8")
    page = chrome.page(broken, 1200, 900)
    page.settle()
    assert page.run("typeof window.hurt") == "undefined"
    assert any("Content Security Policy" in line for line in page.complaints())
    page.close()


def test_filters_by_verdict(desk: Page) -> None:
    assert shown(desk) == 16
    desk.click("label.chip.legal")
    assert shown(desk) == 30
    desk.click("label.chip.violation")
    assert shown(desk) == 16
    desk.click("#clear")
    assert shown(desk) == 16
    assert desk.run("document.querySelector('input[value=legal]').checked") is False


def test_filters_by_player_rule_and_words(desk: Page) -> None:
    desk.run("document.querySelector('select[name=player]').focus()")
    desk.press("ArrowDown", 40)
    name = desk.run("document.querySelector('select[name=player]').value")
    own = desk.run(
        "[...document.querySelectorAll('article:not([hidden])')].map(a => a.dataset.player)"
    )
    assert own
    assert set(own) == {name}
    desk.click("#clear")
    desk.click(".rules button[data-rule='TUT-3']")
    assert shown(desk) == 1
    assert desk.run("document.querySelector('select[name=rule]').value") == "TUT-3"
    desk.click(".rules button[data-rule='TUT-3']")
    assert shown(desk) == 16
    desk.click("input[type=search]")
    desk.type("costs 13")
    assert shown(desk) == 1
    desk.type(" nowhere")
    assert shown(desk) == 0
    assert desk.run("document.querySelectorAll('section.moment:not([hidden])').length") == 0


def test_the_timeline_leads_to_an_entry_even_if_it_is_filtered_out(desk: Page) -> None:
    assert desk.run("document.getElementById('e1').hidden") is True
    desk.click(".timeline a[href='#e1']")
    top, height = desk.run(
        "(b => [b.top, innerHeight])(document.getElementById('e1').getBoundingClientRect())"
    )
    assert 0 <= top < height
    assert desk.run("document.querySelectorAll('.timeline a').length") == 30


def colours(page: Page, selector: str) -> set[tuple[int, int, int]]:
    """Which of our colours an element of the page shows, roughly."""
    clip, before = page.box(selector), None
    while clip != before:  # what comes into view may still move it
        page.settle()
        clip, before = page.box(selector), clip
    drawn = Image.open(io.BytesIO(page.screenshot(**clip))).convert("RGB")
    seen = {pixel for _, pixel in drawn.getcolors(drawn.width * drawn.height) or ()}
    wanted = {"ground": GROUND, "unit": UNIT, "path": (194, 24, 15), "own": (255, 210, 31)}
    return {
        colour
        for colour in wanted.values()
        if any(all(abs(a - b) < 6 for a, b in zip(pixel, colour, strict=True)) for pixel in seen)
    }


def test_a_violation_is_shown_on_the_map_before_and_after(desk: Page) -> None:
    assert desk.run("document.querySelectorAll('article.violation figure').length") == 28
    path, own = (194, 24, 15), (255, 210, 31)
    first, second = "#e0 figure:nth-child(1) svg", "#e0 figure:nth-child(2) svg"
    assert colours(desk, first) == {GROUND, UNIT, path, own}
    assert colours(desk, second) == {GROUND, UNIT, own}
    captions = desk.run("[...document.querySelectorAll('#e0 figcaption')].map(c => c.textContent)")
    assert captions == ["before", "after"]


def test_a_shot_is_a_line_to_its_target(desk: Page) -> None:
    assert desk.run("document.querySelectorAll('#e28 polyline.aim').length") == 1
    assert "attackers" in desk.run("document.querySelector('#e28 .what').textContent")


def test_a_picture_of_the_map_is_held_once(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    held = re.findall(r'href="(data:image/[^"]+)"', text)
    assert len(held) == len(set(held)) > 1
    assert len(re.findall(r'<use href="#p', text)) > 56


def test_it_prints_what_is_shown_without_the_buttons(desk: Page) -> None:
    desk.click("input[type=search]")
    desk.type("costs 13")
    few = desk.pdf()
    assert few.startswith(b"%PDF-")
    desk.click("#clear")
    every = desk.pdf()
    pages = [len(re.findall(rb"/Type\s*/Page\b", data)) for data in (few, every)]
    assert 0 < pages[0] < pages[1]
    desk.send("Emulation.setEmulatedMedia", media="print")
    assert desk.run("document.querySelector('.chip').getClientRects().length") == 0
    assert desk.run("document.getElementById('told').getClientRects().length") == 1


def test_the_dark_is_dark(chrome: Browser, file: Path) -> None:
    page = chrome.page(file, 1200, 900, scheme="dark")
    shade = page.run("getComputedStyle(document.body).backgroundColor")
    assert max(map(int, re.findall(r"\d+", shade))) < 60
    page.close()


@pytest.mark.parametrize(
    "found",
    [
        CheckReport("x.vlog", "log", bound=False, module="Other", steps=3),
        CheckReport("x.vsav", "save", bound=True, game="tutorial", title="Crossroads"),
    ],
    ids=["unbound", "clean save"],
)
def test_a_report_without_entries_stands_by_itself(
    chrome: Browser, tmp_path: Path, found: CheckReport
) -> None:
    path = tmp_path / "empty.html"
    path.write_text(render_report(found), encoding="utf-8")
    page = chrome.page(path, 390, 800)
    assert page.run("document.querySelector('.outcome').textContent")
    assert page.complaints() == []
    page.close()


def test_the_command_writes_a_report_of_a_log(chrome: Browser, tmp_path: Path) -> None:
    registry.default().add(PLUGIN)
    (tmp_path / "m.vmod").write_bytes(painted().to_bytes())
    recorder = Recorder(painted(), binding(), PLUGIN, start())
    recorder.drag(["b2"], ["A4", "A3", "A2", "A1", "B1"])
    (tmp_path / "g.vlog").write_bytes(recorder.finish().to_bytes())
    out = tmp_path / "report.html"
    assert cli.run(["check", str(tmp_path / "g.vlog"), "--report", str(out)]) == ExitCode.FINDINGS
    page = chrome.page(out, 390, 800)
    assert page.run("document.querySelectorAll('article.violation figure').length") == 2
    assert page.run("document.querySelector('article .path') !== null") is True
    assert "1 certain violation" in page.run("document.querySelector('.outcome').textContent")
    assert page.complaints() == []
    page.close()
