"""Cards that went from pile to pile, as what an action asks for."""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError
from hexmarshal.rules.action import ParamType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.referee.case.case import Case
    from hexmarshal.rules.action import Action, ActionType
    from hexmarshal.rules.state.position import Position

__all__ = ["CARDS", "LaidCards", "named_cards"]

CARDS: Final = frozenset({ParamType.CARD, ParamType.CARDS})
"""What an action asks for that is chosen by laying cards."""


def named_cards(action: Action) -> Iterator[str]:
    """All that an action names: cards, if they are what it asks for."""
    for value in action.params.values():
        yield from (str(one) for one in (value if isinstance(value, tuple) else (value,)))


class LaidCards:
    """Makes actions of the cards that lie elsewhere than the rules have them."""

    def __init__(self, case: Case) -> None:
        self._case = case

    def chosen(self, position: Position, kind: ActionType, side: str) -> Iterator[Action]:
        """What a side may have chosen by laying them, in every order that is asked for."""
        groups = tuple(self._went(position, side))
        params = [param for param in kind.params if param.type in CARDS]
        lists = [p.name for p in params if p.required and p.type is ParamType.CARDS]
        for count in range(len(params), 0, -1):
            for chosen, some in product(permutations(params, count), permutations(groups, count)):
                values: dict[str, object] = dict.fromkeys(lists, ())
                for param, cards in zip(chosen, some, strict=True):
                    values[param.name] = cards if param.type is ParamType.CARDS else cards[0]
                try:
                    yield self._case.rules.game.actions.make(kind.name, side, **values)
                except HexMarshalError:
                    continue

    def _went(self, position: Position, side: str) -> Iterator[tuple[str, ...]]:
        """The cards of one pile by the rules that lie in one other on the table.

        What goes out of the pile of another side, or back into it, is theirs.
        """
        lies = {card: pile for pile, cards in self._case.sights.piles().items() for card in cards}
        for card in self.left_lying(position):
            lies.pop(card, None)
        moved: dict[tuple[str, str], list[str]] = {}
        own = {pile.name for pile in position.piles.values() if pile.side in ("", side)}
        for pile in position.piles.values():
            for card in pile.cards if pile.name in own else ():
                if lies.get(card, pile.name) != pile.name and lies[card] in own:
                    moved.setdefault((pile.name, lies[card]), []).append(card)
        yield from map(tuple, moved.values())

    def left_lying(self, position: Position) -> frozenset[str]:
        """Cards that nobody has touched since the turn began: they are still to be cleared away."""
        entries, went = self._case.mind.entries, self._case.sights.went
        began = next((e.last for e in reversed(entries) if e.turn < position.turn), 0)
        return frozenset(card for card, step in went.items() if step <= began)
