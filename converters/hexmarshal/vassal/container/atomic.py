"""Writing a file so that at every moment either the old or the new content is there, whole."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.errors import OutputError, Place

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["make_folder", "refuse_existing", "write_atomically"]


def refuse_existing(target: Path, *, force: bool, own: Path | None = None) -> None:
    """Raise unless `target` is free, is the input `own` itself, or `force` is given."""
    if force or not os.path.lexists(target):
        return
    if own is not None:
        with contextlib.suppress(OSError):
            if target.samefile(own):
                return
    raise OutputError(
        "exists already",
        place=Place(file=str(target)),
        hint="choose another name, or overwrite it with --force",
    )


def write_atomically(
    target: Path, chunks: Iterable[bytes], *, force: bool = False, own: Path | None = None
) -> None:
    """Write `chunks` beside `target`, sync, and rename; on any failure `target` stays as it was.

    `chunks` may read from the file that `target` names: it is replaced only at the end.
    """
    refuse_existing(target, force=force, own=own)
    place = Place(file=str(target))
    try:
        # A link keeps pointing where it pointed: the file behind it is replaced.
        final = Path(os.path.realpath(target))
        draft = final.with_name(f".{final.name[:80]}.{secrets.token_hex(6)}.part")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        handle = os.open(draft, flags, 0o666)
    except (OSError, ValueError) as why:
        reason = getattr(why, "strerror", None) or why
        folder = target.parent
        hint = "" if folder.is_dir() else f"make the folder first: {folder}"
        raise OutputError(f"cannot be written: {reason}", place=place, hint=hint) from why
    try:
        with os.fdopen(handle, "wb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileNotFoundError):
            draft.chmod(stat.S_IMODE(final.stat().st_mode))
        draft.replace(final)
    except OSError as why:
        draft.unlink(missing_ok=True)
        raise OutputError(f"cannot be written: {why.strerror or why}", place=place) from why
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    _sync_folder(final.parent)


def make_folder(folder: Path) -> None:
    """Make a folder and those around it; an OutputError says why it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise OutputError(
            f"cannot be made: {why.strerror or why}", place=Place(file=str(folder))
        ) from why


def _sync_folder(folder: Path) -> None:
    # Windows cannot open a folder; there the rename alone has to do.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
