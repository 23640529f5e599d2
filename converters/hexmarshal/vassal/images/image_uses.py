"""Every image that a module names, and where: in components, in pieces, in charts."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.components.attributes import Image
from hexmarshal.vassal.pieces.piece import parse_add
from hexmarshal.vassal.pieces.references import images_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["ImageUse", "image_uses", "images_named"]


_ATTRIBUTES: Final[dict[type[Component], tuple[str, ...]]] = {}


@dataclass(frozen=True, slots=True)
class ImageUse:
    """One place that names an image; `attribute` is empty if a piece's definition does."""

    name: str
    component: Component
    attribute: str = ""


def image_uses(module: Module) -> Iterator[ImageUse]:
    """Every use in the order of the file; pieces that cannot be read are passed over."""
    for component in module.walk():
        piece: Piece | None = None
        if component.holds_piece and (text := component.text.strip()):
            with suppress(VassalFormatError):
                piece = parse_add(text)
        for attribute, name in images_named(component).items():
            yield ImageUse(name, component, attribute)
        # A name of nothing but spaces is none to the engine either.
        for name in filter(str.strip, images_of(piece) if piece is not None else ()):
            yield ImageUse(name, component)


def images_named(component: Component) -> dict[str, str]:
    """What the attributes of a component name, its piece apart."""
    return {
        attribute: name
        for attribute in _image_attributes(type(component))
        if (name := component.get(attribute)).strip()
    }


def _image_attributes(cls: type[Component]) -> tuple[str, ...]:
    known = _ATTRIBUTES.get(cls)
    if known is None:
        images = (each.name for each in cls.declared.values() if isinstance(each, Image))
        known = _ATTRIBUTES[cls] = tuple(images)
    return known
