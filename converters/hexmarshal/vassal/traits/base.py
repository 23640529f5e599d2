"""Traits and their states: the two record families, the registry of prefixes, the raw fallback."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Final, TypeVar, dataclass_transform

from hexmarshal.vassal.traits.codec import Layout, Record, layout_of
from hexmarshal.vassal.traits.kinds import RawText

__all__ = [
    "Known",
    "NoState",
    "RawState",
    "RawTrait",
    "State",
    "Trait",
    "decode_trait",
    "prefix_of",
    "state",
    "state_reader",
    "stock",
    "stock_forms",
    "trait_class",
    "trait_text",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class State(Record):
    """What changes during play: the state of one trait."""

    read: ClassVar[Callable[[str], "State"]]


_new: Final = object.__new__
_keep: Final[Callable[[Record, str], None]] = vars(Record)["source"].__set__

# How many texts are remembered: of one class of states, and of all traits.
_STATES: Final = 1 << 12
_TRAITS: Final = 1 << 15

R = TypeVar("R", bound=Record)
S = TypeVar("S", bound=State)
T = TypeVar("T", bound="Trait")


class Known(dict[str, R]):
    """The record of each text that was read; when there are many, all are forgotten.

    A save repeats the same few thousand texts and asks for the record of one with every trait: a
    bare look-up takes a third of the time of a cache that knows which was used last.
    """

    __slots__ = ()


class _KnownStates(Known[S]):
    """States of one class."""

    __slots__ = ("cls",)

    def __init__(self, cls: type[S]) -> None:
        self.cls = cls

    def __missing__(self, text: str) -> S:
        made = _new(self.cls)
        _keep(made, text)
        if len(self) >= _STATES:
            self.clear()
        self[text] = made
        return made


@dataclass_transform(frozen_default=True, kw_only_default=True)
def state(delimiter: str = ";") -> Callable[[type[S]], type[S]]:
    """Declare a state record."""

    def declare(cls: type[S]) -> type[S]:
        made = dataclass(frozen=True, slots=True, kw_only=True)(cls)
        made.layout = layout_of(made, "", delimiter)
        made.read = _KnownStates(made).__getitem__
        return made

    return declare


@state()
class NoState(State):
    """The state of a trait that keeps none: an empty text."""


@state()
class RawState(State):
    """A state that is one text, whatever it holds."""

    text: RawText = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait(Record):
    """One trait of a piece as defined, without its state; equal texts give the same object."""

    prefix: ClassVar[str] = ""
    java_class: ClassVar[str] = ""
    title: ClassVar[str] = ""
    counts: ClassVar[dict[int, str]] = {}
    state_type: ClassVar[type[State]] = NoState

    def decode_state(self, text: str) -> State:
        """The typed state of this trait."""
        return self.state_type.read(text)


_STOCK: Final[dict[str, dict[str | None, type[Trait]]]] = {}
_READERS: Final[dict[type[Trait], Callable[[str], State]]] = {}
# The same ready for reading; None where the prefix alone does not tell the class.
_CLASSES: Final[dict[str, type[Trait] | None]] = {}


@dataclass_transform(frozen_default=True, kw_only_default=True)
def stock(
    prefix: str,
    java_class: str,
    title: str,
    *,
    state: type[State] = NoState,
    delimiter: str = ";",
    raw: bool = False,
    opening: str | None = None,
    counts: dict[int, str] | None = None,
) -> Callable[[type[T]], type[T]]:
    """Declare a stock trait. `counts` says which version wrote how many fields.

    `opening` tells two forms of one prefix apart by their first field.
    """

    def declare(cls: type[T]) -> type[T]:
        made = dataclass(frozen=True, slots=True, kw_only=True)(cls)
        made.layout = layout_of(made, prefix, delimiter, raw=raw)
        made.prefix, made.java_class, made.title = prefix, java_class, title
        made.state_type, made.counts = state, counts or {}
        forms = _STOCK.setdefault(prefix, {})
        assert opening not in forms, prefix
        assert not forms or None in {opening, *forms}, prefix
        forms[opening] = made
        _READERS[made] = state.read
        _CLASSES[prefix] = made if len(forms) == 1 else None
        return made

    return declare


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTrait(Trait):
    """A trait of a module's own code, or one that cannot be read: kept as it is."""

    layout: ClassVar[Layout]
    state_type: ClassVar[type[State]] = RawState

    text: RawText = ""

    @property
    def own_prefix(self) -> str:
        """The text up to and with the first `;`, by which a module's code would know it."""
        return prefix_of(self.text)


RawTrait.layout = layout_of(RawTrait, "", ";")
_READERS[RawTrait] = RawState.read
# What reads the state of traits of a class: asked of each trait of each type of piece.
state_reader: Final = _READERS.__getitem__


def prefix_of(text: str) -> str:
    """What selects the class of a trait: up to and with the first `;`, or the whole text."""
    end = text.find(";")
    return text if end < 0 else text[: end + 1]


def stock_forms() -> dict[str, dict[str | None, type[Trait]]]:
    """Every declared prefix with its forms."""
    return _STOCK


def trait_class(text: str) -> type[Trait]:
    """The class that reads this text; `RawTrait` if no stock trait does."""
    prefix = prefix_of(text)
    cls = _CLASSES.get(prefix, RawTrait)
    if cls is not None:
        return cls
    forms = _STOCK[prefix]
    usual = forms[None]
    return forms.get(usual.layout.parts(text)[0], usual)


class _KnownTraits(Known[Trait]):
    """Traits, whose texts say of which class they are."""

    __slots__ = ()

    def __missing__(self, text: str) -> Trait:
        cls = _CLASSES.get(text[: text.find(";") + 1] or text, RawTrait) or trait_class(text)
        made = _new(cls)
        _keep(made, text)
        if len(self) >= _TRAITS:
            self.clear()
        self[text] = made
        return made


# Reads one trait; equal texts share one object.
decode_trait: Final[Callable[[str], Trait]] = _KnownTraits().__getitem__


def trait_text(trait: Trait) -> str:
    """The text of a trait: as it was read if it is still the object that was read, else encoded."""
    source = trait.source
    return source if source is not None and decode_trait(source) is trait else trait.encode()
