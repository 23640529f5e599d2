"""A trial of the kernel before Advanced Squad Leader: a stack moves hex by hex under fire.

Ten rules of the game, with nothing in a position that is not declared.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from asl_trial import Trial
from asl_trial.board import FOLDER

from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.secrecy.free_sight import SightNotFreeError
from hexmarshal.rules.state import validate
from hexmarshal.rules.state.effects import MoveUnit, apply_effects
from hexmarshal.rules.state.pieces import Marker
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Applied, IllegalActionError

PLUGIN = Trial()
ACTIONS = PLUGIN.game.actions


class Game:
    """The lane, with dice that are given."""

    def __init__(self) -> None:
        self.position = engine.start(PLUGIN)

    def do(self, kind: str, side: str, *dice: int, **params: object) -> Applied:
        action = ACTIONS.make(kind, side, **params)
        done = engine.perform(PLUGIN, self.position, action, Dice(given=dice))
        assert validate.problems(PLUGIN, done.position) == ()
        for seat in done.position.sides:
            assert validate.problems(PLUGIN, engine.view(PLUGIN, done.position, seat)) == ()
        self.position = done.position
        return done

    def run(self, *cells: str, units: tuple[str, ...] = ("al", "ar")) -> None:
        """A Russian stack goes through these hexes, and nobody fires."""
        for i, cell in enumerate(cells):
            if i:
                self.do("step", "russian", to=cell)
            else:
                self.do("move", "russian", units=units, to=cell)
            if i + 1 < len(cells):
                self.do("hold_fire", "german")

    def flags(self, unit: str) -> frozenset[str]:
        return self.position.unit(unit).flags

    def sees(self, side: str) -> Position:
        return engine.view(PLUGIN, self.position, side)


def test_the_trial_has_ten_rules_all_of_which_are_there() -> None:
    assert len(list(PLUGIN.rulebook)) == 10
    code = "".join(path.read_text("utf-8") for path in FOLDER.glob("*.py"))
    assert all(rule in code for rule in PLUGIN.rulebook)


def test_random_games_keep_every_position_in_order() -> None:
    kinds: set[str] = set()
    for seed in range(12):
        played = play_game(PLUGIN, f"lane {seed}", options={"free_sight": seed % 2 == 0})
        assert played.findings == []
        kinds |= played.kinds.keys()
    assert kinds >= {"move", "step", "stop", "fire", "hold_fire", "end_phase"}


def test_a_stack_with_leader_and_machine_gun_moves_hex_by_hex() -> None:
    """T-A4.1, T-A4.12."""
    game = Game()
    game.run("0203", "0303", "0302", "0401")
    assert game.position.cell_of(game.position.unit("am")) == "0401"
    assert [frame.kind for frame in game.position.frames] == ["moving", "first_fire"]
    assert game.position.frame("moving").value("spent") == 4  # type: ignore[union-attr]
    game.do("hold_fire", "german")
    assert game.position.active == ("russian",)
    choices = engine.next_choices(PLUGIN, game.position, "russian")
    assert [choice.value for choice in choices.choices] == ["step", "stop", "standing_order"]
    game.do("stop", "russian")
    assert game.position.frames == ()
    with pytest.raises(IllegalActionError, match="has moved"):
        game.do("move", "russian", units=["ar"], to="0501")


def test_a_squad_alone_goes_less_far() -> None:
    """T-A4.12."""
    game = Game()
    game.run("0203", "0303", "0302", "0401", units=("ar",))
    game.do("hold_fire", "german")
    with pytest.raises(IllegalActionError, match="0 are left"):
        game.do("step", "russian", to="0501")


def test_first_fire_pins_and_leaves_residual_firepower() -> None:
    """T-A7.3, T-A7.8, T-A8.1, T-A8.2, T-A10.1."""
    game = Game()
    game.run("0203", "0303")
    # 4 firepower, 6 on the dice, 2 less for running in the open: a morale check at +1.
    shot = game.do("fire", "german", 3, 3, 2, 2, 3, 4, unit="eg")
    fire, leader, squad = shot.resolutions
    assert (fire.column, fire.result) == ("4", "1MC")
    assert [m.amount for m in fire.modifiers] == [-1, -1]
    assert (leader.result, squad.result) == ("passed", "pinned")
    assert game.flags("ar") >= {"pinned", "moved"}
    assert game.position.markers["residual 0303"].values == FrozenMap({"fp": 2})
    # The leader may go on alone, and be fired at again.
    assert game.position.frame("moving").texts("units") == ("al",)  # type: ignore[union-attr]
    game.do("hold_fire", "german")
    game.do("step", "russian", to="0402")
    assert game.position.asked("german") is not None


def test_subsequent_first_fire_is_at_half_and_the_last() -> None:
    """T-A8.3."""
    game = Game()
    game.run("0203", "0303")
    game.do("fire", "german", 6, 6, unit="eg")
    assert game.flags("eg") == {"first_fire"}
    again = game.do("fire", "german", 6, 6, unit="eg")
    assert again.resolutions[0].column == "2"
    assert game.flags("eg") == {"first_fire", "final_fire"}
    with pytest.raises(IllegalActionError, match="cannot fire"):
        game.do("fire", "german", 6, 6, unit="eg")
    # The others have an enemy nearer than these: nobody is, so they may.
    assert engine.check(PLUGIN, game.position, ACTIONS.make("fire", "german", unit="dg")).legal


def test_residual_firepower_attacks_whoever_enters_before_anybody_fires() -> None:
    """T-A8.2."""
    game = Game()
    left = Marker("residual 0203", "residual", "german", "0203", values=FrozenMap({"fp": 2}))
    game.position = game.position.with_marker(left)
    # 5 on the dice, 2 less: column 2 gives a morale check at +1; both break.
    done = game.do("move", "russian", 2, 3, 6, 6, 6, 6, units=["al", "ar"], to="0203")
    assert [r.result for r in done.resolutions] == ["1MC", "broken", "broken"]
    assert game.flags("ar") == {"broken", "moved"}
    # Nobody is left to go on, or to be fired at.
    assert game.position.frames == ()
    assert game.position.active == ("russian",)


def test_marks_of_the_phase_end_with_it() -> None:
    game = Game()
    game.run("0203", "0303")
    game.do("fire", "german", 3, 3, 2, 2, 3, 4, unit="eg")
    game.do("hold_fire", "german")
    game.do("stop", "russian")
    game.do("end_phase", "russian")
    assert not game.position.markers
    assert not any(unit.flags for unit in game.position.units.values())


def test_concealed_units_show_neither_how_many_nor_what() -> None:
    """T-A12: what the enemy sees, is asked and may do is the same with a dummy."""
    game = Game()
    game.position = apply_effects(game.position, [MoveUnit("?1", "0302")])
    real, dummy = game.position, game.position.without_unit("br")
    seen = []
    for position in (real, dummy):
        game.position = position
        game.do("move", "russian", units=["?1"], to="0202")
        assert "?1" in game.position.units
        offers = [offer.action for offer in engine.offers(PLUGIN, game.position, "german")]
        seen.append((game.sees("german"), offers))
    assert seen[0] == seen[1]
    assert seen[0][1]


def test_concealment_is_lost_in_the_open_in_sight_of_an_enemy() -> None:
    """T-A12: the counter and what is under it part, in one event; a dummy is gone."""
    game = Game()
    game.do("move", "russian", units=["?1"], to="0304")
    assert "br" in game.sees("german").units
    assert "?1" not in game.position.units
    assert game.position.frame("moving").texts("units") == ("br",)  # type: ignore[union-attr]

    game = Game()
    game.position = game.position.without_unit("br")
    game.do("move", "russian", units=["?1"], to="0304")
    assert "?1" not in game.position.units
    assert game.position.frames == ()


def test_fire_at_the_concealed_is_halved_and_reveals_by_its_result() -> None:
    """T-A12."""
    game = Game()
    moves = [MoveUnit("?1", "0302"), MoveUnit("eg", "0402")]
    game.position = apply_effects(game.position, moves)
    game.do("move", "russian", units=["?1"], to="0202")
    assert "br" not in game.sees("german").units
    # 4 firepower at 2 hexes, half for concealment: column 2; 6 + 1 for woods - 1: a pin check.
    shot = game.do("fire", "german", 3, 3, 6, 6, unit="eg")
    assert [r.result for r in shot.resolutions] == ["PTC", "pinned"]
    assert shot.resolutions[0].column == "2"
    assert game.flags("br") >= {"pinned"}
    assert "br" in game.sees("german").units


def test_sight_is_found_out_by_declaring() -> None:
    """T-A6.11."""
    game = Game()
    game.run("0203", "0303")
    ask = FrozenMap({"from": "0803", "to": "0303"})
    shot = ACTIONS.make("fire", "german", unit="dg")
    assert engine.check(PLUGIN, game.position, shot).legal  # the house at 0503 is between
    with pytest.raises(SightNotFreeError):
        engine.ask(PLUGIN, game.position, "sight", ask, "german")
    lost = game.do("fire", "german", unit="dg", leader="dl")
    assert lost.resolutions[0].result == "no sight"
    assert game.flags("dg") == {"first_fire"}
    free = replace(game.position, options=FrozenMap({"free_sight": True}))
    assert engine.check(PLUGIN, free, ACTIONS.make("fire", "german", unit="dg")).rules == (
        "T-A6.11",
    )


def test_windows_that_standing_orders_close_leave_no_trace() -> None:
    game = Game()
    game.do("standing_order", "german", decision="first_fire", order="pass_until_adjacent")
    done = game.do("move", "russian", units=["al", "ar"], to="0203")
    assert [e.effect for e in done.effects if "frame" in e.effect] == [
        "push_frame",
        "change_frame",
    ]
    game.do("step", "russian", to="0303")
    assert game.position.active == ("russian",)
    game.do("step", "russian", to="0403")  # next to the squad at 0503
    assert game.position.active == ("german",)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"markers": {"m": {"kind": "residual", "values": {"fp": 40}}}}, "markers.m.values.fp"),
        ({"markers": {"m": {"kind": "residual"}}}, "markers.m.values.fp"),
        (
            {"units": {"x": {"type": "squad", "side": "german", "cell": "0101", "flags": ["odd"]}}},
            "units.x.flags",
        ),
        ({"knowledge": {"german": {"secret": 1}}}, "knowledge.german.secret"),
        (
            {"frames": [{"kind": "moving", "deciders": [{"side": "russian"}]}]},
            "frames[0].about.units",
        ),
    ],
)
def test_nothing_in_a_position_is_untyped(wrong: dict[str, dict[str, object]], field: str) -> None:
    document = engine.start(PLUGIN).to_json()
    for part, value in wrong.items():
        old = document.get(part)
        document[part] = {**old, **value} if isinstance(old, dict) else value
    found = validate.problems(PLUGIN, Position.from_json(document))
    assert field in [violation.field for violation in found]
