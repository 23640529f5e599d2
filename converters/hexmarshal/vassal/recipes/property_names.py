"""A property under another name: in formatted texts, in expressions, in key command targets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.vassal import sequence
from hexmarshal.vassal.values import Expression, FormattedText, GlobalCommandTarget, beanshell
from hexmarshal.vassal.values.name_literals import in_literals

if TYPE_CHECKING:
    from collections.abc import Callable

    Rename = Callable[[str], str]

__all__ = ["in_expression", "in_format", "in_target"]

_TARGET_PROPERTY: Final = 11


def in_format(text: str, rename: Rename) -> str:
    """`$old$` in a formatted text, or the property in an expression."""
    if beanshell.is_braced(text):
        return _in_beanshell(text, rename)
    if "$" not in text or not any(rename(n) != n for n in FormattedText(text).properties):
        return text
    parts = sequence.split(text, "$")
    last = len(parts) - 1
    return "$".join(
        rename(part) if i % 2 == 1 and i < last else part for i, part in enumerate(parts)
    )


def in_expression(text: str, rename: Rename) -> str:
    """The properties of a condition, in either of its two languages."""
    found = Expression(text)
    if not any(rename(name) != name for name in found.properties):
        return text
    if found.is_beanshell:
        return _in_beanshell(text, rename)
    alternatives = []
    for alternative in text.split("||"):
        terms = []
        for term in alternative.split("&&"):
            name = next(iter(Expression(term).alternatives), ())
            own = name[0].name if name else ""
            fresh = rename(own) if own else own
            renamed = term.replace(own, fresh, 1) if fresh != own else term
            terms.append(in_format(renamed, rename))
        alternatives.append("&&".join(terms))
    return "||".join(alternatives)


def in_target(target: GlobalCommandTarget, rename: Rename) -> GlobalCommandTarget:
    """The property by which a key command narrows its search."""
    return in_target_field(target, _TARGET_PROPERTY, rename)


def in_target_field(target: GlobalCommandTarget, index: int, rename: Rename) -> GlobalCommandTarget:
    """One field of a target under another name."""
    fields = sequence.decode(target.text, "|")
    if index >= len(fields) or not fields[index] or rename(fields[index]) == fields[index]:
        return target
    fields[index] = rename(fields[index])
    return GlobalCommandTarget(sequence.join(fields, "|"))


def _in_beanshell(text: str, rename: Rename) -> str:
    words = [*beanshell.tokens(text)]
    out = []
    done = 0
    for i, word in enumerate(words):
        fresh = word.text
        before = words[i - 1].text if i else ""
        after = words[i + 1].text if i + 1 < len(words) else ""
        if word.kind == "property":
            fresh = f"${rename(word.text[1:-1])}$"
        elif word.kind == "name" and before != "." and after not in {"(", "."}:
            fresh = rename(word.text)
        if fresh != word.text:
            out.append(text[done : word.at] + fresh)
            done = word.at + len(word.text)
    return in_literals("".join(out) + text[done:], "properties", rename)
