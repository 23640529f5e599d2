"""Section 4.3: tokens are drawn from the cup one by one, thrown in, and interrupted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.rules.command import activation
from hexmarshal.games.traces_of_war.rules.ground.supply import check_supply
from hexmarshal.games.traces_of_war.rules.reinforcements import arrival
from hexmarshal.games.traces_of_war.rules.sequence.agenda import go_on
from hexmarshal.games.traces_of_war.state.kinds import AXIS, HQ, SOVIET
from hexmarshal.games.traces_of_war.state.piles import CUP, DRAWN, HAND, PLAYED, pool
from hexmarshal.rules.state.effects import MoveCards
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.games.traces_of_war.state.tables import Token
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.state.pieces import Unit
    from hexmarshal.rules.values import Value

__all__ = [
    "check_draw",
    "check_interrupt",
    "check_throw_in",
    "draw",
    "hand",
    "interrupt",
    "let_stand",
    "throw_in",
]


def check_draw(now: Situation, action: Action) -> Verdict:
    """A token is drawn as long as there is one in the cup."""
    del action
    if now.position.pile(CUP).cards:
        return Verdict()
    text = "the cup is empty: the tokens in hand must go in before the phase can end"
    return Verdict((Violation("TOW-4.3i", text),))


def draw(play: Play, action: Action) -> None:
    """TOW-4.3a: one token at random; its owner becomes active. Supply belongs to both."""
    del action
    cup = play.position.pile(CUP).cards
    name = cup[play.dice.pick(len(cup), "a token from the cup")]
    token = play.tables.tokens[name]
    play.do(MoveCards(CUP, DRAWN, (name,)))
    step = Step(f"{token.title} is drawn", "TOW-4.3a")
    play.decide(Resolution("draw", token.key, steps=(step,)))
    if token.kind == "supply":
        # TOW-4.2.2e: nothing comes between.
        _play(play, name)
        check_supply(play)
    elif _may_be_interrupted(play):
        play.ask("interrupt", AXIS, about={"token": token.key})
    else:
        carry_out(play, name)
    go_on(play)


def _may_be_interrupted(play: Play) -> bool:
    """Whether the Axis is asked: whenever he might hold an OKH token for all that both know.

    To ask only him who holds one, or holds anything, would betray it. Both know which tokens lie
    open and how many are in the pool, and so whether any are left in the cup or in hand.
    """
    position, tokens = play.position, play.tables.tokens
    chosen = [t for name in (CUP, HAND) for t in position.pile(name).cards if t in tokens]
    if not any(tokens[token].side == AXIS for token in chosen):
        return False
    covered = (*chosen, *position.pile(pool(AXIS)).cards)
    return any(token in tokens and tokens[token].kind == "okh" for token in covered)


def _play(play: Play, name: str) -> None:
    play.do(MoveCards(DRAWN, PLAYED, (name,)))


def carry_out(play: Play, name: str) -> None:
    """What a token does once it stands."""
    from hexmarshal.games.traces_of_war.rules.command import okh

    token = play.tables.tokens[name]
    if token.kind == "airborne":
        play.do(MoveCards(DRAWN, "spent", (name,)))  # TOW-4.2.1e: once a game
    else:
        _play(play, name)
    match token.kind:
        case "hq":
            unit = _headquarters(play.now, token)
            if unit is not None:
                activation.begin(play, unit)
            else:
                _lost(play, token)
        case "okh":
            okh.ask(play, drawn=True)
        case "stavka":
            # TOW-4.3h: any Soviet headquarters, as if its own token had been drawn.
            if any(u.type == HQ for u in play.now.on_map(SOVIET)):
                play.ask("stavka", SOVIET)
        case "reinforcement":
            arrival.begin(play, airborne=False)  # TOW-4.3f
        case "airborne":
            arrival.begin(play, airborne=True)  # TOW-4.3g


def _headquarters(now: Situation, token: Token) -> Unit | None:
    for unit in now.on_map(token.side):
        if unit.type == HQ and unit.values.get("token") == token.key:
            return unit
    return None


def _lost(play: Play, token: Token) -> None:
    text = f"the headquarters of {token.title} is not on the map: nothing is activated"
    play.decide(Resolution("activation", "none", steps=(Step(text, "TOW-4.3b"),)))


# Tokens in hand


def check_throw_in(now: Situation, action: Action) -> Verdict:
    """TOW-4.2b: the Axis player, at any moment of the phase, a token that he holds."""
    return Verdict.of(_thrown(now, action))


def _thrown(now: Situation, action: Action) -> Iterator[Violation]:
    if action.side != AXIS:
        yield Violation("TOW-4.2c", "the Soviet player holds no tokens")
        return
    if now.position.phase != "action":
        yield Violation("TOW-4.2b", "tokens go into the cup in the Action Phase")
    token = action.text("token")
    if token not in now.position.pile(HAND).cards:
        yield Violation("TOW-4.2b", f"{token} is not in hand", field="token")


def hand(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The tokens in the Axis hand."""
    del action, slot
    return now.position.pile(HAND).cards


def throw_in(play: Play, action: Action) -> None:
    """Put it into the cup; whatever is being decided stays as it is."""
    play.do(MoveCards(HAND, CUP, (action.text("token"),)))
    step = Step("a token goes from the Axis hand into the cup", "TOW-4.2b")
    play.decide(Resolution("throw in", "thrown in", steps=(step,)))


# Interrupts


def check_interrupt(now: Situation, action: Action) -> Verdict:
    """TOW-4.2.2d: an OKH token in hand cancels the token just drawn."""
    del action
    return Verdict.of(_interrupted(now))


def _interrupted(now: Situation) -> Iterator[Violation]:
    frame = now.position.frame("interrupt")
    played = now.position.pile(PLAYED).cards
    drawn = frame.text("token") if frame is not None else next(iter(played), "")
    if drawn == "supply":
        yield Violation("TOW-4.2.2e", "Supply cannot be interrupted")
    elif frame is None:
        yield Violation("TOW-4.2.2d", "no token has just been drawn")
    if _okh_in_hand(now) is None:
        yield Violation("TOW-4.2.2d", "no OKH token is in hand; one in the cup does not interrupt")


def _okh_in_hand(now: Situation) -> str | None:
    known = now.tables.tokens
    held = now.position.pile(HAND).cards
    return next((t for t in held if t in known and known[t].kind == "okh"), None)


def interrupt(play: Play, action: Action) -> None:
    """The drawn token goes back into the cup; OKH acts at once instead."""
    from hexmarshal.games.traces_of_war.rules.command import okh

    del action
    play.answered("interrupt")
    drawn = play.position.pile(DRAWN).cards
    token = _okh_in_hand(play.now)
    assert token is not None
    play.do(MoveCards(DRAWN, CUP, drawn), MoveCards(HAND, PLAYED, (token,)))
    title = play.tables.tokens[drawn[0]].title if drawn else "the token"
    step = Step(f"OKH interrupts: {title} goes back into the cup", "TOW-4.2.2d")
    play.decide(Resolution("interrupt", "interrupted", steps=(step,)))
    okh.ask(play, drawn=False)
    go_on(play)


def let_stand(play: Play, action: Action) -> None:
    """No interrupt: the token that was drawn is carried out."""
    del action
    play.answered("interrupt")
    carry_out(play, play.position.pile(DRAWN).cards[0])
    go_on(play)
