"""Rewriting a changed XML file so that every element that did not change keeps its source bytes.

For files in no style that the engine writes (made by hand, or by other tools), where writing the
whole anew would turn a small change into a large difference.
"""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from hexmarshal.vassal.xml.xmlstyle import Style

__all__ = ["patch"]

_TOKEN: Final = re.compile(
    rb"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|</[^>]*>"
    rb"|<[^\s/>]+(?:[^\"'>]+|\"[^\"]*\"|'[^']*')*+>",
    re.DOTALL,
)
_DEEPEST: Final = 100


@dataclass(slots=True)
class _Span:
    """Where an element stands in the source: `<head>` body `</foot>`."""

    start: int
    head_end: int
    foot: int = 0
    end: int = 0
    children: list[_Span] = field(default_factory=list)


def patch(source: bytes, before: _Element, after: _Element, style: Style) -> bytes:
    """`source`, which parsed to `before`, changed to say `after`."""
    if style.element(before) == style.element(after):
        return source
    span = _spans(source)
    changed = _Patcher(source, style).element(span, before, after, 0)
    return source[: span.start] + changed + source[span.end :]


def _spans(source: bytes) -> _Span:
    """The spans of a well-formed source; comments and instructions are children too."""
    top = _Span(0, 0)
    stack = [top]
    for token in _TOKEN.finditer(source):
        raw, start, end = token[0], token.start(), token.end()
        if raw.startswith(b"</"):
            span = stack.pop()
            span.foot, span.end = start, end
            if len(stack) == 1:
                return span
        elif raw.startswith(b"<![CDATA["):
            continue
        elif raw.startswith((b"<!--", b"<?")):
            if len(stack) > 1:
                stack[-1].children.append(_Span(start, end, end, end))
        else:
            span = _Span(start, end, end, end)
            stack[-1].children.append(span)
            if not raw.endswith(b"/>"):
                stack.append(span)
            elif len(stack) == 1:
                return span
    return top


@dataclass(frozen=True, slots=True)
class _Patcher:
    source: bytes
    style: Style

    def element(self, span: _Span, before: _Element, after: _Element, depth: int) -> bytes:
        """The bytes of `after`, which takes the place of `before` and says something else."""
        leaves = not len(before) and not len(after)
        keeps_head = (
            span.foot < span.end
            and before.tag == after.tag
            and dict(before.items()) == dict(after.items())
        )
        if leaves and keeps_head and isinstance(after.tag, str):
            head = self.source[span.start : span.head_end]
            text = self.style.encode(self.style.text(after.text or ""))
            return head + text + self.source[span.foot : span.end]
        if not len(after) or _is_mixed(before) or _is_mixed(after) or depth > _DEEPEST:
            return self._anew(after, depth)
        body = b"".join(self._children(span, before, after, depth))
        if keeps_head:
            head, foot = self.source[span.start : span.head_end], self.source[span.foot : span.end]
        else:
            head = self.style.encode(self.style.start_tag(after) + ">")
            foot = self.style.encode(f"</{after.tag}>")
        return head + body + foot

    def _children(
        self, span: _Span, before: _Element, after: _Element, depth: int
    ) -> Iterator[bytes]:
        old, new = list(before), list(after)
        old_keys = [self.style.element(e) for e in old]
        new_keys = [self.style.element(e) for e in new]
        gaps = list(self._gaps(span))
        fresh = min(gaps[:-1], key=len) if old else self._margin(depth + 1)
        raw = {
            key: self.source[s.start : s.end]
            for key, s in zip(old_keys, span.children, strict=True)
        }
        match = SequenceMatcher(None, old_keys, new_keys)
        for what, first, last, new_first, new_last in match.get_opcodes():
            if what == "equal":
                start = span.children[first].start - len(gaps[first])
                yield self.source[start : span.children[last - 1].end]
                continue
            # A new child takes the place of the next old one of its class that is gone.
            gone = {old[i].tag: deque[int]() for i in range(first, last)}
            for i in range(first, last):
                gone[old[i].tag].append(i)
            for element, key in zip(
                new[new_first:new_last], new_keys[new_first:new_last], strict=True
            ):
                if key in raw:
                    yield fresh + raw[key]
                elif places := gone.get(element.tag):
                    at = places.popleft()
                    yield gaps[at] + self.element(span.children[at], old[at], element, depth + 1)
                else:
                    yield fresh + self._anew(element, depth + 1)
        yield gaps[-1] if old else self._margin(depth)

    def _gaps(self, span: _Span) -> Iterator[bytes]:
        """What stands before each child, and after the last."""
        at = span.head_end
        for child in span.children:
            yield self.source[at : child.start]
            at = child.end
        yield self.source[at : span.foot]

    def _margin(self, depth: int) -> bytes:
        if not self.style.separator:
            return b""
        return self.style.encode(self.style.separator + self.style.indent * depth)

    def _anew(self, element: _Element, depth: int) -> bytes:
        return self.style.encode(self.style.element(element, depth))


def _is_mixed(element: _Element) -> bool:
    """Whether text stands between children, where the engine never puts any."""
    texts = [element.text, *(child.tail for child in element)] if len(element) else []
    return any(text and not text.isspace() for text in texts)
