"""Whatever players drag, some entry of the report is about it."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from game_table import table
from sloppy_log import Habits, sloppy

from hexmarshal.referee.check.findings import Entry
from hexmarshal.referee.hearing.heard import Seen
from hexmarshal.referee.hearing.hearing import Hearing


def _is_about(entry: Entry, step: int, unit: str) -> bool:
    """Whether an entry spans a step, and its unit takes part or is changed by it."""
    if not entry.first <= step <= entry.last:
        return False
    before, after = (at and at.units.get(unit) for at in (entry.before, entry.after))
    return unit in entry.units or before != after


@pytest.mark.parametrize(
    ("game", "seed"),
    [
        ("kharkov", "8"),
        ("kharkov", "11"),
        ("conflict_of_heroes", "2"),
        ("traces_of_war", "2"),
        ("heroes_of_stalingrad", "3"),
    ],
)
def test_each_unit_that_is_dragged_is_accounted_for(
    game: str, seed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dragged: dict[tuple[int, str], str] = {}
    watch = Hearing.watch

    def watched(self: Hearing, seen: Seen) -> None:
        dragged.update({(seen.now.step, d.unit): d.cells[-1] for d in seen.deeds if d.cells})
        watch(self, seen)

    monkeypatch.setattr(Hearing, "watch", watched)
    played = table(game)
    habits = Habits(undo=0, too_far=0)
    log = sloppy(played, played.plugin.scenarios()[0].key, seed, habits, actions=20)
    entries = played.checked(log).entries
    assert dragged
    assert [
        (step, unit)
        for step, unit in dragged
        if not any(_is_about(entry, step, unit) for entry in entries)
    ] == []
