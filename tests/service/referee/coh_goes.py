"""Goes of Conflict of Heroes as players do them: begun, paid, marked, handed over, said or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import coh_table
from muted_log import muted

from hexmarshal.referee.check.findings import CheckReport
from hexmarshal.referee.samples.log_recorder import Recorder
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.vassal.saves.savegame import SavedGame

PLUGIN = coh_table.PLUGIN
MAKE = PLUGIN.game.actions.make
# The better roll decides who begins.
ROLLED = (6, 6, 1, 1)


def table(
    bid: int = 0, against: int = 0, rolled: Sequence[int] = ROLLED, begins: str = "german"
) -> Recorder:
    """A game in its first Actions phase, after bids of the Germans and of the Soviets."""
    start = engine.start(PLUGIN, "first_steps", seed="a")
    log = Recorder(coh_table.module(), coh_table.binding(), PLUGIN, start)
    log.perform(MAKE("begin_turn", start.active[0]))
    for side, points, dice in (("soviet", against, ()), ("german", bid, rolled)):
        log.perform(MAKE("bid", side, cap=points), Dice(None, given=list(dice)))
    assert log.position.active == (begins,)
    return log


def without_a_word(log: Recorder) -> CheckReport:
    return coh_table.checked(muted(log.finish()))


def spend(log: Recorder, unit: str) -> None:
    """Turn a counter over; the points of an active one are gone with that."""
    known, position = log.position.units[unit], log.position
    if known.has("active"):
        position = position.with_track(f"ap-{known.side}", 0)
    log.show(position.with_unit(replace(known, flags=frozenset({"spent"}))))


def pay(log: Recorder, track: str, points: int) -> None:
    log.show(log.position.with_track(track, log.position.track(track) - points))


def untouched() -> Recorder:
    """The Germans begin, and nobody has moved the marker for whose go it is."""
    start = table().position
    assert start.active == ("german",)
    return Recorder(coh_table.module(), coh_table.binding(), PLUGIN, start)


def activate(log: Recorder, unit: str) -> None:
    side = log.position.units[unit].side
    active = log.position.with_track(f"ap-{side}", 7)
    log.show(active.with_unit(replace(active.units[unit], flags=frozenset({"active"}))))


def kinds(report: CheckReport) -> list[tuple[str, str]]:
    done = [entry for entry in report.entries if entry.phase == "play"]
    return [(entry.side, entry.kind) for entry in done]


def hand_over(log: Recorder, side: str) -> None:
    log.show(replace(log.position, active=(side,)))


def by_one(log: Recorder) -> CheckReport:
    """What is told if all that was said and rolled was said and rolled by one person."""
    text = log.finish().text
    for seat in coh_table.binding().sides:
        text = text.replace(f"{seat} player", "Max")
    return coh_table.checked(SavedGame.from_text(text))
