"""The two metadata entries beside a `savedGame`: who wrote the save, and for which module."""

from __future__ import annotations

from typing import Final

from hexmarshal.vassal.container.metadata import Metadata

__all__ = ["VASSAL_VERSION", "save_entries"]

VASSAL_VERSION: Final = "3.7.0"


def save_entries(
    module_name: str,
    module_version: str,
    *,
    module_data: bytes | None = None,
    description: str | None = None,
    date: int = 0,
    vassal_version: str = VASSAL_VERSION,
) -> dict[str, bytes]:
    """`savedata` and `moduledata` for a new save; `module_data` is the module's own, if at hand.

    `date` is in milliseconds since 1970 UTC and given by the caller: the same game written twice
    is the same file.
    """
    common = {
        "version": module_version,
        "extra1": "",
        "extra2": "",
        "VassalVersion": vassal_version,
        "dateSaved": str(date),
    }
    save = {**common, "description": description} if description is not None else common
    if module_data is None:
        module = {**common, "description": "", "name": module_name}
        module_data = Metadata.create(module).to_bytes()
    return {"savedata": Metadata.create(save).to_bytes(), "moduledata": module_data}
