"""Property expressions: BeanShell in braces, or the older match language `name = value && ...`."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from typing import Final

from hexmarshal.vassal.values import beanshell
from hexmarshal.vassal.values.exact import ExactText
from hexmarshal.vassal.values.formatted import FormattedText

__all__ = ["Comparison", "Expression"]

# Longest first, so that `<=` is not read as `<`.
_OPERATOR: Final = re.compile(r"!=|<=|>=|=~|!~|=|<|>")
_SHARED_MISTAKES: Final = (
    "missing )",
    "unbalanced parenthesis",
    "unterminated character set",
    "nothing to repeat",
)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One condition of the match language; an empty operator means that none was found."""

    name: str
    operator: str
    value: str

    def problem(self) -> str | None:
        """Why VASSAL cannot decide it, or None."""
        if not self.operator:
            return f"{self.name!r} compares nothing"
        if not self.name:
            return f"no property stands before {self.operator}"
        if self.operator in {"=~", "!~"} and "$" not in self.value:
            return _pattern_problem(self.value)
        return None


def _pattern_problem(pattern: str) -> str | None:
    """Only mistakes that Java's patterns and Python's have in common."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except re.error as error:
        if error.msg.startswith(_SHARED_MISTAKES):
            return f"{pattern!r} is not a pattern: {error.msg}"
    except (OverflowError, RecursionError):
        return "the pattern is too large"
    return None


@dataclass(frozen=True, slots=True)
class Expression(ExactText):
    """A condition on a piece's properties; the empty text is always true.

    >>> Expression("Type = Infantry && Strength > 2").alternatives[0][1]
    Comparison(name='Strength', operator='>', value='2')
    """

    @property
    def is_beanshell(self) -> bool:
        """Whether this is BeanShell and not the match language."""
        return beanshell.is_braced(self.text)

    @property
    def alternatives(self) -> tuple[tuple[Comparison, ...], ...]:
        """The match language: one of these must hold, with all of its conditions."""
        if not self.text.strip() or self.is_beanshell:
            return ()
        return tuple(
            tuple(_comparison(term) for term in alternative.split("&&"))
            for alternative in self.text.split("||")
        )

    @property
    def properties(self) -> tuple[str, ...]:
        """The names of the properties it asks for, in order, each once."""
        if self.is_beanshell:
            return beanshell.references(self.text)
        found: dict[str, None] = {}
        for alternative in self.alternatives:
            for term in alternative:
                found[term.name] = None
                found.update(dict.fromkeys(FormattedText(term.value).properties))
        return tuple(found)

    def problem(self) -> str | None:
        """Why VASSAL cannot decide it, in words, or None if nothing is seen."""
        if self.is_beanshell:
            return beanshell.problem(self.text)
        for alternative in self.alternatives:
            for term in alternative:
                found = term.problem()
                if found:
                    return found
        return None


def _comparison(term: str) -> Comparison:
    found = _OPERATOR.search(term)
    if found is None:
        return Comparison(term.strip(), "", "")
    return Comparison(term[: found.start()].strip(), found[0], term[found.end() :].strip())
