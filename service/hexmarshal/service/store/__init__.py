"""Where matches and tokens are kept: one small interface, SQLite and PostgreSQL behind it."""

from hexmarshal.service.store.base import (
    EventRow,
    MatchRow,
    Store,
    StoreUnavailableError,
    TokenRow,
    VersionConflictError,
    open_store,
)

__all__ = [
    "EventRow",
    "MatchRow",
    "Store",
    "StoreUnavailableError",
    "TokenRow",
    "VersionConflictError",
    "open_store",
]
