"""Secrets: positions that differ only in what is hidden from a side are the same to that side."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from hexmarshal.errors import HexMarshalError
from hexmarshal.games.asl.plugin import AdvancedSquadLeader
from hexmarshal.games.asl.rules.morale.casualties import break_unit
from hexmarshal.rules import engine
from hexmarshal.rules.action import Action
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.dice import Dice, Generator
from hexmarshal.rules.frames import Decider, Frame
from hexmarshal.rules.state.disclosure import shown
from hexmarshal.rules.state.pieces import Unit
from hexmarshal.rules.values import FrozenMap

ATTACKER, DEFENDER = "attacker", "defender"
PHASES = (
    "rally", "prep_fire", "movement", "defensive_fire", "advancing_fire", "rout", "advance",
    "close_combat",
)  # fmt: skip


def unit(name: str, kind: str, side: str, cell: str = "", *flags: str, **more: object) -> Unit:
    of = more.pop("of", "")
    bonds = FrozenMap({"possesses": (str(of),)}) if of else FrozenMap()
    return Unit(name, kind, side, cell=cell, flags=frozenset(flags), bonds=bonds, **more)


OPEN = (
    unit("g1", "german_4-6-7", ATTACKER, "F4"),
    unit("g2", "german_8-3-8", ATTACKER, "F4"),
    unit("g3", "leader_8-1", ATTACKER, "F4"),
    unit("g4", "german_4-6-7", ATTACKER, "G2", "broken", "dm"),
    unit("g5", "german_lmg", ATTACKER, of="g1"),
    unit("r1", "russian_4-4-7", DEFENDER, "I3"),
)
CREW, WORK = "russian_crew_2-2-8", "fortification"
TANK = FrozenMap({"cmg": 4, "bmg": 2, "calibre": 75})
RIDER = FrozenMap({"seat": "rider"})
DUG_IN = FrozenMap({"entrenched": True})
# Under one "?" in the woods beside the attackers, one after the other.
UNDER = {
    "squad": (unit("x", "russian_4-4-7", DEFENDER, "E4", "concealed"),),
    "armed": (
        unit("x", "russian_4-4-7", DEFENDER, "E4", "concealed"),
        unit("y", "russian_mmg", DEFENDER, of="x"),
    ),
    "leader": (unit("x", "leader_10-2", DEFENDER, "E4", "concealed", "wounded"),),
    "fanatic": (unit("x", "russian_6-2-8", DEFENDER, "E4", "concealed", "fanatic", "stealthy"),),
    "dummy": (unit("x", "dummy", DEFENDER, "E4", "concealed"),),
    "vehicle": (
        unit("x", "vehicle", DEFENDER, "E4", "concealed", "buttoned_up", values=TANK),
        unit("y", "russian_4-4-7", DEFENDER, "", "concealed", carrier="x", values=RIDER),
    ),
    "soft vehicle": (
        unit("x", "vehicle", DEFENDER, "E4", "concealed", values=FrozenMap({"armored": False})),
    ),
    "gun": (unit("x", "gun", DEFENDER, "E4", "concealed", values=FrozenMap({"emplaced": True})),),
    "in a hidden trench": (
        unit("x", "russian_4-4-7", DEFENDER, "E4", "concealed", values=DUG_IN),
        unit("y", WORK, DEFENDER, "E4", "hidden", values=FrozenMap({"works": "trench"})),
    ),
    "known to its side": (
        unit("x", "dummy", DEFENDER, "E4", "concealed", known_to=frozenset({DEFENDER})),
    ),
}
HIDDEN = {
    "nobody": (),
    "beside": (unit("z", "russian_4-4-7", DEFENDER, "E3", "hidden"),),
    "among them": (unit("z", "russian_4-4-7", DEFENDER, "I3", "hidden"),),
    "armed": (
        unit("z", "russian_4-4-7", DEFENDER, "G4", "hidden"),
        unit("w", "russian_hmg", DEFENDER, of="z"),
    ),
    "a leader": (unit("z", "leader_9-1", DEFENDER, "K3", "hidden"),),
    "a gun": (
        unit("z", "gun", DEFENDER, "K3", "hidden", values=FrozenMap({"emplaced": True})),
        unit("w", CREW, DEFENDER, "K3", "hidden", values=FrozenMap({"serves": "z"})),
    ),
    "works": (
        unit("z", WORK, DEFENDER, "F5", "hidden", values=FrozenMap({"works": "minefield"})),
        unit("w", WORK, DEFENDER, "Q10", "hidden", values=FrozenMap({"works": "pillbox"})),
    ),
    "a vehicle": (unit("z", "vehicle", DEFENDER, "G8", "hidden", values=TANK),),
}
PAIRS = [
    *(("under", one, two) for one, two in itertools.pairwise(UNDER)),
    *(("hidden", "nobody", two) for two in HIDDEN if two != "nobody"),
]


@pytest.fixture(scope="module")
def asl() -> AdvancedSquadLeader:
    return AdvancedSquadLeader()


def table(asl, phase, what, name, *, moving=False):
    more = (UNDER if what == "under" else HIDDEN)[name]
    blank = replace(
        asl.blank(),
        board="proving",
        phase=phase,
        active=(ATTACKER,),
        options=FrozenMap({"hidden_units": True}),
    )
    position = replace(
        blank.with_unit(*OPEN, *more), extras=FrozenMap({"phasing": ATTACKER, "turns": 3})
    )
    if moving:
        about = {"units": ("g1", "g3"), "spent": 0, "here": 0, "steps": 0, "roads": False}
        frame = Frame("moving", (Decider(ATTACKER),), FrozenMap(about))
        position = replace(position, frames=(frame,), state="moving")
    return position


def answers(asl, position):
    """All that a player can get to know without doing anything."""
    yield "view", engine.view(asl, position, ATTACKER)
    yield "offers", tuple(map(str, (o.action for o in engine.offers(asl, position, ATTACKER))))
    yield "choices", str(engine.next_choices(asl, position, ATTACKER, reasons=True))
    for kind in asl.game.actions:
        yield kind, told(lambda kind=kind: engine.next_choices(
            asl, position, ATTACKER, Begun(kind, FrozenMap()), reasons=True
        ))  # fmt: skip
    asked = [
        ("attack", {"target": "E4", "firers": ("g1", "g2")}),
        ("odds", {"target": "I3", "firers": ("g1", "g2"), "leaders": ("g3",)}),
        ("odds", {"target": "E4", "firers": ("g2",)}),
        ("firers", {"target": "E4", "side": DEFENDER}),
        ("firers", {"target": "F4", "side": DEFENDER}),
        ("firers", {"target": "F4", "side": ATTACKER}),
        ("reach", {"units": ("g1", "g3")}),
        ("rout", {"unit": "g4"}),
        ("stack", {"cell": "E4", "side": DEFENDER}),
        ("stack", {"cell": "I3", "side": DEFENDER}),
        ("concealment", {"unit": "g1"}),
        ("concealment", {"unit": "x"}),
        ("close_combat", {"attackers": ("g1",), "targets": ("x",)}),
        ("close_combat", {"attackers": ("g1",), "targets": ("z",)}),
        ("ambush", {"cell": "E4"}),
        ("movement_factors", {"units": ("x",)}),
        ("vehicle", {"unit": "x"}),
        ("vehicle", {"unit": "z"}),
        ("sight", {"from": "F4", "to": "D4"}),
        ("prisoners", {"side": DEFENDER}),
        ("visible", {"unit": "x"}),
        ("sight", {"unit": "z", "target": "g1"}),
    ]
    for name, params in asked:
        yield (
            f"{name} {params}",
            told(
                lambda name=name, params=params: engine.ask(
                    asl, position, name, FrozenMap(params), ATTACKER
                )
            ),
        )
    yield "outcome", asl.outcome(engine.view(asl, position, ATTACKER))


def told(ask):
    try:
        return str(ask())
    except HexMarshalError as error:
        return f"{error.code}: {error} at {error.place} ({error.hint})"


BUSY = ("prep_fire", "moving", "rout", "close_combat")
QUIET = [phase for phase in PHASES if phase not in BUSY]


@pytest.mark.parametrize(
    ("phase", "what", "one", "two"),
    [
        *((phase, *pair) for phase in BUSY for pair in PAIRS),
        *((phase, *pair) for phase, pair in zip(QUIET, itertools.cycle(PAIRS[::2]), strict=False)),
    ],
)
def test_what_is_hidden_changes_no_answer(asl, phase, what, one, two):
    """ASL-A12.12a, ASL-A12.12d, ASL-HIP-1: nothing that a side is told depends on it."""
    moving = phase == "moving"
    first, second = (
        table(asl, "movement" if moving else phase, what, name, moving=moving)
        for name in (one, two)
    )
    assert first != second
    for (name, old), (_, new) in zip(answers(asl, first), answers(asl, second), strict=True):
        assert old == new, name


def done(asl, position, action, seed):
    """What the attacker is told of an action, and how he sees the table after it."""
    try:
        applied = engine.perform(asl, position, action, Dice(Generator(seed)))
    except HexMarshalError as error:
        return f"{error.code}: {error}", None, ""
    before, after = (engine.view(asl, p, ATTACKER) for p in (position, applied.position))
    seen = shown(action, applied.effects, applied.resolutions, applied.rolls, before, after)
    return str(seen), after, str(applied.position.frames)


@pytest.mark.parametrize("other", [name for name in HIDDEN if name != "nobody"])
def test_deeds_that_meet_nobody_hidden_tell_nothing(asl, other):
    """ASL-HIP-1: the same dice come to the same, whoever looks on from hiding."""
    count = 0
    for phase in PHASES:
        base = table(asl, phase, "hidden", "nobody")
        twin = table(asl, phase, "hidden", other)
        spots = {u.cell for u in HIDDEN[other] if u.cell}
        for offer in itertools.islice(engine.offers(asl, base, ATTACKER), 60):
            if any(spot in str(offer.action) for spot in spots):
                continue
            count += 1
            assert done(asl, base, offer.action, "5") == done(asl, twin, offer.action, "5"), (
                offer.action
            )
    assert count > 60


@pytest.mark.parametrize("other", ["dummy", "vehicle", "gun"])
def test_deeds_elsewhere_do_not_tell_what_lies_under_a_question_mark(asl, other):
    """ASL-A12.12a, ASL-CONV-1: what nobody does to it, and it does not, tells nothing of it."""
    count = 0
    for phase in ("prep_fire", "movement", "advance", "close_combat"):
        base, twin = (table(asl, phase, "under", name) for name in ("squad", other))
        for offer in itertools.islice(engine.offers(asl, base, ATTACKER), 40):
            if "E4" in str(offer.action) or offer.action.kind == "conceal":
                continue  # who looks on shows that he is no dummy (ASL-CONL-5)
            count += 1
            told_of = (done(asl, one, offer.action, "5") for one in (base, twin))
            assert next(told_of) == next(told_of), offer.action
    assert count > 20


@pytest.mark.parametrize("other", ["dummy", "vehicle", "soft vehicle", "gun"])
def test_fire_that_does_nothing_does_not_tell_what_it_was_aimed_at(asl, other):
    """ASL-A12.12b, ASL-CONV-1: halved alike, told alike."""
    action = Action("fire", ATTACKER, FrozenMap({"target": "E4", "firers": ("g1",)}))
    seen = []
    for name in ("squad", other):
        position = table(asl, "prep_fire", "under", name)
        applied = engine.perform(asl, position, action, Dice(given=[6, 5]))
        views = (engine.view(asl, p, ATTACKER) for p in (position, applied.position))
        told_of = shown(action, applied.effects, applied.resolutions, applied.rolls, *views)
        seen.append(str(told_of))
    assert seen[0] == seen[1]
    assert "concealed target" in seen[0]


def test_a_unit_under_a_question_mark_is_named_by_no_error(asl):
    """ASL-A12.12a: its weapon is not there for the enemy, by any name."""
    armed, bare = (table(asl, "prep_fire", "under", name) for name in ("armed", "squad"))
    for name in ("y", "nobody"):
        said = [
            told(
                lambda position=position, name=name: engine.ask(
                    asl, position, "sight", FrozenMap({"unit": name, "target": "g1"}), ATTACKER
                )
            )
            for position in (armed, bare)
        ]
        assert said[0] == said[1]


def test_who_breaks_under_a_question_mark_is_known_from_then_on(asl):
    """ASL-CONL-1: whatever takes the "?" away, the enemy knows the unit then."""
    position = engine.start(asl, "silence", None, "1")
    assert engine.view(asl, position, ATTACKER).unit("r4").type == "concealed"
    assert "r8" not in engine.view(asl, position, ATTACKER).units
    play = asl.ledger(position, Dice(Generator("1")))
    break_unit(play, "r4", dm=True)
    break_unit(play, "r8", dm=True)
    seen = engine.view(asl, play.position, ATTACKER)
    assert (seen.unit("r4").type, seen.unit("r8").type) == ("russian_4-4-7", "russian_5-2-7")
    assert seen.unit("r9").type == "russian_lmg"
