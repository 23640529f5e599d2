"""The folder of one call: which names its files have, and what is left in it for the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from google.protobuf.message import Message

    from hexmarshal.rules.plugins.registry import Registry
    from hexmarshal.service.rulings.position_cache import PositionReader

__all__ = ["ANSWERS", "BINDING", "MODULE", "PROGRESS", "SAVED", "answers", "convert", "leave"]

MODULE, SAVED, BINDING = "module.vmod", "saved", "binding.yaml"
ANSWERS, PROGRESS = "answers", "progress"
_LENGTH: Final = 4


def convert(
    name: str, folder: Path, plan: bytes, registry: Registry, reader: PositionReader
) -> bytes:
    """Do the work of a call; what that needs is loaded where it is done, and not before."""
    from hexmarshal.service.conversion.conversion_jobs import convert as work

    return work(name, folder, plan, registry, reader)


def leave(folder: Path, messages: Iterable[Message]) -> None:
    """Leave the messages of an answer for the server to send."""
    with (folder / ANSWERS).open("wb") as file:
        for message in messages:
            data = message.SerializeToString()
            file.write(len(data).to_bytes(_LENGTH, "big") + data)


def answers(folder: Path) -> Iterator[bytes]:
    """The messages that were left."""
    if not (folder / ANSWERS).exists():
        return
    with (folder / ANSWERS).open("rb") as file:
        while head := file.read(_LENGTH):
            yield file.read(int.from_bytes(head, "big"))
