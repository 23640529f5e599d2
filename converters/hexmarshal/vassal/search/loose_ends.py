"""What is defined and never used, or used and never defined, over several files at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.components import GamePieceImage
from hexmarshal.vassal.images.image_set import build_texts
from hexmarshal.vassal.images.missing_images import MissingImages, named_by_charts
from hexmarshal.vassal.images.unused_images import Said, unused_images
from hexmarshal.vassal.search.engine_properties import known_to_engine
from hexmarshal.vassal.search.ledger import JOINTS, Ledger
from hexmarshal.vassal.search.places import Hit, Spot, Spots

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from hexmarshal.vassal.module import Module
    from hexmarshal.vassal.saves.savegame import SavedGame
    from hexmarshal.vassal.search.ledger import Images, SpotOf

__all__ = ["LOOSE_KINDS", "LooseEnd", "undefined", "undefined_in", "unused"]

LOOSE_KINDS: Final = ("prototype", "image", "key", "property")


@dataclass(frozen=True, slots=True)
class LooseEnd:
    """A name with one end only, the first place of it and how many there are."""

    kind: str
    name: str
    first: Hit | None
    places: int

    def as_dict(self) -> dict[str, object]:
        """For JSON."""
        first = None if self.first is None else self.first.as_dict()
        return {"kind": self.kind, "name": self.name, "places": self.places, "first": first}


def unused(modules: Sequence[Module], saves: Iterable[SavedGame] = ()) -> Iterator[LooseEnd]:
    """Prototypes, images, named keys and properties that are there and that nothing asks for."""
    named: set[str] = set()
    ledger = _ledger(modules, saves, partial(_gather, named))
    for (kind, name), places in ledger.given.items():
        if kind not in LOOSE_KINDS or ledger.takes(kind, name):
            continue
        if kind == "prototype" and any(p.fullmatch(name) for p in ledger.patterns):
            continue
        if kind == "key" and (kind, name) in ledger.offered:
            continue
        if kind == "property" and (_made(name) or "$" in name or ledger.mentions(name)):
            continue
        yield LooseEnd(kind, name, places.first, places.count)
    texts = [*ledger.texts()]
    for module in modules:
        texts += build_texts(module, pieces=False)
    for module in modules:
        if module.archive is not None:
            file = module.place.file or ""
            for entry in unused_images(module, Said(named, texts)):
                spot = Spot(file, entry)
                yield LooseEnd("image", entry, Hit(spot, "image", entry, "defines", ""), 0)


def _gather(names: set[str], _: SpotOf, more: Iterable[str]) -> bool:
    names.update(filter(str.strip, more))
    return False


def undefined(modules: Sequence[Module], saves: Iterable[SavedGame] = ()) -> Iterator[LooseEnd]:
    """Prototypes, images, keys and properties that are asked for and that nothing gives."""
    whole = [module for module in modules if module.archive is not None]
    missing = MissingImages["SpotOf"](whole)
    yield from undefined_in(_ledger(modules, saves, missing.note))
    if not whole or whole[0] is not modules[0]:
        return
    for module in whole:
        spots = Spots(module.place.file or "")
        for source, chart in named_by_charts(module):
            missing.note(partial(spots.of, chart), (source,))
    found = (module.root.element.iter(GamePieceImage.tag) for module in modules)
    drawn = {GamePieceImage(each).name for each in chain.from_iterable(found)}
    for name, users in missing.users.items():
        if name not in drawn:
            spot = next(iter(users))()
            yield LooseEnd("image", name, Hit(spot, "image", name, "uses", ""), len(users))


def undefined_in(ledger: Ledger) -> Iterator[LooseEnd]:
    """The same of a ledger; images apart, for they are files."""
    for (kind, name), places in ledger.taken.items():
        if kind not in LOOSE_KINDS or kind == "image" or "$" in name:
            continue
        if (kind, name) in ledger.given:
            continue
        if kind == "property" and (_not_asked(name) or _begins(name, ledger)):
            continue
        # Only a named command has to be heard by something in the module.
        if kind == "key" and not name.startswith("["):
            continue
        yield LooseEnd(kind, name, places.first, places.count)


def _begins(name: str, ledger: Ledger) -> bool:
    """Whether it is only the beginning of names that an expression completes."""
    return any(
        given != name and given.startswith(name) and (name[-1] in JOINTS or given[-1].isdigit())
        for kind, given in ledger.given
        if kind == "property"
    )


def _not_asked(name: str) -> bool:
    """Whether the engine gives it, or it is a number or an expression where a name should be."""
    return known_to_engine(name) or "{" in name or name.isdecimal()


def _made(name: str) -> bool:
    """Whether the name was made from that of a layer or of a rotation: many are not asked for."""
    return name.endswith(("_Level", "_Name", "_Active", "_Image", "_Facing", "_Degrees", "_result"))


def _ledger(modules: Sequence[Module], saves: Iterable[SavedGame], images: Images) -> Ledger:
    ledger = Ledger(images=images)
    for module in modules:
        ledger.module(module)
    for saved in saves:
        ledger.saved(saved, saved.place.file or "")
    return ledger
