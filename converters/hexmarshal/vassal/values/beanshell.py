"""A light-weight reading of BeanShell expressions: tokens, brackets, quotes, terms side by side."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Token", "is_braced", "problem", "references", "tokens"]

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*(?:.*?\*/|.*))
      | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<property>\$[^$\s"'{}()]*\$)
      | (?P<number>0[xX][0-9a-fA-F]+[lL]?|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[dDfFlL]?)
      | (?P<name>[^\W\d][\w$]*)
      | (?P<open>[(\[{])
      | (?P<close>[)\]}])
      | (?P<operator>@[a-z_]+
            |>>>=|<<=|>>=|>>>|\+\+|--|&&|\|\||[=!<>+\-*/%&|^]=|<<|>>|[-+*/%&|^~!=<>?:.,;])
    """,
    re.VERBOSE | re.DOTALL,
)
_PAIRS: Final = {"(": ")", "[": "]", "{": "}"}
_KEYWORDS: Final = frozenset({
    "boolean", "break", "byte", "case", "catch", "char", "class", "continue", "default", "do",
    "double", "else", "false", "final", "finally", "float", "for", "if", "import", "instanceof",
    "int", "long", "new", "null", "private", "protected", "public", "return", "short", "static",
    "super", "switch", "this", "throw", "true", "try", "void", "while",
})  # fmt: skip
# Words that may stand beside a term without an operator between them.
_JOINING: Final = _KEYWORDS - {"true", "false", "null", "this"}
_PREFIXES: Final = frozenset({"-", "+", "!", "~", "++", "--"})
_POSTFIXES: Final = frozenset({"++", "--", ";"})
_TERMS: Final = frozenset({"string", "property", "number", "name"})
_PROPERTY_CALLS: Final = frozenset(
    {"GetProperty", "GetMapProperty", "GetZoneProperty", "SumStack", "SumLocation", "SumZone"}
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word of an expression: its kind, its text, where it begins."""

    kind: str
    text: str
    at: int


def is_braced(text: str) -> bool:
    """Whether VASSAL takes this text for a BeanShell expression."""
    stripped = text.strip()
    return len(stripped) > 1 and stripped[0] == "{" and stripped[-1] == "}"


def _inside(text: str) -> str:
    return text.strip()[1:-1] if is_braced(text) else text


def tokens(text: str) -> Iterator[Token]:
    """All words, spaces left out; a character that begins no word has the kind `bad`."""
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            yield Token("bad", text[at], at)
            at += 1
            continue
        at = found.end()
        if found.lastgroup != "space":
            yield Token(str(found.lastgroup), found[0], found.start())


def problem(text: str) -> str | None:
    """Why BeanShell would refuse the expression, in words, or None if nothing is seen."""
    awaited: list[str] = []
    before: Token | None = None
    for token in tokens(_inside(text)):
        if token.kind == "bad":
            if token.text in "\"'":
                return f"a text that begins with {token.text} at {token.at} has no end"
            return f"{token.text!r} at {token.at} has no meaning in an expression"
        if token.kind == "open":
            awaited.append(_PAIRS[token.text])
        elif token.kind == "close" and (not awaited or awaited.pop() != token.text):
            return f"{token.text} at {token.at} closes nothing"
        wrong = _side_by_side(before, token)
        if wrong:
            return wrong
        before = token
    if awaited:
        return f"{awaited[-1]} is missing at the end"
    if before and before.kind == "operator" and before.text not in _POSTFIXES:
        return f"nothing follows the last {before.text}"
    return None


def _side_by_side(before: Token | None, token: Token) -> str | None:
    if token.kind == "operator":
        leads = before is None or before.text in _PAIRS
        if leads and token.text not in _PREFIXES | {";", ".", ","}:
            return f"nothing stands before {token.text} at {token.at}"
        return None
    if before is None or token.kind not in _TERMS or before.kind not in _TERMS:
        left_open = before and before.kind == "operator" and before.text not in _POSTFIXES
        if before and token.kind == "close" and left_open:
            return f"nothing follows {before.text} at {before.at}"
        return None
    if before.text in _JOINING or token.text in _JOINING:
        return None
    if "property" in {before.kind, token.kind}:
        return None  # what the property holds may well be the operator
    return f"{before.text} and {token.text} at {token.at} stand side by side without an operator"


def references(text: str) -> tuple[str, ...]:
    """Names that the expression reads as properties, in order, each once."""
    found: dict[str, None] = {}
    words = list(tokens(_inside(text)))
    for i, word in enumerate(words):
        after = words[i + 1].text if i + 1 < len(words) else ""
        before = words[i - 1].text if i else ""
        if word.kind == "property" and len(word.text) > 2:
            found[word.text[1:-1]] = None
        elif word.kind == "name" and word.text not in _KEYWORDS and before != ".":
            if after not in {"(", "."}:
                found[word.text] = None
            elif word.text in _PROPERTY_CALLS and i + 2 < len(words):
                argument = words[i + 2]
                if argument.kind == "string":
                    found[argument.text[1:-1]] = None
    return tuple(found)
