"""Declaring in close combat: where it is fought, who fights with whom, who attacks whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat import combat
from hexmarshal.games.asl.rules.close_combat.blow import can_attack
from hexmarshal.games.asl.rules.close_combat.frame import add, combat_of
from hexmarshal.games.asl.rules.close_combat.units import (
    beside,
    fighters,
    fighting,
    group_of,
    places_to_fight,
    with_groups,
)
from hexmarshal.games.asl.rules.prisoners.surrender import gives_no_quarter
from hexmarshal.games.asl.rules.vehicles.declared import vehicle_faults
from hexmarshal.games.asl.state.ground import Location
from hexmarshal.games.asl.state.situation import other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import aboard, is_vehicle, vehicles_in
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.asl.rules.close_combat.frame import Combat
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "attack", "attack_candidates", "attack_listed", "check_attack", "check_open", "check_pair",
    "open_candidates", "open_combat", "pair", "pair_candidates", "ready", "strike",
]  # fmt: skip


# Where


def check_open(now: Situation, action: Action) -> Verdict:
    """ASL-CC-1, ASL-CC-4: a location with units of both sides, each once a phase."""
    return Verdict.of(_open_faults(now, action))


def _open_faults(now: Situation, action: Action) -> Iterator[Violation]:
    if action.side != now.phasing:
        yield Violation("ASL-CC-4", "the ATTACKER says where close combat comes next")
        return
    place = Location(action.text("cell"), action.number("level"))
    if place in places_to_fight(now):
        return
    fought = now.position.extras.get("fought", ())
    if isinstance(fought, tuple) and str(place) in fought:
        text = f"the close combat in {place} is over"
        yield Violation("ASL-CC-4", text, cells=(place.cell,))
    else:
        text = f"{place} does not hold units of both sides"
        yield Violation("ASL-CC-1", text, cells=(place.cell,))


def open_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The locations that are left."""
    places = places_to_fight(now)
    if slot == "cell":
        return tuple(dict.fromkeys(place.cell for place in places))
    if slot == "level":
        cell = str(action.given("cell", ""))
        return tuple((place.level or None) for place in places if place.cell == cell)
    return None


def open_combat(play: Play, action: Action) -> None:
    """ASL-CC-4: all attacks in a location before the next one."""
    combat.begin(play, Location(action.text("cell"), action.number("level")))


# Before the attacks


def check_pair(now: Situation, action: Action) -> Verdict:
    """ASL-CC-6, ASL-CC-6b: a single man fights with an MMC of his, or alone."""
    return Verdict.of(_pair_faults(now, action))


def _pair_faults(now: Situation, action: Action) -> Iterator[Violation]:
    found = combat_of(now)
    if found is None:
        return
    man, mate = now.unit(action.text("unit")), now.unit(action.text("with"))
    here = {unit.id for unit in fighters(now, found.place, action.side)}
    for unit in (man, mate):
        if unit.id not in here:
            text = f"{unit.id} is none of yours in {found.place}"
            yield Violation("ASL-CC-6b", text, units=(unit.id,))
            return
    if not now.is_smc(man):
        yield Violation("ASL-CC-6b", f"{man.id} is no single man", units=(man.id,))
    if man.id == mate.id:
        return
    if not now.is_mmc(mate):
        yield Violation("ASL-CC-6b", f"{mate.id} is no MMC", units=(mate.id,))
    if man.has(marks.CONCEALED) != mate.has(marks.CONCEALED):
        text = f"of {man.id} and {mate.id} one is concealed: it would have to show itself first"
        yield Violation("ASL-CC-6", text, units=(man.id, mate.id))


def pair_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Single men, and whom they can fight with; themselves to fight alone."""
    found = combat_of(now)
    if found is None:
        return ()
    here = fighters(now, found.place, action.side)
    if slot == "unit":
        return tuple(unit.id for unit in here if now.is_smc(unit))
    man = now.position.units.get(str(action.given("unit")))
    if slot == "with" and man is not None:
        mate = beside(now, man)
        now_with = man.id if mate is None else mate.id
        return tuple(
            unit.id
            for unit in here
            if (now.is_mmc(unit) or unit.id == man.id) and unit.id != now_with
        )
    return None


def pair(play: Play, action: Action) -> None:
    """ASL-CC-6b."""
    play.note(action.text("unit"), beside=action.text("with"))


def ready(play: Play, action: Action) -> None:
    """The side has paired its single men and said who leaves."""
    combat.prepared(play, action.side)


# Attacks


def check_attack(now: Situation, action: Action) -> Verdict:
    """ASL-CC-4, ASL-CC-6, ASL-CC-7: who attacks whom."""
    return Verdict.of(_attack_faults(now, action))


def _ours(now: Situation, found: Combat, side: str) -> dict[str, Unit]:
    """Who can attack: personnel, manned vehicles, and whom these carry."""
    own = fighting(now, found.place, side)
    inside = [man for one in own if is_vehicle(one) for man in aboard(now, one)]
    return {unit.id: unit for unit in (*own, *inside)}


def _theirs(now: Situation, found: Combat, side: str) -> dict[str, Unit]:
    """Who can be attacked: enemies, and vehicles that nobody mans (ASL-CAPT-3a)."""
    left = [one.unit for one in vehicles_in(now, found.place) if one.abandoned]
    return {unit.id: unit for unit in (*fighting(now, found.place, other(side)), *left)}


def _attack_faults(now: Situation, action: Action) -> Iterator[Violation]:
    found = combat_of(now)
    if found is None:
        return
    side = action.side
    ours, theirs = _ours(now, found, side), _theirs(now, found, side)
    attackers, targets = action.so_far("attackers"), action.so_far("targets")
    if not attackers:
        yield Violation("ASL-CC-4", "nobody attacks", cured_by=("attackers",))
    if not targets:
        yield Violation("ASL-CC-4", "nobody is attacked", cured_by=("targets",))
    used, struck = found.used(side), found.struck(side)
    for name in attackers:
        if name not in ours:
            text = f"{name} is none of yours in {found.place}"
            yield Violation("ASL-CC-1", text, units=(name,))
            continue
        why = can_attack(now, ours[name])
        if why:
            yield Violation("ASL-CC-7", f"{name} {why}", units=(name,))
        if name in used:
            yield Violation("ASL-CC-4", f"{name} attacks already", units=(name,))
        if name in found.leaving:
            yield Violation("ASL-A11.21a", f"{name} withdraws", units=(name,))
        mate = beside(now, ours[name])
        if mate is not None and mate.id not in attackers:
            text = f"{name} fights with {mate.id}; only alone he attacks alone"
            yield Violation("ASL-CC-6", text, units=(name, mate.id), cured_by=("attackers",))
    for name in targets:
        if name not in theirs:
            text = f"{name} is no enemy in {found.place}"
            yield Violation("ASL-CC-1", text, units=(name,))
            continue
        if name in struck and not is_vehicle(theirs[name]):
            yield Violation("ASL-CC-4", f"{name} is attacked already", units=(name,))
    known = [name for name in targets if name in theirs]
    left = sorted(with_groups(now, known) - set(targets))
    if left:
        text = f"{', '.join(left)} must be attacked together with {', '.join(known)}"
        yield Violation("ASL-CC-6b", text, units=tuple(left), cured_by=("targets",))
    here = [ours[name] for name in attackers if name in ours]
    yield from vehicle_faults(now, action, here, [theirs[name] for name in known])
    if action.given("capture") is True:
        yield from _capture_faults(now, [u.id for u in here if u.has(marks.BERSERK)], action)
        for name in known:
            if theirs[name].has(marks.BERSERK):
                text = f"{name} is berserk and not captured"
                yield Violation("ASL-PRIS-1", text, units=(name,))
    if action.given("hand_to_hand") is True and now.option("hand_to_hand") is not True:
        fierce = [
            u for u in here if now.nation(u) == "japanese" or u.values.get("branch") == "gurkha"
        ]
        if not fierce:
            yield Violation("ASL-CC-3", "hand-to-hand is not played here", units=attackers)


def _capture_faults(now: Situation, berserk: list[str], action: Action) -> Iterator[Violation]:
    for name in berserk:
        yield Violation("ASL-PRIS-1", f"{name} is berserk and captures nobody", units=(name,))
    if gives_no_quarter(now, action.side):
        yield Violation("ASL-PRIS-6", f"{action.side} gives no quarter")


def attack_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """Who has not attacked, and who was not attacked."""
    found = combat_of(now)
    if found is None:
        return ()
    side = action.side
    if slot == "attackers":
        used = found.used(side) | found.leaving
        return tuple(
            unit.id
            for unit in _ours(now, found, side).values()
            if unit.id not in used and not can_attack(now, unit)
        )
    if slot == "targets":
        struck = found.struck(side)
        return tuple(
            unit.id
            for unit in _theirs(now, found, side).values()
            if unit.id not in struck or is_vehicle(unit)
        )
    return None


def attack_listed(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """In lists: each group alone, and all together."""
    if slot not in ("attackers", "targets"):
        return None
    names = [str(name) for name in attack_candidates(now, action, slot) or ()]
    groups: list[tuple[str, ...]] = []
    for name in names:
        group = tuple(u.id for u in group_of(now, now.unit(name)) if u.id in names)
        if group and group not in groups:
            groups.append(group)
    if len(groups) > 1:
        groups.append(tuple(names))
    return tuple(groups)


def attack(play: Play, action: Action) -> None:
    """ASL-CC-4: written down, and resolved when all are; with a vehicle at once."""
    entry: dict[str, Value] = {
        "kind": "attack",
        "side": action.side,
        "attackers": action.texts("attackers"),
        "targets": action.texts("targets"),
    }
    for name in ("capture", "hand_to_hand"):
        if action.flag(name):
            entry[name] = True
    add(play, entry)
    found = combat_of(play.now)
    assert found is not None
    if found.sequential:  # ASL-CCV-1b
        combat.pass_on(play)


def strike(play: Play, action: Action) -> None:
    """The side has declared all its attacks."""
    del action
    combat.declared(play)
