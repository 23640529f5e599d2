"""Whose go it is: actions in turn, decisions in between, passes, and the end of the turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.conflict_of_heroes.rules.turn.payment import activation_open, spend_activation
from hexmarshal.games.conflict_of_heroes.rules.turn.victory import settle_control
from hexmarshal.games.conflict_of_heroes.state.execution import mapped
from hexmarshal.games.conflict_of_heroes.state.situation import camp

if TYPE_CHECKING:
    from hexmarshal.games.conflict_of_heroes.state.execution import Play

__all__ = ["add_last", "advance", "end_action", "next_side", "turn_over"]


def next_side(sides: tuple[str, ...], side: str) -> str:
    """COH-2.2a, COH-20.0a: the players act one after the other, in the order agreed."""
    return sides[(sides.index(side) + 1) % len(sides)]


def turn_over(sides: tuple[str, ...], passers: tuple[str, ...]) -> bool:
    """COH-2.2e: each of two players passed in succession; COH-20.0b: of more, all but one did.

    Of four players the third pass in a row ends it (the book's example), whoever has not passed;
    of three players the two who passed must be opponents.
    """
    if len(sides) == 2:
        return len(passers) >= 2
    if len(passers) < len(sides) - 1:
        return False
    return len({camp(side) for side in passers}) > 1


def end_action(play: Play, side: str, *, passed: bool = False) -> None:
    """The go of one side is over: the next side, or the end of the turn."""
    settle_control(play)
    if play.now.sharers(side) and play.now.ap(side) <= 0:
        spend_activation(play, side)  # COH-3.0c
    play.note("last", _facts(play, side) or None)
    before = play.position.extras.get("passers", ())
    # COH-2.2e: an action or a stall in between begins the count anew.
    passers = (*before, side) if passed and isinstance(before, tuple) else ()
    play.note("passers", passers or None)
    follows = next_side(play.position.sides, side)
    quick = mapped(play.position.extras.get("quick"))
    if quick.get("side") == side:
        # COH-C10: the first of two actions in a row.
        play.note("quick", None)
        if not passed:
            follows = side
    if passed and turn_over(play.position.sides, tuple(str(p) for p in passers)):
        from hexmarshal.games.conflict_of_heroes.rules.turn.turns import end_turn

        end_turn(play)
        return
    play.turn_to("", (follows,))
    advance(play)


def _facts(play: Play, side: str) -> dict[str, object]:
    """What only the very next action may use."""
    facts: dict[str, object] = {"exposed": play.exposed, "fired": play.fired}
    if play.rushed:
        facts |= {"rushed": play.rushed, "by": side}
    return {name: fact for name, fact in facts.items() if fact}


def add_last(play: Play, side: str) -> None:
    """Add what came of an action after its end, when the other side had decided something."""
    if facts := _facts(play, side):
        play.note("last", {**mapped(play.position.extras.get("last")), **facts})


def advance(play: Play) -> None:
    """Go on once a decision is made: in the preparation, where none is left, with the bids.

    Else the next decision, or the side whose go it is, follows from the frames.
    """
    for side in play.position.sides:
        if not play.now.sharers(side) and activation_open(play.position, side):
            spend_activation(play, side)  # COH-9.0b: nobody is left to use its points.
    if play.position.phase == "prep" and play.position.asked() is None:
        from hexmarshal.games.conflict_of_heroes.rules.turn.turns import open_bids

        open_bids(play)
