"""A thin typed client of the rules service, for threads and for asyncio."""

from hexmarshal.client.asynchronous import AsyncClient
from hexmarshal.client.errors import (
    ConflictError,
    DiceNeededError,
    IllegalMoveError,
    InvalidRequestError,
    NotPermittedError,
    ServiceError,
    ServiceNotFoundError,
    ServiceUnavailableError,
)
from hexmarshal.client.requests import InMatch, OfferedAction
from hexmarshal.client.sight import FoundPath, LineOfSight, ReachableCells, Supply, VisibleCells
from hexmarshal.client.synchronous import Client

__all__ = [
    "AsyncClient",
    "Client",
    "ConflictError",
    "DiceNeededError",
    "FoundPath",
    "IllegalMoveError",
    "InMatch",
    "InvalidRequestError",
    "LineOfSight",
    "NotPermittedError",
    "OfferedAction",
    "ReachableCells",
    "ServiceError",
    "ServiceNotFoundError",
    "ServiceUnavailableError",
    "Supply",
    "VisibleCells",
]
