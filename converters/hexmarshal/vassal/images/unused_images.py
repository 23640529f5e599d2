"""Images that nothing names, neither where images are named nor in any other text or code."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hexmarshal.vassal.images.image_set import (
    FOLDER,
    build_texts,
    code,
    entry_named,
    entry_names,
    entry_of,
    image_entries,
    name_patterns,
    other_references,
    page_and_setup_texts,
)
from hexmarshal.vassal.images.image_uses import image_uses
from hexmarshal.vassal.images.mentions import Mentions

if TYPE_CHECKING:
    from hexmarshal.vassal.module import Module

__all__ = ["Said", "unused_images"]


class Said(NamedTuple):
    """What a walk over components and pieces has gathered, set-ups included."""

    names: set[str]
    """The images that are named where images are named."""
    texts: list[str]
    """Every text of the build files, at least once."""


def unused_images(module: Module, said: Said | None = None) -> list[str]:
    """The entries, in the order of the archive; what was gathered is not gathered again."""
    elsewhere = other_references(module, saves=said is None)
    if said is None:
        named = {use.name for use in image_uses(module)}
        said = Said(named, build_texts(module))
    # Most images are named many times, and each name is followed once.
    others = {(found.name, found.field == "page"): found for found in elsewhere}
    used = {entry_of(module, other) for other in others.values()}
    there = {name.removesuffix(".gif"): FOLDER + name for name in entry_names(module)}
    there |= {entry.removeprefix(FOLDER): entry for entry in there.values()}
    used |= {there.get(name) or entry_named(module, name) for name in said.names}
    left = {entry: _mention(entry) for entry in image_entries(module) if entry not in used}
    if not left:
        return []
    texts, compiled = "\n".join([*said.texts, *page_and_setup_texts(module)]), code(module)
    mentions = Mentions(left.values(), texts, compiled)
    whole = (texts.replace("\\", ""), compiled.decode("latin-1"))
    patterns = [pattern for text in whole for _, pattern in name_patterns(text)]
    return [
        entry
        for entry, mention in left.items()
        if mention not in mentions
        and not any(pattern.fullmatch(entry.removeprefix(FOLDER)) for pattern in patterns)
    ]


def _mention(entry: str) -> str:
    name = entry.removeprefix(FOLDER)
    return name.removesuffix(".gif") if len(name) > len(".gif") + 3 else name
