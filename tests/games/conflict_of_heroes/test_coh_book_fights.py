"""The rulebook's long worked fights, played through from the first action to the last."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from hexmarshal.games.conflict_of_heroes import ConflictOfHeroes
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.state.position import Position
from hexmarshal.rules.verdict import Applied, Resolution

COH = ConflictOfHeroes()


class Fight:
    """A position that goes on with every action, with the dice that the book names."""

    def __init__(self, document: dict[str, Any], **options: bool) -> None:
        blank: dict[str, Any] = COH.blank().to_json()
        blank["options"] = dict(engine.complete_options(COH, options))
        self.position = Position.from_json({**blank, **document})

    def does(
        self, side: str, kind: str, *dice: int, picks: tuple[int, ...] = (), **params: object
    ) -> Applied:
        action = COH.game.actions.make(kind, side, **params)
        given = Dice(None, given=dice, picks=picks)
        applied = engine.perform(COH, self.position, action, given)
        self.position = applied.position
        return applied

    def refuses(self, side: str, kind: str, **params: object) -> tuple[str, ...]:
        action = COH.game.actions.make(kind, side, **params)
        return engine.check(COH, self.position, action).rules

    def left(self, track: str) -> int:
        return self.position.track(track)

    def flags(self, unit: str) -> set[str]:
        return set(self.position.unit(unit).flags)


def attacks(applied: Applied) -> list[Resolution]:
    return [r for r in applied.resolutions if r.kind == "attack"]


def unit(kind: str, cell: str, facing: int, *flags: str) -> dict[str, Any]:
    side = kind.partition("_")[0]
    return {"type": kind, "side": side, "cell": cell, "facing": facing, "flags": list(flags)}


def test_a_carrier_is_shot_and_its_squad_storms_the_gun() -> None:
    """Examples 92 to 97: one fight from the shot at the carrier to the close combat."""
    rifles = unit("german_rifles_41", "", 0, "active") | {"carrier": "a"}
    fight = Fight(
        {
            "active": ["soviet"],
            "tracks": {
                "ap-german": 6, "cap-german": 5, "cap-start-german": 5,
                "cap-soviet": 4, "cap-start-soviet": 4,
            },
            "units": {
                "a": unit("german_sdkfz_251", "9-H06", 0, "active"),
                "r": {k: v for k, v in rifles.items() if k != "cell"},
                "p": unit("german_panzer_3h", "9-I05", 1),
                "k": unit("soviet_at_gun_45", "9-G07", 4),
                "m": unit("soviet_smg", "9-F07", 3),
            },
        },
        cautious_movement=True,
    )  # fmt: skip
    fight.does("soviet", "activate", unit="k")
    carrier, squad = attacks(fight.does("soviet", "fire", 5, 6, 1, 1, unit="k", cell="9-H06"))
    assert carrier.values["needed"] == 7
    assert carrier.values["critical"] == 11
    assert carrier.result == "critical"
    assert squad.values["attack"] == 3
    assert squad.values["defence"] == 13
    assert squad.result == "miss"
    assert fight.left("ap-soviet") == 4
    assert fight.position.unit("a").box == "destroyed-german"
    assert fight.position.unit("r").cell == "9-H06"
    assert fight.left("cap-german") == 4, "the marker stood on the box of the lost carrier"

    fight.does("german", "move", unit="r", path=["9-H07"])
    assert fight.left("ap-german") == 4

    (tank,) = attacks(fight.does("soviet", "fire", 1, 1, unit="k", cell="9-I05"))
    assert tank.values["needed"] == 11
    assert fight.left("ap-soviet") == 1

    fight.does("german", "move", unit="r", path=["9-G07"], mode="cautious")
    assert fight.left("ap-german") == 2

    fight.does("soviet", "finish")
    assert fight.flags("k") == {"spent"}
    fight.does("soviet", "activate", unit="m")
    fight.does("soviet", "move", unit="m", path=["9-G07"], mode="cautious")
    assert fight.left("ap-soviet") == 5

    done = fight.does("german", "close_combat", 3, 3, picks=(13,), unit="r", target="m")
    (stab,) = attacks(done)
    assert (stab.values["attack"], stab.values["defence"]) == (6, 11)
    assert (stab.values["needed"], stab.values["critical"]) == (5, 9)
    assert fight.left("ap-german") == 0
    assert fight.left("cap-german") == 3
    assert fight.flags("r") == {"spent"}
    assert fight.position.markers["hit-m"].kind == "foot-suppressed"
    assert fight.position.markers["hit-m"].known_to == frozenset({"soviet"})

    assert "COH-7.6d" in fight.refuses("soviet", "rally", units=["m"])
    (back,) = attacks(fight.does("soviet", "close_combat", 4, 5, unit="m", target="r", cap=1))
    assert (back.values["attack"], back.values["needed"], back.values["critical"]) == (6, 5, 9)
    assert back.result == "critical"
    assert fight.position.unit("r").box == "destroyed-german"
    assert fight.left("ap-soviet") == 1, "a suppressed squad fires for one more"
    assert fight.left("losses-german") == 2


def test_a_carrier_tows_a_gun_and_leaves_it() -> None:
    """Example 89: four actions with seven points, and both are spent."""
    gun = unit("german_pak38", "", 0)
    fight = Fight(
        {
            "tracks": {"cap-german": 2},
            "units": {
                "v": unit("german_sdkfz_251", "9-E02", 2),
                "g": {**{k: v for k, v in gun.items() if k != "cell"}, "carrier": "v"},
                "s": unit("soviet_rifles_41", "9-A11", 0),
            },
        }
    )
    fight.does("german", "activate", unit="v")
    fight.does("german", "move", unit="v", path=["9-E03", "9-E04", "9-E05"], facing=2)
    assert fight.left("ap-german") == 6
    fight.does("soviet", "pass")
    fight.does("german", "move", unit="v", path=["9-E06"], facing=2)
    assert fight.left("ap-german") == 5
    fight.does("soviet", "pass")
    fight.does("german", "unload", vehicle="v", units=["g"], facing=1)
    assert fight.left("ap-german") == 1
    assert fight.position.unit("g").facing == 1
    fight.does("soviet", "pass")
    fight.does("german", "move", unit="v", path=["9-E07"])
    assert fight.left("ap-german") == 0
    assert fight.flags("v") == fight.flags("g") == {"spent"}
    assert fight.position.unit("g").cell == "9-E06"


def test_two_units_act_alone_and_as_a_group() -> None:
    """Example 61: a shared activation, point by point, until the player passes."""
    fight = Fight(
        {
            "units": {
                "a": unit("german_lmg_34", "9-C07", 2),
                "b": unit("german_rifles_41", "9-C08", 1),
                "s": unit("soviet_rifles_41", "9-C11", 5),
            },
        }
    )
    fight.does("german", "activate", unit="a")
    fight.does("german", "move", unit="a", path=["9-C08"], facing=1)
    assert fight.left("ap-german") == 6
    fight.does("soviet", "pass")
    moves = [{"unit": u, "path": ["9-C09"], "facing": 1} for u in ("a", "b")]
    fight.does("german", "group_move", moves=moves)
    assert fight.left("ap-german") == 5
    assert fight.flags("b") == {"active"}
    fight.does("soviet", "pass")
    (shot,) = attacks(fight.does("german", "fire", 1, 1, unit="a", cell="9-C11", supporters=["b"]))
    assert shot.values["attack"] == 5
    assert shot.result == "miss"
    assert fight.left("ap-german") == 3
    fight.does("soviet", "pass")
    fight.does("german", "move", unit="a", path=["9-B10"])
    assert fight.left("ap-german") == 1
    fight.does("soviet", "pass")
    fight.does("german", "pass")
    assert fight.flags("a") == fight.flags("b") == {"spent"}
    assert fight.position.phase == "prep", "two passes in a row end the turn"


def test_two_hidden_units_have_four_coins_and_two_decoys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Example 109, as the solitaire game sets it up."""
    plan = copy.deepcopy(dict(COH.cards["drill"].data))
    plan["forces"]["soviet"]["units"]["s3"] = {
        "type": "soviet_smg",
        "cell": "9-F05",
        "hidden": True,
    }
    cards = {**COH.cards, "drill": replace(COH.cards["drill"], data=plan)}
    monkeypatch.setattr(COH, "cards", cards)
    start = engine.start(COH, "drill", {"solo": "soviet"}, 1)
    coins = [m for m in start.markers.values() if m.kind == "coin"]
    assert len(coins) == 4
    assert len({coin.cell for coin in coins}) == 4
    assert sorted(start.pile("cup").cards) == ["decoy", "decoy", "s2", "s3"]
    assert start.pile("cup").known_to == frozenset(), "nobody looks into the cup"
