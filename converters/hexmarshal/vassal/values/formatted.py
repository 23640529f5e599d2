"""Formatted strings: literal text with `$property$` in it, or a BeanShell expression in braces."""

from __future__ import annotations

from dataclasses import dataclass

from hexmarshal.vassal import sequence
from hexmarshal.vassal.values import beanshell
from hexmarshal.vassal.values.exact import ExactText

__all__ = ["FormattedText", "Part"]


@dataclass(frozen=True, slots=True)
class Part:
    """Literal text, or the name of a property whose value stands here."""

    text: str
    is_property: bool = False


@dataclass(frozen=True, slots=True)
class FormattedText(ExactText):
    r"""A text that VASSAL fills in when it shows it.

    >>> [(p.text, p.is_property) for p in FormattedText("$pieceName$ moves").parts]
    [('pieceName', True), (' moves', False)]
    """

    @property
    def is_expression(self) -> bool:
        """Whether the whole is a BeanShell expression."""
        return beanshell.is_braced(self.text)

    @property
    def parts(self) -> tuple[Part, ...]:
        """Literals and properties in order; a `$` without a partner is taken as literal."""
        if self.is_expression:
            return ()
        tokens = sequence.decode(self.text, "$")
        last = len(tokens) - 1
        return tuple(
            Part(token, is_property=i % 2 == 1 and i < last)
            for i, token in enumerate(tokens)
            if token
        )

    @property
    def properties(self) -> tuple[str, ...]:
        """The names of the properties it asks for, in order."""
        if self.is_expression:
            return beanshell.references(self.text)
        return tuple(part.text for part in self.parts if part.is_property)

    def fill(self, values: dict[str, str]) -> str:
        """The text with these values put in; what is not among them shows its own name."""
        return "".join(
            values.get(part.text, part.text) if part.is_property else part.text
            for part in self.parts
        )

    def problem(self) -> str | None:
        """A `$` left over, or an expression that does not parse; None if neither."""
        if self.is_expression:
            return beanshell.problem(self.text)
        if self.text and len(sequence.decode(self.text, "$")) % 2 == 0:
            return "a $ has no partner, so that what follows it is plain text"
        return None
