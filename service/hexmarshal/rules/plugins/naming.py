"""Code that a user names on the command line: `module:attribute`, installed or by its path."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

from hexmarshal.errors import HexMarshalError, RulesError

__all__ = ["named", "reason"]


def named(spec: str, what: str) -> object:
    """The attribute of a module; a module with a slash is a path to a package or a file."""
    # The last colon parts them: that of a Windows drive comes before it.
    module, _, attribute = spec.rpartition(":")
    try:
        return getattr(importlib.import_module(_importable(module)), attribute)
    except Exception as error:
        # Other people's code is imported here; whatever it raises must reach the user as a line.
        raise RulesError(
            f"{what} {spec!r} cannot be loaded: {reason(error)}", hint=_hint(module, attribute)
        ) from error


def reason(error: BaseException) -> str:
    """Why code could not be loaded."""
    return str(error) if isinstance(error, HexMarshalError) else f"{type(error).__name__}: {error}"


def _is_path(module: str) -> bool:
    return os.sep in module or "/" in module


def _importable(module: str) -> str:
    if not _is_path(module):
        return module
    path = Path(module).resolve()
    folder = str(path.parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    return path.stem if path.suffix == ".py" else path.name


def _hint(module: str, attribute: str) -> str:
    """For one who means a file of this folder: an installed command does not look there."""
    first = module.partition(".")[0]
    here = not _is_path(module) and (Path(first).is_dir() or Path(f"{first}.py").is_file())
    return f"a path has a slash: ./{module}:{attribute}" if here and first else ""
