"""The odds of close combat: against an enumeration of its own, and against play of every roll."""

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
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import FrozenMap

# Typed anew from the printed table, as numerator and denominator.
TABLE = [
    (1, 8, 1), (1, 6, 2), (1, 4, 3), (1, 2, 4), (1, 1, 5), (3, 2, 6), (2, 1, 7), (3, 1, 8),
    (4, 1, 9), (6, 1, 10), (8, 1, 11), (10, 1, 12),
]  # fmt: skip
MEN = {
    "german_4-6-7": ("squad", 4), "german_8-3-8": ("squad", 8), "german_2-4-7": ("half", 2),
    "russian_4-4-7": ("squad", 4), "russian_5-2-7": ("squad", 5), "russian_2-3-7": ("half", 2),
    "leader_8-1": ("leader", 1), "leader_7-0": ("leader", 1), "hero_1-4-9": ("hero", 1),
    "leader_8-0": ("leader", 1), "leader_6+1": ("leader", 1),
}  # fmt: skip
LEADS = {"leader_8-1": -1, "leader_7-0": 0, "leader_8-0": 0, "leader_6+1": 1}
ATTACKERS = ("german_4-6-7", "german_8-3-8", "german_2-4-7", "leader_8-1", "hero_1-4-9")
TARGETS = ("russian_4-4-7", "russian_5-2-7", "russian_2-3-7", "leader_7-0", "leader_8-1")


@pytest.fixture(scope="module")
def asl() -> AdvancedSquadLeader:
    return AdvancedSquadLeader()


def table(asl, ours, theirs):
    units = [
        Unit(f"{side[0]}{i}", kind, side, cell="F4", flags=frozenset(flags))
        for side, men in (("attacker", ours), ("defender", theirs))
        for i, (kind, flags) in enumerate(men)
    ]
    blank = replace(asl.blank(), board="proving", phase="close_combat", active=("attacker",))
    return replace(blank.with_unit(*units), extras=FrozenMap({"phasing": "attacker"}))


# An enumeration that knows nothing of the game's code


def kill_number(power, against):
    found = 0
    for top, bottom, number in TABLE:
        if power * bottom >= top * against:
            found = number
    return 13 if power > 10 * against else found


def reckon(ours, theirs, capture):
    """The number of the table, and what is added for each target."""
    power = sum(Fraction(MEN[kind][1], 2 if "pinned" in flags else 1) for kind, flags in ours) / (
        2 if any("concealed" in flags for _, flags in theirs) else 1
    )
    number = kill_number(power, sum(MEN[kind][1] for kind, _ in theirs))
    common = any("cx" in flags for _, flags in ours) + any("ti" in flags for _, flags in ours)
    common -= sum(MEN[kind][0] == "hero" for kind, _ in ours)
    leads = [LEADS[kind] for kind, flags in ours if kind in LEADS and "pinned" not in flags]
    others = [kind for kind, flags in ours if kind not in LEADS or "pinned" in flags]
    if leads and others:
        common += min(leads)
    return number, [
        common - ("cx" in flags) - ("ti" in flags) - 2 * ("broken" in flags) + capture
        for _, flags in theirs
    ]


def led(ours, number):
    """After an original 2: who attacks then, by each die for a leader of the best MMC."""
    mmc = [man for man in ours if MEN[man[0]][0] in ("squad", "half")]
    if not mmc:
        return [(Fraction(1), ours)]
    factors = {"german_4-6-7": (1, 17), "german_8-3-8": (1, 19), "german_2-4-7": (0, 13)}
    kind, flags = max(mmc, key=lambda man: factors[man[0]])
    extra = -1 - (kind == "german_8-3-8") - max(0, 5 - number)
    found = []
    for die in range(1, 7):
        final = die + extra
        key = "leader_8-1" if final <= 1 else "leader_8-0" if final <= 3 else "leader_7-0"
        key = key if final <= 5 else "leader_6+1"
        found.append((Fraction(1, 6), [*ours, (key, tuple({"pinned"} & set(flags)))]))
    return found


def expected(ours, theirs, capture):
    """By the book: the chance of every fate of every target."""
    number, own = reckon(ours, theirs, capture)
    found = [defaultdict(Fraction) for _ in theirs]
    for one, two in product(range(1, 7), repeat=2):
        ways = [(Fraction(1), number, own)]
        if one + two == 2:
            ways = [(p, *reckon(men, theirs, capture)) for p, men in led(ours, number)]
        for share, kill, added in ways:
            for modifier in set(added):
                group = [i for i, each in enumerate(added) if each == modifier]
                final = one + two + modifier
                for i, fate, chance in fates(theirs, group, final, kill, capture):
                    found[i][fate] += chance * share / 36
    return [dict(odds) for odds in found]


def fates(theirs, group, final, number, capture):
    if final > number:
        yield from ((i, "unhurt", Fraction(1)) for i in group)
    elif final < number:
        yield from ((i, "captured" if capture else "eliminated", Fraction(1)) for i in group)
    elif capture:
        if len(group) > 1:
            yield from ((i, "one of them captured", Fraction(1)) for i in group)
        else:
            squad = MEN[theirs[group[0]][0]][0] == "squad"
            yield group[0], "half captured" if squad else "captured", Fraction(1)
    else:
        yield from lot(theirs, group)


def lot(theirs, group):
    if len(group) == 1:
        yield from ((group[0], fate, p) for fate, p in lose(*theirs[group[0]]))
        return
    share = Fraction(1, 6 ** len(group))
    for dice in product(range(1, 7), repeat=len(group)):
        for i, die in zip(group, dice, strict=True):
            if die == max(dice):
                yield from ((i, fate, p * share) for fate, p in lose(*theirs[i]))
            else:
                yield i, "unhurt", share


def lose(kind, flags):
    what = MEN[kind][0]
    if what == "squad":
        return [("reduced", Fraction(1))]
    if what == "half":
        return [("eliminated", Fraction(1))]
    dead = Fraction(3 if "wounded" in flags else 2, 6)
    return [("eliminated", dead), ("wounded", 1 - dead)]


def draw(chance, kinds, states, most):
    return [
        (chance.choice(kinds), tuple(s for s in states if chance.random() < 0.25))
        for _ in range(chance.randint(1, most))
    ]


def test_the_odds_are_those_of_an_enumeration_of_its_own(asl):
    """ASL-CC-2, ASL-CC-3, ASL-CC-7, ASL-PRIS-3: attacks of all sorts."""
    chance = random.Random(11)
    seen = set()
    for _ in range(90):
        ours = draw(chance, ATTACKERS, ("cx", "ti", "pinned"), 3)
        theirs = draw(chance, TARGETS, ("cx", "ti", "broken", "concealed"), 3)
        theirs = [
            (kind, tuple(f for f in flags if not ("broken" in flags and f == "concealed")))
            for kind, flags in theirs
        ]
        capture = chance.random() < 0.3
        position = table(asl, ours, theirs)
        params = {
            "attackers": tuple(f"a{i}" for i in range(len(ours))),
            "targets": tuple(f"d{i}" for i in range(len(theirs))),
            "capture": capture,
        }
        answer = engine.ask(asl, position, "close_combat", FrozenMap(params))
        told = answer.values["units"]
        for i, odds in enumerate(expected(ours, theirs, capture)):
            assert {k: Fraction(v) for k, v in told[f"d{i}"].items()} == odds, (ours, theirs)
            assert sum(odds.values()) == 1
            seen |= odds.keys()
    assert seen >= {"eliminated", "reduced", "wounded", "captured", "half captured", "unhurt"}


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


def fate_of(before, after, name):
    unit = after.units.get(name)
    if unit is None:
        return "eliminated"
    if unit.by("guards"):
        return "captured"
    if unit.type != before.unit(name).type:
        return "half captured" if f"{name}.2" in after.units else "reduced"
    return "wounded" if "wounded" in unit.flags else "unhurt"


@pytest.mark.parametrize("capture", [False, True])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ((("german_4-6-7", ()),), (("russian_4-4-7", ()),)),
        ((("german_8-3-8", ()), ("leader_8-1", ())), (("russian_2-3-7", ()), ("leader_7-0", ()))),
        ((("german_8-3-8", ("cx",)),), (("russian_4-4-7", ("ti",)), ("russian_4-4-7", ()))),
    ],
)
def test_every_roll_played_comes_to_the_odds(asl, ours, theirs, capture):
    """ASL-CC-4, ASL-CC-5, ASL-PRIS-3: an attack in the phase, with all that follows from it."""
    position = table(asl, ours, theirs)
    ours_named = tuple(f"a{i}" for i in range(len(ours)))
    named = tuple(f"d{i}" for i in range(len(theirs)))
    for action in (
        Action("close_combat", "attacker", FrozenMap({"cell": "F4"})),
        Action("ready", "attacker"),
        Action("ready", "defender"),
        Action("attack", "attacker", FrozenMap(
            {"attackers": ours_named, "targets": named, "capture": capture}
        )),
        Action("strike", "attacker"),
    ):  # fmt: skip
        position = engine.perform(asl, position, action).position
    params = {"attackers": ours_named, "targets": named, "capture": capture}
    told = engine.ask(asl, position, "close_combat", FrozenMap(params)).values["units"]
    found = {name: defaultdict(Fraction) for name in named}
    for applied, chance in outcomes(asl, position, Action("strike", "defender")):
        after = applied.position
        asked = after.frame("give_up")
        for name in named:
            fate = fate_of(position, after, name)
            frame = after.frame("combat")
            losses = [] if frame is None else [e for e in frame.agenda if e["unit"] == name]
            if losses:  # the combat waits for who may leave at once; then they are taken
                fate = str(losses[0]["fate"])
            if asked is not None and name in asked.texts("units"):
                fate = "one of them captured"
            found[name][fate] += chance
    for name in named:
        odds = {fate: Fraction(p) for fate, p in told[name].items()}
        got = {fate: p for fate, p in found[name].items() if p}
        if "reduced" in got and not capture and "wounded" in odds:
            # A single man whose loss waits is not yet known to be wounded or dead.
            waits = got.pop("reduced")
            got["wounded"] = got.get("wounded", 0) + waits * Fraction(2, 3)
            got["eliminated"] = got.get("eliminated", 0) + waits / 3
        if "reduced" in got and "reduced" not in odds:
            got["eliminated"] = got.get("eliminated", 0) + got.pop("reduced")
        assert got == odds
