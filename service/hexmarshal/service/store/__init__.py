"""Where matches and tokens are kept: one small interface, SQLite and PostgreSQL behind it."""

from hexmarshal.service.store.base import (
    UNCHANGED,
    BanRow,
    Change,
    EventRow,
    MatchRow,
    Store,
    Stored,
    StoreUnavailableError,
    TokenRow,
    VersionConflictError,
    open_store,
)

__all__ = [
    "UNCHANGED",
    "BanRow",
    "Change",
    "EventRow",
    "MatchRow",
    "Store",
    "StoreUnavailableError",
    "Stored",
    "TokenRow",
    "VersionConflictError",
    "open_store",
]
