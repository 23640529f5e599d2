"""What a page will ask for, told to the browser with the page: nothing waits for a script to ask.

A script names the scripts that it needs only once it is read, and those theirs; pictures are named
by what scripts ask for. Told ahead, all of it comes at the same time.
"""

from __future__ import annotations

import re
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["links_ahead"]

_SCRIPT: Final = re.compile(rb'<script type="module" src="/([\w./]+)"')
_IMPORT: Final = re.compile(rb'^(?:import|export) [^;]*? from "([\w./]+)";', re.MULTILINE)


def links_ahead(page: str, contents: Mapping[str, bytes], more: Iterable[str] = ()) -> str:
    """The Link header of a page: its scripts with all that they import, and `more` besides.

    An address in `more` is a script, a picture, or else something that a script fetches.
    """
    more = list(more)
    scripts = [found.decode() for found in _SCRIPT.findall(contents[page])]
    scripts += [address.lstrip("/") for address in more if address.endswith(".js")]
    links = [f"</{name}>; rel=modulepreload" for name in _imported(scripts, contents)]
    for address in more:
        if address.startswith("/pictures/"):
            links.append(f"<{address}>; rel=preload; as=image; fetchpriority=high")
        elif not address.endswith(".js"):
            links.append(f"<{address}>; rel=preload; as=fetch; crossorigin=anonymous")
    return ", ".join(links)


def _imported(scripts: list[str], contents: Mapping[str, bytes]) -> Iterable[str]:
    """Scripts and what they import, each once."""
    found: dict[str, None] = {}
    while scripts:
        name = scripts.pop(0)
        if name in contents and name not in found:
            found[name] = None
            imports = _IMPORT.findall(contents[name])
            scripts += [normpath(join(dirname(name), each.decode())) for each in imports]
    return found
