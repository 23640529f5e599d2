"""Names that pieces carry of other things: images, sounds, players' ids; found and changed."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeVar

from hexmarshal.vassal import sequence
from hexmarshal.vassal.pieces.embedded import MAX_DEPTH, marker_piece, with_marker
from hexmarshal.vassal.traits import PlaceMarker, Record, decode_trait
from hexmarshal.vassal.values import FormattedText, MaskStyle

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.traits import Trait

    Rename = Callable[[str], str]

__all__ = [
    "image_names",
    "images_in",
    "images_of",
    "owner_ids",
    "sounds_of",
    "with_images",
    "with_owner_ids",
]

R = TypeVar("R", bound=Record)

_HTML_IMAGE: Final = re.compile(
    r"(<img\b[^<>]{0,500}?\bsrc\s*=\s*[\"']?)([^\"'<>\s]+)", re.IGNORECASE
)


def _text(value: str, rename: Rename) -> str:
    return rename(value) if value else value


def _texts(value: tuple[str, ...], rename: Rename) -> tuple[str, ...]:
    return tuple(_text(name, rename) for name in value)


def _style(value: MaskStyle, rename: Rename) -> MaskStyle:
    return MaskStyle(value.text[0] + rename(value.image)) if value.image else value


def _levels(value: tuple[str, ...], rename: Rename) -> tuple[str, ...]:
    levels = []
    for level in value:
        name, *rest = sequence.split(level, ",")
        levels.append(",".join([_text(name, rename), *rest]))
    return tuple(levels)


def _outline(value: str, rename: Rename) -> str:
    # Only the old form names an image: one token `n` and the name.
    if value.startswith("d"):
        return value
    tokens = sequence.split(value, ",")
    renamed = [f"n{rename(t[1:])}" if t[:1] == "n" and len(t) > 1 else t for t in tokens]
    return ",".join(renamed)


def _html(value: str, rename: Rename) -> str:
    if "<" not in value:
        return value
    return _HTML_IMAGE.sub(lambda found: found[1] + rename(found[2]), value)


def _format(value: FormattedText, rename: Rename) -> FormattedText:
    return FormattedText(_html(value.text, rename))


# What such fields hold is a text, in which an image may be shown.
_HTML_CODES: Final = frozenset({"FS", "RAW"})
_IMAGES: Final[dict[str, Callable[[Any, Rename], Any]]] = {
    "IMAGE": _text,
    "IMAGES": _texts,
    "STYLE": _style,
    "LEVELS": _levels,
    "OUTLINE": _outline,
    "FS": _format,
    "RAW": _html,
}


_FIELDS: Final[
    dict[tuple[type[Record], bool], tuple[tuple[str, Callable[[Any, Rename], Any]], ...]]
] = {}


# States that can name no image, in texts without tags and in those with.
_PLAIN_STATES: Final[tuple[set[type[Record]], set[type[Record]]]] = (set(), set())


def _mask_options(value: str, rename: Rename) -> str:
    if not value:
        return value
    # An override, a count, then as many ids.
    tokens = sequence.decode(value, "|")
    renamed = [token if i == 1 else _text(token, rename) for i, token in enumerate(tokens)]
    return sequence.join(renamed, "|")


_OWNERS: Final[dict[str, Callable[[Any, Rename], Any]]] = {
    "OWNER": lambda value, rename: rename(value) if value else value,
    "OWNERS": _mask_options,
}


def _renamed(record: R, table: dict[str, Callable[[Any, Rename], Any]], rename: Rename) -> R:
    changes = {}
    for spec, value in record.items():
        change = table.get(spec.code)
        if change is not None:
            after = change(value, rename)
            if after != value:
                changes[spec.name] = after
    return replace(record, **changes) if changes else record


def image_names(record: Record) -> tuple[str, ...]:
    """The images that one trait or state names, in order, repeats included; markers' own apart."""
    fields = _image_fields(type(record), html=record.source is None or "<" in record.source)
    found: list[str] = []

    def note(name: str) -> str:
        found.append(name)
        return name

    for name, each in fields:
        each(getattr(record, name), note)
    return tuple(found)


def _image_fields(
    cls: type[Record], *, html: bool
) -> tuple[tuple[str, Callable[[Any, Rename], Any]], ...]:
    """The fields of a record that can name an image; those of texts only if there is a tag."""
    known = _FIELDS.get((cls, html))
    if known is None:
        codes = _IMAGES.keys() if html else _IMAGES.keys() - _HTML_CODES
        fields = ((s.name, _IMAGES[s.code]) for s in cls.layout.fields if s.code in codes)
        known = _FIELDS[cls, html] = tuple(fields)
    return known


def images_of(piece: Piece) -> dict[str, None]:
    """Every image that a piece names, also in its states and in pieces inside it."""
    return dict.fromkeys(_images(piece, _with_marker))


# The pieces of a module or game share most of their traits.
@lru_cache(maxsize=1 << 15)
def images_in(source: str) -> tuple[str, ...]:
    """The images that one trait names by its text, those of a marker's own piece included."""
    return _with_marker(decode_trait(source))


def _with_marker(trait: Trait, depth: int = 0) -> tuple[str, ...]:
    names = image_names(trait)
    inner = marker_piece(trait) if isinstance(trait, PlaceMarker) else None
    if inner is None or depth > MAX_DEPTH:
        return names
    return (*names, *_images(inner, lambda each: _with_marker(each, depth + 1)))


def _images(piece: Piece, of_trait: Callable[[Trait], tuple[str, ...]]) -> list[str]:
    if piece.problem is not None:
        return []
    found: list[str] = []
    html = "<" in piece.state_text
    plain = _PLAIN_STATES[html]
    for trait, text in zip(piece.traits, piece.state_texts, strict=True):
        source = trait.source
        found += images_in(source) if source is not None else of_trait(trait)
        if trait.state_type in plain:
            continue
        if not _image_fields(trait.state_type, html=html):
            plain.add(trait.state_type)
        else:
            found += image_names(trait.decode_state(text))
    return found


def sounds_of(piece: Piece) -> Iterator[str]:
    """The sound clips that a piece names."""
    for trait in piece.traits:
        for spec, value in trait.items():
            if spec.code == "SOUND" and value.text:
                yield value.text


def with_images(piece: Piece, rename: Rename) -> Piece:
    """The piece with every image name changed, also in pieces inside it."""
    return _with_names(piece, _IMAGES, rename)


def owner_ids(piece: Piece) -> dict[str, None]:
    """Who hides, masks or owns the piece: players' secret ids, or sides."""
    found: dict[str, None] = {}
    with_owner_ids(piece, lambda name: found.setdefault(name) or name)
    return found


def with_owner_ids(piece: Piece, rename: Rename) -> Piece:
    """The piece with every owner's id changed."""
    return _with_names(piece, _OWNERS, rename)


def _with_names(
    piece: Piece, table: dict[str, Callable[[Any, Rename], Any]], rename: Rename, depth: int = 0
) -> Piece:
    if piece.problem is not None or depth > MAX_DEPTH:
        return piece
    changed = piece
    states = zip(piece.traits, piece.states, strict=True)
    for index, (trait, state) in enumerate(states):
        new_trait = _renamed(trait, table, rename)
        if isinstance(new_trait, PlaceMarker):
            inner = marker_piece(new_trait)
            if inner is not None:
                new_inner = _with_names(inner, table, rename, depth + 1)
                if new_inner != inner:
                    new_trait = with_marker(new_trait, new_inner)
        new_state = _renamed(state, table, rename)
        if new_trait is not trait:
            changed = changed.replace_trait(index, new_trait)
        if new_state is not state:
            changed = changed.with_state(index, new_state)
    return changed
