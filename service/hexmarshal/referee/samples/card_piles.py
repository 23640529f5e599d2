"""Cards and chits on their way between decks, hands and the map while a log is written."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hexmarshal.vassal.state.placed import PlacedPiece

if TYPE_CHECKING:
    from hexmarshal.rules.state.pieces import Marker
    from hexmarshal.rules.state.position import Position
    from hexmarshal.table.binding import PileRule
    from hexmarshal.table.placing import MapPoint, Placer
    from hexmarshal.vassal.saves.logwriter import StepWriter
    from hexmarshal.vassal.state.placed import PlacedDeck

__all__ = ["CardPiles"]


class CardPiles:
    """What one action takes out of piles, for other piles and for markers to use.

    A piece that leaves one pile for another is the same piece: nothing is taken from the game that
    a player would move.
    """

    def __init__(self, placer: Placer, step: StepWriter, before: Position, after: Position) -> None:
        self._placer, self._step, self._after = placer, step, after
        self._free: dict[str, list[str]] = {}
        self._changed = [
            rule
            for rule in placer.binding.piles
            if before.pile(rule.pile).cards != after.pile(rule.pile).cards
        ]
        for rule in self._changed:
            gone = Counter(before.pile(rule.pile).cards)
            gone.subtract(after.pile(rule.pile).cards)
            for name, piece in self._held(rule):
                if gone[name] > 0:
                    gone[name] -= 1
                    self._free.setdefault(name, []).append(piece)

    def _decks(self, rule: PileRule) -> list[PlacedDeck]:
        return [deck for deck in self._step.state.decks.values() if deck.name == rule.deck]

    def _held(self, rule: PileRule) -> list[tuple[str, str]]:
        """The cards of a pile with their pieces, the top first."""
        table, state = self._placer.table, self._step.state
        if rule.map:
            return [(card, piece.id) for card, piece in table.hand(state, rule)]
        return [
            pair
            for deck in self._decks(rule)
            for pair in zip(table.cards(state, deck, rule.card), deck.members[::-1], strict=True)
        ]

    def take(self, name: str) -> str | None:
        """A piece that some pile has given away."""
        left = self._free.get(name)
        return left.pop(0) if left else None

    def give(self, marker: Marker, piece: str) -> None:
        """A marker has left its unit: back into its pile, or out of the game."""
        if marker.unit:
            self._free.setdefault(marker.kind, []).append(piece)
        else:
            self._step.remove(piece)

    def lay_out(self) -> None:
        """Fill the piles that have changed; what no pile takes leaves the game."""
        for rule in self._changed:
            if rule.map:
                self._fill_hand(rule)
            else:
                for deck in self._decks(rule):
                    self._fill_deck(rule, deck)
        for pieces in self._free.values():
            for piece in pieces:
                self._step.remove(piece)
        self._free.clear()

    def _fill_hand(self, rule: PileRule) -> None:
        pile = self._after.pile(rule.pile)
        points = self._placer.hand_points(rule)
        held = self._kept(rule)
        for n, card in enumerate(pile.cards if points else ()):
            where = points[min(n, len(points) - 1)]
            piece = held[card].pop(0) if held.get(card) else self.take(card)
            self._lay(rule, card, piece, where, pile.side)

    def _kept(self, rule: PileRule) -> dict[str, list[str]]:
        """The pieces that stay in a pile, by card."""
        free = {piece for pieces in self._free.values() for piece in pieces}
        found: dict[str, list[str]] = {}
        for card, piece in self._held(rule):
            if piece not in free:
                found.setdefault(card, []).append(piece)
        return found

    def _lay(
        self, rule: PileRule, card: str, piece: str | None, where: MapPoint, side: str
    ) -> str | None:
        """Bring a card to its place, turned as it lies there."""
        step, counters = self._step, self._placer.counters
        if piece is None:
            made = counters.card(rule, card, side, step.state, where)
            if made is None:
                return None
            step.add(made.id, made.type, made.state)
            return made.id
        item = step.state.find(piece)
        assert isinstance(item, PlacedPiece)
        turned = counters.turned(item.piece, step.state, side if rule.map else "")
        if turned.state_text != item.state:
            step.change(piece, turned.state_text)
        on, point = where
        if (item.map, (item.x, item.y)) != where:
            step.move(piece, on, *point)
        return piece

    def _fill_deck(self, rule: PileRule, deck: PlacedDeck) -> None:
        held = self._kept(rule)
        where = (deck.map or "", (deck.x, deck.y))
        order = []
        for card in self._after.pile(rule.pile).cards:
            piece = held[card].pop(0) if held.get(card) else None
            if piece is None:
                piece = self._lay(rule, card, self.take(card), where, "")
            if piece is not None:
                order.append(piece)
        wanted = replace(deck, members=tuple(reversed(order)))
        now = self._step.state.find(deck.id)
        if now is not None and now.state != wanted.state:
            self._step.change(deck.id, wanted.state)
