"""Many machines: files checked by the workers of a Dask scheduler, as they would be here."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import warnings
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import MissingExtraError, NotFoundError, Place
from hexmarshal.referee.batch.checkers import set_aside
from hexmarshal.referee.batch.cluster_worker import Parcel, check_parcel, same
from hexmarshal.referee.batch.file_key import modules_beside, own_version, rules_version
from hexmarshal.referee.batch.one_file import Checked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from distributed import Client, Future

    from hexmarshal.referee.batch.one_file import FileCheck

__all__ = ["Cluster"]

# Seconds until a scheduler must have answered, and a first worker must have come.
_PATIENCE: Final = 15
# So often it is looked whether the scheduler and any worker are still there.
_GLANCE: Final = 5
# So many glances without any worker, and nobody is expected any more.
_DESERTED: Final = 24
_DATA: Final = re.compile(r"HEXMARSHAL_[A-Z0-9_]+_DATA")
# What Dask raises from whatever is asked of a scheduler that is not there any more.
_LOST: Final = (OSError, TimeoutError, asyncio.CancelledError, CancelledError, RuntimeError)
_RESUME: Final = "what is done is kept: start it again to go on"


@dataclass(frozen=True, slots=True)
class Cluster:
    """Other machines that check; files are sent to them, or lie on paths that all of them share."""

    address: str
    shared: bool = False

    def __call__(self, check: FileCheck, files: Iterable[Path]) -> Iterator[tuple[Path, Checked]]:
        """Each file with its result; one that kills its worker twice is set aside."""
        with _connected(self.address) as client:
            work = _Work(client, self.address, check, self.shared)
            suspects: list[Path] = []
            for path, found in work.through(files, alone=False):
                if isinstance(found, Checked):
                    yield path, found
                else:
                    suspects.append(path)
            # One at a time, so that nobody else can be to blame.
            for path, found in work.through(suspects, alone=True):
                yield path, found if isinstance(found, Checked) else set_aside(found.code)


@dataclass(frozen=True, slots=True)
class _Death:
    """In place of a result."""

    code: int | None


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtraError(
            "--cluster needs Dask", hint="pip install 'hexmarshal[cluster]'"
        ) from None
    try:
        with warnings.catch_warnings():
            # Versions that matter are compared below.
            warnings.simplefilter("ignore")
            client = Client(address, timeout=_PATIENCE, set_as_default=False, name="hexmarshal")
    except (OSError, TimeoutError, ValueError) as error:
        raise MissingExtraError(
            f"no Dask scheduler answers at {address}: {error}",
            hint="start one: dask scheduler; its address looks like tcp://host:8786",
        ) from None
    try:
        _refuse_strangers(client, address)
        yield client
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            client.close(timeout=_PATIENCE)


def _refuse_strangers(client: Client, address: str) -> None:
    """Whoever works with another version of us would find other things."""
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        raise MissingExtraError(
            f"the scheduler at {address} has no workers", hint=f"start some: dask worker {address}"
        ) from None
    # Only what every Python has is asked for, so that anybody can answer.
    told = client.run(version, "hexmarshal", on_error="return")
    for worker, found in sorted(told.items()):
        if found != own_version():
            has = f"hexmarshal {found}" if isinstance(found, str) else "no hexmarshal"
            raise _stranger(worker, has)


def _stranger(worker: str, has: str) -> MissingExtraError:
    return MissingExtraError(
        f"the worker {worker} runs {has}, and this is {rules_version()}",
        hint=f"install the same version everywhere; {_RESUME}",
    )


@dataclass(slots=True)
class _Work:
    """Files on their way: enough to keep all workers busy, and no more."""

    client: Client
    address: str
    check: FileCheck
    shared: bool
    modules: dict[tuple[Path, int, int], Future] = field(default_factory=dict)
    run: str = field(default_factory=lambda: secrets.token_hex(4))
    number: int = 0
    room: int = 0
    asked: int = 0

    def through(
        self, files: Iterable[Path], *, alone: bool
    ) -> Iterator[tuple[Path, Checked | _Death]]:
        """Each file with what came of it; an error as soon as the scheduler is lost."""
        try:
            yield from self._through(files, alone=alone)
        except _LOST:
            raise self._gone() from None

    def _through(
        self, files: Iterable[Path], *, alone: bool
    ) -> Iterator[tuple[Path, Checked | _Death]]:
        todo = iter(files)
        paths: dict[str, Path] = {}
        done: SimpleQueue[Future] = SimpleQueue()
        while True:
            room = 1 if alone else self._room()
            while len(paths) < room and (path := next(todo, None)) is not None:
                future = self._given(path)
                if future is None:
                    yield path, Checked({"error": "no such file"})
                    continue
                paths[future.key] = path
                future.add_done_callback(done.put)
            if not paths:
                return
            future = self._next(done)
            path = paths.pop(future.key)
            yield path, self._result(future, path)

    def _room(self) -> int:
        """Two files a thread; how many there are is asked now and then, as workers come and go."""
        if self.number >= self.asked + self.room:
            threads: int = sum(self.client.nthreads().values())
            self.room, self.asked = 2 * max(1, threads), self.number
        return self.room

    def _given(self, path: Path) -> Future | None:
        """The task about a file; none if it has gone."""
        try:
            data = None if self.shared else path.read_bytes()
        except OSError:
            return None
        parcel, modules = self._parcel(path, data)
        self.number += 1
        key = f"hexmarshal-{self.run}-{self.number}"
        return self.client.submit(check_parcel, parcel, modules, key=key, pure=False)

    def _parcel(self, path: Path, data: bytes | None) -> tuple[Parcel, dict[str, Future]]:
        known = {name: text for name, text in os.environ.items() if _DATA.fullmatch(name)}
        means = self.check.means
        if data is None:
            return Parcel(_resolved(self.check), path.resolve(), rules_version(), known), {}
        given = (means.module,) if means.module is not None else modules_beside(path)
        try:
            binding = means.binding.read_bytes() if means.binding is not None else None
            parcel = Parcel(self.check, path, rules_version(), known, data, binding)
            return parcel, {module.name: self._module(module) for module in given}
        except OSError as error:
            place = Place(file=str(error.filename))
            raise NotFoundError(f"cannot be sent: {error.strerror}", place=place) from None

    def _module(self, path: Path) -> Future:
        """A module, sent once."""
        stat = path.stat()
        key = path, stat.st_size, stat.st_mtime_ns
        if key not in self.modules:
            name = f"hexmarshal-module-{self.run}-{len(self.modules)}"
            with warnings.catch_warnings():
                # A module is as large as it is.
                warnings.simplefilter("ignore")
                self.modules[key] = self.client.submit(same, path.read_bytes(), key=name)
        return self.modules[key]

    def _next(self, done: SimpleQueue[Future]) -> Future:
        """The next task that is done; waits for it as long as there is hope."""
        deserted = 0
        while True:
            try:
                return done.get(timeout=_GLANCE)
            except Empty:
                pass
            if self.client.status != "running":
                raise self._gone() from None
            deserted = 0 if self._has_workers() else deserted + 1
            if deserted >= _DESERTED:
                raise MissingExtraError(
                    f"all workers of the scheduler at {self.address} are gone",
                    hint=f"start some: dask worker {self.address}; {_RESUME}",
                )

    def _has_workers(self) -> bool:
        return bool(self.client.nthreads())

    def _gone(self) -> MissingExtraError:
        return MissingExtraError(f"the scheduler at {self.address} has gone away", hint=_RESUME)

    def _result(self, future: Future, path: Path) -> Checked | _Death:
        """What a task gave; an error if it is about the cluster and not about the file."""
        from distributed import KilledWorker

        if future.status == "cancelled":
            raise self._gone()
        if future.status == "error":
            error = future.exception()
            if isinstance(error, KilledWorker):
                return _Death(None)
            raise MissingExtraError(
                f"a worker of {self.address} cannot do it: {type(error).__name__}: {error}",
                hint=f"is the same version installed everywhere? {_RESUME}",
            )
        found = future.result()
        if isinstance(found, Checked):
            return found
        if not isinstance(found, str):
            return _Death(found)
        if found == "no such file":
            if not path.exists():
                return Checked({"error": found})
            raise MissingExtraError(
                f"the workers of {self.address} do not see {path}",
                hint="leave --shared out: then files are sent",
            )
        raise _stranger("that checked a file", f"hexmarshal {found.removeprefix('version ')}")


def _resolved(check: FileCheck) -> FileCheck:
    """The same with paths that hold wherever a worker was started."""
    means = check.means
    module = means.module.resolve() if means.module is not None else None
    binding = means.binding.resolve() if means.binding is not None else None
    return replace(check, means=replace(means, module=module, binding=binding))
