"""Vehicles in close combat: odds against an enumeration of its own and every roll; random games."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.dice import Dice, NeedsDiceError
from hexmarshal.rules.playing.selfplay import play_game
from hexmarshal.rules.plugin import ScenarioInfo
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import FrozenMap

# Typed anew from the play aid: close combat value, morale, nation's die for a leader.
MEN = {
    "german_4-6-7": (5, 7, -1), "german_2-4-7": (3, 7, -1), "german_8-3-8": (5, 8, -1),
    "german_crew_2-2-8": (4, 8, -1), "leader_8-1": (2, 8, None), "leader_9-2": (2, 9, None),
    "hero_1-4-9": (2, 9, None),
}  # fmt: skip
LEADS = {"leader_8-1": -1, "leader_9-2": -2}
CREATED = {0: -1, 1: -1, 2: 0, 3: 0, 4: 0, 5: 0, 6: 1}


@pytest.fixture(scope="module")
def asl() -> AdvancedSquadLeader:
    return AdvancedSquadLeader()


def table(asl, men, flags, values, escorts):
    units = [Unit(f"a{i}", kind, "attacker", cell="F4") for i, kind in enumerate(men)]
    units += [Unit(f"e{i}", kind, "defender", cell="F4") for i, kind in enumerate(escorts)]
    tank = Unit(
        "t", "vehicle", "defender", cell="F4", flags=frozenset(flags), values=FrozenMap(values)
    )
    blank = replace(asl.blank(), board="proving", phase="close_combat", active=("attacker",))
    return replace(blank.with_unit(*units, tank), extras=FrozenMap({"phasing": "attacker"}))


def modifier(flags, values, escorts):
    """What is added for the vehicle, by the list of the play aid."""
    abandoned = "abandoned" in flags
    open_top = values.get("open_topped") is True
    exposed = "buttoned_up" not in flags
    if values.get("armored") is False:
        amount = -3
    elif open_top:
        amount = -2
    else:
        amount = -1 if exposed or abandoned else 0
    gun = values.get("bmg", 0) + values.get("cmg", 0) + (values.get("aamg", 0) if exposed else 0)
    if not gun or abandoned or "stunned" in flags:
        amount -= 1
    stuck = {"immobilized", "bogged", "abandoned"} & set(flags)
    if stuck and values.get("armored") is not False:
        amount -= 1
    if "in_motion" in flags and not abandoned:
        amount += 2
    return amount + sum({"russian_4-4-7": 2, "russian_2-3-7": 1}[kind] for kind in escorts)


def result(final, value):
    if final > value:
        return "none"
    if 2 * final <= value:
        return "burning"
    return "eliminated" if final < value else "immobilized"


def expected(men, flags, values, escorts):
    """All dice, counted out."""
    values_of = sorted((MEN[kind][0] for kind in men), reverse=True)
    value = values_of[0] + (len(men) - 1)
    added = modifier(flags, values, escorts)
    added -= men.count("hero_1-4-9")
    squads = [kind for kind in men if MEN[kind][2] is not None]
    leader = min((LEADS[kind] for kind in men if kind in LEADS), default=0)
    with_leader = leader if len(men) > 1 and squads else 0
    dares = Fraction(1)
    for kind in squads:
        if values.get("armored") is not False and "abandoned" not in flags:
            most = MEN[kind][1] - leader
            dares *= Fraction(sum(a + b <= most for a in range(1, 7) for b in range(1, 7)), 36)
    found = defaultdict(Fraction)
    found["no attack"] = 1 - dares
    for a, b in product(range(1, 7), repeat=2):
        if a + b != 2:
            found[result(a + b + added + with_leader, value)] += dares / 36
            continue
        for die in range(1, 7) if squads else [0]:
            share = dares / 36 / (6 if squads else 1)
            now, bonus = value, with_leader
            if squads:
                high = 1 if MEN[squads[0]][1] >= 8 else 0
                armour = values.get("armored") is not False
                made = die - 1 - armour - high  # German, against armour, morale of 8
                if made <= 6:
                    now += 1
                    bonus = min(with_leader, CREATED[max(made, 0)])
            got = result(2 + added + bonus, now)
            if got != "none":
                found[got] += share
                continue
            for third in range(1, 7):
                luck = {1: "burning", 2: "eliminated", 3: "immobilized"}.get(third, "none")
                found[luck] += share / 6
    return {name: chance for name, chance in found.items() if chance}


def situations():
    rolls = random.Random(7)
    men = [
        ("german_4-6-7",), ("german_2-4-7",), ("german_crew_2-2-8",), ("leader_8-1",),
        ("hero_1-4-9",), ("german_4-6-7", "leader_8-1"), ("german_2-4-7", "leader_9-2"),
        ("leader_8-1", "hero_1-4-9"),
    ]  # fmt: skip
    for _ in range(60):
        flags = [
            flag
            for flag in ("buttoned_up", "in_motion", "immobilized", "stunned", "abandoned")
            if rolls.random() < 0.3
        ]
        values = {
            name: rolls.randint(1, 6) for name in ("bmg", "cmg", "aamg") if rolls.random() < 0.5
        }
        if rolls.random() < 0.3:
            values["armored"] = False
        elif rolls.random() < 0.4:
            values["open_topped"] = True
        escorts = [kind for kind in ("russian_4-4-7", "russian_2-3-7") if rolls.random() < 0.3]
        yield rolls.choice(men), tuple(flags), values, tuple(escorts)


def test_the_odds_are_those_of_an_enumeration_of_its_own(asl):
    """ASL-A11.6, ASL-CCV-1, ASL-CCV-2, ASL-CCV-3."""
    for men, flags, values, escorts in situations():
        if len(men) > 1 and "hero_1-4-9" in men:
            continue  # two single men: no leadership is at stake
        position = table(asl, men, flags, values, escorts)
        named = tuple(f"a{i}" for i in range(len(men)))
        params = FrozenMap({"attackers": named, "targets": ("t",)})
        told = engine.ask(asl, position, "close_combat", params).values["results"]
        odds = {name: Fraction(chance) for name, chance in told.items()}
        assert sum(odds.values()) == 1
        assert odds == expected(men, flags, values, escorts), (men, flags, values, escorts)


def outcomes(asl, position, action):
    """Every way that the dice can fall, each with its chance."""
    waiting = [((), Fraction(1))]
    while waiting:
        dice, chance = waiting.pop()
        try:
            yield engine.perform(asl, position, action, Dice(given=list(dice))), chance
        except NeedsDiceError as error:
            sides = error.request.dice
            for values in product(*(range(1, n + 1) for n in sides)):
                share = chance
                for n in sides:
                    share /= n
                waiting.append(((*dice, *values), share))


@pytest.mark.parametrize("capture", [False, True])
def test_every_roll_played_comes_to_the_odds(asl, capture):
    """ASL-CCV-1, ASL-CCV-3, ASL-CAPT-3a: an attack in the phase, with all that follows from it."""
    flags = ("abandoned",) if capture else ()
    position = table(asl, ("german_2-4-7",), flags, {"cmg": 4}, ("russian_2-3-7",))
    for action in (
        Action("close_combat", "attacker", FrozenMap({"cell": "F4"})),
        Action("ready", "attacker"),
        Action("ready", "defender"),
    ):
        position = engine.perform(asl, position, action).position
    params = FrozenMap({"attackers": ("a0",), "targets": ("t",), "capture": capture})
    told = engine.ask(asl, position, "close_combat", params).values["results"]
    found = defaultdict(Fraction)
    for applied, chance in outcomes(asl, position, Action("attack", "attacker", params)):
        fought = [one for one in applied.resolutions if one.kind == "close combat"]
        found[fought[0].result] += chance
    assert found == {name: Fraction(chance) for name, chance in told.items()}


class AmongVehicles(AdvancedSquadLeader):
    """The silent village where everybody has met, vehicles, guns and works among them."""

    def scenarios(self):
        return [ScenarioInfo("met", "Everybody has met")]

    def setup(self, scenario, options, generator):
        start = super().setup("silence", options, generator)
        at = {"g1": "E5", "g7": "E5", "g2": "G4", "g3": "H8", "g4": "G8", "g5": "F8"}
        units = {n: replace(u, cell=at.get(n, u.cell)) for n, u in start.units.items()}

        def put(name, kind, side, cell, *flags, carrier="", **values):
            units[name] = Unit(
                name, kind, side, cell=cell, carrier=carrier, flags=frozenset(flags),
                values=FrozenMap(values),
            )  # fmt: skip

        put("t1", "vehicle", "defender", "E5", "buttoned_up", cmg=4, bmg=2, close_defence=8)
        put("t2", "vehicle", "defender", "G4", armored=False)
        put("t3", "vehicle", "attacker", "H8", "abandoned", cmg=4, calibre=75)
        put(
            "t4",
            "vehicle",
            "defender",
            "F8",
            "concealed",
            open_topped=True,
            half_track=True,
            aamg=4,
        )
        put("t5", "vehicle", "attacker", "E6", "captured", cmg=4, crew="half_squad", mp=12)
        put("p1", "russian_2-3-7", "defender", "", carrier="t4", seat="passenger")
        put("p2", "russian_4-4-7", "defender", "", carrier="t2", seat="passenger")
        put("w1", "gun", "defender", "D9", "hidden", emplaced=True)
        put("c1", "russian_crew_2-2-8", "defender", "D9", "hidden", serves="w1")
        put("x1", "fortification", "defender", "B9", "hidden", works="foxhole")
        put("x2", "fortification", "defender", "I8", "hidden", works="minefield")
        return replace(
            start,
            scenario=scenario,
            phase="close_combat",
            units=FrozenMap(units),
            generator=generator,
        )


@pytest.mark.parametrize("seed", ["1", "2"])
def test_a_random_game_among_vehicles_keeps_every_position_in_order(seed):
    """By a player who takes whatever comes: no fault, and every answer is there."""
    played = play_game(AmongVehicles(), seed, scenario="met", max_actions=45)
    assert [found.text for found in played.findings if found.kind != "no end"] == []
