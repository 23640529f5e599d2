"""Three modules made into one: build file, metadata, set-ups, pictures and other files."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import HexMarshalError, UsageError, VassalFormatError
from hexmarshal.errors.counts import counted
from hexmarshal.vassal.components import PieceSlot
from hexmarshal.vassal.container.kind import BUILD_FILES
from hexmarshal.vassal.pieces.gpids import defined_gpids, marker_gpids, with_gpids
from hexmarshal.vassal.pieces.piece import format_add, parse_add
from hexmarshal.vassal.privacy.scrubbing import redactor_of_modules
from hexmarshal.vassal.saves.nested_saves import nested_saves, open_nested
from hexmarshal.vassal.sequence import java_int
from hexmarshal.vassal.threeway.account import Account
from hexmarshal.vassal.threeway.components import BuildFileMerge
from hexmarshal.vassal.threeway.games import merge_games
from hexmarshal.vassal.threeway.kinship import demand_kindred_modules
from hexmarshal.vassal.threeway.sequences import runs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.module import Module

__all__ = ["merge_modules"]

_OWN: Final = frozenset({"moduledata", "extensiondata", *BUILD_FILES})
_TEXTS: Final = (".html", ".htm", ".xhtml", ".css", ".txt", ".md", ".properties")
_LATEST: Final = frozenset({"dateSaved"})


def merge_modules(
    base: Module, ours: Module, theirs: Module, account: Account, *, any_module: bool = False
) -> None:
    """Put into ours what theirs changed since base; ours is changed but not saved.

    Unless `any_module`, what was not made of base is refused.
    """
    if not base.is_extension == ours.is_extension == theirs.is_extension:
        raise UsageError("a module and an extension cannot be merged", place=theirs.place)
    if any((m.archive is None) != (ours.archive is None) for m in (base, theirs)):
        raise UsageError("a build file alone and a whole module cannot be merged")
    if not any_module:
        demand_kindred_modules(base, ours, theirs)
    hide = redactor_of_modules(base, ours, theirs)
    told = Account(account.favour, account.taken, account.conflicts, hide)
    merge = BuildFileMerge(base, ours, theirs, told)
    merge.run()
    gpids = _renumber(ours, theirs, merge.added.values())
    _metadata(base, ours, theirs, account)
    _files(base, ours, theirs, account, gpids)


def _renumber(ours: Module, theirs: Module, added: Iterable[Component]) -> dict[str, str]:
    """New gpids for pieces of theirs whose number ours has given to another piece.

    A number that theirs itself uses twice is an old fault of the module, and stays.
    """
    slots = [component for component in added if isinstance(component, PieceSlot)]
    used = Counter(defined_gpids(ours))
    twice = {gpid for gpid, count in Counter(defined_gpids(theirs)).items() if count > 1}
    following = java_int(ours.root.get("nextPieceSlotId", "0")) or 0
    numbers = [n for gpid in used if (n := java_int(gpid.rpartition(":")[2])) is not None]
    following = max([following, *(n + 1 for n in numbers)])
    mapping: dict[str, str] = {}
    for slot in slots:
        own: dict[str, str] = {}
        try:
            piece = parse_add(slot.text.strip())
        except VassalFormatError:
            continue
        for gpid in dict.fromkeys((slot.gpid, *marker_gpids(piece))):
            if gpid and used[gpid] > 1 and gpid not in twice:
                used[gpid] -= 1
                head, colon, _ = gpid.rpartition(":")
                own[gpid] = f"{head}{colon}{following}"
                following += 1
        if own:
            slot.set("gpid", own.get(slot.gpid, slot.gpid))
            slot.text = format_add(with_gpids(piece, own))
            mapping |= own
    if mapping:
        ours.root.set("nextPieceSlotId", str(following))
    return mapping


def _metadata(base: Module, ours: Module, theirs: Module, account: Account) -> None:
    if base.metadata is None or ours.metadata is None or theirs.metadata is None:
        return
    kept = [m.metadata for m in (base, ours, theirs) if m.metadata is not None]
    names = dict.fromkeys(str(e.tag) for m in kept for e in m.document.root)
    for name in names:
        was, mine, other = (m.get(name) for m in kept)
        if name in _LATEST:
            ours.metadata.set(name, max(filter(None, (mine, other)), default=mine, key=_number))
            continue
        chosen = account.choose((was, mine, other), "metadata", name)
        if chosen != mine:
            ours.metadata.set(name, chosen)


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


def _files(
    base: Module, ours: Module, theirs: Module, account: Account, gpids: dict[str, str]
) -> None:
    saves = {*nested_saves(ours), *nested_saves(theirs)}
    for entry in dict.fromkeys((*base.entries(), *ours.entries(), *theirs.entries())):
        if entry in _OWN:
            continue
        was, mine, other = (m.read(entry) if m.has(entry) else None for m in (base, ours, theirs))
        if other in (was, mine):
            continue
        whole = was is not None and mine is not None and other is not None
        if entry in saves and whole and (mine != was or gpids):
            try:
                games = [open_nested(m, entry) for m in (base, ours, theirs)]
                merged = merge_games(games[0], games[1], games[2], account, entry, gpids)
                ours.changes[entry] = merged.to_bytes()
                continue
            except HexMarshalError:
                pass
        if mine == was:
            ours.changes[entry] = other
            how = "added" if was is None else "removed" if other is None else "changed"
            account.take(f"{entry}: {how}")
            continue
        if whole and entry.lower().endswith(_TEXTS):
            assert was is not None
            assert mine is not None
            assert other is not None
            lines = _lines(was, mine, other)
            if lines is not None:
                ours.changes[entry] = lines
                account.take(f"{entry}: lines")
                continue
        told = [None if data is None else counted(len(data), "byte") for data in (was, mine, other)]
        account.clash(entry, "changed by both", *told)
        if account.favours_theirs:
            ours.changes[entry] = other


def _lines(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """A page with the changed lines of both; None if both changed the same lines."""
    merged: list[bytes] = []
    texts = [data.splitlines(keepends=True) for data in (base, ours, theirs)]
    for run in runs(*texts):
        if run.theirs in (run.base, run.ours):
            merged += run.ours
        elif run.ours == run.base:
            merged += run.theirs
        else:
            return None
    return b"".join(merged)
