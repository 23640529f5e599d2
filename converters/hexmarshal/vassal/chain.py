r"""A chain of traits as one text: pairs nested in pairs, `[own, rest]`, outermost first.

Each level escapes everything below it once more, so the tab behind trait k carries k backslashes.
Peeling level by level copies the rest once per trait; here every character is looked at once.

>>> encode_chain(["a", "b", "c", "d"], "|")
'a|b\\|c\\\\|d'
>>> decode_chain(r"a|b\|c\\|d", "|")
['a', 'b', 'c', 'd']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["decode_chain", "encode_chain", "tail"]

_RUNS: Final = tuple("\\" * k for k in range(130))


def decode_chain(value: str, delimiter: str, levels: int | None = None) -> list[str]:
    """The texts of a chain; at most `levels` of them, the last being all that is left."""
    parts = value.split(delimiter)
    tabs = len(parts) - 1
    if (levels is None or tabs < levels) and "'" not in value and tabs < len(_RUNS) - 1:
        for k in range(1, tabs):
            part = parts[k]
            if not part.endswith(_RUNS[k]) or part.endswith(_RUNS[k + 1]):
                break
            parts[k] = part[:-k]
        else:
            if not parts[0].endswith("\\"):
                return parts
        parts = value.split(delimiter)
    return _decode_any(parts, delimiter, levels)


def _decode_any(parts: list[str], delimiter: str, levels: int | None) -> list[str]:
    """Also traits that hold tabs themselves, and quotes around a trait or around a whole rest."""
    texts: list[str] = []
    last = len(parts) - 1
    start = level = 0
    while True:
        first = parts[start]
        if level and first[:1] == "'" == parts[last][-1:] and (start < last or len(first) > 1):
            parts[start] = first[1:]
            parts[last] = parts[last][:-1]
        innermost = levels is not None and level >= levels - 1
        end = start
        while end < last:
            part = parts[end]
            run = len(part) - len(part.rstrip("\\"))
            if run < level:
                raise VassalFormatError(
                    f"level {run + 1} of a piece's text has more than two parts",
                    hint="A trait that the engine would drop follows; the text is kept as it is.",
                )
            if run == level and not innermost:
                break
            end += 1
        own = parts[start:end]
        if end == last:
            # Nothing splits this level: the innermost text, unescaped by the levels above it only.
            texts.append(_joined(own, parts[last], level, delimiter))
            return texts
        text = _joined(own, _cut(parts[end], level), level + 1, delimiter)
        if len(text) > 1 and text[0] == "'" == text[-1]:
            text = text[1:-1]
        texts.append(text)
        start, level = end + 1, level + 1


def _cut(part: str, count: int) -> str:
    return part[:-count] if count else part


def _joined(parts: list[str], tail: str, count: int, delimiter: str) -> str:
    return delimiter.join([*(_cut(part, count) for part in parts), tail]) if parts else tail


def encode_chain(texts: Sequence[str], delimiter: str) -> str:
    """The texts of a chain as one text; the inverse of `decode_chain`."""
    out: list[str] = []
    closing = 0
    # From the inside out, because whether a rest needs quotes depends on what it begins with.
    inner = texts[-1]
    deepest = len(texts) - 1
    first, final = inner[:1], inner[-1:]
    out.append(inner.replace(delimiter, "\\" * deepest + delimiter) if deepest else inner)
    for k in range(deepest - 1, -1, -1):
        if first == "\\" or (first == "'" == final):
            out.append("'")
            closing += 1
            final = "'"
        out.append("\\" * k + delimiter)
        own = texts[k]
        final = final or delimiter
        if not own:
            first = delimiter
            continue
        body = own.replace(delimiter, "\\" * (k + 1) + delimiter) if delimiter in own else own
        first = own[0]
        if first == "\\" or (first == "'" == own[-1]):
            body = f"'{body}'"
            first = "'"
        elif first == delimiter:
            first = "\\"
        out.append(body)
    out.reverse()
    return "".join(out) + "'" * closing


def tail(value: str, delimiter: str) -> tuple[str, int]:
    """What follows the last delimiter, and how many levels there are if that one parts levels.

    This is the innermost text, found without decoding the chain, unless that text holds the
    delimiter itself or quotes stand around a rest: who uses this must be able to tell.
    """
    last = value.rfind(delimiter)
    if last < 0:
        return value, 1
    at = last
    while at > 0 and value[at - 1] == "\\":
        at -= 1
    return value[last + 1 :], last - at + 2
