"""HOS-5.46 to HOS-5.51, HOS-5.59, HOS-5.60: an assault is resolved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.assault import outcome
from hexmarshal.games.heroes_of_stalingrad.rules.assault.launch import combat_value
from hexmarshal.games.heroes_of_stalingrad.rules.cards.hand import hand
from hexmarshal.games.heroes_of_stalingrad.rules.cards.windows import throw
from hexmarshal.games.heroes_of_stalingrad.rules.fire import blast
from hexmarshal.games.heroes_of_stalingrad.rules.fire.aiming import cover
from hexmarshal.games.heroes_of_stalingrad.rules.fire.shooting import dice_of
from hexmarshal.games.heroes_of_stalingrad.rules.fire.value import bonus_of
from hexmarshal.games.heroes_of_stalingrad.rules.movement.states import turn_over
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.rules.sight.lines import spots
from hexmarshal.games.heroes_of_stalingrad.rules.sight.measure import arc_holds
from hexmarshal.rules.dice import Roll
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Strength

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record

__all__ = ["begin", "compare", "parts", "roll_attacker", "roll_defender", "stand"]

FULL = 360


def begin(play: Play, entry: Record) -> None:
    """HOS-5.2, HOS-5.59, HOS-5.49, HOS-5.50: what comes before the dice."""
    attacker, defender = play.unit(str(entry["unit"])), play.unit(str(entry["target"]))
    if not play.now.is_live(attacker) or not play.now.is_live(defender):
        return
    if play.now.ambushed(defender):
        turn_over(play, defender.id)
        play.tell("ambush", defender.id, ("it is flipped when assaulted", "HOS-5.2"))
    now = play.now
    defender = play.unit(defender.id)
    outside = outside_arc(now, attacker, defender)
    family = now.family(attacker)
    if combat_value(now, defender, family) is None:
        rule = "HOS-5.50"
        if now.is_heavy(defender) and all(w.main for w in now.weapons(defender)):
            rule = "HOS-5.49"
        text = f"{defender.id} cannot defend itself against {family}"
        play.tell("assault", "attacker", (text, rule))
        play.first(*outcome.without_defence(now, attacker, defender))
        return
    play.first({**dict(entry), "kind": "assault_dice"})
    if hand(play.common_situation, defender.side):
        play.react("defence", defender.side, about={"unit": attacker.id, "target": defender.id})
    if outside:
        play.tell("assault", defender.id, ("assaulted from outside its arc", "HOS-5.59"))
        play.mark(defender.id, suppressed=now.suppressed(defender) + 1)


def outside_arc(now: Situation, attacker: Unit, defender: Unit) -> bool:
    """HOS-5.59: whether an attacker comes from outside the arc of a unit with a limited one."""
    arc = now.face(defender).arc
    if arc >= FULL:
        return False
    return not any(
        arc_holds(defender.facing, arc, here.point, there.point)
        for here in spots(now, defender)
        for there in spots(now, attacker)
    )


def stand(play: Play, action: Action) -> None:
    """The defender plays no card, or has played it."""
    del action
    play.answered("defence")
    go_on(play)


def roll_attacker(play: Play, entry: Record) -> None:
    """HOS-5.47: the attacker rolls two dice."""
    attacker = play.unit(str(entry["unit"]))
    then = {**dict(entry), "kind": "assault_attacked"}
    throw(play, "assault", 2, attacker, then, target=str(entry["target"]))


def roll_defender(play: Play, entry: Record) -> None:
    """HOS-5.48: the defender rolls one die, two with Assault."""
    defender = play.unit(str(entry["target"]))
    count = 2 if play.now.has(defender, "assault") else 1
    kept = {k: v for k, v in entry.items() if k != "dice"}
    then = {**kept, "kind": "assault_rolled", "attack": dice_of(entry)}
    throw(play, "defence", count, defender, then, target=str(entry["unit"]))


def same_room(now: Situation, attacker: Unit, defender: Unit) -> bool:
    """HOS-5.48: whether both are in the same crater or in the same room of a building."""
    mine, yours = now.cells(attacker), now.cells(defender)
    for cell in yours:
        element = now.element(cell)
        if element is None:
            continue
        if element.kind.crater and element.cells.issuperset((*mine, *yours)):
            return True
        if element.house and blast.room(now, cell).issuperset(mine):
            return True
    return False


def parts(now: Situation, unit: Unit, enemy: Unit, *, defends: bool) -> Iterator[Modifier]:
    """HOS-5.47, HOS-5.48, HOS-5.60: what a side adds to its best die."""
    value = combat_value(now, unit, now.family(enemy))
    yield Modifier("combat value", value or 0, "HOS-5.48" if defends else "HOS-5.47", "total")
    given = now.ability(unit, "assault")
    if isinstance(given, int) and not isinstance(given, bool) and given:
        yield Modifier(f"Assault +{given}", given, "HOS-5.40", "total")
    if bonus := bonus_of(now, unit.side, "assault"):
        yield Modifier("Action card", bonus, "HOS-6.4", "total")
    if defends and not same_room(now, enemy, unit) and (terrain := cover(now, unit)[0]):
        yield Modifier("terrain", terrain, "HOS-5.48", "total")
    if count := now.suppressed(unit):
        amount = -int(now.tables.limits["suppressed"]) * count
        yield Modifier("Suppressed", amount, "HOS-5.60", "total")


def compare(play: Play, entry: Record) -> None:
    """HOS-5.51: the higher total wins."""
    now = play.now
    attacker, defender = play.unit(str(entry["unit"])), play.unit(str(entry["target"]))
    rolled = entry["attack"]
    attack_dice = (
        tuple(d for d in rolled if isinstance(d, int)) if isinstance(rolled, tuple) else ()
    )
    defence_dice = dice_of(entry)
    mine = tuple(parts(now, attacker, defender, defends=False))
    yours = tuple(parts(now, defender, attacker, defends=True))
    attack = max(attack_dice) + sum(int(m.amount) for m in mine)
    defence = max(defence_dice) + sum(int(m.amount) for m in yours)
    winner = "attacker" if attack > defence else "defender" if defence > attack else "tie"
    play.decide(
        Resolution(
            "assault",
            winner,
            strengths=(
                Strength(attacker.id, attack, attack, ("HOS-5.47",), (attacker.id,), "attack"),
                Strength(defender.id, defence, defence, ("HOS-5.48",), (defender.id,), "defence"),
            ),
            modifiers=(*mine, *yours),
            dice=(
                *(Roll(6, d, "assault", side=attacker.side) for d in attack_dice),
                *(Roll(6, d, "defence", side=defender.side) for d in defence_dice),
            ),
            steps=(
                Step(f"attacker: best of {list(attack_dice)}, {attack} in all", "HOS-5.47"),
                Step(f"defender: best of {list(defence_dice)}, {defence} in all", "HOS-5.48"),
            ),
            values=FrozenMap({"attack": attack, "defence": defence}),
        )
    )
    play.first(*outcome.entries(now, attacker, defender, winner))
