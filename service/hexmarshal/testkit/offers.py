"""What holds for every list of legal actions: none twice, all legal, always the same order."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from hexmarshal.rules import engine
from hexmarshal.rules.notation import write_action

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hexmarshal.rules.plugin import GamePlugin
    from hexmarshal.rules.state.position import Position

__all__ = ["offer_counts", "offer_order", "offer_problems"]


def offer_lines(
    plugin: GamePlugin, position: Position, side: str, kinds: Collection[str] = ()
) -> Iterator[str]:
    """Every offer of a side as one line, in order."""
    table = plugin.game.actions
    for offer in engine.offers(plugin, position, side, kinds):
        yield write_action(table, offer.action)


def offer_problems(
    plugin: GamePlugin, position: Position, most: int = 2000, kinds: Collection[str] = ()
) -> list[str]:
    """What is wrong with the offers of the sides that may act, as sentences."""
    found: list[str] = []
    for side in position.active:
        seen: set[str] = set()
        for offer in islice(engine.offers(plugin, position, side, kinds), most):
            line = write_action(plugin.game.actions, offer.action)
            if line in seen:
                found.append(f"offered twice: {line}")
            seen.add(line)
            verdict = engine.check(plugin, position, offer.action)
            if not verdict.legal:
                found.append(f"offered, and refused by {', '.join(verdict.rules)}: {line}")
            elif verdict.cost != offer.verdict.cost:
                found.append(f"offered at another cost than it has: {line}")
        again = list(islice(offer_lines(plugin, position, side, kinds), most))
        if again[: len(seen)] != list(dict.fromkeys(again))[: len(seen)] or set(again) != seen:
            found.append(f"{side} is offered something else when asked again")
    return found


def offer_counts(
    plugin: GamePlugin, position: Position, kinds: Collection[str] = ()
) -> dict[str, dict[str, int]]:
    """How many actions of each kind each side may do."""
    return {
        side: dict(
            sorted(
                Counter(
                    offer.action.kind for offer in engine.offers(plugin, position, side, kinds)
                ).items()
            )
        )
        for side in position.active
    }


def offer_order(plugin: GamePlugin, position: Position, kinds: Collection[str] = ()) -> str:
    """A digest of all offers in their order: it changes when one comes, goes or moves."""
    digest = hashlib.sha256()
    for side in position.active:
        for line in offer_lines(plugin, position, side, kinds):
            digest.update(line.encode() + b"\n")
    return digest.hexdigest()[:16]
