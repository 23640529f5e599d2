"""A page that needs nothing else: its styles and scripts are inside, and nothing else may act."""

from __future__ import annotations

import base64
import hashlib
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["is_ours", "page"]

_MARK: Final = b'<meta name="generator" content="hexmarshal check">'
_BODY: Final = "$body"


def page(
    title: str, body: Iterable[str], *, styles: Sequence[str], scripts: Sequence[str]
) -> Iterator[str]:
    """The text piece by piece; styles and scripts are names of files beside this one."""
    style, script = "".join(map(_part, styles)), "".join(map(_part, scripts))
    # Whatever a file of a stranger brings in, nothing but our own style and script can act.
    policy = (
        f"default-src 'none'; img-src data:; style-src {_hash(style)}; script-src {_hash(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    before, _, after = _part("report.html").partition(_BODY)
    filled = {"title": escape(title), "policy": escape(policy), "style": style, "script": script}
    yield Template(before).substitute(filled)
    yield from body
    yield Template(after).substitute(filled)


def is_ours(path: Path) -> bool:
    """Whether a file is a page that was made here, which may be made anew."""
    try:
        with path.open("rb") as data:
            return _MARK in data.read(2048)
    except OSError:
        return False


def _part(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
