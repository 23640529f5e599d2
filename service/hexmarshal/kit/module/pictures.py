"""Pictures on their way into the module: each drawing becomes one PNG."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hexmarshal.kit.drawing.canvas import pixels
from hexmarshal.kit.drawing.icons import ICONS

if TYPE_CHECKING:
    from hexmarshal.vassal.builder import ModuleBuilder

__all__ = ["Pictures"]


class Pictures:
    """Drawings by name; a name is rendered once, however often it is asked for."""

    def __init__(self, module: ModuleBuilder) -> None:
        self._module = module
        self._drawn: dict[str, tuple[str, float]] = {}
        self._shared: dict[tuple[str, float], str] = {}

    def add(self, name: str, svg: str, *, zoom: float = 1.0) -> str:
        """Put a drawing in, `zoom` pixels for each unit; returns the image's name in the module."""
        image = f"{name}.png"
        if self._drawn.get(name) != (svg, zoom):
            # Another drawing under a name that is taken: the module refuses it.
            self._module.image(image, pixels(svg, zoom=zoom))
            self._drawn[name] = svg, zoom
        return image

    def icon(self, button: str) -> str:
        """Put the icon of a button in, by what the button is for."""
        return self.add(f"icon-{button}", ICONS[button])

    def share(self, name: str, svg: str, *, zoom: float = 1.0) -> str:
        """Put a drawing in under a name, unless it was shared before under another."""
        if (svg, zoom) not in self._shared:
            self._shared[svg, zoom] = self.add(name, svg, zoom=zoom)
        return self._shared[svg, zoom]
