"""Every image that a module names, and where: in components, in pieces, in charts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.components.attributes import Image
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.pieces.references import images_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module

__all__ = ["ImageUse", "image_uses"]


@dataclass(frozen=True, slots=True)
class ImageUse:
    """One place that names an image; `attribute` is empty if a piece's definition does."""

    name: str
    component: Component
    attribute: str = ""


def image_uses(module: Module) -> Iterator[ImageUse]:
    """Every use in the order of the file; pieces that cannot be read are passed over."""
    for component in module.walk():
        for declared in component.declared.values():
            if isinstance(declared, Image) and (name := component.get(declared.name)).strip():
                yield ImageUse(name, component, declared.name)
        if component.holds_piece and component.text.strip():
            try:
                names = images_of(parse_add(component.text.strip()))
            except VassalFormatError:
                continue
            # A name of nothing but spaces is none to the engine either.
            for name in filter(str.strip, dict.fromkeys(names)):
                yield ImageUse(name, component)
