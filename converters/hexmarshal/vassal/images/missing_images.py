"""Images that components or pieces name and that are nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from hexmarshal.vassal.components import HtmlChart
from hexmarshal.vassal.images.engine_resources import engine_has_image
from hexmarshal.vassal.images.image_set import HTML_IMAGE, entry_names, page_image, page_source
from hexmarshal.vassal.images.image_uses import image_uses

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module

__all__ = ["MissingImages", "missing_images", "named_by_charts"]

U = TypeVar("U")


class MissingImages(Generic[U]):
    """Images that are in none of the modules, gathered name by name, with those who name them."""

    def __init__(self, modules: Sequence[Module]) -> None:
        self._modules = modules
        there = {name for module in modules for name in entry_names(module)}
        # A name without a suffix means a GIF.
        self._there = there | {name.removesuffix(".gif") for name in there}
        self.users: dict[str, dict[U, None]] = {}

    def note(self, user: U, names: Iterable[str]) -> bool:
        """Names that somebody has; whether one is missing. Each is followed once."""
        missing = False
        for name in names:
            if name in self._there:
                continue
            if name not in self.users and self._is_there(name):
                self._there.add(name)
            else:
                missing = True
                self.users.setdefault(name, {})[user] = None
        return missing

    def _is_there(self, name: str) -> bool:
        """Whether an image is found, or will be: the name may be completed in play."""
        if engine_has_image(name) or "$" in name or not name.strip():
            return True
        found = (module.find_image(name) for module in self._modules)
        return not name.startswith("/") and any(place is not None for place in found)


def missing_images(
    module: Module, drawn: frozenset[str] = frozenset()
) -> dict[str, list[Component]]:
    """Who names each image that is nowhere; `drawn` ones need no file."""
    missing = MissingImages["Component"]([module])
    for use in image_uses(module):
        missing.note(use.component, (use.name,))
    for source, chart in named_by_charts(module):
        missing.note(chart, (source,))
    return {name: [*users] for name, users in missing.users.items() if name not in drawn}


def named_by_charts(module: Module) -> Iterator[tuple[str, Component]]:
    """Images of pages that are charts and lead nowhere: the engine looks among the module's."""
    for element in module.root.element.iter(HtmlChart.tag):
        chart = HtmlChart(element)
        page = chart.file_name
        for raw in HTML_IMAGE.finditer(module.read(page)) if module.has(page) else ():
            source = page_source(raw[2])
            if source and ":" not in source and page_image(module, page, raw[2]) is None:
                yield source, chart
