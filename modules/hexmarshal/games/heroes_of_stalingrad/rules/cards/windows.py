"""HOS-6.5, HOS-8.9: rolls that somebody may have rolled again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.cards.hand import discard, hand
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.state.army import Entry, carriers, entries, take
from hexmarshal.games.heroes_of_stalingrad.state.execution import BUSINESS
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.frames import Frame
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Record, Value

__all__ = [
    "ask_reroll",
    "card_candidates",
    "check_card",
    "check_veteran",
    "keep_dice",
    "reroll_card",
    "reroll_veteran",
    "throw",
]


def throw(
    play: Play,
    purpose: str,
    count: int,
    unit: Unit | str,
    then: Mapping[str, object],
    *,
    target: str = "",
) -> None:
    """Throw dice for a unit or a side; `then` goes on with them when nobody rolls again."""
    side = unit if isinstance(unit, str) else unit.side
    name = "" if isinstance(unit, str) else unit.id
    dice = play.dice.throw(purpose, *(6,) * count, side=side)
    play.first(
        {"kind": "reroll", "purpose": purpose, "side": side, "unit": name, "target": target},
        {**then, "dice": dice},
    )


def _may(now: Situation, side: str, entry: Record) -> bool:
    """Whether, as all can see, a side might roll again: it has cards, or markers for it."""
    return bool(hand(now, side)) or any(True for _ in _veterans(now, side, entry))


def _veterans(now: Situation, side: str, about: Record) -> Iterator[Entry]:
    """HOS-8.9: the options whose Veteran markers fit a roll: of the units that it is about."""
    seen: set[str] = set()
    for name in ("unit", "target"):
        unit = now.position.units.get(str(about.get(name, "")))
        if unit is not None and unit.side == side:
            for entry in carriers(now, unit, "veteran"):
                if entry.id not in seen:
                    seen.add(entry.id)
                    yield entry
    army = entries(now, side)
    for entry in army.values():
        tile = army.get(entry.of)
        command = tile is not None and bool(tile.row.get("command"))
        if command and entry.left("veteran") and entry.id not in seen:
            yield entry


def ask_reroll(play: Play, entry: Record) -> None:
    """After a roll both sides may have it rolled again, the one with the initiative first."""
    pending = _pending(play.now)
    sides = [side for side in play.now.in_order() if _may(play.common_situation, side, entry)]
    if not sides or pending is None:
        return
    about = {name: entry[name] for name in ("purpose", "side", "unit", "target") if name in entry}
    _ask(play, tuple(sides), {**about, "dice": pending["dice"]})


def _ask(play: Play, sides: tuple[str, ...], about: Mapping[str, object]) -> None:
    """HOS-6.1: one side after the other, that with the initiative first."""
    for i, side in enumerate(sides, 1):
        play.react("reroll", side, about={**about, "then": sides[i:]})
        if _asked(play.now) is not None:
            return


def _pending(now: Situation) -> Record | None:
    """The entry that waits for its dice."""
    frame = now.position.frame(BUSINESS)
    found = frame.agenda[0] if frame is not None and frame.agenda else None
    return found if found is not None and "dice" in found else None


def _asked(now: Situation) -> Frame | None:
    return now.position.frame("reroll")


def keep_dice(play: Play, action: Action) -> None:
    """A side lets the dice stand; when all do, play goes on."""
    del action
    frame = play.answered("reroll")
    _ask(play, frame.texts("then"), dict(frame.about.items()))
    if _asked(play.now) is None:
        go_on(play)


def _again(play: Play) -> None:
    """HOS-6.5: all the dice of the roll are rolled again, and the new result stands."""
    frame = play.answered("reroll")
    business = play.position.frame(BUSINESS)
    assert business is not None
    pending, *rest = business.agenda
    old = pending["dice"]
    count = len(old) if isinstance(old, tuple) else 1
    side, purpose = frame.text("side"), frame.text("purpose")
    dice = play.dice.throw(purpose, *(6,) * count, side=side)
    after = pending.set("dice", tuple(dice))
    ask = {"kind": "reroll", "purpose": purpose, "side": side}
    ask |= {name: frame.text(name) for name in ("unit", "target") if frame.text(name)}
    play.keep(BUSINESS, {}, (after, *rest))
    play.first(ask)
    go_on(play)


def check_card(now: Situation, action: Action) -> Verdict:
    """HOS-6.5: a Second chance from the hand."""
    return Verdict.of(_card_faults(now, action))


def _card_faults(now: Situation, action: Action) -> Iterator[Violation]:
    name = action.text("card")
    if name not in hand(now, action.side):
        yield Violation("HOS-6.1", f"{name} is not in the hand", field="card")
        return
    card = now.tables.card(name)
    if card is None or card.event != "reroll":
        yield Violation("HOS-6.5", f"{name} does not let one roll again", field="card")
    elif now.position.phase not in card.phases:
        yield Violation("HOS-6.3", f"{name} is not played in this phase", field="card")


def card_candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The cards in hand that let one roll again."""
    if slot != "card":
        return None
    cards = hand(now, action.side)
    return [c for c in cards if (card := now.tables.card(c)) and card.event == "reroll"]


def reroll_card(play: Play, action: Action) -> None:
    """A Second chance is played."""
    name = action.text("card")
    discard(play, action.side, name)
    play.tell("card", name, ("all the dice are rolled again", "HOS-6.5"))
    _again(play)


def check_veteran(now: Situation, action: Action) -> Verdict:
    """HOS-8.9: a Veteran marker."""
    return Verdict.of(_veteran_faults(now, action))


def _veteran_faults(now: Situation, action: Action) -> Iterator[Violation]:
    frame = _asked(now)
    if frame is not None and not any(True for _ in _veterans(now, action.side, frame.about)):
        yield Violation("HOS-8.9", "no Veteran marker of yours fits this roll")


def reroll_veteran(play: Play, action: Action) -> None:
    """A Veteran marker is used up."""
    frame = _asked(play.now)
    assert frame is not None
    entry = next(_veterans(play.now, action.side, frame.about))
    take(play, entry, "veteran")
    play.tell("veteran", entry.id, ("the roll is rolled again", "HOS-8.9"))
    _again(play)
