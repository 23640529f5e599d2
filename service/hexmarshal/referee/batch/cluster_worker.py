"""What a worker of a cluster does: files that were sent are laid out, then checked apart."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
import threading
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hexmarshal.referee.batch.checking_process import CheckingProcess, ProcessDiedError
from hexmarshal.referee.batch.file_key import rules_version

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.referee.batch.one_file import Checked, FileCheck

__all__ = ["Parcel", "check_parcel", "same"]


@dataclass(frozen=True, slots=True)
class Parcel:
    """A file to check: by its path, or with its content; modules come apart, once a worker."""

    check: FileCheck
    path: Path
    version: str
    environment: Mapping[str, str]
    data: bytes | None = field(default=None, repr=False)
    binding: bytes | None = field(default=None, repr=False)


def same(data: bytes) -> bytes:
    """The content of a module, as a task: a worker that dies with it does not lose it."""
    return data


def check_parcel(parcel: Parcel, modules: Mapping[str, bytes]) -> Checked | str | int | None:
    """The result of a file; a word if it cannot be checked here, a code if it killed its process.

    `None` is the code of a process of which nobody knows how it ended.
    """
    if parcel.version != rules_version():
        return f"version {rules_version() or 'unknown'}"
    if parcel.data is None and not parcel.path.exists():
        return "no such file"
    with tempfile.TemporaryDirectory(dir=_place()) as folder:
        check, path = _laid_out(parcel, modules, Path(folder))
        try:
            return _process(parcel.environment).check(check, path)
        except ProcessDiedError as died:
            code: int | None = died.args[0]
            return code


def _laid_out(parcel: Parcel, modules: Mapping[str, bytes], folder: Path) -> tuple[FileCheck, Path]:
    """Where a file lies as it lay at home, among the same modules."""
    if parcel.data is None:
        return parcel.check, parcel.path
    path = folder / parcel.path.name
    path.write_bytes(parcel.data)
    means = parcel.check.means
    for name, data in modules.items():
        kept = _kept(data)
        if means.module is not None:
            means = replace(means, module=kept)
        else:
            _link(kept, folder / name)
    if means.binding is not None and parcel.binding is not None:
        own = folder / "binding.yaml"
        own.write_bytes(parcel.binding)
        means = replace(means, binding=own)
    return replace(parcel.check, means=means), path


def _kept(data: bytes) -> Path:
    """A module in a file that stays as long as the worker lives."""
    path = _place() / f"{hashlib.sha256(data).hexdigest()}.vmod"
    if not path.exists():
        draft = path.with_suffix(f".{threading.get_ident()}")
        draft.write_bytes(data)
        draft.replace(path)
    return path


def _link(kept: Path, path: Path) -> None:
    try:
        os.link(kept, path)
    except OSError:
        shutil.copyfile(kept, path)


@cache
def _place() -> Path:
    """In the worker's own folder, which Dask tidies up after one that was killed."""
    from distributed import get_worker

    place = tempfile.mkdtemp(prefix="hexmarshal-", dir=get_worker().local_directory)
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return Path(place)


_own = threading.local()


def _process(environment: Mapping[str, str]) -> CheckingProcess:
    """That of this thread: a worker with four threads checks four files at a time."""
    known: dict[tuple[tuple[str, str], ...], CheckingProcess] | None
    known = getattr(_own, "processes", None)
    if known is None:
        known = _own.processes = {}
    key = tuple(sorted(environment.items()))
    if key not in known:
        known[key] = CheckingProcess(environment)
    return known[key]
