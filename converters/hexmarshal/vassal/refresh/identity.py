"""Which trait of an old piece a trait of its new definition goes on from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Final

from hexmarshal.vassal.traits import (
    AreaOfEffect,
    Attachment,
    BasicPiece,
    DynamicProperty,
    Footprint,
    Hideable,
    Labeler,
    Layer,
    LegacyLayer,
    Mask,
    Mat,
    MovementMarkable,
    NoState,
    PropertySheet,
    RawTrait,
    ReportState,
    Restricted,
    RotateFixed,
    RotateFree,
    SendToLocation,
    TableInfo,
    Trait,
    trait_text,
)

__all__ = ["describe", "family", "is_stateful", "match_traits"]

_Key = Callable[[Any], tuple[str, ...]]

# What tells two traits of a family apart; an empty key tells nothing.
_KEYS: Final[dict[type[Trait], _Key]] = {
    Layer: lambda t: (t.name,),
    Labeler: lambda t: (t.property_name, t.description),
    DynamicProperty: lambda t: (t.name,),
    RotateFixed: lambda t: (t.name,),
    RotateFree: lambda t: (t.name,),
    SendToLocation: lambda t: (t.command, t.key.human()),
    ReportState: lambda t: (t.keys.human(),),
    PropertySheet: lambda t: (t.command,),
    TableInfo: lambda t: (t.command, t.description),
    AreaOfEffect: lambda t: (t.name, t.command),
    Mat: lambda t: (t.name,),
    Attachment: lambda t: (t.name,),
    Mask: lambda t: (t.mask_name,),
    Hideable: lambda t: (t.command,),
    Restricted: lambda t: (",".join(t.sides),),
    Footprint: lambda t: (t.command,),
    MovementMarkable: lambda t: (t.command,),
}
# What is called otherwise is something else: values of one are no values of the other.
_NAMED: Final = (DynamicProperty, PropertySheet, TableInfo, Mat, Attachment)
# A piece has one of these, whatever it is called.
_LOOSE: Final = (RotateFixed, RotateFree, Mask, Hideable, Restricted, Footprint, MovementMarkable)
# Two forms of one thing: a state of the one says something about the other.
_FAMILIES: Final[dict[type[Trait], type[Trait]]] = {LegacyLayer: Layer, RotateFree: RotateFixed}


def is_stateful(trait: Trait) -> bool:
    """Whether the trait keeps something that changes in play."""
    return trait.state_type is not NoState


def family(trait: Trait) -> object:
    """Traits of one family can take over each other's state."""
    if isinstance(trait, RawTrait):
        return trait.own_prefix
    return _FAMILIES.get(type(trait), type(trait))


def describe(trait: Trait) -> str:
    """A trait in words: its kind and what it is called."""
    if isinstance(trait, RawTrait):
        return f"trait {trait.own_prefix.rstrip(';')}"
    key = next((k for k in _key(trait) if k), "")
    return f"{trait.title} {key!r}" if key else trait.title


def match_traits(old: Sequence[Trait], new: Sequence[Trait]) -> list[int | None]:
    """For each new trait the place of the old one that it goes on from, if there is one.

    First those that are the same word for word, then those of one family with the same name, then
    what is left of a family if as many are left on both sides and they have to do with each other:
    a value never goes on to a property of another name. Always in order.
    """
    found: list[int | None] = [None] * len(new)
    free = {i for i, trait in enumerate(old) if is_stateful(trait)}
    wanting = [i for i, trait in enumerate(new) if is_stateful(trait)]

    def pair(
        key: Callable[[Trait], object],
        related: Callable[[Trait, Trait], bool] = lambda _old, _new: True,
    ) -> None:
        waiting: dict[object, list[int]] = defaultdict(list)
        for i in sorted(free):
            if (name := key(old[i])) is not None:
                waiting[name].append(i)
        for i in wanting:
            if found[i] is None:
                places = waiting.get(key(new[i]))
                if places and related(old[places[0]], new[i]):
                    found[i] = places.pop(0)
                    free.discard(found[i])

    pair(trait_text)
    pair(lambda trait: (family(trait), _key(trait)) if any(_key(trait)) else None)
    left_old: dict[object, int] = defaultdict(int)
    left_new: dict[object, int] = defaultdict(int)
    for i in free:
        left_old[family(old[i])] += 1
    for i in wanting:
        if found[i] is None:
            left_new[family(new[i])] += 1
    pair(
        lambda trait: (
            family(trait) if left_old.get(family(trait)) == left_new.get(family(trait)) else None
        ),
        _are_related,
    )
    return found


def _are_related(old: Trait, new: Trait) -> bool:
    """Whether two traits of one family may be the same thing under another name."""
    if isinstance(new, _NAMED):
        return not any(_key(old)) or not any(_key(new))
    if isinstance(old, Layer) and isinstance(new, Layer):
        shown = {image for image in old.images if image}
        nameless = not old.name or not new.name
        return nameless or bool(shown.intersection(new.images))
    if type(new) in _LOOSE or isinstance(new, RawTrait):
        return True
    names = [key for key in _key(old) if key], [key for key in _key(new) if key]
    return not names[0] or not names[1] or bool(set(names[0]) & set(names[1]))


def _key(trait: Trait) -> tuple[str, ...]:
    if isinstance(trait, BasicPiece):
        return ("piece",)
    key = _KEYS.get(type(trait))
    return key(trait) if key else ("",)
