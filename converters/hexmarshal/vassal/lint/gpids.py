"""Checks of gpids, by which saves find the definition of a piece; renumbered as the engine does."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.components import GameModule, ModuleExtension, PieceSlot
from hexmarshal.vassal.lint.checks import Check, Found, Severity
from hexmarshal.vassal.pieces.piece import format_add, parse_add
from hexmarshal.vassal.sequence import java_int
from hexmarshal.vassal.traits import PieceState, PlaceMarker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.lint.subject import ModuleSubject

__all__ = ["CHECKS"]


@dataclass(frozen=True, slots=True)
class _Holder:
    """What has a gpid: a slot, or (with an index) a trait of a slot's or prototype's piece."""

    component: Component
    gpid: str
    index: int | None = None

    @property
    def number(self) -> int | None:
        """The number in the id; an extension's ids have the extension's before it."""
        return java_int(self.gpid.rpartition(":")[2])

    def __str__(self) -> str:
        return "the slot" if self.index is None else "a marker trait"


def _holders(subject: ModuleSubject) -> Iterator[_Holder]:
    """In the order in which the engine goes through them."""
    pieces = {d.component: d.piece for d in subject.definitions}
    for component in subject.components:
        if isinstance(component, PieceSlot):
            yield _Holder(component, component.gpid)
        piece = pieces.get(component)
        if piece is not None:
            for found in piece.each(PlaceMarker):
                yield _Holder(component, found.trait.gpid, found.index)


def _missing(subject: ModuleSubject) -> Iterator[Found]:
    holders = list(_holders(subject))
    slots = [h for h in holders if h.index is None]
    if len(slots) > 1 and not any(h.gpid for h in slots):
        root = subject.module.root
        yield subject.found(root, f"none of the {len(slots)} slots has a gpid, as before 3.0")
        return
    for holder in holders:
        if not holder.gpid:
            # A marker has had one since 3.2; the editor adds it as soon as it sees the module.
            soft = None if holder.index is None else Severity.INFO
            yield subject.found(holder.component, f"{holder} has no gpid", severity=soft)
        elif holder.number is None:
            message = f"the gpid {holder.gpid!r} of {holder} is no number"
            yield subject.found(holder.component, message, field="gpid")


def _duplicate(subject: ModuleSubject) -> Iterator[Found]:
    seen: dict[str, _Holder] = {}
    for holder in _holders(subject):
        if holder.gpid:
            first = seen.setdefault(holder.gpid, holder)
            if first is not holder:
                other = first.component.name or first.component.short_name
                message = f"the gpid {holder.gpid} of {holder} is that of {other!r} too"
                yield subject.found(holder.component, message, field="gpid")


def _next_too_small(subject: ModuleSubject) -> Iterator[Found]:
    root = subject.module.root
    highest = _highest(subject)
    if isinstance(root, GameModule | ModuleExtension):
        following = java_int(root.get("nextPieceSlotId", "0"))
        if following is None or following <= highest:
            message = (
                f"nextPieceSlotId is {root.get('nextPieceSlotId')!r}, "
                f"but the highest gpid in use is {highest}"
            )
            yield subject.found(root, message, field="nextPieceSlotId")


def _highest(subject: ModuleSubject) -> int:
    return max((h.number for h in _holders(subject) if h.number is not None), default=-1)


def _renumber(subject: ModuleSubject, faulty: list[_Holder]) -> Iterator[str]:
    root = subject.module.root
    following = max(java_int(root.get("nextPieceSlotId", "0")) or 0, _highest(subject) + 1)
    prefix = f"{root.extension_id}:" if isinstance(root, ModuleExtension) else ""
    for holder in faulty:
        gpid = f"{prefix}{following}"
        following += 1
        _give(holder, gpid)
        yield f"{holder.component.name or holder.component.short_name}: {holder} has gpid {gpid}"
    if faulty:
        root.set("nextPieceSlotId", str(following))


def _give(holder: _Holder, gpid: str) -> None:
    component = holder.component
    if holder.index is None:
        component.set("gpid", gpid)
        with suppress(VassalFormatError):
            component.text = _with_gpid(component.text.strip(), gpid)
        return
    piece = parse_add(component.text.strip())
    trait = piece.traits[holder.index]
    assert isinstance(trait, PlaceMarker)
    component.text = format_add(piece.replace_trait(holder.index, replace(trait, gpid=gpid)))


def _with_gpid(text: str, gpid: str) -> str:
    """A definition with this id in its state, if the state has one; damaged ones stay."""
    piece = parse_add(text)
    state = piece.basic_state
    if piece.problem is not None or not isinstance(state, PieceState) or not state.gpid:
        return text
    return format_add(piece.with_state(len(piece.traits) - 1, replace(state, gpid=gpid)))


def _mend_missing(subject: ModuleSubject) -> Iterator[str]:
    yield from _renumber(subject, [h for h in _holders(subject) if h.number is None])


def _mend_duplicate(subject: ModuleSubject) -> Iterator[str]:
    seen: set[str] = set()
    faulty = []
    for holder in _holders(subject):
        if holder.gpid and holder.gpid in seen:
            faulty.append(holder)
        seen.add(holder.gpid)
    yield from _renumber(subject, faulty)


def _mend_next(subject: ModuleSubject) -> Iterator[str]:
    for _ in _next_too_small(subject):
        following = str(_highest(subject) + 1)
        subject.module.root.set("nextPieceSlotId", following)
        yield f"nextPieceSlotId is {following}"


CHECKS: Final[tuple[Check[ModuleSubject], ...]] = (
    Check(
        "missing-gpid",
        Severity.WARNING,
        "A piece has no gpid, or one that is no number",
        "mend it with --fix: saves cannot be brought up to a newer module without it",
        _missing,
        mend=_mend_missing,
    ),
    Check(
        "duplicate-gpid",
        Severity.WARNING,
        "Two pieces have the same gpid",
        "mend it with --fix: the later piece gets a new one, as in the engine's editor",
        _duplicate,
        mend=_mend_duplicate,
    ),
    Check(
        "next-gpid",
        Severity.WARNING,
        "The number for the next new piece is already in use",
        "mend it with --fix",
        _next_too_small,
        mend=_mend_next,
    ),
)
