"""A piece on lines: one trait each, `type := state`, outermost first; and back to its two texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.pieces.chain import decode_chain, encode_chain, is_flat
from hexmarshal.vassal.textform import pictures

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LineError", "chain_lines", "read_chain", "read_traits", "trait_lines"]

_TAB: Final = "\t"
_IS: Final = " := "


class LineError(ValueError):
    """What is wrong with one line, counted from 0 within the lines that were handed over."""

    def __init__(self, index: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.index = index
        self.message = message
        self.hint = hint


def trait_lines(type: str, state: str) -> list[str] | None:
    """A piece's lines; None if its texts would not come back letter for letter."""
    if is_flat(type, _TAB) or is_flat(state, _TAB):
        return None
    try:
        types = decode_chain(type, _TAB)
        states = decode_chain(state, _TAB, len(types))
    except VassalFormatError:
        return None
    exact = len(types) == len(states) and encode_chain(types, _TAB) == type
    if not exact or encode_chain(states, _TAB) != state:
        return None
    return [_line(own, of) for own, of in zip(types, states, strict=True)]


def _line(type: str, state: str) -> str:
    shown = (pictures.show(type) or pictures.EMPTY).replace(" :=", "␠:=")
    return shown + _IS + pictures.show(state) if state else shown


def read_traits(lines: Sequence[str]) -> tuple[str, str]:
    """Type and state of the piece that these lines say; a LineError if they say none."""
    if not lines:
        raise LineError(0, "a piece without any trait")
    types: list[str] = []
    states: list[str] = []
    for index, line in enumerate(lines):
        own, _, state = line.partition(_IS)
        types.append(_read(index, own.removesuffix(_IS.rstrip())))
        states.append(_read(index, state))
    return _chained(types, "trait"), _chained(states, "state")


def chain_lines(text: str) -> list[str] | None:
    """The states of a piece, one a line; None if the text would not come back."""
    if is_flat(text, _TAB):
        return None
    try:
        texts = decode_chain(text, _TAB)
    except VassalFormatError:
        return None
    if encode_chain(texts, _TAB) != text:
        return None
    return [pictures.show(own) or pictures.EMPTY for own in texts]


def read_chain(lines: Sequence[str]) -> str:
    """The state that these lines say; the inverse of `chain_lines`."""
    return _chained([_read(i, line) for i, line in enumerate(lines)], "state")


def _read(index: int, shown: str) -> str:
    try:
        return pictures.read(shown)
    except ValueError as why:
        raise LineError(index, str(why)) from None


def _chained(texts: list[str], what: str) -> str:
    for index, text in enumerate(texts[:-1]):
        if text.endswith("\\") and text[0] != "\\":
            raise LineError(
                index,
                f"the {what} ends in a backslash, which would swallow what follows it",
                "put a space behind the backslash",
            )
    try:
        return encode_chain(texts, _TAB)
    except VassalFormatError as why:
        raise LineError(0, why.message, why.hint) from None
