"""Night picket: secret orders on both sides at once, hidden units, reaction fire, sight unfree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tutorial2 import Picket, board

from hexmarshal.errors import RulesError
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.frames.standing import STANDING
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.secrecy.free_sight import SightNotFreeError
from hexmarshal.rules.secrecy.telling import telling
from hexmarshal.rules.state import validate
from hexmarshal.rules.state.effects import MoveUnit, apply_effects
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Applied, IllegalActionError

PLUGIN = Picket()
ACTIONS = PLUGIN.game.actions


class Game:
    """A game in progress, with dice that are given."""

    def __init__(self, **options: object) -> None:
        self.position = engine.start(PLUGIN, options=options)

    def do(self, kind: str, side: str, *dice: int, **params: object) -> Applied:
        action = ACTIONS.make(kind, side, **params)
        applied = engine.perform(PLUGIN, self.position, action, Dice(given=dice))
        assert not validate.problems(PLUGIN, applied.position)
        self.position = applied.position
        return applied

    def march(self, orders: dict[str, list[str]], die: int = 1) -> Applied:
        """Both sides' orders, and blue goes first on an odd die."""
        for unit, path in orders.items():
            self.do("order", self.position.unit(unit).side, unit=unit, path=path)
        self.do("ready", "red")
        return self.do("ready", "blue", die)

    def sees(self, side: str) -> Position:
        return engine.view(PLUGIN, self.position, side)


def test_the_game_is_no_longer_than_it_should_be() -> None:
    files = [p for p in Path(board.FOLDER).iterdir() if p.suffix in (".py", ".yaml")]
    assert sum(len(p.read_text("utf-8").splitlines()) for p in files) <= 600


@pytest.mark.parametrize("sight", [True, False])
def test_random_games_end_and_replay(sight: bool) -> None:
    kinds: set[str] = set()
    for seed in range(8):
        played = play_game(PLUGIN, f"picket {seed}", options={"free_sight": sight})
        assert played.findings == []
        kinds |= played.kinds.keys()
    assert {"order", "ready", "fire", "hold_fire"} <= kinds <= set(PLUGIN.game.actions)


def test_orders_are_nobody_elses_business() -> None:
    """PIC-2."""
    game = Game()
    before, red = game.position, game.sees("red")
    game.do("order", "blue", unit="b1", path=["0202"])
    assert game.sees("red") == red
    assert telling(PLUGIN, "order", "blue", before, game.position).untold == ("red",)
    before = game.position
    game.do("ready", "blue")
    assert game.sees("red") == red  # not even who is ready
    assert telling(PLUGIN, "ready", "blue", before, game.position).untold == ("red",)
    with pytest.raises(IllegalActionError):
        game.do("order", "blue", unit="b1", path=["0101"])  # blue is ready


def test_all_steps_are_taken_in_turn_and_each_may_be_fired_at() -> None:
    """PIC-3, PIC-4."""
    game = Game()
    game.march({"b1": ["0202", "0203"], "r1": ["0704"]})
    assert game.position.active == ("red",)
    assert game.position.frame("reaction").text("target") == "b1"  # type: ignore[union-attr]
    game.do("hold_fire", "red")
    assert game.position.frame("reaction").text("target") == "r1"  # type: ignore[union-attr]
    game.do("hold_fire", "blue")
    assert game.position.unit("b1").cell == "0203"
    game.do("hold_fire", "red")
    assert (game.position.turn, game.position.active) == (2, ("blue", "red"))


def test_who_fires_is_seen_and_who_is_hit_is_gone_with_all_steps_to_come() -> None:
    """PIC-4, PIC-5."""
    game = Game()
    game.position = apply_effects(game.position, [MoveUnit("b1", "0301")])
    game.march({"b1": ["0401", "0301"]})
    assert "r2" not in game.sees("blue").units
    fired = game.do("fire", "red", 3, unit="r2")
    assert fired.resolutions[0].result == "hit"
    assert "b1" not in game.position.units
    assert "r2" in game.sees("blue").units
    assert game.position.turn == 2


def test_hidden_units_come_out_of_the_wood() -> None:
    """PIC-5: and a step that nobody sees opens no window."""
    game = Game()
    game.march({"r3": ["0605", "0705", "0704"]})
    assert game.position.unit("r3").cell == "0704"
    assert game.position.asked("blue").text("target") == "r3"  # type: ignore[union-attr]


def test_standing_orders_close_windows_before_they_are_there() -> None:
    game = Game()
    game.do("standing_order", "red", decision="reaction", order="pass_phase")
    done = game.march({"b1": ["0202", "0203"], "b2": ["0204"]})
    assert game.position.turn == 2
    assert not any(e.effect == "push_frame" and e.frame.kind == "reaction" for e in done.effects)
    # It holds for that phase of that turn alone.
    game.march({"b1": ["0202"]})
    assert game.position.active == ("red",)


def test_pass_until_adjacent_looks_at_what_all_see_and_at_cells_that_are_named() -> None:
    game = Game()
    game.do("standing_order", "red", decision="reaction", order="pass_until_adjacent")
    game.position = apply_effects(game.position, [MoveUnit("b1", "0401")])
    game.march({"b1": ["0301"]})
    assert game.position.turn == 2
    game.do(
        "standing_order", "red", decision="reaction", order="pass_until_adjacent", cells=["0202"]
    )
    game.march({"b1": ["0401"]})
    assert game.position.turn == 3
    game.march({"b1": ["0301"]})
    assert game.position.active == ("red",)
    game.do("hold_fire", "red")
    game.do("standing_order", "red", decision="reaction", order="ask")
    game.march({"b1": ["0401"]})
    assert game.position.active == ("red",)


def test_pass_until_adjacent_asks_when_somebody_is_next_to_a_unit_that_all_see() -> None:
    game = Game()
    game.do("standing_order", "red", decision="reaction", order="pass_until_adjacent")
    game.position = apply_effects(game.position, [MoveUnit("b1", "0802")])
    game.march({"b1": ["0803"]})
    assert game.position.active == ("red",)


def test_standing_orders_of_a_position_from_outside_are_checked() -> None:
    start = Game().position

    def wrong(orders: object) -> str:
        document = {**start.to_json(), "knowledge": {"red": {STANDING: orders}}}
        (broken,) = validate.problems(PLUGIN, Position.from_json(document))
        return f"{broken.field}: {broken.text}"

    assert wrong(3).startswith("knowledge.red.standing_orders: must be an object")
    assert "reaction.order" in wrong({"reaction": {"order": "sleep"}})
    assert "no decision" in wrong({"orders": {"order": "ask"}})
    assert "no decision" in wrong({"nothing": {"order": "ask"}})


def test_a_decision_that_must_be_answered_takes_no_standing_order() -> None:
    with pytest.raises(RulesError, match="one of reaction"):
        ACTIONS.make("standing_order", "red", decision="orders", order="ask")


def test_where_sight_is_not_free_it_is_found_out_by_declaring() -> None:
    """PIC-6."""

    def asked(*, free: bool) -> Game:
        game = Game(free_sight=free)
        # The house at 0503 stands between.
        moves = [MoveUnit("b1", "0402"), MoveUnit("r2", "0604")]
        game.position = apply_effects(game.position, moves)
        known = replace(game.position.unit("r2"), seen_by=None)
        game.position = game.position.with_unit(known)
        game.march({"b1": ["0401", "0402"]})
        game.do("hold_fire", "red")
        return game

    game = asked(free=True)
    verdict = engine.check(PLUGIN, game.position, ACTIONS.make("fire", "red", unit="r2"))
    assert verdict.rules == ("PIC-6",)
    ask = FrozenMap({"from": "0604", "to": "0402"})
    assert engine.ask(PLUGIN, game.position, "sight", ask, "red").values["visible"] is False

    game = asked(free=False)
    shot = ACTIONS.make("fire", "red", unit="r2")
    assert engine.check(PLUGIN, game.position, shot).legal
    assert shot in [offer.action for offer in engine.offers(PLUGIN, game.position, "red")]
    with pytest.raises(SightNotFreeError, match="declaring"):
        engine.ask(PLUGIN, game.position, "sight", ask, "red")
    assert engine.ask(PLUGIN, game.position, "sight", ask).values["visible"] is False
    lost = game.do("fire", "red", unit="r2")
    assert lost.resolutions[0].result == "lost"
    assert "fired" not in game.position.unit("r2").flags  # the turn is over
    over = replace(game.position, turn=6)
    assert engine.ask(PLUGIN, over, "sight", ask, "red").values["visible"] is False
