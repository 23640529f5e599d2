"""How pieces of one old type become pieces of a new definition: worked out once, used often."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.pieces.chain import decode_chain, encode_chain
from hexmarshal.vassal.pieces.piece import Piece, PieceType
from hexmarshal.vassal.refresh.carry import Roster, carry, is_default
from hexmarshal.vassal.refresh.identity import describe, is_stateful, match_traits
from hexmarshal.vassal.traits import Marker, PieceState, trait_text

if TYPE_CHECKING:
    from hexmarshal.vassal.refresh.definitions import Definition
    from hexmarshal.vassal.traits import Trait

__all__ = ["Adapted", "Plan"]

_TAB = "\t"


@dataclass(frozen=True, slots=True)
class Adapted:
    """A state for the new definition, what was carried in another way, and what has no place."""

    state: str
    notes: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """From a type as it stands in a save to the type of a definition."""

    old: tuple[Trait, ...]
    new: tuple[Trait, ...]
    type: PieceType
    sources: tuple[int | None, ...]
    """For each new trait the place of the old one whose state it takes."""
    defaults: tuple[str, ...]
    untouched: tuple[str, ...]
    """The old definition's own states, where it is known: who still has them gets the new ones."""
    changes: tuple[str, ...]
    """How the traits differ, in words."""

    @classmethod
    def make(cls, old: PieceType, definition: Definition, before: Definition | None) -> Plan:
        """Work out which trait goes on from which."""
        piece = definition.piece
        sources = match_traits(old.traits, piece.traits)
        # The id of the definition is the slot's, whatever the text in the slot says.
        defaults = [*piece.state_texts]
        state = piece.states[-1]
        if isinstance(state, PieceState) and state.gpid != definition.gpid:
            whole = PieceState(gpid=definition.gpid)
            defaults[-1] = whole.encode()
        known = before is not None and before.piece.type.text == old.text
        untouched = before.piece.state_texts if known and before is not None else ()
        before_texts = [*map(trait_text, old.traits)]
        after_texts = [*map(trait_text, piece.traits)]
        return cls(
            old.traits,
            piece.traits,
            piece.type,
            tuple(sources),
            tuple(defaults),
            untouched,
            _differences(
                _only(old.traits, before_texts, after_texts),
                _only(piece.traits, after_texts, before_texts),
            ),
        )

    def apply(self, state: str, roster: Roster) -> Adapted:
        """A state for the new type; a VassalFormatError if the old one does not fit its type."""
        texts = decode_chain(state, _TAB, len(self.old))
        if len(texts) != len(self.old):
            raise VassalFormatError(
                f"the state has {len(texts)} parts and the piece {len(self.old)} traits"
            )
        fresh: list[str] = []
        notes: list[str] = []
        for at, (trait, source) in enumerate(zip(self.new, self.sources, strict=True)):
            default = self.defaults[at]
            if source is None or (at < len(self.new) - 1 and self._is_untouched(source, texts)):
                fresh.append(default)
                continue
            carried = carry(self.old[source], trait, texts[source], default, roster)
            fresh.append(carried.text)
            if carried.note:
                notes.append(f"{describe(trait)}: {carried.note}")
        lost = [
            describe(trait)
            for at, trait in enumerate(self.old)
            if at not in self.sources
            and is_stateful(trait)
            and not isinstance(trait, Marker)
            and not is_default(trait, texts[at])
            and not self._is_untouched(at, texts)
        ]
        return Adapted(encode_chain(fresh, _TAB), tuple(notes), tuple(lost))

    def _is_untouched(self, at: int, texts: list[str]) -> bool:
        return bool(self.untouched) and texts[at] == self.untouched[at]

    def piece(self, id: str, state: str) -> Piece:
        """The new piece with an adapted state."""
        return Piece(self.type, state, id)


def _only(traits: tuple[Trait, ...], texts: list[str], others: list[str]) -> Counter[str]:
    """The traits that only one side has, in words."""
    left = Counter(others)
    found: Counter[str] = Counter()
    for trait, text in zip(traits, texts, strict=True):
        if left[text]:
            left[text] -= 1
        else:
            found[describe(trait)] += 1
    return found


def _differences(old: Counter[str], new: Counter[str]) -> tuple[str, ...]:
    both = old & new
    parts = (("changed", both), ("new", new - both), ("gone", old - both))
    return tuple(
        f"{word}: {name}" + (f" ({count} times)" if count > 1 else "")
        for word, counted in parts
        for name, count in counted.items()
    )
