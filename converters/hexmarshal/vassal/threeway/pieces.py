"""Three versions of a piece made into one: trait by trait, and each trait field by field."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hexmarshal.vassal.diff.pieces import pair_traits, shown, trait_title
from hexmarshal.vassal.pieces.embedded import MAX_DEPTH, marker_piece, with_marker
from hexmarshal.vassal.threeway.sequences import merge_orders
from hexmarshal.vassal.traits import PlaceMarker, RawTrait, Record, trait_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.threeway.account import Account
    from hexmarshal.vassal.traits import Trait

__all__ = ["merge_pieces"]

_OWNERS: Final = frozenset({"OWNER", "OWNERS"})
R = TypeVar("R", bound=Record)
Key = tuple[str, int]


def merge_pieces(
    base: Piece, ours: Piece, theirs: Piece, where: str, account: Account, depth: int = 0
) -> Piece:
    """The piece with the changes of both; what both changed is told, and goes as it is favoured."""
    if theirs in (base, ours):
        return ours
    if ours == base:
        return theirs
    if depth > MAX_DEPTH or any(piece.problem for piece in (base, ours, theirs)):
        account.clash(where, "a piece that cannot be read in parts", "", "", "")
        return theirs if account.favours_theirs else ours
    return _Merge(base, ours, theirs, where, account, depth).run()


class _Merge:
    """One piece in three versions; a trait of base is `("base", i)`, a new one by its own side."""

    def __init__(
        self, base: Piece, ours: Piece, theirs: Piece, where: str, account: Account, depth: int
    ) -> None:
        self.base, self.ours, self.theirs = base, ours, theirs
        self.where, self.account, self.depth = where, account, depth
        self.in_ours = dict(pair_traits(base, ours))
        self.in_theirs = dict(pair_traits(base, theirs))

    def run(self) -> Piece:
        """The merged piece."""
        last = len(self.base.traits) - 1
        if last not in self.in_ours or last not in self.in_theirs:
            self.account.clash(self.where, "what the piece is at heart", None, None, None)
            return self.theirs if self.account.favours_theirs else self.ours
        ours = self._keys("ours", self.ours, self.in_ours)
        theirs = self._keys("theirs", self.theirs, self.in_theirs)
        twice = self._added_by_both(ours, theirs)
        order, disagree = merge_orders(
            [("base", i) for i in range(len(self.base.traits))],
            ours,
            [twice.get(key, key) for key in theirs],
        )
        if disagree:
            self.account.clash(self.where, "the order of traits", None, None, None)
        # The basic piece stays innermost, whatever was put behind it.
        order = [*(key for key in order if key != ("base", last)), ("base", last)]
        kept = [found for key in order if (found := self._kept(key)) is not None]
        return self.ours.remade([trait for trait, _ in kept], [state for _, state in kept])

    @staticmethod
    def _keys(side: str, piece: Piece, pairs: Mapping[int, int]) -> list[Key]:
        of_base = {other: i for i, other in pairs.items()}
        return [
            ("base", of_base[j]) if j in of_base else (side, j) for j in range(len(piece.traits))
        ]

    def _added_by_both(self, ours: list[Key], theirs: list[Key]) -> dict[Key, Key]:
        """The same new trait on both sides is one trait."""
        fresh = {trait_text(self.ours.traits[j]): (side, j) for side, j in ours if side == "ours"}
        return {
            (side, k): fresh[text]
            for side, k in theirs
            if side == "theirs" and (text := trait_text(self.theirs.traits[k])) in fresh
        }

    def _kept(self, key: Key) -> tuple[Trait, str] | None:
        side, index = key
        if side == "ours":
            return self.ours.traits[index], self.ours.state_texts[index]
        if side == "theirs":
            self.account.take(f"{self.where}: {trait_title(self.theirs.traits[index])} added")
            return self.theirs.traits[index], self.theirs.state_texts[index]
        mine, other = self.in_ours.get(index), self.in_theirs.get(index)
        if mine is None and other is None:
            return None
        if mine is None or other is None:
            return self._removed(index, mine, other)
        trait = self._trait(
            self.base.traits[index], self.ours.traits[mine], self.theirs.traits[other]
        )
        return trait, self._state(index, mine, other)

    def _removed(self, index: int, mine: int | None, other: int | None) -> tuple[Trait, str] | None:
        """A trait that one side took away: gone, unless the other side changed it."""
        piece, at = (self.theirs, other) if mine is None else (self.ours, mine)
        assert at is not None
        before = self.base.traits[index], self.base.state_texts[index]
        left = piece.traits[at], piece.state_texts[at]
        title = trait_title(before[0])
        if left == before:
            if mine is not None:
                self.account.take(f"{self.where}: {title} removed")
            return None
        words = [None if at is None else "changed" for at in (mine, other)]
        self.account.clash(self.where, title, "", *words)
        return left if (other is not None) == self.account.favours_theirs else None

    def _trait(self, base: Trait, ours: Trait, theirs: Trait) -> Trait:
        if theirs in (base, ours):
            return ours
        if ours == base:
            self.account.take(f"{self.where}: {trait_title(theirs)}")
            return theirs
        title = trait_title(base)
        if not type(base) is type(ours) is type(theirs) or isinstance(base, RawTrait):
            texts = (trait_text(base), trait_text(ours), trait_text(theirs))
            self.account.clash(self.where, title, *texts)
            return theirs if self.account.favours_theirs else ours
        if isinstance(base, PlaceMarker):
            assert isinstance(ours, PlaceMarker)
            assert isinstance(theirs, PlaceMarker)
            ours, theirs = self._markers(base, ours, theirs)
        return self._fields(base, ours, theirs, title)

    def _markers(
        self, base: PlaceMarker, ours: PlaceMarker, theirs: PlaceMarker
    ) -> tuple[PlaceMarker, PlaceMarker]:
        """Pieces inside a piece are merged as pieces; both sides then have the result."""
        inner = [marker_piece(trait) for trait in (base, ours, theirs)]
        if any(piece is None for piece in inner):
            return ours, theirs
        before, mine, other = (piece for piece in inner if piece is not None)
        where = f"{self.where}: {trait_title(base)}"
        merged = merge_pieces(before, mine, other, where, self.account, self.depth + 1)
        return with_marker(ours, merged), with_marker(theirs, merged)

    def _fields(self, base: R, ours: R, theirs: R, title: str) -> R:
        changes: dict[str, Any] = {}
        for spec, was in base.items():
            values = was, getattr(ours, spec.name), getattr(theirs, spec.name)
            what = f"{title}: {spec.name.replace('_', ' ')}"
            say = _someone if spec.code in _OWNERS else shown
            chosen = self.account.choose(values, self.where, what, say)
            if chosen != values[1]:
                changes[spec.name] = chosen
                self.account.take(f"{self.where}: {what}")
        return replace(ours, **changes) if changes else ours

    def _state(self, index: int, mine: int, other: int) -> str:
        base = self.base.state_texts[index]
        ours, theirs = self.ours.state_texts[mine], self.theirs.state_texts[other]
        if theirs in (base, ours):
            return ours
        title = trait_title(self.ours.traits[mine])
        if ours == base:
            self.account.take(f"{self.where}: state of {title}")
            return theirs
        states = (
            self.base.traits[index].decode_state(base),
            self.ours.traits[mine].decode_state(ours),
            self.theirs.traits[other].decode_state(theirs),
        )
        if not type(states[0]) is type(states[1]) is type(states[2]):
            self.account.clash(self.where, f"state of {title}", None, None, None)
            return theirs if self.account.favours_theirs else ours
        return self._fields(*states, title).encode()


def _someone(value: object) -> str:
    """Who it is is a secret."""
    return "someone" if value else "nobody"
