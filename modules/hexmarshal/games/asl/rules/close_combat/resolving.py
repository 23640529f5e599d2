"""One attack of a close combat is rolled for: what it does, and who may choose after it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat.blow import Blow, aim, fates
from hexmarshal.games.asl.rules.close_combat.frame import add, combat_of, texts
from hexmarshal.games.asl.rules.close_combat.new_leader import come_forward
from hexmarshal.games.asl.rules.close_combat.outcomes import (
    CAPTURED,
    ELIMINATED,
    HALF_CAPTURED,
    REDUCED,
    may_slip,
)
from hexmarshal.games.asl.rules.close_combat.units import fighters, fighting
from hexmarshal.games.asl.rules.concealment.cover import reveal
from hexmarshal.games.asl.rules.morale.results import chosen_by_lot
from hexmarshal.games.asl.rules.vehicles.assault import assault_of
from hexmarshal.games.asl.rules.vehicles.courage import face, is_feared
from hexmarshal.games.asl.rules.vehicles.striking import strike_vehicle
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import aboard, vehicles_in
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hexmarshal.games.asl.rules.close_combat.frame import Combat
    from hexmarshal.games.asl.rules.vehicles.assault import Assault
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.situation import Situation
    from hexmarshal.rules.values import Record, Value

__all__ = ["blow_of", "resolve", "strike"]

TWO, TWELVE = 2, 12


def blow_of(now: Situation, found: Combat, entry: Record) -> Blow | None:
    """An attack as it was declared, by and against those who are still there; None if nobody is."""
    names = {u.id for side in SIDES for u in fighting(now, found.place, side)}
    names |= {u.id for v in vehicles_in(now, found.place) for u in aboard(now, v.unit)}
    attackers = tuple(now.unit(n) for n in texts(entry.get("attackers")) if n in names)
    targets = tuple(now.unit(n) for n in texts(entry.get("targets")) if n in names)
    if not attackers or not targets:
        return None
    side = str(entry["side"])
    friends = fighters(now, found.place, other(side))
    return Blow(
        side,
        attackers,
        targets,
        capture=entry.get("capture") is True,
        hand_to_hand=entry.get("hand_to_hand") is True,
        ambush="" if found.melee else found.ambush,
        leaving=found.leaving & {unit.id for unit in targets},
        staying=sum(unit.id not in found.leaving for unit in friends),
    )


def strike(play: Play, entry: Record) -> bool:
    """ASL-CC-3: one attack is rolled for; False if somebody has to choose before the next."""
    found = combat_of(play.now)
    assert found is not None
    side = str(entry["side"])
    if found.sequential:
        done: dict[str, Value] = {"kind": "done", "side": side}
        add(play, done | {name: texts(entry.get(name)) for name in ("attackers", "targets")})
    assault = assault_of(
        play.now,
        side,
        texts(entry.get("attackers")),
        texts(entry.get("targets")),
        capture=entry.get("capture") is True,
        ambush="" if found.melee else found.ambush,
    )
    if assault is not None:
        return _strike_vehicle(play, assault)
    blow = blow_of(play.now, found, entry)
    if blow is None:
        return True
    return resolve(play, blow)


def _strike_vehicle(play: Play, assault: Assault) -> bool:
    """ASL-A11.6, ASL-CCV-1: who dares attacks; False if somebody has to choose then."""
    if is_feared(assault.vehicle):
        dared = [face(play, unit.id) for unit in assault.attackers]
        if not all(dared):
            step = Step("without it nobody attacks", "ASL-A11.6")
            play.decide(Resolution("close combat", "no attack", steps=(step,)))
            return True
    men = tuple(play.position.unit(unit.id) for unit in assault.attackers)
    original = strike_vehicle(play, replace(assault, attackers=men))
    if original != TWO:
        return True
    return not _ask_to_slip(play, assault.side, [unit.id for unit in men])


def resolve(play: Play, blow: Blow) -> bool:
    """Roll for an attack and note what it does; False if somebody has to choose."""
    now = play.now
    ready = aim(now, blow)
    dice, rolls = play.roll_two("close combat", blow.side)
    blow, ready = come_forward(play, blow, ready, sum(dice))
    struck: list[str] = []
    chosen: tuple[str, ...] = ()
    all_gone = True
    for fate, names, found, final in fates(ready, sum(dice)):
        what = _word(fate, blow)
        sides = f"{ready.power} against {ready.against}, {ready.odds.label}"
        told = f"{sides}: {final} against {ready.number}: {what}"
        play.decide(
            Resolution(
                "close combat",
                what,
                strengths=ready.strengths,
                base_column=ready.odds.label,
                column=ready.odds.label,
                modifiers=found.modifiers,
                dice=rolls,
                steps=(Step(told, "ASL-PRIS-3" if blow.capture else "ASL-CC-3"),),
                values=FrozenMap({"total": final, "kill_number": ready.number, "targets": names}),
            )
        )
        all_gone = all_gone and fate == "all"
        if fate == "all":
            struck += names
            _note(
                play, names, CAPTURED if blow.capture else ELIMINATED, blow, dice, ready.odds.black
            )
        elif fate == "one" and blow.capture:
            chosen = names
        elif fate == "one":
            hit = chosen_by_lot(play, names, 1, "who is hit", other(blow.side))
            struck += hit
            _note(play, hit, REDUCED, blow, dice, ready.odds.black)
    for unit in blow.attackers:  # ASL-CC-8, ASL-AMB-1
        if unit.has(marks.CONCEALED) and not (blow.ambush == blow.side and all_gone):
            reveal(play, unit.id, "it attacks in close combat", "ASL-CC-8")
    asked = _slips(play, blow, sum(dice), struck)
    if chosen:
        asked = _give_up(play, blow, chosen, dice, ready.odds.black) or asked
    return not asked


def _word(fate: str, blow: Blow) -> str:
    if fate == "none":
        return "none"
    if blow.capture:
        return "captured" if fate == "all" else "one captured"
    return "eliminated" if fate == "all" else "reduced"


def _note(
    play: Play, names: Iterable[str], fate: str, blow: Blow, dice: tuple[int, int], number: int
) -> None:
    by = tuple(unit.id for unit in blow.attackers)
    for name in names:
        entry: dict[str, Value] = {"kind": "loss", "unit": name, "fate": fate}
        entry |= {"by": by, "die": dice[0], "number": number}
        add(play, entry)


def _give_up(
    play: Play, blow: Blow, names: Sequence[str], dice: tuple[int, int], number: int
) -> bool:
    """ASL-PRIS-3: the defender says who is captured; of a squad alone it is a half-squad."""
    if len(names) > 1:
        play.ask(
            "give_up",
            other(blow.side),
            about={
                "units": tuple(names),
                "by": tuple(unit.id for unit in blow.attackers),
                "die": dice[0],
                "number": number,
            },
        )
        return True
    squad = play.now.counter(play.now.unit(names[0])).kind == "squad"
    _note(play, names, HALF_CAPTURED if squad else CAPTURED, blow, dice, number)
    return False


def _slips(play: Play, blow: Blow, original: int, struck: Sequence[str]) -> bool:
    """ASL-A11.21b: an original 2 lets the attackers leave, a 12 those whom it has not struck."""
    if original == TWO:
        side, units = blow.side, blow.attackers
    elif original == TWELVE:
        side, units = other(blow.side), tuple(u for u in blow.targets if u.id not in struck)
    else:
        return False
    return _ask_to_slip(play, side, [unit.id for unit in units])


def _ask_to_slip(play: Play, side: str, units: Sequence[str]) -> bool:
    found = combat_of(play.now)
    assert found is not None
    names = [name for name in units if may_slip(play, name, found.losses)]
    if not names:
        return False
    play.ask("slip_away", side, about={"units": tuple(names)})
    return True
