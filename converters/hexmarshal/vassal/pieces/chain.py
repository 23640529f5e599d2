r"""A chain of traits as one text: pairs nested in pairs, `[own, rest]`, outermost first.

Each level escapes everything below it once more, so the tab behind trait k carries k backslashes.
Peeling level by level copies the rest once per trait; here every character is looked at once.

>>> encode_chain(["a", "b", "c", "d"], "|")
'a|b\\|c\\\\|d'
>>> decode_chain(r"a|b\|c\\|d", "|")
['a', 'b', 'c', 'd']

VASSAL after 3.7 may write a chain flat, as one plain list. With more than two parts at the top it
can be nothing else: it is read so, and written so again.

>>> decode_chain("a|b|c|d", "|"), is_flat("a|b|c|d", "|")
(['a', 'b', 'c', 'd'], True)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import sequence

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["decode_chain", "encode_chain", "encode_like", "is_flat", "tail"]

# More levels than a unit has: its last delimiter is looked at without copying all before it.
_DEEP: Final = 200
# So many levels take 50 MB of backslashes.
_MOST: Final = 10_000
# What stands before the tab behind each trait.
_ESCAPES: Final = tuple("\\" * level for level in range(_DEEP))


def decode_chain(value: str, delimiter: str, levels: int | None = None) -> list[str]:
    """The texts of a chain; at most `levels` of them, the last being all that is left."""
    parts = value.split(delimiter)
    if len(parts) == 1:
        return parts
    # Quotes count only where a text begins with one.
    quoted = "'" in value and (value[0] == "'" or delimiter + "'" in value)
    if not quoted and (levels is None or len(parts) <= levels):
        texts = _one_each(value, parts, delimiter)
        if texts is not None:
            return texts
    if quoted:
        try:
            return _decode_quoted(parts, delimiter, levels)
        except VassalFormatError as why:
            return _decode_flat(value, delimiter, levels, why)
    try:
        return _decode_plain(parts, delimiter, len(parts) if levels is None else levels - 1)
    except VassalFormatError as why:
        return _decode_flat(value, delimiter, levels, why)


def _one_each(value: str, parts: list[str], delimiter: str) -> list[str] | None:
    """The texts if every delimiter parts two levels, as in most chains; else None.

    No step of it is taken once a trait but within Python itself: chains are what saves consist of.
    """
    escapes = len(parts) - 1
    if escapes > _DEEP:
        return None
    texts = [*map(str.removesuffix, parts, _ESCAPES)]
    texts[escapes:] = parts[escapes:]
    joined = delimiter.join(texts)
    cut = len(value) - len(joined)
    whole = "\\" not in joined or joined.find("\\" + delimiter) < 0
    exact = whole and cut == escapes * (escapes - 1) // 2
    return texts if exact else None


def _decode_flat(
    value: str, delimiter: str, levels: int | None, why: VassalFormatError
) -> list[str]:
    """The texts of a flat chain; what is no chain at all is the error that it was."""
    texts = sequence.decode(value, delimiter)
    if len(texts) <= 2 or (levels is not None and len(texts) > levels):
        raise why
    return texts


def is_flat(value: str, delimiter: str) -> bool:
    """Whether a chain is one plain list; one of two texts is the same in both ways."""
    if value.count(delimiter) < 2:
        return False
    return value.count(delimiter) - value.count(f"\\{delimiter}") > 1


def encode_like(texts: Sequence[str], delimiter: str, before: str) -> str:
    """The texts of a chain in the way in which it was written before: nested or flat."""
    if is_flat(before, delimiter):
        return sequence.join(texts, delimiter)
    return encode_chain(texts, delimiter)


def _decode_plain(parts: list[str], delimiter: str, depth: int) -> list[str]:
    """The same without quotes; a trait may hold delimiters and backslashes itself."""
    texts: list[str] = []
    inside: list[str] = []
    level = 0
    last = parts.pop()
    for part in parts:
        stripped = part.rstrip("\\")
        run = len(part) - len(stripped)
        if run == level < depth:
            if inside:
                stripped = _joined(inside, stripped, level + 1, delimiter)
                inside.clear()
            texts.append(stripped)
            level += 1
        elif run >= level:
            inside.append(part)
        else:
            raise _surplus(run)
    # Nothing splits the last level: its text was unescaped by the levels above it only.
    texts.append(_joined(inside, last, level, delimiter))
    return texts


def _surplus(level: int) -> VassalFormatError:
    return VassalFormatError(
        f"level {level + 1} of a piece's text has more than two parts",
        hint="A trait that the engine would drop follows; the text is kept as it is.",
    )


def _decode_quoted(parts: list[str], delimiter: str, levels: int | None) -> list[str]:
    """The same where quotes may stand around a text or around a whole rest."""
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
                raise _surplus(run)
            if run == level and not innermost:
                break
            end += 1
        own = parts[start:end]
        if end == last:
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
    if len(texts) > _MOST:
        raise VassalFormatError(
            f"{len(texts)} traits in one piece are more than the limit of {_MOST}",
            hint="Each adds a backslash to all behind it: the text would fill the memory.",
        )
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
    before = value[max(last - _DEEP, 0) : last]
    head = before.rstrip("\\")
    if not head:
        before = value[:last]
        head = before.rstrip("\\")
    return value[last + 1 :], len(before) - len(head) + 2
