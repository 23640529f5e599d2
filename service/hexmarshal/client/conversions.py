"""Calls with files as data: what is wanted, the files in pieces, and how to read the answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from hexmarshal.client.requests import params
from hexmarshal.errors import NotFoundError, Place
from hexmarshal.rules.state.position import Position
from hexmarshal.v1 import conversion_service_pb2 as pb
from hexmarshal.v1 import position_pb2
from hexmarshal.wire.positions import encode_position

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from google.protobuf.message import Message

__all__ = ["File", "Upload"]

File: TypeAlias = Path | str | bytes
"""A file by its path, or what is in it."""

_PIECE: Final = 256 << 10
_SERVICE: Final = "ConversionService"


@dataclass(frozen=True, slots=True)
class Upload:
    """One call: where it goes, what its first message says, and the files that follow."""

    method: str
    message: type[Message]
    answer: type[Message]
    plan: dict[str, Any]
    files: tuple[tuple[str, Path | bytes | None], ...]

    def messages(self) -> Iterator[Message]:
        """Everything to send, in order."""
        kind: Any = self.message
        yield kind(**self.plan)
        for name, file in self.files:
            for piece in _pieces(file) if file is not None else ():
                yield kind(**{name: piece})


def _pieces(file: Path | bytes) -> Iterator[bytes]:
    if isinstance(file, bytes):
        for at in range(0, len(file), _PIECE):
            yield file[at : at + _PIECE]
        return
    with file.open("rb") as opened:
        while piece := opened.read(_PIECE):
            yield piece


def _present(file: File | None) -> Path | bytes | None:
    """What is wrong is said before anything is sent: in the midst of a call gRPC swallows it."""
    if file is None or isinstance(file, bytes):
        return file
    path = Path(file)
    if not path.is_file():
        raise NotFoundError("no such file", place=Place(file=str(path)))
    return path


def means(
    game: str = "",
    binding: File | None = None,
    scenario: str = "",
    options: Mapping[str, object] | None = None,
    *,
    any_module: bool = False,
) -> pb.Means:
    """With what a file is to be understood; unless `any_module`, only files of the module are."""
    found = _present(binding)
    text = found.read_bytes() if isinstance(found, Path) else found or b""
    return pb.Means(
        game=game,
        binding=text,
        scenario=scenario,
        options=params(options or {}),
        any_module=any_module,
    )


def inspect_module(module: File | None, how: pb.Means) -> Upload:
    """What is in a module."""
    return Upload(
        f"{_SERVICE}/InspectModule",
        pb.InspectModuleRequest,
        pb.InspectModuleResponse,
        {"means": how},
        (("module", _present(module)),),
    )


def read_position(saved: File, module: File | None, how: pb.Means) -> Upload:
    """The position that a file shows."""
    return Upload(
        f"{_SERVICE}/ReadPosition",
        pb.ReadPositionRequest,
        pb.ReadPositionResponse,
        {"means": how},
        (("module", _present(module)), ("saved", _present(saved))),
    )


def write_save(
    position: Position | position_pb2.Position, module: File | None, how: pb.Means
) -> Upload:
    """A save that shows a position."""
    shown = encode_position(position) if isinstance(position, Position) else position
    return Upload(
        f"{_SERVICE}/WriteSave",
        pb.WriteSaveRequest,
        pb.WriteSaveResponse,
        {"plan": pb.SavePlan(means=how, position=shown)},
        (("module", _present(module)),),
    )


def check_log(saved: File, module: File | None, how: pb.Means, *, every: bool) -> Upload:
    """Everything that a file has against the rules."""
    return Upload(
        f"{_SERVICE}/CheckLog",
        pb.CheckLogRequest,
        pb.CheckLogResponse,
        {"plan": pb.CheckPlan(means=how, all=every)},
        (("module", _present(module)), ("saved", _present(saved))),
    )
