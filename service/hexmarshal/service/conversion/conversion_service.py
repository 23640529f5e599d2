"""Conversion calls: uploads into a folder that lives as long as the call, answers out of it."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.service.calls import statuses
from hexmarshal.service.conversion import uploads
from hexmarshal.v1 import conversion_service_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from hexmarshal.service.calls.call import Call
    from hexmarshal.service.rulings.routing import Rulings
    from hexmarshal.service.settings import Settings

__all__ = ["ConversionService"]

# How often somebody who waits for a check is told how far it is.
_LOOK: Final = 0.25
_FILES: Final = {"module": uploads.MODULE, "saved": uploads.SAVED}
_PLANS: Final = ("means", "plan")


class ConversionService:
    """Answers the calls about files; every one is a stream of requests."""

    def __init__(self, settings: Settings, rulings: Rulings) -> None:
        self._settings, self._rulings = settings, rulings
        self._uploads = 0

    def method(self, name: str) -> Callable[[Call, AsyncIterator[Any]], AsyncIterator[bytes]]:
        """What answers the call of this name."""
        return partial(self._answer, name)

    async def _answer(
        self, name: str, call: Call, requests: AsyncIterator[Any]
    ) -> AsyncIterator[bytes]:
        async with self._received(call, requests) as (folder, plan):
            work = partial(uploads.convert, name, folder, plan)
            task = asyncio.create_task(_done(self._rulings.run(call, work)))
            try:
                told = 0
                while name == "CheckLog" and not task.done():
                    await asyncio.wait({task}, timeout=_LOOK)
                    steps = _steps(folder)
                    if steps > told and not task.done():
                        told = steps
                        progress = pb.CheckProgress(steps=steps)
                        yield pb.CheckLogResponse(progress=progress).SerializeToString()
                first = await task
            finally:
                task.cancel()
            if first or name in ("InspectModule", "ReadPosition"):
                yield first
            for message in uploads.answers(folder):
                yield message

    @asynccontextmanager
    async def _received(
        self, call: Call, requests: AsyncIterator[Any]
    ) -> AsyncIterator[tuple[Path, bytes]]:
        """The folder with the files that were sent, and what is wanted of them."""
        if self._uploads >= self._settings.max_uploads:
            raise statuses.exhausted("uploads", "too many uploads at once", retry_after=1)
        self._uploads += 1
        try:
            folder = Path(tempfile.mkdtemp(prefix="hexmarshal-"))
            try:
                yield folder, await self._take(call, requests, folder)
            finally:
                # A large file takes its time to go.
                await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        finally:
            self._uploads -= 1

    async def _take(self, call: Call, requests: AsyncIterator[Any], folder: Path) -> bytes:
        plan: bytes | None = None
        left = self._settings.max_upload_bytes
        messages = aiter(requests)
        while True:
            try:
                # Somebody who sends nothing must not keep a place for ever.
                async with asyncio.timeout(call.seconds_left):
                    request = await anext(messages)
            except StopAsyncIteration:
                break
            if call.raw is not None and plan is None:
                plan = call.raw
                continue
            part = request.WhichOneof("part") if call.raw is None else _PLANS[1]
            if part is None:
                raise statuses.invalid("part", "a message is empty")
            if plan is None:
                if part not in _PLANS:
                    raise statuses.invalid(part, "the first message must say what is wanted")
                plan = getattr(request, part).SerializeToString()
                continue
            if part in _PLANS:
                raise statuses.invalid(part, "only the first message says what is wanted")
            piece: bytes = getattr(request, part)
            left -= len(piece)
            if left < 0:
                most = self._settings.max_upload_bytes
                raise statuses.exhausted("upload_bytes", f"more than {most} bytes in all")
            await asyncio.to_thread(_append, folder / _FILES[part], piece)
        if plan is None:
            raise statuses.invalid("part", "nothing was sent")
        return plan


async def _done(work: Awaitable[bytes]) -> bytes:
    return await work


def _append(path: Path, piece: bytes) -> None:
    with path.open("ab") as file:
        file.write(piece)


def _steps(folder: Path) -> int:
    try:
        return int((folder / uploads.PROGRESS).read_text() or 0)
    except (OSError, ValueError):
        return 0
