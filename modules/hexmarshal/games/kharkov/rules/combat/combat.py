"""Section 9: who may attack whom, and how an attack is resolved."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.rules.combat import air, odds, result_forecast, results, unrevealed
from hexmarshal.games.kharkov.rules.combat.engagement import Engagement, current, decide, save
from hexmarshal.games.kharkov.rules.command import headquarters
from hexmarshal.games.kharkov.rules.movement import southern_sector
from hexmarshal.games.kharkov.state.situation import AXIS, SOVIET, other
from hexmarshal.rules.copying import copied
from hexmarshal.rules.values import FrozenMap, Value
from hexmarshal.rules.verdict import Answer, Modifier, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = [
    "aim_violations",
    "answer",
    "check",
    "declare",
    "fight",
    "group_violations",
    "groups",
]

# More eligible attackers than this around a hex, and groups are offered by whole stacks.
MANY = 6


def phase_of(side: str) -> str:
    """The side's own combat phase (KHA-9.11)."""
    return "axis_combat" if side == AXIS else "soviet_combat"


def check(
    now: Situation, attackers: Sequence[Unit], targets: Sequence[str], side: str, *, use_air: bool
) -> Verdict:
    """Everything wrong with an attack. Attacks are voluntary (KHA-9.12)."""
    found = [*group_violations(now, attackers, side)]
    found += aim_violations(now, attackers, targets, side)
    if use_air:
        found += air.violations(now, side)
    return Verdict(tuple(found))


def group_violations(now: Situation, attackers: Sequence[Unit], side: str) -> Iterator[Violation]:
    """What is wrong with these attacking anything."""
    ids = tuple(u.id for u in attackers)
    if not attackers:
        yield Violation("KHA-9.0-G", "somebody must attack", field="attackers")
    if len(set(ids)) < len(ids):
        yield Violation("KHA-9.24", "a unit counts once", units=ids, field="attackers")
    if now.position.phase != phase_of(side):
        yield Violation("KHA-9.11", "attacks belong in one's own combat phase")
    for unit in attackers:
        yield from attacker_violations(now, unit, side)


def aim_violations(
    now: Situation, attackers: Sequence[Unit], targets: Sequence[str], side: str
) -> Iterator[Violation]:
    """What is wrong with these hexes."""
    if not targets:
        yield Violation("KHA-9.0-G", "something must be attacked", field="targets")
    if len(set(targets)) < len(targets):
        yield Violation("KHA-9.24", "a hex is named twice", cells=tuple(targets), field="targets")
    for unit in attackers:
        if unit.side == side:
            for target in targets:
                yield from _adjacent(now, unit, target, len(targets))
    for target in targets:
        yield from target_violations(now, target, side)


def attacker_violations(now: Situation, unit: Unit, side: str) -> Iterator[Violation]:
    """Why this unit cannot attack at all now."""
    mine = (unit.id,)
    if unit.side != side:
        yield Violation("KHA-9.0-G", f"{unit.id} is not {side}'s", units=mine)
        return
    if not now.fights(unit):
        yield Violation("KHA-10.14", f"{unit.id} has no combat strength", units=mine)
    if not unit.cell:
        yield Violation("KHA-9.11", f"{unit.id} is not on the map", units=mine)
        return
    if unit.has("fought"):
        yield Violation("KHA-9.14", f"{unit.id} has attacked in this phase", units=mine)
    if unit.has("advanced"):
        yield Violation("KHA-9.73", f"{unit.id} has advanced after combat", units=mine)
    if unit.has("disrupted"):
        yield Violation("KHA-7.32", f"{unit.id} is disrupted", units=mine)
    yield from southern_sector.violations(now, unit)
    if now.commanded(unit) and not headquarters.in_command(now, unit):
        # KHA-9.15 for Soviet units; KHA-10.21 for Romanian ones too. Supply is another matter.
        rule = "KHA-9.15" if side == SOVIET else "KHA-10.21"
        text = f"no line joins {unit.id} to an active headquarters"
        yield Violation(rule, text, units=mine, cells=(unit.cell,))


def _adjacent(now: Situation, unit: Unit, target: str, many: int) -> Iterator[Violation]:
    if not unit.cell:
        return
    if not now.board.adjacent(unit.cell, target):
        # KHA-9.23: with several hexes every attacker must touch every one.
        rule = "KHA-9.23" if many > 1 else "KHA-9.11"
        text = f"{unit.id} is not adjacent to {target}"
        yield Violation(rule, text, units=(unit.id,), cells=(unit.cell, target))
    elif now.board.side(unit.cell, target).barred:
        text = "the Dnieper is fought across by its bridges alone"
        yield Violation("KHA-6.3", text, units=(unit.id,), cells=(unit.cell, target))


def target_violations(now: Situation, target: str, side: str) -> Iterator[Violation]:
    """Why this hex cannot be attacked now."""
    enemy = other(side)
    there = tuple(u for u in now.at(target, enemy) if u.type != "reserve")
    garrison = now.garrison(target) if side == SOVIET else 0
    if not there and not garrison:
        yield Violation("KHA-9.0-G", f"no enemy is in {target}", cells=(target,))
        return
    fought_over = now.position.extras.get("assaulted", ())
    assert isinstance(fought_over, tuple)
    # A headquarters that was displaced here after a combat does not shield its new companions.
    fighting = tuple(u for u in there if now.fights(u)) or there
    fresh = [u for u in fighting if not u.has("attacked")]
    if (fighting and not fresh) or (not fighting and target in fought_over):
        yield Violation("KHA-9.14", f"{target} was attacked in this phase", cells=(target,))
    # KHA-9.65: a unit that fell back onto others does not shield them; any other one does.
    for unit in fighting:
        if fresh and unit.has("attacked") and not unit.has("fled"):
            text = f"{unit.id} was attacked in this phase"
            yield Violation("KHA-9.14", text, units=(unit.id,), cells=(target,))


def battle(
    attackers: Sequence[Unit], targets: Sequence[str], side: str, *, attack: bool, defence: bool
) -> odds.Battle:
    """The attack as the arithmetic needs it."""
    return odds.Battle("attack", side, tuple(attackers), tuple(targets), attack, defence)


# Resolution


def declare(
    play: Play, attackers: Sequence[Unit], targets: Sequence[str], side: str, *, use_air: bool
) -> None:
    """Air points come first, the attacker's then the defender's, then values are revealed.

    KHA-13.11, KHA-13.12. Once engaged nobody is withdrawn (KHA-12.0).
    """
    if use_air:
        air.spend(play, side)
    engagement = Engagement(
        "attack", side, tuple(u.id for u in attackers), tuple(targets), air_attack=use_air
    )
    save(play, engagement)
    play.flag(engagement.attackers, "fought")
    play.unflag(engagement.attackers, "strongpoint")  # KHA-15.23
    if air.available(play.now, other(side)):
        decide(play, "air_defence", other(side))
    else:
        fight(play, defended=False)


def fight(play: Play, *, defended: bool) -> None:
    """Reveal, count, shift, roll, and begin to apply the result at once (KHA-9.0-P)."""
    engagement = current(play.now)
    side, enemy = engagement.side, other(engagement.side)
    if defended:
        air.spend(play, enemy)
    told = unrevealed.reveal(play, [play.unit(u) for u in engagement.attackers])
    told += unrevealed.reveal(play, [u for t in engagement.targets for u in play.now.at(t, enemy)])
    if side == SOVIET:
        southern_sector.attacked(play, engagement.targets)
    fought = battle(
        [play.unit(u) for u in engagement.attackers],
        engagement.targets,
        side,
        attack=engagement.air_attack,
        defence=defended,
    )
    resolve(play, engagement, fought, told)
    results.mark_attacked(play, engagement.targets)
    results.proceed(play)


def resolve(play: Play, engagement: Engagement, fought: odds.Battle, told: Sequence[Step]) -> None:
    """Roll for a battle whose units are all revealed, and note the result."""
    now = play.now
    planned = odds.plan(now, fought)
    base = next(iter(planned.base))
    rolled = len(play.dice.rolls)
    morale = 0
    modifiers = planned.modifiers
    if planned.morale:
        # KHA-9.82: after odds, modifiers and air.
        morale = planned.morale[play.dice.roll(6, "Soviet morale") - 1]
        shift = Modifier("Soviet morale", morale, "KHA-9.85", to="column")
        modifiers = (*modifiers, shift)
    column = planned.column(base, morale)
    die = play.dice.roll(6, "the combat")
    result = now.tables.result(column, die + planned.die)
    steps = (
        *told,
        *planned.steps,
        Step(f"column {planned.names[column]}, die {die}: {result}", "KHA-9.4"),
    )
    play.decide(
        copied(
            planned.resolution(),
            result=result,
            column=planned.names[column],
            modifiers=modifiers,
            dice=tuple(play.dice.rolls[rolled:]),
            steps=steps,
        )
    )
    defenders = tuple(u.id for u in odds.defenders(now, fought))
    save(
        play,
        copied(
            engagement,
            defenders=defenders,
            result=result,
            todo=results.agenda(result, engagement),
        ),
    )


# Questions and offers


def answer(now: Situation, fought: odds.Battle) -> Answer:
    """Everything about a planned battle: strengths, column, shifts, chances, consequences."""
    planned = odds.plan(now, fought)
    chances = planned.results(now.tables.result)
    names = planned.names
    columns = {names[c]: str(p) for c, p in sorted(planned.columns().items())}
    what: dict[str, Value] = {
        result: result_forecast.consequences(now, fought, result) for result, _ in chances.items()
    }
    values: dict[str, Value] = {
        "columns": FrozenMap(columns),
        "results": FrozenMap(what),
        "die_modifier": planned.die,
    }
    if planned.morale:
        values["morale"] = planned.morale
    return Answer(FrozenMap(values), resolution=planned.resolution(), distribution=chances)


def groups(now: Situation, side: str) -> Iterator[tuple[tuple[Unit, ...], tuple[str, ...]]]:
    """Every group of units with what it may attack, the largest group on each hex first.

    KHA-9.13: from all six hexes around; KHA-9.22: stack mates may join, or not.

    Where many units stand around a hex, groups are made of whole stacks.
    """
    able = _able(now, side)
    enemy = now.occupied(other(side))
    if side == SOVIET:
        enemy |= now.garrisons()
    near = now.board.around(now.board.mask(able)) & enemy
    hexes = [t for t in now.board.names(near) if not any(target_violations(now, t, side))]
    for target in hexes:
        yield from ((group, (target,)) for group in _around(now, able, (target,)))
    for size in (2, 3):
        for several in combinations(hexes, size):
            yield from ((group, several) for group in _around(now, able, several))


def _able(now: Situation, side: str) -> Mapping[str, tuple[Unit, ...]]:
    found: dict[str, tuple[Unit, ...]] = {}
    zone = now.board.around(now.occupied(other(side)) | now.garrisons())
    for unit in now.on_map(side):
        beside = zone & now.board.bit[unit.cell]
        if beside and next(attacker_violations(now, unit, side), None) is None:
            found[unit.cell] = (*found.get(unit.cell, ()), unit)
    return found


def _around(
    now: Situation, able: Mapping[str, tuple[Unit, ...]], targets: tuple[str, ...]
) -> Iterator[tuple[Unit, ...]]:
    cells = set(now.board.near[targets[0]])
    for target in targets[1:]:
        cells &= set(now.board.near[target])
    barred = now.board.side
    stacks = [
        able[c]
        for c in sorted(cells)
        if c in able and not any(barred(c, target).barred for target in targets)
    ]
    units = tuple(u for stack in stacks for u in stack)
    if not units:
        return
    if len(units) > MANY:
        for size in range(len(stacks), 0, -1):
            for some in combinations(stacks, size):
                yield tuple(u for stack in some for u in stack)
        return
    for size in range(len(units), 0, -1):
        yield from combinations(units, size)
