"""Sentences for people taken apart, so that a client can say them in another language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["templated"]

# A name in quotes, or a number, also one that is a fraction or has a sign.
_VARIABLE = r"(?<!\w)'[^']*'(?!\w)|(?<![\w.])[+-]?\d+(?:[./]\d+)*(?!\w)"
_BRACES = str.maketrans({"{": "{{", "}": "}}"})


def templated(text: str, names: Iterable[str] = ()) -> tuple[str, list[str]]:
    """A sentence with {0}, {1}, ... for what differs from case to case, and what stands there.

    `template.format(*arguments)` is the sentence again.
    """
    known = sorted({name for name in names if name}, key=len, reverse=True)
    parts = [rf"(?<!\w){re.escape(name)}(?!\w)" for name in known]
    found = re.compile("|".join([*parts, _VARIABLE]))
    arguments: list[str] = []
    template, at = "", 0
    for match in found.finditer(text):
        template += text[at : match.start()].translate(_BRACES) + f"{{{len(arguments)}}}"
        arguments.append(match[0])
        at = match.end()
    return template + text[at:].translate(_BRACES), arguments
