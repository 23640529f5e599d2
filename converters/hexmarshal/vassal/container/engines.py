"""Which engine a form of saved games needs, for the version that metadata tell."""

from __future__ import annotations

import re
from typing import Final

from hexmarshal.vassal.container.saved_forms import Form

__all__ = ["engine_for"]

_NUMBERS: Final = re.compile(r"(\d+)(?:\.(\d+))?")
_OLD, _NEW = "3.7.0", "3.8.0"
_FIRST_NEW: Final = (3, 8)


def engine_for(form: Form, version: str) -> str:
    """The version that is true of a save in this form, if `version` was before.

    An engine older than 3.8 knows only plain text and hex digits; a save that was made readable
    for it again must not warn of a newer engine.
    """
    found = _NUMBERS.match(version)
    numbers = (int(found[1]), int(found[2] or 0)) if found else (0, 0)
    if form in {Form.HEX, Form.PLAIN}:
        return _OLD if numbers >= _FIRST_NEW else version
    return version if numbers >= _FIRST_NEW else _NEW
