"""HTML made of elements: whatever is put into one is escaped unless it is markup already."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Html", "element", "joined"]

_VOID: Final = frozenset({"input", "br", "meta"})


class Html(str):
    """Text that is markup."""

    __slots__ = ()


def element(name: str, /, *children: object, **attributes: object) -> Html:
    """An element; `data_x` is written `data-x`, `class_` is `class`, None and False are left out.

    >>> element("p", "a < b", element("br"), class_="dim", hidden=True)
    '<p class="dim" hidden>a &lt; b<br></p>'
    """
    written = "".join(
        _attribute(key, value)
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{joined(children)}</{name}>")


def joined(children: Iterable[object]) -> Html:
    """Texts and elements one after the other; None and an empty text leave nothing."""
    return Html(
        "".join(
            child if isinstance(child, Html) else escape(str(child))
            for child in children
            if child is not None
        )
    )


def _attribute(key: str, value: object) -> str:
    name = key.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    text = f"{value:.1f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return f' {name}="{escape(text)}"'
