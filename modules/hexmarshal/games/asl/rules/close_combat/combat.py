"""The close combat of one location: what is asked in which order, from beginning to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.asl.rules.close_combat import ambush
from hexmarshal.games.asl.rules.close_combat.ending import finish, over
from hexmarshal.games.asl.rules.close_combat.frame import combat_of, store
from hexmarshal.games.asl.rules.close_combat.outcomes import harmed, take_losses
from hexmarshal.games.asl.rules.close_combat.resolving import strike
from hexmarshal.games.asl.rules.close_combat.units import (
    contested,
    fighters,
    fighting,
    lies_abandoned,
)
from hexmarshal.games.asl.rules.concealment.cover import place_hidden, remove_dummy
from hexmarshal.games.asl.state.situation import SIDES, other
from hexmarshal.games.asl.state.units import marks
from hexmarshal.games.asl.state.units.vehicles import vehicles_in
from hexmarshal.rules.state.effects import ChangeFrame
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step

if TYPE_CHECKING:
    from hexmarshal.games.asl.state.execution import Play
    from hexmarshal.games.asl.state.ground import Location

__all__ = ["ask_attacks", "begin", "declared", "go_on", "pass_on", "prepared"]


def begin(play: Play, place: Location) -> None:
    """ASL-CC-8, ASL-AMB-1: what is hidden appears, dummies go, strengths are shown, then ambush."""
    for side in SIDES:
        for unit in fighting(play.now, place, side):
            place_hidden(play, unit.id, "close combat", "ASL-CC-8")
        for unit in fighters(play.now, place, side):
            if play.now.is_dummy(unit):
                remove_dummy(play, unit.id, "close combat", "ASL-CC-8")
    if not _goes_on(play, place):
        over(play, place)
        return
    now = play.now
    held = any(u.has(marks.MELEE) for side in SIDES for u in fighters(now, place, side))
    laid = contested(now, place) and ambush.may_be_laid(now, place)  # ASL-CAPT-3
    first = ambush.lay(play, place) if laid else ""
    for side in SIDES:
        for unit in fighting(play.now, place, side):
            if unit.has(marks.CONCEALED):
                _show(play, unit.id)
    about: dict[str, object] = {"cell": place.cell, "level": place.level, "melee": held}
    if first:
        about["ambush"] = first
    if vehicles_in(play.now, place):  # ASL-CCV-1b
        about["sequential"] = True
    about["order"] = (first, other(first)) if first else (now.phasing, now.opposing)
    play.keep("combat", about)
    play.ask("before_combat", now.phasing, about={"cell": place.cell, "level": place.level})


def _show(play: Play, name: str) -> None:
    """ASL-CC-8: for the time of the combat the enemy knows what is under the "?"."""
    play.mark(name, marks.STRENGTH_SHOWN)
    step = Step(f"{play.now.named(play.position.unit(name))} shows its strength", "ASL-CC-8")
    play.decide(Resolution("concealment", "strength", steps=(step,)))


def prepared(play: Play, side: str) -> None:
    """A side is ready: the other one, then the attacks."""
    play.answered("before_combat")
    found = combat_of(play.now)
    assert found is not None
    place = found.place
    if not _goes_on(play, place):
        finish(play)
    elif side == play.now.phasing:
        play.ask(
            "before_combat", play.now.opposing, about={"cell": place.cell, "level": place.level}
        )
    else:
        ask_attacks(play)


def ask_attacks(play: Play) -> None:
    """ASL-CC-4: the next side declares its attacks; when there is none left, all is resolved."""
    found = combat_of(play.now)
    assert found is not None
    if not found.order:
        go_on(play)
        return
    side = found.order[0]
    if not found.sequential:
        play.do(ChangeFrame("combat", FrozenMap({"order": found.order[1:]})))
    place = found.place
    play.ask("attacks", side, about={"cell": place.cell, "level": place.level})


def declared(play: Play) -> None:
    """A side has declared all: in an ambush they are resolved at once (ASL-AMB-1)."""
    play.answered("attacks")
    found = combat_of(play.now)
    assert found is not None
    if found.sequential:  # it has done with attacking
        play.do(ChangeFrame("combat", FrozenMap({"order": found.order[1:]})))
        go_on(play)
    elif found.ambush:
        go_on(play)
    else:
        ask_attacks(play)


def pass_on(play: Play) -> None:
    """ASL-CCV-1b: one attack was made, and the other side has the next; not in an ambush."""
    play.answered("attacks")
    found = combat_of(play.now)
    assert found is not None
    if not found.ambush and len(found.order) > 1:
        play.do(ChangeFrame("combat", FrozenMap({"order": (*found.order[1:], found.order[0])})))
    go_on(play)


def _goes_on(play: Play, place: Location) -> bool:
    """Whether somebody is left whom somebody could attack."""
    return contested(play.now, place) or lies_abandoned(play.now, place)


def go_on(play: Play) -> None:
    """Attack after attack, until somebody has to choose; then the losses, and who is next."""
    while True:
        found = combat_of(play.now)
        assert found is not None
        attacks = found.entries("attack")
        if not attacks:
            break
        store(play, (e for e in found.agenda if e is not attacks[0]))
        if not strike(play, attacks[0]):
            return
    losses = found.losses
    made = [*found.entries("leaving"), *found.entries("done")]
    store(play, made)
    take_losses(play, found.place, losses)
    hurt = harmed(losses)
    after = combat_of(play.now)
    assert after is not None
    # ASL-A11.21a: who was hurt stays
    store(
        play,
        (
            e
            for e in after.agenda
            if e["kind"] == "done"
            or (e["unit"] not in hurt and str(e["unit"]) in play.position.units)
        ),
    )
    if found.order and _goes_on(play, found.place):
        ask_attacks(play)
    else:
        finish(play)
