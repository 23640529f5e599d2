"""Section 12: units that nobody knows until they fight."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from hexmarshal.games.kharkov.state.tables import printed
from hexmarshal.rules.copying import copied
from hexmarshal.rules.odds import Distribution
from hexmarshal.rules.state.effects import ChangeUnit, SetPile
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from hexmarshal.games.kharkov.state.execution import Play
    from hexmarshal.games.kharkov.state.situation import Situation
    from hexmarshal.rules.state.pieces import Unit

__all__ = ["replacement", "reveal", "totals"]


def pool_of(now: Situation, unit: Unit) -> str:
    """The pile that holds what such a unit may turn out to be."""
    return f"pool-{now.kind(unit).pool}"


def reveal(play: Play, units: Iterable[Unit]) -> list[Step]:
    """Committed to combat, a unit shows its value, and it stays known (KHA-12.0).

    A counter that was laid face down keeps its value; else one is drawn from its pool.
    """
    told = []
    for unit in units:
        now = play.now
        if unit.known_to is None and now.revealed(unit):
            continue
        pool = now.position.pile(pool_of(now, unit))
        ladder = unit.values.get("ladder")
        if ladder:
            assert isinstance(ladder, tuple)
            named = f"{unit.type} {ladder[0]}"
            card = named if named in pool.cards else str(ladder[0])
        elif pool.cards:
            card = pool.cards[play.dice.pick(len(pool.cards), f"the value of {unit.id}")]
        else:
            continue
        left = list(pool.cards)
        if card in left:
            left.remove(card)
        play.do(SetPile(pool.name, copied(pool, cards=tuple(left))), shown(now, unit, card))
        told.append(Step(f"{unit.id} is {card}", "KHA-12.0"))
    return told


def shown(now: Situation, unit: Unit, card: str) -> ChangeUnit:
    """The unit with its value; a strong one has a second step (KHA-9.52, KHA-9.53)."""
    kind, _, value = card.rpartition(" ")
    strong = printed(value)[1] >= now.tables.units["replaced_from_defence"]
    return ChangeUnit(
        unit.id,
        type=kind or unit.type,
        steps=2 if strong else 1,
        values=FrozenMap({"ladder": (value,), "move": None}),
        known_to=("*",),
    )


def replacement(play: Play, unit: Unit) -> bool:
    """A strong unit of a pool loses its first step: it becomes a random Replacement (KHA-9.53).

    With no Replacement left there is no second step.
    """
    pile = play.now.position.pile("replacements")
    if not pile.cards:
        return False
    index = play.dice.pick(len(pile.cards), f"the replacement of {unit.id}")
    left = (*pile.cards[:index], *pile.cards[index + 1 :])
    play.do(
        SetPile(pile.name, copied(pile, cards=left)),
        ChangeUnit(unit.id, steps=1, values=FrozenMap({"ladder": (pile.cards[index],)})),
    )
    return True


def totals(
    now: Situation, units: Sequence[tuple[Unit, Callable[[int], int]]], role: str
) -> Distribution[int]:
    """The exact distribution of what unrevealed units add; each counts by its own rule.

    Values are drawn without replacement, so a pool is followed draw by draw.
    """
    total = Distribution.certain(0)
    pools: dict[str, list[Callable[[int], int]]] = {}
    for unit, counts in units:
        pools.setdefault(pool_of(now, unit), []).append(counts)
    for name, rules in pools.items():
        cards = now.position.pile(name).cards
        index = 0 if role == "attack" else 1
        values = Counter(printed(card)[index] for card in cards)
        if sum(values.values()) < len(rules):
            continue  # a pool that a position does not give: nothing can be said of such units
        total = total.joined(_drawn(values, rules), lambda a, b: a + b)
    return total


def _drawn(values: Counter[int], rules: Sequence[Callable[[int], int]]) -> Distribution[int]:
    kinds = sorted(values)
    states: dict[tuple[int, tuple[int, ...]], int] = {(0, tuple(values[k] for k in kinds)): 1}
    for counts in rules:
        after: dict[tuple[int, tuple[int, ...]], int] = {}
        for (sum_so_far, left), weight in states.items():
            for i, copies in enumerate(left):
                if copies:
                    rest = (*left[:i], copies - 1, *left[i + 1 :])
                    key = (sum_so_far + counts(kinds[i]), rest)
                    after[key] = after.get(key, 0) + weight * copies
        states = after
    sums: dict[int, int] = {}
    for (sum_so_far, _left), weight in states.items():
        sums[sum_so_far] = sums.get(sum_so_far, 0) + weight
    return Distribution(sums)
