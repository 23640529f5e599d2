"""HOS-2.100 to HOS-2.103, HOS-6.1: the Reserve Phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.heroes_of_stalingrad.rules.cards.hand import draw_up, may_refill
from hexmarshal.games.heroes_of_stalingrad.rules.sequence import turn
from hexmarshal.games.heroes_of_stalingrad.rules.sequence.agenda import go_on
from hexmarshal.games.heroes_of_stalingrad.state.kinds import other
from hexmarshal.rules.state.effects import MoveCards, Proceed, RemoveMarker
from hexmarshal.rules.verdict import Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.heroes_of_stalingrad.state.execution import Play
    from hexmarshal.games.heroes_of_stalingrad.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Value

__all__ = ["candidates", "check_refill", "end", "refill", "start"]


def start(play: Play) -> None:
    """HOS-2.102: bluffs are discarded, then the side with the initiative moves."""
    play.do(Proceed(phase="reserve", state="", active=()))
    for side in play.now.in_order():
        for token in play.now.tokens(side):
            if token.values.get("token") == "bluff":
                play.do(RemoveMarker(token.id))
                where = token.unit or "the artillery"
                play.tell("bluff", where, (f"{side} bluffed", "HOS-2.11"))
    play.ask("reserve", play.now.initiative)


def end(play: Play, action: Action) -> None:
    """HOS-2.102, HOS-2.103: after its moves a side discards one Suppressed marker a unit."""
    play.answered("reserve")
    for unit in list(play.now.live(action.side)):
        count = play.now.suppressed(unit)
        if count:
            play.mark(unit.id, suppressed=count - 1)
    if action.side == play.now.initiative:
        play.ask("reserve", other(action.side))
        return
    _refills(play, list(play.now.in_order()))
    go_on(play)


def _refills(play: Play, sides: list[str]) -> None:
    """HOS-2.102: each side discards cards and refills its hand, the one with initiative first."""
    for i, side in enumerate(sides):
        if may_refill(play.now, side):
            play.ask("refill", side, about={"then": tuple(sides[i + 1 :])})
            return
    turn.end_of_turn(play)


def check_refill(now: Situation, action: Action) -> Verdict:
    """HOS-6.1: cards of the own hand are discarded."""
    return Verdict.of(_faults(now, action))


def _faults(now: Situation, action: Action) -> Iterator[Violation]:
    hand = now.position.pile(f"{action.side}-hand").cards
    cards = action.texts("discard")
    for card in cards:
        if card not in hand:
            yield Violation("HOS-6.1", f"{card} is not in the hand", field="discard")
    if len(set(cards)) != len(cards):
        yield Violation("HOS-6.1", "a card is named twice", field="discard")


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The cards in hand."""
    if slot != "discard":
        return None
    held = now.position.pile(f"{action.side}-hand").cards
    return [card for card in held if card not in action.so_far("discard")]


def refill(play: Play, action: Action) -> None:
    """The cards named are discarded and the hand is filled up."""
    frame = play.answered("refill")
    cards = action.texts("discard")
    if cards:
        play.do(MoveCards(f"{action.side}-hand", f"{action.side}-discard", cards))
    draw_up(play, action.side)
    _refills(play, list(frame.texts("then")))
    go_on(play)
