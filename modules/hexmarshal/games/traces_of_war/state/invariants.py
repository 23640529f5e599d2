"""What holds in every position that play can reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.games.traces_of_war.state.kinds import SIDES
from hexmarshal.games.traces_of_war.state.overlay import fact_problems
from hexmarshal.games.traces_of_war.state.piles import AIR, BOX, DRAWN, pool
from hexmarshal.rules.state.pieces import UNKNOWN
from hexmarshal.rules.values import EMPTY, FrozenMap
from hexmarshal.rules.verdict import Violation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.traces_of_war.state.board import Board
    from hexmarshal.games.traces_of_war.state.situation import Situation

__all__ = ["problems"]

POSITION = "HM-position"
# No counter prints a number of more.
DIGITS = 3


def problems(now: Situation, printed: Board) -> Iterator[Violation]:
    """Facts of hexes, counters and tokens that cannot be; `printed` is the map as it came."""
    facts = fact_problems(printed, now.tables.terrain["hexes"], now.position.cells)
    for field, text in facts:
        yield Violation(POSITION, text, field=field)
    yield from _units(now)
    yield from _tokens(now)
    yield from _interrupted(now)
    yield from _chosen(now)


def _units(now: Situation) -> Iterator[Violation]:
    for unit in now.position.units.values():
        ladder = unit.values.get("ladder")
        at = f"units.{unit.id}"
        if not isinstance(ladder, tuple) or not all(_reads(step) for step in ladder):
            yield Violation(POSITION, "a ladder lists what a counter prints", field=f"{at}.values")
        elif unit.cell and not 1 <= unit.steps <= len(ladder):
            text = f"{unit.id} has {unit.steps} of {len(ladder)} steps"
            yield Violation("TOW-2.2b", text, units=(unit.id,), field=f"{at}.steps")
        if unit.cell and unit.cell not in now.board.hexes:
            text = f"{unit.cell} is off the map"
            yield Violation(POSITION, text, units=(unit.id,), field=f"{at}.cell")


def _reads(step: object) -> bool:
    parts = step.split("-") if isinstance(step, str) else ()
    return len(parts) in (2, 3) and all(
        part.isascii() and part.isdigit() and len(part) <= DIGITS for part in parts
    )


def _tokens(now: Situation) -> Iterator[Violation]:
    """Every token and every air marker is in one pile at most, and is one of the game's."""
    seen: set[str] = set()
    for pile in now.position.piles.values():
        air = pile.name in (BOX, AIR)
        known = now.tables.air_markers if air else now.tables.tokens
        for card in pile.cards:
            if card == UNKNOWN:
                continue
            if card not in known:
                text = f"the game has no {'marker' if air else 'token'} {card!r}"
                yield Violation(POSITION, text, field=f"piles.{pile.name}.cards")
            elif card in seen:
                yield Violation(
                    POSITION, f"{card} is in two piles", field=f"piles.{pile.name}.cards"
                )
            seen.add(card)


def _interrupted(now: Situation) -> Iterator[Violation]:
    """TOW-4.2.2d: an interrupt order answers a token that was drawn."""
    for i, frame in enumerate(now.position.frames):
        if frame.kind == "interrupt" and not now.position.pile(DRAWN).cards:
            text = "no token was drawn that could be interrupted"
            yield Violation("TOW-4.2.2d", text, field=f"frames[{i}].kind")


def _chosen(now: Situation) -> Iterator[Violation]:
    """TOW-4.2a: who has chosen tokens has written them down, each out of its own pool."""
    frame = now.position.frame("selection")
    if frame is None or now.position.viewer:
        return
    for side in (one for one in SIDES if one not in frame.open):
        at = f"knowledge.{side}.chosen"
        chosen = now.position.knowledge.get(side, EMPTY).get("chosen")
        if not isinstance(chosen, FrozenMap):
            yield Violation("TOW-4.2a", f"{side} has chosen, and it is not said what", field=at)
            continue
        mine = now.position.pile(pool(side)).cards
        for slot in ("tokens", "hand"):
            cards = chosen.get(slot, ())
            for card in cards if isinstance(cards, tuple) else ():
                if card not in mine:
                    text = f"{card} is not among the tokens of {side}"
                    yield Violation("TOW-4.2a", text, field=f"{at}.{slot}")
