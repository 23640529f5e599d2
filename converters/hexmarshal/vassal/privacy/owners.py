"""Where the traits of a piece name a player by id: in states, and in types of a module's code."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.pieces.chain import decode_chain, encode_like
from hexmarshal.vassal.privacy.redactor import NOBODY
from hexmarshal.vassal.traits import PlaceMarker, RawTrait, decode_trait, prefix_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = [
    "MAX_DEPTH",
    "chains",
    "foreign_traits",
    "may_own",
    "owner_ids",
    "rename_in_piece",
    "uses_as_word",
]

MAX_DEPTH: Final = 50
_TAB: Final = "\t"
_ADD: Final = "+/"
_SIDE: Final = "side"
# Traits whose state names a player, with the field of the type that says whether it names a side
# instead. `conceal;` is a mask of VASL's.
_IN_STATE: Final[dict[str, int | None]] = {
    "hide;": 4,
    "obs;": 6,
    "restrict;": None,
    "conceal;": None,
}
# VASL's concealment counters keep their owner in the type.
_IN_TYPE: Final = "concealment;"
_LOOSE_OWNER: Final = re.compile(r"(\bconcealment\\*;)([^;/\t\\]*)")
# The beginning of a piece inside another, and states that name nobody.
_MARKER: Final = "+\\"
_UNTOUCHED: Final = frozenset({*NOBODY, "null;", "true", "false", "-1"})
_INSIDE: Final = ("placemark;", "replace;")
# Inside a marker the `;` is escaped.
_TELLING: Final = tuple(prefix.rstrip(";") for prefix in (*_IN_STATE, _IN_TYPE))
_UNDERSTOOD: Final = frozenset(("conceal;", _IN_TYPE))


def owner_ids(type: str, state: str) -> list[str]:
    """Every user id that a piece's own texts are known to hold, also in pieces inside it."""
    if not any(word in type for word in _TELLING):
        return []
    seen: list[str] = []

    def note(user: str) -> str:
        seen.append(user)
        return user

    rename_in_piece(type, state, note)
    return seen


def may_own(definition: str) -> bool:
    """Whether a definition may hold an id that can be sought: a quick look at its text.

    It errs on the safe side; a number of one or two digits is no id that could be sought.
    """
    if not any(word in definition for word in _TELLING):
        return False
    before, _, state = definition.rpartition("/")
    if _IN_TYPE[:-1] in definition or _MARKER in definition or before.endswith("\\"):
        return True
    states = state.replace("\\", "").split(_TAB)[:-1]
    return any(own not in _UNTOUCHED and not (own.isdigit() and len(own) < 3) for own in states)


def rename_in_piece(
    type: str,
    state: str,
    rename: Callable[[str], str],
    redact: Callable[[str], str] = lambda text: text,
    depth: int = 0,
) -> tuple[str, str]:
    """Type and state with ids renamed where they are known to stand, the rest redacted."""
    traits, states = chains(type, state)
    if traits is None:
        return redact(_renamed_loosely(type, rename)), redact(state)
    new_types = [_renamed_type(each, rename, redact, depth) for each in traits]
    if states is None:
        new_state = redact(state)
    else:
        renamed = [
            _rename_owner(trait, own, rename) if _owner_in_state(trait) else redact(own)
            for trait, own in zip(traits, states, strict=False)
        ]
        new_state = state if renamed == states else encode_like(renamed, _TAB, state)
    return type if new_types == traits else encode_like(new_types, _TAB, type), new_state


def chains(type: str, state: str) -> tuple[list[str] | None, list[str] | None]:
    """Trait types, and states as far as there are some; None for what cannot be taken apart."""
    try:
        traits = decode_chain(type, _TAB)
    except VassalFormatError:
        return None, None
    try:
        return traits, decode_chain(state, _TAB, len(traits))
    except VassalFormatError:
        return traits, None


def foreign_traits(type: str) -> Iterator[str]:
    """The prefixes of traits of a module's own code whose fields nobody here knows."""
    for trait in chains(type, "")[0] or ():
        if isinstance(decode_trait(trait), RawTrait):
            prefix = prefix_of(trait)
            if prefix not in _UNDERSTOOD:
                yield prefix


def uses_as_word(type: str, redact: Callable[[str], str]) -> bool:
    """Whether a stock trait of the type holds what `redact` takes out."""
    if redact(type) == type:
        return False
    stock = (t for t in chains(type, "")[0] or () if not isinstance(decode_trait(t), RawTrait))
    return any(redact(trait) != trait for trait in stock if prefix_of(trait) not in _INSIDE)


def _renamed_type(
    trait: str, rename: Callable[[str], str], redact: Callable[[str], str], depth: int
) -> str:
    prefix = prefix_of(trait)
    if prefix == _IN_TYPE:
        owner, *rest = sequence.decode(trait, ";", len(prefix))
        if owner not in NOBODY and rename(owner) != owner:
            trait = prefix + sequence.join([rename(owner), *rest], ";")
    elif prefix in _INSIDE and depth < MAX_DEPTH:
        trait = _renamed_marker(trait, rename, redact, depth)
    elif prefix not in _IN_STATE and _IN_TYPE.rstrip(";") in trait:
        trait = _renamed_loosely(trait, rename)
    # Never the prefix: a player may have chosen a word of the format as password.
    return prefix + redact(trait[len(prefix) :])


def _renamed_marker(
    text: str, rename: Callable[[str], str], redact: Callable[[str], str], depth: int
) -> str:
    """A trait that places another piece, with the ids in that piece renamed."""
    trait = decode_trait(text)
    if not isinstance(trait, PlaceMarker) or not trait.marker.startswith(_ADD):
        return _renamed_loosely(text, rename)
    fields = sequence.decode(trait.marker, "/", len(_ADD))
    if len(fields) != 3:
        return _renamed_loosely(text, rename)
    inner = rename_in_piece(fields[1], fields[2], rename, redact, depth + 1)
    if [*inner] == fields[1:]:
        return text
    return replace(trait, marker=_ADD + sequence.join([fields[0], *inner], "/")).encode()


def _renamed_loosely(text: str, rename: Callable[[str], str]) -> str:
    """A type that cannot be taken apart, with owners renamed as far as they can be told there."""

    def each(found: re.Match[str]) -> str:
        return found[1] + (found[2] if found[2] in NOBODY else rename(found[2]))

    return _LOOSE_OWNER.sub(each, text)


def _owner_in_state(trait: str) -> bool:
    """Whether the trait's state names a player."""
    prefix = trait[: trait.find(";") + 1]
    if prefix not in _IN_STATE:
        return False
    access = _IN_STATE[prefix]
    if access is None:
        return True
    fields = sequence.decode(trait, ";")
    return len(fields) <= access or not fields[access].startswith(_SIDE)


def _rename_owner(trait: str, state: str, rename: Callable[[str], str]) -> str:
    """The state with every user id passed through `rename`; nobody stays nobody."""

    def each(user: str) -> str:
        return user if user in NOBODY else rename(user)

    if trait.startswith(("hide;", "restrict;")):
        return each(state)
    owner, *options = sequence.decode(state, ";")
    if options:
        # The old owner or nothing, a count, and who may look.
        parts = sequence.decode(options[0], "|")
        parts = [part if i == 1 and part.isdigit() else each(part) for i, part in enumerate(parts)]
        options[0] = sequence.join(parts, "|")
    renamed = sequence.join([each(owner), *options], ";")
    return renamed if sequence.decode(renamed, ";") != sequence.decode(state, ";") else state
