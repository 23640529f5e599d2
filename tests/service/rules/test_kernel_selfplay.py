"""The random player ends every game of a sound plugin, and finds each kind of unsound one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from tutorial import Crossroads

from hexmarshal.errors import RulesError
from hexmarshal.rules import Dice, engine
from hexmarshal.rules.playing.record import GameRecord, event_of, read_games, replay
from hexmarshal.rules.playing.selfplay import perft, play_game
from hexmarshal.rules.plugin import Offer
from hexmarshal.rules.verdict import LEGAL, Verdict, Violation

PLUGIN = Crossroads()
PINNED_GAME = (30, 380, ())


def test_random_games_end_and_replay_the_same() -> None:
    for seed in range(10):
        game = play_game(PLUGIN, str(seed))
        assert game.findings == []
        assert game.winners is not None
        assert game.checks > game.actions > 0


def test_a_seed_is_a_game_for_ever() -> None:
    """Changes with the tutorial's rules or data, or with the kernel's dice: and then on purpose."""
    game = play_game(PLUGIN, "1")
    assert (game.actions, game.checks, game.winners) == PINNED_GAME
    start = engine.start(PLUGIN, seed=1)
    assert [perft(PLUGIN, start, depth) for depth in (0, 1, 2)] == [1, 40, 982]


def test_the_player_checks_what_it_draws_and_not_all_there_is() -> None:
    """A few checks for an action, where a list of all would take hundreds."""
    game = play_game(PLUGIN, "1", check_replay=False)
    listed = engine.walk(PLUGIN, engine.start(PLUGIN, seed=1), "blue")
    assert list(listed.stops())
    assert game.checks / game.actions < listed.checks / 10


def test_every_kind_is_drawn() -> None:
    games = [play_game(PLUGIN, str(seed), check_replay=False) for seed in range(12)]
    assert {kind for game in games for kind in game.kinds} == {"move", "attack", "end_phase"}
    lengths = {
        len(event.action["path"])
        for game in games
        for event in game.record.events
        if event.action["kind"] == "move"
    }
    assert lengths == {1, 2, 3, 4}


class OffersNothing(Crossroads):
    """Whatever is chosen is refused."""

    def check(self, position, action):
        return Verdict((Violation("TUT-1", "no"),))


class LeadsNowhere(Crossroads):
    """A check that never objects before the end, when it always does, but to one kind."""

    def check(self, position, action):
        if action.kind == "end_phase":
            return LEGAL
        action.params.get("path", ())
        action.params.get("target", "")
        return Verdict((Violation("TUT-1", "no"),))


def test_dead_ends_are_left_again() -> None:
    game = play_game(LeadsNowhere(), "1", check_replay=False)
    assert game.findings == []
    assert game.kinds.keys() == {"end_phase"}


class ListsNothing(Crossroads):
    def actions(self, position, side) -> Iterator[Offer]:
        return iter(())


class OffersTheForbidden(Crossroads):
    def actions(self, position, side) -> Iterator[Offer]:
        yield Offer(self.game.actions.make("move", side, unit="b1", path=[]), LEGAL)


class NeverEnds(Crossroads):
    def outcome(self, position):
        return None


class Crashes(Crossroads):
    def apply(self, position, action, dice):
        raise KeyError("x")


class Stacks(Crossroads):
    def apply(self, position, action, dice):
        after = super().apply(position, action, dice)
        units = after.position.units.values()
        return replace(
            after, position=after.position.with_unit(*(replace(u, cell="A1") for u in units))
        )


class Forgets(Crossroads):
    """Depends on something that is not in the position."""

    count = 0

    def apply(self, position, action, dice):
        after = super().apply(position, action, dice)
        Forgets.count += 1
        return replace(after, position=after.position.with_track("n", Forgets.count))


@pytest.mark.parametrize(
    ("plugin", "kind"),
    [
        (OffersNothing, "no way out"),
        (ListsNothing, "no way out"),
        (OffersTheForbidden, "illegal offer"),
        (NeverEnds, "no end"),
        (Crashes, "exception"),
        (Stacks, "invariant"),
        (Forgets, "replay"),
    ],
)
def test_whatever_should_not_happen_is_found(plugin: type[Crossroads], kind: str) -> None:
    game = play_game(plugin(), "1", max_actions=60)
    assert kind in {finding.kind for finding in game.findings}


def test_a_record_survives_its_lines_and_replays() -> None:
    game = play_game(PLUGIN, "3")
    lines = list(game.record.to_lines())
    assert GameRecord.from_lines(lines) == game.record
    assert read_games([*lines, "", *lines]) == [game.record, game.record]
    positions = list(replay(PLUGIN, game.record))
    assert positions[-1].digest == game.record.events[-1].digest


def test_a_record_with_dice_of_the_table_replays_with_them() -> None:
    start = engine.start(PLUGIN, seed="t")
    actions = PLUGIN.game.actions
    position, events = start, []
    for action in (
        actions.make("move", "blue", unit="b3", path=["B3", "C3", "D3"]),
        actions.make("end_phase", "blue"),
        actions.make("end_phase", "blue"),
        actions.make("move", "red", unit="r1", path=["F2", "F3", "E3"]),
        actions.make("end_phase", "red"),
    ):
        applied = engine.perform(PLUGIN, position, action)
        position, _ = applied.position, events.append(event_of(action, applied))
    attack = actions.make("attack", "red", attackers=["r1"], target="b3")
    applied = engine.perform(PLUGIN, position, attack, Dice(position.generator, given=[6]))
    events.append(event_of(attack, applied, given=True))
    opening = replace(play_game(PLUGIN, "t", max_actions=1).record.opening)
    *_, last = replay(PLUGIN, GameRecord(opening, tuple(events)))
    assert last == applied.position
    assert last.unit("b3").steps == 1


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: [], "0 games"),
        (lambda lines: lines[1:], "begins with an opening"),
        (lambda lines: [lines[0], "{"], "line 2: not JSON"),
        (lambda lines: [lines[0], '{"dice": []}'], "line 2, field action"),
        (lambda lines: [lines[0].replace('"format":1', '"format":9')], "format 9"),
    ],
)
def test_a_damaged_record_names_the_line(change, says: str) -> None:
    lines = list(play_game(PLUGIN, "3", check_replay=False).record.to_lines())
    with pytest.raises(RulesError) as caught:
        GameRecord.from_lines(change(lines))
    assert says in str(caught.value)


def test_a_changed_record_does_not_replay() -> None:
    record = play_game(PLUGIN, "3").record
    changed = replace(record.events[0], digest="0" * 64)
    with pytest.raises(RulesError, match="not the one that was recorded"):
        list(replay(PLUGIN, GameRecord(record.opening, (changed,))))
    dice = replace(record.events[0], dice=(1, 2))
    with pytest.raises(RulesError, match="rolled"):
        list(replay(PLUGIN, GameRecord(record.opening, (dice,))))
