"""How a client reaches a server: address, TLS, token, sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import grpc

from hexmarshal.errors import NotFoundError, Place

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PACKAGE", "Reach"]

PACKAGE = "hexmarshal.v1"


@dataclass(frozen=True, slots=True)
class Reach:
    """All that is needed to open a channel."""

    address: str
    token: str = ""
    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    tls: bool = False

    @property
    def options(self) -> list[tuple[str, int]]:
        """A position may be large in both directions."""
        return [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What goes with every call."""
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()

    @property
    def credentials(self) -> grpc.ChannelCredentials | None:
        """None for a plain connection."""
        if not (self.tls or self.ca or self.certificate):
            return None
        return grpc.ssl_channel_credentials(
            _bytes(self.ca), _bytes(self.key), _bytes(self.certificate)
        )


def _bytes(path: Path | None) -> bytes | None:
    try:
        return None if path is None else path.read_bytes()
    except OSError as error:
        raise NotFoundError(f"{error.strerror}", place=Place(file=str(path))) from None
