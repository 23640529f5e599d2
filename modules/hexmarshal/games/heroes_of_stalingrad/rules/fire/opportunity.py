"""HOS-5.28, HOS-9.1: windows for opportunity fire, and what comes after a fire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.fire.aiming import sight_faults
from hexmarshal.games.heroes_of_stalingrad.rules.fire.context import opportune, weapons_left
from hexmarshal.games.heroes_of_stalingrad.rules.movement.states import turn_over
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.activation import clear_bonus
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.rules.sight.lines import best, lines
from hexmarshal.games.heroes_of_stalingrad.rules.sight.measure import unit_range
from hexmarshal.games.heroes_of_stalingrad.state.army import carriers
from hexmarshal.games.heroes_of_stalingrad.state.kinds import ACTIVATED, AMBUSHED, other

if TYPE_CHECKING:
    from hexmarshal.games.heroes_of_stalingrad.state.counters import Weapon
    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record

__all__ = ["after_fire", "hold_fire", "window"]

TEMPLATES = ("direct", "indirect", "flamethrower")
# A grenade reaches two intercells, and its template a cell or two further.
THROW = 4


def _might_fire(now: Situation, unit: Unit, target: Unit) -> bool:
    """Whether, as all can see, a unit might fire at a target: by what is known, never by hands."""
    if unit.type == AMBUSHED:
        # What lies in ambush may be anything: it might fire at whatever it sees.
        token = now.token_on(unit)
        acted = unit.has(ACTIVATED) or (token is not None and token.known_to is None)
        line = best(lines(now, unit, target))
        return not acted and line is not None and line.visible
    if not opportune(now, unit):
        return False
    if any(_bears(now, unit, weapon, target) for weapon in now.weapons(unit)):
        return True
    thrown = unit_range(now, unit, target) <= THROW
    return thrown and any(True for _ in carriers(now, unit, "grenades"))


def _bears(now: Situation, unit: Unit, weapon: Weapon, target: Unit) -> bool:
    """Whether a weapon could be fired at a target, by its line, its arc, its range and its X."""
    if any(weapon.has(template) for template in TEMPLATES):
        line = best(lines(now, unit, target))
        return line is not None and (line.visible or weapon.has("indirect"))
    aimed = weapon.value(now.family(target)) is not None
    if not aimed and not any(weapon.has(one) for one in ("sniper", "disturbing")):
        return False
    return not any(True for _ in sight_faults(now, unit, weapon, target))


def window(play: Play, entry: Record) -> None:
    """Some enemy may fire at a unit that took a step, or that has fired."""
    name = str(entry["unit"])
    if play.position.phase != "activation":
        return
    unit = play.unit(name)
    if not play.now.is_live(unit) or not unit.cell or play.now.ambushed(unit):
        return
    common = play.common_situation
    shown = common.position.units.get(name)
    if shown is None:
        return
    enemy = other(unit.side)
    firing = str(entry.get("firing", ""))
    fired = entry.get("fired", ())
    names = tuple(map(str, fired)) if isinstance(fired, tuple) else ()
    more = (
        bool(firing)
        and play.now.is_live(play.unit(firing))
        and weapons_left(play.now, play.unit(firing), names, moving=False)
    )
    if more or any(_might_fire(common, one, shown) for one in common.live(enemy)):
        about: dict[str, object] = {"target": name, "trigger": str(entry.get("trigger", "move"))}
        if more:
            about |= {"firing": firing, "fired": names}
        play.react("opportunity", enemy, near=_near(play.now, unit), about=about)


def _near(now: Situation, unit: Unit) -> set[str]:
    return {c for cell in unit.cells for c in (cell, *now.ground.near.get(cell, ()))}


def hold_fire(play: Play, action: Action) -> None:
    """Nobody fires at this opportunity."""
    del action
    play.answered("opportunity")
    go_on(play)


def after_fire(play: Play, entry: Record) -> None:
    """After a weapon has fired: ambushers come out, others may answer, more weapons may fire."""
    name, context = str(entry["unit"]), str(entry.get("context", ""))
    unit = play.unit(name)
    clear_bonus(play, unit.side)
    now = play.now
    if now.is_live(unit) and now.ambushed(unit) and not now.face(unit).has("sniper"):
        # HOS-5.2: who fires from an ambush is seen; a sniper's symbol on that face saves it.
        turn_over(play, name)
    if context == "opportunity":
        fired = entry.get("fired", ())
        play.first(
            {"kind": "window", "unit": name, "trigger": "fire"},
            {
                "kind": "window",
                "unit": str(entry["target"]),
                "trigger": str(entry.get("trigger", "move")),
                "firing": name,
                "fired": fired,
            },
        )
        return
    if context == "step":
        _back_to_the_move(play, unit)
        return
    frame = play.now.activation
    fired = () if frame is None else frame.texts("fired")
    if play.now.is_live(play.unit(name)) and weapons_left(play.now, unit, fired, moving=False):
        play.ask("act", unit.side, about={"unit": name})
        return
    play.first(
        {"kind": "window", "unit": name, "trigger": "fire"}, {"kind": "action_done", "what": "fire"}
    )


def _back_to_the_move(play: Play, unit: Unit) -> None:
    moving = play.now.moving
    if moving is None or not play.now.is_live(play.unit(unit.id)):
        return
    play.change("moving", pause=True, plan=())
    play.first({"kind": "window", "unit": unit.id, "trigger": "fire"}, {"kind": "march"})
