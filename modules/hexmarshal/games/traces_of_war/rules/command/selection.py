"""Section 4.2: both players choose their command tokens in secret."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.state.kinds import AXIS, SIDES, SOVIET
from hexmarshal.games.traces_of_war.state.piles import CUP, HAND, PLAYED, TRACK, pool
from hexmarshal.games.traces_of_war.state.situation import NOT_IN_BOOK
from hexmarshal.rules.state.effects import ChangeFrame, MoveCards, Proceed, SetKnowledge
from hexmarshal.rules.values import FrozenMap
from hexmarshal.rules.verdict import Resolution, Step, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hexmarshal.games.traces_of_war.state.execution import Play
    from hexmarshal.games.traces_of_war.state.situation import Situation
    from hexmarshal.rules.action import Action
    from hexmarshal.rules.values import Record, Value

__all__ = ["SOVIET_TOKENS", "candidates", "check", "choose", "fronts", "stavka_appears"]

SOVIET_TOKENS = 6


def fronts(now: Situation) -> tuple[str, ...]:
    """The kinds of Front tokens."""
    tokens = now.tables.tokens.values()
    return tuple(dict.fromkeys(t.key for t in tokens if t.side == SOVIET and t.kind == "hq"))


def stavka_appears(now: Situation) -> tuple[bool, str]:
    """TOW-4.2.1f: whether STAVKA may be chosen this turn, and why (not)."""
    turn = now.position.turn
    cell = now.tables.stavka(turn)
    if cell is None:
        return False, f"STAVKA does not appear on turn {turn}"
    if now.barred_by_book(cell):
        return False, f"{NOT_IN_BOOK}: STAVKA on turn {turn}"
    count = now.crossing_points
    text = f"on turn {turn} STAVKA appears with at most {cell.value} Soviet crossing points"
    return count <= int(cell.number), f"{text}, and there are {count}"


def check(now: Situation, action: Action) -> Verdict:
    """Whether these are the tokens that a side may choose."""
    faults = _soviet if action.side == SOVIET else _axis
    return Verdict.of(faults(now, action))


def _from_pool(now: Situation, side: str, tokens: Iterable[str], rule: str) -> Iterator[Violation]:
    there = now.position.pile(pool(side)).cards
    known = now.tables.tokens
    seen: set[str] = set()
    for token in tokens:
        if token in seen:
            yield Violation(rule, f"{token} is named twice")
        elif token not in there:
            waits = token in now.position.pile(TRACK).cards and known[token].side == side
            yield Violation(
                _late(known[token].kind) if waits else rule,
                f"{token} comes on turn {known[token].from_turn}"
                if waits
                else f"{token} is not in the {side} pool",
            )
        seen.add(token)


def _late(kind: str) -> str:
    # TOW-4.2.1e, TOW-4.2.1f, TOW-4.2.2b: these come later.
    return {"airborne": "TOW-4.2.1e", "stavka": "TOW-4.2.1f", "okh": "TOW-4.2.2b"}[kind]


def _soviet(now: Situation, action: Action) -> Iterator[Violation]:
    tokens = action.texts("tokens")
    yield from _from_pool(now, SOVIET, tokens, "TOW-4.2.1d")
    kinds = [t.key for name in tokens if (t := now.tables.tokens.get(name)) is not None]
    if "stavka" in kinds:
        appears, why = stavka_appears(now)
        if not appears:
            yield Violation("TOW-4.2.1f", why)
    if len(tokens) != SOVIET_TOKENS:
        cure = ("tokens",) if len(tokens) < SOVIET_TOKENS else ()
        text = f"{len(tokens)} tokens, and {SOVIET_TOKENS} must be chosen"
        yield Violation("TOW-4.2.1a", text, field="tokens", cured_by=cure)
    missing = [front for front in fronts(now) if front not in kinds]
    # TOW-4.2.1c: STAVKA takes the place of one Front token, not of more.
    spared = 1 if "stavka" in kinds else 0
    if len(missing) > spared:
        # Fronts can still be chosen for those missing, or STAVKA for one of them.
        room = SOVIET_TOKENS - len(tokens)
        cure = ("tokens",) if len(missing) - spared <= room else ()
        text = f"no token of {', '.join(missing)}"
        rule = "TOW-4.2.1c" if spared else "TOW-4.2.1b"
        yield Violation(rule, text, field="tokens", cured_by=cure)
    if action.texts("hand"):
        yield Violation("TOW-4.2c", "all Soviet tokens go into the cup", field="hand")


def _axis(now: Situation, action: Action) -> Iterator[Violation]:
    tokens = action.texts("tokens")
    cell = now.tables.axis_tokens(now.position.turn)
    if now.barred_by_book(cell):
        yield Violation("TOW-4.2.2a", f"{NOT_IN_BOOK}: Axis tokens a turn")
        return
    wanted = min(int(cell.number), len(now.position.pile(pool(AXIS)).cards))
    yield from _from_pool(now, AXIS, tokens, "TOW-4.2.2a")
    if len(tokens) > wanted:
        text = f"{len(tokens)} tokens, and {wanted} must be chosen"
        yield Violation("TOW-4.2.2a", text, field="tokens")
        return
    hand = action.texts("hand")  # TOW-4.2b: any number of those chosen
    chosen = (*tokens, *hand)
    yield from (v for v in _from_pool(now, AXIS, chosen, "TOW-4.2.2a") if hand)
    if len(chosen) != wanted:
        cure = ("tokens", "hand") if len(chosen) < wanted else ()
        text = f"{len(chosen)} tokens, and {wanted} must be chosen"
        yield Violation("TOW-4.2.2a", text, field="tokens", cured_by=cure)


def candidates(now: Situation, action: Action, slot: str) -> Iterable[Value] | None:
    """The tokens of the side's pool that are not chosen yet; the Soviets keep none in hand."""
    if slot == "hand" and action.side == SOVIET:
        return (None,)
    taken = {*action.so_far("tokens"), *action.so_far("hand")}
    return [t for t in now.position.pile(pool(action.side)).cards if t not in taken]


def choose(play: Play, action: Action) -> None:
    """Note the choice; when both have chosen, fill the cup."""
    chosen: Record = FrozenMap({"tokens": action.texts("tokens"), "hand": action.texts("hand")})
    play.do(
        SetKnowledge(action.side, FrozenMap({"chosen": chosen})),
        ChangeFrame("selection", answered=(action.side,)),
    )
    step = Step("the tokens are chosen", "TOW-4.2a", known_to=frozenset({action.side}))
    known = frozenset({action.side})
    play.decide(Resolution("selection", "chosen", steps=(step,), known_to=known))
    frame = play.position.frame("selection")
    if frame is not None and not frame.open:
        _fill(play)


def _fill(play: Play) -> None:
    """TOW-4.2a, TOW-4.2d: all into one cup, the Supply token every turn; the rest stays."""
    play.answered("selection")
    for side in SIDES:
        chosen: Record = _chosen(play, side)
        for slot, target in (("tokens", CUP), ("hand", HAND)):
            cards = chosen.get(slot)
            if isinstance(cards, tuple) and cards:
                play.do(MoveCards(pool(side), target, tuple(str(c) for c in cards)))
        play.do(SetKnowledge(side, FrozenMap({"chosen": None})))
    supply = tuple(t for t in play.position.pile(PLAYED).cards if t == "supply")
    play.do(MoveCards(PLAYED, CUP, supply))
    play.do(Proceed(phase="action", state="draw", active=(AXIS,)))
    text = f"{len(play.position.pile(CUP).cards)} tokens are in the cup"
    steps = (
        Step("the tokens chosen and Supply are in the cup", "TOW-4.2d"),
        # The Soviet player would know from the number how many were kept back.
        Step(text, "TOW-4.2b", known_to=frozenset({AXIS})),
    )
    play.decide(Resolution("cup", "filled", steps=steps))


def _chosen(play: Play, side: str) -> Record:
    found = play.position.knowledge[side].get("chosen")
    assert isinstance(found, FrozenMap)
    return found
