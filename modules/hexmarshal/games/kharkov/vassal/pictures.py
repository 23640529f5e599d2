"""Pictures on their way into the module: each drawing becomes one PNG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.kit.drawing.canvas import pixels

if TYPE_CHECKING:
    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["Pictures"]


class Pictures:
    """Drawings by name; a name is rendered once, however often it is asked for."""

    def __init__(self, module: ModuleBuilder) -> None:
        self._module = module
        self._drawn: dict[str, str] = {}

    def add(self, name: str, svg: str) -> str:
        """Put a drawing in; returns the image's name in the module."""
        image = f"{name}.png"
        if self._drawn.get(name) != svg:
            # Another drawing under a name that is taken: the module refuses it.
            self._module.image(image, pixels(svg))
            self._drawn[name] = svg
        return image
