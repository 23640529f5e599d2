"""What differs between two pieces: traits added, removed and moved, and each field that changed."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from hexmarshal.vassal.diff.changes import Detail
from hexmarshal.vassal.pieces.embedded import marker_piece
from hexmarshal.vassal.traits import BasicPiece, PieceState, PlaceMarker, RawTrait
from hexmarshal.vassal.values import (
    ExactText,
    GlobalCommandTarget,
    KeyStroke,
    KeyStrokes,
    MaskStyle,
    PropertyCommand,
    PropertyCommands,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.traits import Record, State, Trait

__all__ = ["pair_traits", "piece_details", "shown", "state_details", "trait_title"]

# Written anew with each save, such as the numbers of named keys: only what they say counts.
_LOOSE = frozenset({"K", "KA", "PCL", "TGT", "STYLE"})
_OWNERS = frozenset({"OWNER", "OWNERS"})
# Where a piece stands is told apart from what it is.
_PLACE = frozenset({"map", "x", "y", "gpid"})
_DEEPEST = 4
_HOW = {"P": "set to", "I": "change by", "R": "ask", "E": "choose"}


def shown(value: Any) -> str:  # noqa: ANN401 - fields hold values of every kind
    """A field's value as people read it."""
    match value:
        case KeyStroke() | KeyStrokes():
            return value.human()
        case PropertyCommands():
            return "; ".join(map(_command, value.commands))
        case GlobalCommandTarget():
            return value.text.rstrip("|")
        case MaskStyle() if value.peek_key.text:
            return f"{value.kind} {value.peek_key.human()}"
        case ExactText():
            return value.text
        case bool():
            return "yes" if value else "no"
        case tuple():
            return ", ".join(map(shown, value))
        case None:
            return "nothing"
    return str(value)


def _command(command: PropertyCommand) -> str:
    change = command.change
    how = _HOW.get(change.kind, change.kind)
    words = (command.menu, command.key.human(), how, change.value, ", ".join(change.choices))
    return " ".join(word for word in words if word)


def trait_title(trait: Trait) -> str:
    """What to call a trait: its kind, and the name or command that tells it from others."""
    if isinstance(trait, RawTrait):
        return f"trait {trait.own_prefix}"
    for name in ("name", "command", "activate_command", "names", "property_name", "description"):
        found = getattr(trait, name, "")
        text = ", ".join(found) if isinstance(found, tuple) else str(found)
        if text and not isinstance(trait, BasicPiece):
            return f"{trait.title} {text!r}"
    return trait.title


def piece_details(
    old: Piece, new: Piece, owner: Callable[[str], str] | None = None, depth: int = 0
) -> Iterator[Detail]:
    """Every trait and field that differs; `owner` names those who hide, mask or own a piece."""
    if old.problem is not None or new.problem is not None:
        if (old.type.text, old.state_text) != (new.type.text, new.state_text):
            yield Detail("definition", old.problem or "", new.problem or "")
        return
    before, after = _keys(old), _keys(new)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for operation, a, b, c, d in matcher.get_opcodes():
        if operation == "equal":
            for i, j in zip(range(a, b), range(c, d), strict=True):
                yield from _state_details(old, i, new, j, owner)
        else:
            yield from _replaced(old, range(a, b), new, range(c, d), owner, depth)


def state_details(
    old: Piece, new: Piece, owner: Callable[[str], str] | None = None
) -> Iterator[Detail]:
    """What differs between two states of one piece, but for its place and the innermost trait."""
    if old.problem is None and new.problem is None and old.type.text == new.type.text:
        for index in range(len(old.traits) - 1):
            yield from _state_details(old, index, new, index, owner)


def _keys(piece: Piece) -> list[str]:
    return [trait.encode() for trait in piece.traits]


def _replaced(
    old: Piece,
    before: range,
    new: Piece,
    after: range,
    owner: Callable[[str], str] | None,
    depth: int,
) -> Iterator[Detail]:
    """A run of traits that differ, in words."""
    pairs, left, right = _paired(old, before, new, after)
    for i in left:
        yield Detail(trait_title(old.traits[i]), "", None)
    for j in right:
        yield Detail(trait_title(new.traits[j]), None, "")
    for i, j in sorted(pairs):
        yield from _trait_details(old.traits[i], new.traits[j], owner, depth)
        yield from _state_details(old, i, new, j, owner)


def _paired(
    old: Piece, before: range, new: Piece, after: range
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Within a run that differs: those of one kind and name, then those of one kind."""
    left, right = list(before), list(after)
    pairs: list[tuple[int, int]] = []
    for alike in (_same_title, _same_kind):
        for i in list(left):
            j = next((j for j in right if alike(old.traits[i], new.traits[j])), None)
            if j is not None:
                pairs.append((i, j))
                left.remove(i)
                right.remove(j)
    return pairs, left, right


def pair_traits(old: Piece, new: Piece) -> list[tuple[int, int]]:
    """Which trait of the new piece is which of the old one, moved ones included."""
    before, after = _keys(old), _keys(new)
    pairs: list[tuple[int, int]] = []
    gone: dict[str, list[int]] = {}
    come: list[int] = []
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for operation, a, b, c, d in matcher.get_opcodes():
        if operation == "equal":
            pairs += zip(range(a, b), range(c, d), strict=True)
            continue
        found, left, right = _paired(old, range(a, b), new, range(c, d))
        pairs += found
        come += right
        for i in left:
            gone.setdefault(before[i], []).append(i)
    pairs += [(gone[after[j]].pop(0), j) for j in come if gone.get(after[j])]
    return sorted(pairs)


def _same_title(one: Trait, other: Trait) -> bool:
    return type(one) is type(other) and trait_title(one) == trait_title(other)


def _same_kind(one: Trait, other: Trait) -> bool:
    return type(one) is type(other) and not isinstance(one, RawTrait)


def _trait_details(
    old: Trait, new: Trait, owner: Callable[[str], str] | None, depth: int
) -> Iterator[Detail]:
    title = trait_title(old)
    if isinstance(old, PlaceMarker) and isinstance(new, PlaceMarker) and depth < _DEEPEST:
        one, two = marker_piece(old), marker_piece(new)
        if one is not None and two is not None:
            for detail in piece_details(one, two, owner, depth + 1):
                yield Detail(f"{title}: {detail.what}", detail.old, detail.new)
            yield from _field_details(title, old, new, owner, frozenset({"marker"}))
            return
    yield from _field_details(title, old, new, owner)


def _field_details(
    title: str,
    old: Record,
    new: Record,
    owner: Callable[[str], str] | None,
    without: frozenset[str] = frozenset(),
) -> Iterator[Detail]:
    others = {spec.name: value for spec, value in new.items()}
    for spec, value in old.items():
        other = others.get(spec.name)
        if spec.name in without or value == other:
            continue
        what = f"{title}: {spec.name.replace('_', ' ')}"
        if spec.code in _OWNERS:
            known = owner if spec.code == "OWNER" else None
            yield Detail(what, _owned_by(value, known), _owned_by(other, known))
        elif shown(value) != shown(other) or spec.code not in _LOOSE:
            yield Detail(what, shown(value), shown(other))


def _owned_by(value: str | None, owner: Callable[[str], str] | None) -> str:
    # Who it is is a secret; that it is someone is not.
    if not value:
        return "nobody"
    return "someone" if owner is None else owner(value)


def _state_details(
    old: Piece, i: int, new: Piece, j: int, owner: Callable[[str], str] | None
) -> Iterator[Detail]:
    if old.state_texts[i] == new.state_texts[j]:
        return
    before: State = old.traits[i].decode_state(old.state_texts[i])
    after: State = new.traits[j].decode_state(new.state_texts[j])
    if type(before) is not type(after):
        return
    without = _PLACE if isinstance(before, PieceState) else frozenset()
    yield from _field_details(trait_title(new.traits[j]), before, after, owner, without)
