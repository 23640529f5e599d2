"""Quality in play and in the odds: the same branches, walked and added up; and what has no case."""

from __future__ import annotations

import random
from dataclasses import replace as changed
from fractions import Fraction

import pytest

from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.games.asl.rules.fire.odds import Chain
from hexmarshal.games.asl.rules.quality import promotion
from hexmarshal.games.asl.rules.snipers import strike
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.units.nations import CLASSES
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice, NeedsDiceError
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import FrozenMap

PAIRS = [((max(1, n - 6), min(6, n - 1)), Fraction(6 - abs(7 - n), 36)) for n in range(2, 13)]
DIE = [((n,), Fraction(1, 6)) for n in range(1, 7)]
NMC = (2, 4)


@pytest.fixture(scope="module")
def asl() -> AdvancedSquadLeader:
    return AdvancedSquadLeader()


def table(asl, *units, **extras):
    blank = changed(asl.blank(), board="proving", phase="prep_fire", active=("attacker",))
    return changed(
        blank.with_unit(Unit("g", "german_4-6-7", "attacker", "F3"), *units),
        extras=FrozenMap({"phasing": "attacker", **extras}),
    )


def ends(asl, position, action, given=NMC, share=Fraction(1)):
    """Every position that an action can lead to, by each sum of dice, with its chance."""
    try:
        after = asl.apply(position, action, Dice(None, given=list(given))).position
    except NeedsDiceError as need:
        for values, chance in PAIRS if len(need.request.dice) == 2 else DIE:
            yield from ends(asl, position, action, (*given, *values), share * chance)
    else:
        yield share, after


SQUAD = Unit("d", "russian_4-4-7", "defender", "F5")
HALF = Unit("d", "russian_2-3-7", "defender", "F5")
LEADER = Unit("a", "leader_8-1", "defender", "F5", values=FrozenMap({"nation": "russian"}))
PARTISAN = Unit("d", "partisan_3-3-7", "defender", "F5")


@pytest.mark.parametrize(
    ("units", "extras"),
    [
        ([SQUAD], {}),
        ([SQUAD], {"defender_elr": 2}),
        ([HALF], {"defender_elr": 0}),
        ([PARTISAN], {"defender_elr": 2, "defender_elr_underlined": 1}),
        ([LEADER], {"defender_elr": 1}),
    ],
    ids=["squad", "elr", "half-squad", "partisans", "leader"],
)
def test_the_odds_of_a_check_are_what_play_comes_to(asl, units, extras):
    """ASL-A15.1b, ASL-A15.42b, ASL-A19.13a to ASL-A19.13e: walked through `apply`."""
    position = table(asl, *units, **extras)
    action = asl.game.actions.make("fire", "attacker", target="F5", firers=["g"])
    chain = Chain(asl.situation(position), [unit.id for unit in units])
    found = {unit.id: {} for unit in units}
    total = Fraction(0)
    for share, after in ends(asl, position, action):
        total += share
        for unit in units:
            state = after.units.get(unit.id)
            heroes = [name for name in after.units if name.startswith(f"{unit.id}.hero")]
            if state is not None and heroes:
                state = changed(state, values=FrozenMap({**state.values, "hero": True}))
            told = chain.told(unit, state)
            found[unit.id][told] = found[unit.id].get(told, 0) + share
    assert total == 1
    assert found == chain.after("NMC")


def test_the_best_of_several_decides_on_a_leader(asl):
    """ASL-A18.2b: squads before half-squads, then factors, then class."""
    units = [
        Unit("a", "german_2-4-8", "attacker", "F4"),
        Unit("b", "german_4-4-7", "attacker", "F4"),
        Unit("c", "german_4-6-7", "attacker", "F4"),
    ]
    now = asl.situation(table(asl, *units))
    assert promotion.base_of(now, ["a", "b", "c"]) == "c"
    assert promotion.base_of(now, ["a", "b"]) == "b"
    found = promotion.modifiers_of(now, units[2], broken=False, below=2, vehicle=True)
    assert sum(m.amount for m in found) == -4


def test_nobody_deep_inside_a_building_is_sniped_at(asl, monkeypatch):
    """ASL-SAN-5: no board of ours has so large a building, so its neighbours are made of it."""
    inside = Unit("h", "german_4-6-7", "attacker", "C3")
    now = asl.situation(table(asl, inside))
    place = Location("C3")
    assert [unit.id for unit in strike.eligible(now, "defender", place)] == ["h"]
    monkeypatch.setattr(type(now.ground), "same_building", lambda *_: True)
    assert strike.eligible(now, "defender", place) == []


def test_every_replacement_is_of_a_lower_class_with_a_factor_less(asl):
    """ASL-A19.13f: for each pair of the table, and for the half-squads with them."""
    counters = asl.tables.counters
    pairs = [
        (counters[a], counters[b])
        for nation in asl.tables.nations.values()
        for a, b in nation.replaced_by.items()
    ]
    assert len(pairs) > 30
    for above, below in pairs:
        assert above.nation == below.nation
        assert CLASSES.index(below.quality) < CLASSES.index(above.quality), above.key
        less = (below.fp < above.fp, below.range < above.range, below.morale < above.morale)
        assert any(less), above.key
        assert counters[below.half].kind == "half_squad"


def test_hardening_never_costs_a_factor_and_ends_at_the_top(asl):
    """ASL-BH-1: from every counter upwards, one class after the other."""
    for key, counter in asl.tables.counters.items():
        if counter.kind not in ("squad", "half_squad", "leader"):
            continue
        unit = Unit("d", key, "defender", "F5")
        for _ in range(12):
            answer = engine.ask(asl, table(asl, unit), "quality", FrozenMap({"unit": "d"})).values[
                "hardens_to"
            ]
            if not answer:
                break
            before, after = asl.tables.counters[unit.type], asl.tables.counters[str(answer)]
            assert after.fp >= before.fp
            assert after.range >= before.range
            assert after.morale >= before.morale
            assert after.leadership <= before.leadership
            unit = changed(unit, type=str(answer))
        else:
            pytest.fail(f"{key} hardens for ever")


class Shaken(AdvancedSquadLeader):
    """Scenarios that begin with the berserk, disrupted, fanatic, heroic and wounded."""

    def setup(self, scenario, options, generator):
        position = super().setup(scenario, options, generator)
        now, chance = self.situation(position), random.Random(4)
        units = {}
        for name, unit in position.units.items():
            states = chance.choice(STATES) if unit.cell and now.is_personnel(unit) else ()
            if "heroic" in states and not now.is_leader(unit):
                states = ("fanatic",)
            units[name] = changed(unit, flags=unit.flags | set(states))
        extras = {"attacker_elr": 1, "defender_elr": 0, "attacker_san": 6, "defender_san": 7}
        return changed(
            position,
            units=FrozenMap(units),
            extras=FrozenMap({**position.extras, **extras, "attacker_ammunition_shortage": True}),
        )


STATES = [(), (), ("berserk",), ("broken", "dm", "disrupted"), ("fanatic",), ("heroic", "fanatic")]


def test_a_random_game_of_shaken_troops_ends_and_replays():
    """No position without a way out, no unit waited for that is gone."""
    played = play_game(Shaken(), "4", scenario="meeting")
    assert played.findings == []
