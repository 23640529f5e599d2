"""HOS-2.70, HOS-2.72, HOS-2.83, HOS-2.84, HOS-5.25, HOS-5.28, HOS-5.92: who may fire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.sequence.whose import acting
from hexmarshal.games.heroes_of_stalingrad.state.kinds import ACTIVATED
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.counters import Weapon
    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "GRENADE",
    "begin_fire",
    "fired_already",
    "firers",
    "firing_faults",
    "moving_malus",
    "opportune",
    "opportunity_target",
    "weapon_faults",
    "weapon_of",
    "weapons_left",
]

# HOS-2.83: a grenade is thrown instead of firing; no weapon fires in the same action.
GRENADE = "grenade"


def opportune(now: Situation, unit: Unit) -> bool:
    """HOS-5.28: whether a unit could fire at an opportunity: it has not been activated yet."""
    token = now.token_on(unit)
    acted = unit.has(ACTIVATED) or (token is not None and token.known_to is None)
    return not acted and now.is_live(unit) and now.has(unit, "opportunity")


def opportunity_target(now: Situation) -> str:
    """The enemy that a window of opportunity is about; '' outside of one."""
    frame = now.position.frame("opportunity")
    return frame.text("target") if frame is not None else ""


def fired_already(now: Situation, unit: Unit) -> tuple[str, ...] | None:
    """The weapons that a unit has fired in the Fire Action under way; None: none is."""
    window = now.position.frame("opportunity")
    if window is not None:
        return window.texts("fired") if window.text("firing") == unit.id else None
    moving = now.moving
    if moving is not None and moving.text("unit") == unit.id:
        return moving.texts("weapons") or None
    frame = now.activation
    if frame is not None and frame.text("unit") == unit.id:
        return frame.texts("fired") or None
    return None


def firing_faults(now: Situation, action: Action, unit: Unit) -> Iterator[Violation]:
    """Whether a unit may fire at all now."""
    mine, side = (unit.id,), action.side
    if now.position.phase == "reserve":
        yield Violation("HOS-2.101", "nobody fires in the Reserve Phase", units=mine)
        return
    if now.is_crew(unit):
        yield Violation("HOS-5.5", f"{unit.id} is the crew of a vehicle", units=mine)
    match now.position.state:
        case "opportunity":
            yield from _opportunity_faults(now, unit, side)
        case "step":
            frame = now.moving
            if frame is None or frame.text("unit") != unit.id or unit.side != side:
                yield Violation("HOS-2.70", f"{unit.id} is not moving", units=mine)
            elif frame.value("fired") is True:
                text = f"{unit.id} has fired in this Move Action"
                yield Violation("HOS-5.25", text, units=mine)
            elif not frame.texts("weapons") and _has_fired(now):
                # HOS-6.5: with two actions there is still one Fire Action.
                text = f"{unit.id} has taken its fire action"
                yield Violation("HOS-6.5", text, units=mine)
        case _:
            if fired_already(now, unit) is None:
                yield from acting(now, unit, side, "fire")
            elif unit.side != side:
                yield Violation("HOS-2.20", f"{unit.id} is not {side}'s", units=mine)


def _has_fired(now: Situation) -> bool:
    frame = now.activation
    return frame is not None and "fire" in frame.texts("done")


def _opportunity_faults(now: Situation, unit: Unit, side: str) -> Iterator[Violation]:
    mine = (unit.id,)
    if unit.side != side or not now.is_live(unit):
        yield Violation("HOS-5.28", f"{unit.id} is no unit of {side} on the board", units=mine)
    elif not now.has(unit, "opportunity"):
        yield Violation("HOS-5.28", f"{unit.id} has no Opportunity fire", units=mine)
    elif not opportune(now, unit) and fired_already(now, unit) is None:
        yield Violation("HOS-5.28", f"{unit.id} has been activated", units=mine)


def weapon_of(now: Situation, action: Action, unit: Unit) -> Weapon | None:
    """The weapon that an action names, or the only or main one."""
    return now.weapon(unit, action.text("weapon"))


def weapon_faults(
    now: Situation, unit: Unit, weapon: Weapon | None, named: str, *, flame: bool = False
) -> Iterator[Violation]:
    """HOS-2.72, HOS-2.84, HOS-2.93, HOS-5.92: whether this weapon may fire now.

    HOS-5.13: the template of a flame gives Moving fire to the weapon.
    """
    mine = (unit.id,)
    if weapon is None:
        lost = any(w.name == named or not named for w in now.face(unit).weapons)
        text = f"{unit.id} has no weapon {named!r}" + (" any more" if lost else "")
        yield Violation("HOS-2.93" if lost else "HOS-2.84", text, units=mine)
        return
    fired = fired_already(now, unit) or ()
    if GRENADE in fired:
        text = f"{unit.id} has thrown a grenade instead of firing"
        yield Violation("HOS-2.83", text, units=mine)
    elif weapon.name in fired:
        text = f"the weapon {weapon.name or 'of ' + unit.id} has fired in this action"
        yield Violation("HOS-2.84", text, units=mine)
    elif fired and unit.has("damage_crew"):
        yield Violation("HOS-2.93", f"the crew of {unit.id} fires one weapon a turn", units=mine)
    mobile = flame or weapon.has("moving")
    if now.position.state == "step" and not mobile and not _feat(now, unit):
        text = f"{unit.id} moves, and this weapon has no Moving fire"
        yield Violation("HOS-2.72", text, units=mine)
    if unit.carrier and now.counter(unit).border == "red" and not mobile:
        text = f"{unit.id} cannot fire its heavy weapon from a vehicle"
        yield Violation("HOS-5.92", text, units=mine)


def _feat(now: Situation, unit: Unit) -> bool:
    """HOS-6.5: a heavy vehicle with a Feat of arms fires all its weapons without penalty."""
    frame = now.activation
    if frame is None or frame.text("unit") != unit.id or not now.is_heavy(unit):
        return False
    return frame.value("feat") is True


def moving_malus(now: Situation, unit: Unit, weapon: Weapon, flame: bool = False) -> int:
    """HOS-5.25: what Moving fire takes off the combat value."""
    if now.position.state != "step" and now.position.frame("opportunity") is not None:
        return 0
    moving = now.moving
    if moving is None or moving.text("unit") != unit.id or _feat(now, unit):
        return 0
    return 1 if flame else weapon.number("moving")


def weapons_left(now: Situation, unit: Unit, fired: tuple[str, ...], *, moving: bool) -> bool:
    """HOS-2.84: whether another weapon could still fire in this Fire Action."""
    if unit.has("damage_crew") or GRENADE in fired:
        return False
    return any(
        weapon.name not in fired and (not moving or weapon.has("moving") or _feat(now, unit))
        for weapon in now.weapons(unit)
    )


def firers(now: Situation, side: str) -> Iterator[str]:
    """The units that may fire now, as far as rules of order go."""
    match now.position.state:
        case "opportunity":
            frame = now.position.frame("opportunity")
            for unit in now.live(side):
                if opportune(now, unit) or (frame is not None and frame.text("firing") == unit.id):
                    yield unit.id
        case "step":
            if now.moving is not None:
                yield now.moving.text("unit")
        case _:
            if now.activation is not None and now.activation.text("unit"):
                yield now.activation.text("unit")


def begin_fire(play: Play, unit: Unit, weapon: str) -> dict[str, object]:
    """A unit fires: what it interrupts is noted; the entry that ends this fire is given back."""
    from hexmarshal.games.heroes_of_stalingrad.rules.movement.progress import interrupt
    from hexmarshal.games.heroes_of_stalingrad.rules.sequence.activation import activate, take_up

    state = play.position.state
    after: dict[str, object] = {"kind": "after_fire", "unit": unit.id, "context": state}
    if state == "opportunity":
        frame = play.answered("opportunity")
        fired = frame.texts("fired") if frame.text("firing") == unit.id else ()
        after |= {
            "target": frame.text("target"),
            "trigger": frame.text("trigger"),
            "fired": (*fired, weapon),
        }
        if not unit.has(ACTIVATED):
            activate(play, unit.id)
        interrupt(play)
    elif state == "step":
        play.answered("step")
        moving, frame_ = play.now.moving, play.now.activation
        assert moving is not None
        assert frame_ is not None
        if not moving.texts("weapons"):
            play.change("activation", done=(*frame_.texts("done"), "fire"))
        play.change("moving", weapons=(*moving.texts("weapons"), weapon))
    else:
        frame_ = play.now.activation
        # Who fires in the Reserve Phase, against the rules, was not activated before.
        fired = frame_.texts("fired") if frame_ is not None else ()
        if fired:
            play.answered("act")
        else:
            take_up(play, unit, "fire")
        play.change("activation", fired=(*fired, weapon))
    return after
