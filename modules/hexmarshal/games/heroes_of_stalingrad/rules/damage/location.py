"""HOS-2.92 to HOS-2.94, HOS-5.17, HOS-5.71: where a heavy vehicle is damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.cards.windows import throw
from hexmarshal.games.heroes_of_stalingrad.rules.fire.shooting import dice_of
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.state.kinds import DAMAGE, other
from hexmarshal.rules.dice import Roll
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Modifier, Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record, Value

__all__ = ["candidates", "check", "choose", "place_of", "roll", "rolled"]

TOP = 6


def roll(play: Play, entry: Record) -> None:
    """HOS-2.92: the attacker rolls; two dice against Good vibes (HOS-5.71)."""
    unit = play.unit(str(entry["unit"]))
    if not play.now.is_live(unit):
        return
    count = 2 if play.now.has(unit, "good_vibes") else 1
    by = play.position.units.get(str(entry.get("by", "")))
    roller: Unit | str = by if by is not None else other(unit.side)
    throw(play, "location", count, roller, {**dict(entry), "kind": "located"}, target=unit.id)


def modifiers(now: Situation, entry: Record) -> tuple[Modifier, ...]:
    """HOS-5.17: Armour-piercing adds one; Suppressed counts only by the switch (HOS-2.89)."""
    found = []
    if entry.get("piercing") is True:
        found.append(Modifier("Armour-piercing", 1, "HOS-5.17"))
    by = now.position.units.get(str(entry.get("by", "")))
    if by is not None and now.option("location_suppressed") and (count := now.suppressed(by)):
        amount = -int(now.tables.limits["suppressed"]) * count
        found.append(Modifier("Suppressed", amount, "HOS-2.89"))
    return tuple(found)


def place_of(now: Situation, total: int) -> str:
    """HOS-2.92: a row of the location table."""
    return str(now.tables.limits["location"][str(min(max(total, 1), TOP))])


def rolled(play: Play, entry: Record) -> None:
    """The dice are known; with two of them the owner chooses."""
    dice, unit = dice_of(entry), play.unit(str(entry["unit"]))
    if len(set(dice)) > 1 and "chosen" not in entry:
        play.first(entry)
        play.ask("location", unit.side, about={"unit": unit.id, "dice": dice})
        return
    chosen = entry.get("chosen", dice[0])
    assert isinstance(chosen, int)
    found = modifiers(play.now, entry)
    place = place_of(play.now, chosen + sum(int(m.amount) for m in found))
    play.decide(
        Resolution(
            "location",
            place,
            modifiers=found,
            dice=tuple(Roll(6, d, "location") for d in dice),
            steps=(Step(f"die {chosen}: {place}", "HOS-2.92"),),
            values=FrozenMap({"target": unit.id, "location": place}),
        )
    )
    _damage(play, unit, place, entry)


def _damage(play: Play, unit: Unit, place: str, entry: Record) -> None:
    """HOS-2.93, HOS-2.94: a marker, and what it does at once."""
    about = {"unit": unit.id, "by": entry.get("by"), "cause": entry.get("cause")}
    if place == "destroyed":
        play.first({"kind": "destroy", **about})
        return
    flag = DAMAGE[place]
    if unit.has(flag):
        play.tell("damage", f"{unit.id} is destroyed", (f"a second {place} hit", "HOS-2.94"))
        play.first({"kind": "destroy", **about})
        return
    play.mark(unit.id, flag)
    moving = play.now.moving
    if place in ("tracks", "hull") and moving is not None and moving.text("unit") == unit.id:
        play.change("moving", stopped=True, plan=())
    if place == "hull":
        play.first({"kind": "suppress", "unit": unit.id, "count": 2})


# Good vibes


def check(now: Situation, action: Action) -> Verdict:
    """HOS-5.71: the owner chooses one of the two dice."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = now.position.frame("location")
    dice = frame.value("dice", ()) if frame is not None else ()
    if action.number("die") not in (dice if isinstance(dice, tuple) else ()):
        yield Violation("HOS-5.71", f"{action.number('die')} was not rolled", field="die")


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The dice rolled."""
    del action
    frame = now.position.frame("location")
    dice = frame.value("dice", ()) if frame is not None else ()
    return dict.fromkeys(dice) if slot == "die" and isinstance(dice, tuple) else None


def choose(play: Play, action: Action) -> None:
    """The owner has chosen."""
    from hexmarshal.games.heroes_of_stalingrad.state.execution import BUSINESS

    play.answered("location")
    frame = play.position.frame(BUSINESS)
    assert frame is not None
    pending, *rest = frame.agenda
    play.keep(BUSINESS, {}, (pending.set("chosen", action.number("die")), *rest))
    go_on(play)
