"""Every class of dice that an accepted attack can meet, walked to its end.

The attacks are a row through all combinations of who fires, from where, how, and at whom. A few of
them are walked in every run, some hundreds with `HYPOTHESIS_PROFILE=deep`.
"""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import islice, product

from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.rules import engine
from hexmarshal.rules.dice import Dice, NeedsDiceError
from hexmarshal.rules.frames import Decider, Frame
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import FrozenMap

DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
RESULTS = {"-", "PTC", "NMC", *(f"{n}MC" for n in range(1, 5)), *(f"K/{n}" for n in range(1, 5))}
RESULTS |= {f"{n}KIA" for n in range(1, 8)} | {"no sight"}

FIRERS = {
    "a squad": ["german_4-6-7"],
    "a squad with a gun": ["german_4-6-7", "german_mmg"],
    "two squads": ["german_4-6-7", "german_4-6-8"],
    "conscripts": ["russian_4-2-6"],
    "a half-squad's gun": ["german_2-4-7", "german_hmg"],
    "a led squad": ["german_4-6-7", "leader_8-1"],
    "a led squad with a gun": ["german_5-4-8", "german_lmg", "leader_9-2"],
    "a leader's gun": ["leader_8-1", "german_hmg"],
    "a pinned squad": ["german_4-6-7 pinned"],
    "tired men": ["american_6-6-7 cx"],
}
TARGETS = {
    "a squad": ["russian_4-4-7"],
    "a half-squad": ["russian_2-3-7"],
    "a crew": ["russian_crew_2-2-7"],
    "a leader": ["leader_8-1"],
    "a wounded leader": ["leader_8-1 wounded"],
    "a broken squad": ["russian_4-4-7 broken"],
    "a broken leader": ["leader_7-0 broken"],
    "the pinned": ["russian_4-4-7 pinned"],
    "the encircled": ["russian_4-4-7 encircled"],
    "the fanatic": ["russian_4-4-7 fanatic"],
    "a squad and its leader": ["russian_4-4-7", "leader_8-1"],
    "two squads": ["russian_4-4-7", "russian_4-4-7 broken"],
}
PLACES = {"near": ("H4", "H5"), "apart": ("H3", "H5"), "woods": ("E1", "E3"), "far": ("H1", "H8")}
PHASES = ("prep_fire", "defensive_fire", "advancing_fire", "first", "subsequent", "protective")


def counters(names, side, cell):
    """The counters of a stack, each weapon with the man before it."""
    found = []
    for i, text in enumerate(names):
        kind, *flags = text.split()
        if kind.endswith("mg"):
            bonds = FrozenMap[tuple[str, ...]]({"possesses": (found[0].id,)})
            found.append(Unit(f"{side[0]}{i}", kind, side, bonds=bonds))
        else:
            found.append(Unit(f"{side[0]}{i}", kind, side, cell, flags=frozenset(flags)))
    return found


def marked(units, flag):
    return [replace(unit, flags=unit.flags | {flag}) for unit in units]


def attack(asl, who, whom, where, phase):
    """The position and the action of one attack."""
    here, there = PLACES[where]
    firing = phase in ("prep_fire", "advancing_fire")
    side, enemy = ("attacker", "defender") if firing else ("defender", "attacker")
    firers, targets = counters(FIRERS[who], side, here), counters(TARGETS[whom], enemy, there)
    moving = phase in ("first", "subsequent", "protective")
    if phase in ("subsequent", "protective"):
        firers = marked(firers, "first_fire" if phase == "subsequent" else "final_fire")
    position = replace(
        asl.blank().with_unit(*firers, *targets),
        board="proving",
        phase="movement" if moving else phase,
        active=(side,),
        extras=FrozenMap({"phasing": "attacker"}),
    )
    leaders = [u.id for u in firers if u.type.startswith("leader")]
    mans_gun = firers[0].id in leaders
    words = {"firers": [u.id for u in firers if u.id not in leaders]}
    half = any(u.type == "german_2-4-7" for u in firers)
    if half:
        words["firers"] = [firers[1].id]
    if leaders and not mans_gun:
        words["leaders"] = leaders
    if not moving:
        return position, asl.game.actions.make("fire", side, target=there, **words)
    names = tuple(u.id for u in targets)
    frames = (
        Frame(
            "moving",
            (Decider("attacker"),),
            FrozenMap({"units": names, "spent": 2, "here": 2, "steps": 1}),
        ),
        Frame(
            "first_fire",
            (Decider("defender"),),
            FrozenMap({"cell": there, "level": 0, "targets": names}),
        ),
    )
    return replace(position, frames=frames), asl.game.actions.make("first_fire", side, **words)


def attacks(asl, *, deep):
    """Accepted attacks, stepping through all combinations so that each word comes up often."""
    every = list(product(FIRERS, TARGETS, PLACES, PHASES))
    stride = 7 if deep else 71
    for i in range(0, len(every) * stride, stride):
        who, whom, where, phase = every[i % len(every)]
        if len(TARGETS[whom]) > 1 and not (deep and i % 41 == 0):
            continue  # two men have ten thousands of ways
        position, action = attack(asl, who, whom, where, phase)
        if engine.check(asl, position, action).legal:
            yield f"{who}, {phase}, {where}, at {whom}", position, action


def classes(request, *, first):
    """One roll of each class that the rules can tell apart."""
    count = len(request.dice)
    if count == 1:
        return [(value,) for value in range(1, 7)]
    if not request.colours:  # a lot: who is higher, and who ties
        return [values for values in product((1, 3, 6), repeat=count) if 6 in values]
    sums = [(max(1, t - 6), min(6, t - 1)) for t in range(2, 13)]
    if not first:
        return sums
    high = [(b, a) for a, b in sums]  # the coloured die decides on the rate of fire
    return list(dict.fromkeys([*sums, *high, *((v, v) for v in range(1, 7))]))


def walk(asl, position, action, given=()):
    """The ends of all ways that the dice can go; each must be an end."""
    dice = Dice(None, given=list(given))
    try:
        applied = asl.apply(position, action, dice)
    except NeedsDiceError as need:
        for values in classes(need.request, first=not given):
            yield from walk(asl, position, action, (*given, *values))
        return
    dice.finish()
    yield applied


def test_every_class_of_dice_ends_in_a_result():
    """ASL-IFT-1: walked, not sampled."""
    asl = AdvancedSquadLeader()
    ways = count = 0
    for name, position, action in islice(attacks(asl, deep=DEEP), 300 if DEEP else 4):
        count += 1
        for applied in walk(asl, position, action):
            ways += 1
            fired = [r.result for r in applied.resolutions if r.kind == "fire"]
            assert fired, name
            assert set(fired) <= RESULTS, name
            assert list(asl.invariants(applied.position)) == [], name
    print(f"{count} attacks, {ways} ways")
    assert count == (300 if DEEP else 4)
    assert ways > 100 * count
