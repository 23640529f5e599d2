"""The rulebook's long examples, played go by go as one game: the turn ends as the book says."""

from __future__ import annotations

from typing import Any

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.position import Position

COH = ConflictOfHeroes()
MISS = [1, 1]


class Table:
    """A game on the proving ground; every go names who acts and what it leaves."""

    def __init__(self, units: dict[str, dict[str, object]], **tracks: int) -> None:
        document: dict[str, object] = COH.blank().to_json()
        document["options"] = dict(engine.complete_options(COH, {}))
        document |= {"units": units, "tracks": {k.replace("_", "-"): v for k, v in tracks.items()}}
        document["extras"] = {"turns": 5}
        self.now = Position.from_json(document)

    def go(
        self, side: str, kind: str, dice: list[int] | None = None, **params: Any
    ) -> dict[str, int]:
        action = COH.game.actions.make(kind, side, **params)
        assert self.now.active == (side,)
        applied = engine.perform(COH, self.now, action, Dice(given=dice or []))
        self.now = applied.position
        return {name: self.now.track(f"{name}-{side}") for name in ("ap", "cap")}

    def status(self, unit: str) -> str:
        flags = self.now.unit(unit).flags
        return next((flag for flag in ("spent", "active") if flag in flags), "fresh")


def unit(type: str, side: str, cell: str, facing: int) -> dict[str, object]:
    return {"type": type, "side": side, "cell": cell, "facing": facing}


def test_the_turn_of_two_units_a_side_from_the_first_shot_to_the_last_pass() -> None:
    """COH-EX-005 to COH-EX-009, diagrams 1 and 2: A and B against C and D, all shots miss."""
    game = Table(
        {
            "a": unit("german_rifles_41", "german", "9-B02", 1),
            "b": unit("german_lmg_34", "german", "9-A02", 1),
            "c": unit("soviet_rifles_41", "soviet", "9-B06", 5),
            "d": unit("soviet_at_gun_45", "soviet", "9-A06", 5),
        },
        cap_german=2,
        cap_soviet=1,
    )
    game.go("german", "activate", unit="a")
    assert game.go("german", "fire", MISS, unit="a", cell="9-B06")["ap"] == 4
    game.go("soviet", "activate", unit="c")
    assert game.go("soviet", "fire", MISS, unit="c", cell="9-B02")["ap"] == 3
    after = game.go("german", "fire", MISS, unit="b", cell="9-B06", by="command")
    assert after == {"ap": 4, "cap": 0}
    assert game.status("b") == "fresh"
    assert game.go("soviet", "fire", MISS, unit="c", cell="9-A02") == {"ap": 0, "cap": 0}
    assert game.status("c") == "spent"
    assert game.go("german", "move", unit="a", path=["9-B03"], facing=1)["ap"] == 3
    game.go("soviet", "pass")
    assert game.go("german", "fire", MISS, unit="a", cell="9-B06")["ap"] == 0
    assert game.status("a") == "spent"
    game.go("soviet", "activate", unit="d")
    assert game.go("soviet", "fire", MISS, unit="d", cell="9-A02")["ap"] == 4
    game.go("german", "activate", unit="b")
    assert game.go("german", "fire", MISS, unit="b", cell="9-A06")["ap"] == 5
    assert game.go("soviet", "stall")["ap"] == 3
    assert game.status("d") == "active"
    assert game.go("german", "fire", MISS, unit="b", cell="9-A06")["ap"] == 3
    assert game.go("soviet", "fire", MISS, unit="d", cell="9-A02")["ap"] == 0
    assert game.status("d") == "spent"
    assert game.go("german", "fire", MISS, unit="b", cell="9-A06")["ap"] == 1
    game.go("soviet", "pass")
    again = COH.game.actions.make("fire", "german", unit="b", cell="9-A06")
    assert engine.check(COH, game.now, again).rules == ("COH-3.2.1a",)
    game.go("german", "pass")
    assert game.status("b") == "spent"
    assert (game.now.turn, game.now.phase, game.now.state) == (2, "prep", "start")


def test_opportunity_top_up_and_command_until_both_pass() -> None:
    """COH-EX-016 to COH-EX-018, diagrams 3 to 5."""
    game = Table(
        {
            "a": unit("german_rifles_41", "german", "9-E01", 2),
            "b": unit("german_hmg_34", "german", "9-E02", 2),
            "c": unit("soviet_rifles_41", "soviet", "9-E06", 5),
            "d": unit("soviet_rifles_41", "soviet", "9-E07", 4),
        },
        cap_german=3,
        cap_soviet=5,
    )
    game.go("german", "activate", unit="a")
    assert game.go("german", "move", unit="a", path=["9-E02"], facing=2)["ap"] == 6
    game.go("soviet", "activate", unit="c")
    fired = game.go("soviet", "fire", [*MISS, *MISS], unit="c", cell="9-E02")
    assert fired["ap"] == 3
    shot = game.go("german", "fire", MISS, unit="b", cell="9-E06", by="opportunity")
    assert (shot["ap"], game.status("a"), game.status("b")) == (6, "active", "spent")
    done = game.go("soviet", "fire", [*MISS, *MISS], unit="c", cell="9-E02")
    assert (done, game.status("c")) == ({"ap": 0, "cap": 4}, "spent")
    assert game.go("german", "fire", MISS, unit="b", cell="9-E06", by="command")["cap"] == 1
    assert game.status("b") == "spent"
    game.go("soviet", "activate", unit="d")
    assert game.go("soviet", "move", unit="d", path=["9-D06"], facing=5)["ap"] == 6
    assert game.go("german", "fire", MISS, unit="a", cell="9-D06")["ap"] == 3
    assert game.go("soviet", "fire", [*MISS, *MISS], unit="d", cell="9-E02")["ap"] == 2
    assert game.go("german", "fire", MISS, unit="a", cell="9-D06")["ap"] == 0
    assert game.status("a") == "spent"
    game.go("soviet", "pass")
    assert game.status("d") == "spent"
    game.go("german", "pass")
    assert game.now.turn == 2


def german_pair(**tracks: int) -> Table:
    return Table(
        {
            "a": unit("german_lmg_34", "german", "9-E10", 0),
            "b": unit("german_rifles_41", "german", "9-D10", 0),
            "c": unit("soviet_rifles_41", "soviet", "9-C08", 1),
        },
        **tracks,
    )


def test_a_pair_moves_and_fires_by_command_and_only_one_of_them_is_active() -> None:
    """COH-EX-060, diagrams 17 to 19."""
    game = german_pair(cap_german=5)
    game.go("german", "activate", unit="a")
    assert game.go("german", "move", unit="a", path=["9-D10"], facing=0)["ap"] == 6
    game.go("soviet", "pass")
    together = [{"unit": u, "path": ["9-C10"], "facing": 5} for u in ("a", "b")]
    assert game.go("german", "group_move", moves=together, by="command") == {"ap": 6, "cap": 4}
    game.go("soviet", "pass")
    fired = game.go("german", "fire", MISS, unit="a", cell="9-C08", supporters=["b"], by="command")
    assert fired == {"ap": 6, "cap": 2}
    game.go("soviet", "pass")
    assert game.go("german", "move", unit="a", path=["9-B10"], facing=0)["ap"] == 4
    assert (game.status("a"), game.status("b")) == ("active", "fresh")


def test_a_pair_that_shares_its_activation_is_spent_together() -> None:
    """COH-EX-061, the same with shared points."""
    game = german_pair()
    game.go("german", "activate", unit="a")
    assert game.go("german", "move", unit="a", path=["9-D10"], facing=0)["ap"] == 6
    game.go("soviet", "pass")
    together = [{"unit": u, "path": ["9-C10"], "facing": 5} for u in ("a", "b")]
    assert game.go("german", "group_move", moves=together)["ap"] == 5
    game.go("soviet", "pass")
    assert game.go("german", "fire", MISS, unit="a", cell="9-C08", supporters=["b"])["ap"] == 3
    game.go("soviet", "pass")
    assert game.go("german", "move", unit="a", path=["9-B10"], facing=0)["ap"] == 1
    # One pass of theirs stands before ours: the soviet player does something first.
    game.go("soviet", "pivot", unit="c", facing=0, by="opportunity")
    game.go("german", "pass")
    assert (game.status("a"), game.status("b")) == ("spent", "spent")
    assert game.now.turn == 1
