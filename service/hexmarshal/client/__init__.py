"""A thin typed client of the rules service, for threads and for asyncio."""

from hexmarshal.client.asynchronous import AsyncClient
from hexmarshal.client.errors import (
    ConflictError,
    IllegalMoveError,
    InvalidRequestError,
    NotPermittedError,
    ServiceError,
    ServiceNotFoundError,
    ServiceUnavailableError,
)
from hexmarshal.client.requests import InMatch, OfferedAction
from hexmarshal.client.synchronous import Client

__all__ = [
    "AsyncClient",
    "Client",
    "ConflictError",
    "IllegalMoveError",
    "InMatch",
    "InvalidRequestError",
    "NotPermittedError",
    "OfferedAction",
    "ServiceError",
    "ServiceNotFoundError",
    "ServiceUnavailableError",
]
