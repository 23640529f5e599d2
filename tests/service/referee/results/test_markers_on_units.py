"""Markers that lie on units, as hits do in Conflict of Heroes: they are results like lost steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise

import coh_table as coh

from hexmarshal.errors import HexMarshalError
from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.playing.record import GameRecord, replay
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import thaw


@cache
def played() -> GameRecord:
    """A game in which somebody is hit, and lives."""
    for seed in range(20):
        record = play_game(
            coh.PLUGIN, f"q{seed}", scenario="first_steps", max_actions=70, check_replay=False
        ).record
        positions = pairwise(replay(coh.PLUGIN, record))
        # Some actions follow, to see that the game goes on.
        if any(any(new_hits(*two)) for two in islice(positions, max(0, len(record.events) - 5))):
            return record
    raise AssertionError("nobody is hit in twenty games")


def new_hits(before: Position, after: Position) -> Iterator[Marker]:
    """Hits that a unit has now, and had not; it lives."""
    for marker in after.markers.values():
        if marker.unit in after.units and marker.id not in before.markers:
            yield marker


def slipped(slip: Callable[[Position, Marker], Position]) -> tuple[CheckReport, int, Marker]:
    """The game until some actions after the first hit, which is shown otherwise."""
    record = played()
    start = engine.start(coh.PLUGIN, "first_steps", seed=record.opening.seed)
    log = Recorder(coh.module(), coh.binding(), coh.PLUGIN, start)
    at, found, more = 0, None, 0
    for event in record.events:
        before = log.position
        action = coh.PLUGIN.game.actions.decode(thaw(event.action))
        try:
            after = engine.perform(coh.PLUGIN, before, action).position
        except HexMarshalError:
            # After the slip not all is as it was in the game that was played.
            continue
        hit = next(new_hits(before, after), None)
        if found is None and hit is not None:
            at, found = log.steps + 1, hit
            log.perform(action, slip=lambda right, hit=hit: slip(right, hit))
        else:
            log.perform(action)
            more += found is not None
        if more == 3:
            break
    assert found is not None
    return coh.checked(log.finish()), at, found


def title(hit: Marker) -> str:
    """What players call a hit, whose kind is a name for programs."""
    (found,) = (one.title for one in coh.PLUGIN.game.markers if one.key == hit.kind)
    assert found != hit.kind
    return found


def test_a_hit_that_is_not_marked_is_a_wrong_result() -> None:
    report, step, hit = slipped(
        lambda after, hit: replace(after, markers=after.markers.without(hit.id))
    )
    first, *_ = report.violations
    assert first.first <= step <= first.last + 5
    text = first.violations[0].text
    assert f"{hit.unit} has a hit marker by the rules, and none on the table" in text


def test_after_a_forgotten_hit_the_game_goes_on_without_it() -> None:
    report, _, hit = slipped(
        lambda after, hit: replace(after, markers=after.markers.without(hit.id))
    )
    assert report.position is not None
    assert hit.id not in report.position.markers
    assert len(list(report.violations)) == 1


def test_a_hit_on_the_wrong_unit_is_found() -> None:
    def on_another(after: Position, hit: Marker) -> Position:
        other = next(
            unit.id
            for unit in after.of_side(after.unit(hit.unit).side)
            if unit.cell and unit.id != hit.unit and not after.markers_on(unit.id)
        )
        moved = replace(hit, id=hit.id.replace(hit.unit, other), unit=other)
        return replace(after, markers=after.markers.without(hit.id)).with_marker(moved)

    report, _, hit = slipped(on_another)
    told = " ".join(v.text + entry.what for entry in report.violations for v in entry.violations)
    assert f"{hit.unit} has a hit marker by the rules, and none on the table" in told
    assert f"{title(hit)} marker on the table" in told
