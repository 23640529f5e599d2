"""A stranger's module of Traces of War: other numbers, chits in heaps, no tracker to go by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

pytest.importorskip("resvg_py")

import game_table
import stranger_front
from stranger_front import PLUGIN, START

from hexmarshal.referee.check.findings import CheckReport, Status
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.table.binding.coverage import coverage
from hexmarshal.table.placing import write_save
from hexmarshal.table.reading import TableReader

SOVIET = ("voronezh-1", "steppe-1", "south_west-1", "south-1", "steppe-2", "reinforcement")
AXIS = ("pza4", "a6", "a8")
Table = Callable[[], Recorder]


def ours() -> Recorder:
    return game_table.table("traces_of_war").game("exercise")


def theirs() -> Recorder:
    return Recorder(stranger_front.module(), stranger_front.binding(), PLUGIN, START)


def lay(log: Recorder, token: str, target: str) -> None:
    here = log.position
    source = next(name for name, pile in here.piles.items() if token in pile.cards)
    old, new = here.pile(source), here.pile(target)
    piles = here.piles.set(source, replace(old, cards=tuple(c for c in old.cards if c != token)))
    log.show(replace(here, piles=piles.set(target, replace(new, cards=(*new.cards, token)))))


def go_on(log: Recorder, phase: str) -> None:
    log.show(replace(log.position, phase=phase, state="", frames=(), active=()))


def played(
    made: Table,
    *,
    placed: str = "2918",
    way: str = "2738",
    after: tuple[str, str] = ("", ""),
) -> Recorder:
    """The opening and two activations; nobody says a word."""
    log = made()
    log.drag(["de-sec1"], [placed])
    go_on(log, "luftwaffe")
    go_on(log, "opening")
    log.roll(6, 6, side="soviet")
    for unit, cell in (("su-1m", "2735"), ("de-168", "2734"), ("de-106", "2734")):
        log.drag([unit], [cell])
    go_on(log, "selection")
    for token in (*SOVIET, *AXIS, "supply"):
        lay(log, token, "cup")
    go_on(log, "action")
    lay(log, "a8", "drawn")
    log.drag(["de-3pz"], ["2633"])
    lay(log, "a8", "played")
    lay(log, "voronezh-1", "drawn")
    log.drag(["su-18tk"], [way])
    if after[0]:
        log.drag([after[0]], [after[1]])
    lay(log, "voronezh-1", "played")
    return log


def checked(made: Table, log: Recorder) -> CheckReport:
    if made is theirs:
        return stranger_front.checked(log)
    return game_table.table("traces_of_war").checked(log)


def wrong(report: CheckReport) -> list[tuple[tuple[str, ...], set[str]]]:
    return [
        (entry.units, {violation.rule for violation in entry.violations})
        for entry in report.entries
        if entry.status is not Status.LEGAL
    ]


def test_the_binding_covers_the_module_and_shows_the_start_as_it_is() -> None:
    module, binding = stranger_front.module(), stranger_front.binding()
    found = coverage(module, binding, PLUGIN)
    assert (found.units, found.unknown, found.problems) == (len(START.units), (), ())
    saved, notes = write_save(module, binding, PLUGIN, START)
    assert [note.text for note in notes] == ["nothing in the module shows the pile luftwaffe"]
    state = saved.state()
    assert TableReader(module, binding, PLUGIN, state).read(state, START).position == START


@pytest.mark.parametrize("made", [ours, theirs])
def test_chits_that_are_laid_and_drawn_tell_the_phases(made: Table) -> None:
    report = checked(made, played(made))
    assert wrong(report) == []
    kinds = [entry.kind for entry in report.entries]
    assert kinds.count("choose_tokens") == 2
    assert kinds.count("draw") == 2
    assert report.position.phase == "action"


@pytest.mark.parametrize("made", [ours, theirs])
@pytest.mark.parametrize(
    ("way", "after", "told"),
    [
        ("2044", ("", ""), [(("su-18tk",), {"TOW-9.1a"})]),
        ("2738", ("de-320", "2634"), [(("de-320",), {"TOW-4.0", "TOW-9.0a"})]),
    ],
)
def test_what_is_wrong_is_told_by_the_same_rules_in_either_module(
    made: Table, way: str, after: tuple[str, str], told: list[tuple[tuple[str, ...], set[str]]]
) -> None:
    report = checked(made, played(made, way=way, after=after))
    assert wrong(report) == told
    assert report.certain == 0


@pytest.mark.parametrize("made", [ours, theirs])
def test_who_is_placed_wrongly_last_has_been_placed_and_the_game_goes_on(made: Table) -> None:
    report = checked(made, played(made, placed="2329"))
    assert wrong(report) == [(("de-sec1",), {"TOW-3.0d"})]
    assert report.position.phase == "action"
