"""Where in a YAML file a value stands, found again once something about it is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["line_of"]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def line_of(file: Path, keys: Sequence[str | int]) -> int | None:
    """The line of the value under these keys, or of the nearest one around it."""
    try:
        node = yaml.compose(file.read_bytes(), Loader=_LOADER)
    except (OSError, yaml.YAMLError, UnicodeError, ValueError):
        return None
    line = None
    for key in keys:
        found = _inside(node, key)
        if found is None:
            break
        line, node = found
    return line


def has(file: Path, keys: Sequence[str | int]) -> bool:
    """Whether the file itself has a value under these keys."""
    node = yaml.compose(file.read_bytes(), Loader=_LOADER)
    for key in keys:
        found = _inside(node, key)
        if found is None:
            return False
        _, node = found
    return True


def _inside(node: Any, key: str | int) -> tuple[int, Any] | None:  # noqa: ANN401 - any YAML node
    """The line and the node of one part of a node."""
    if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
        found = node.value[key]
        return found.start_mark.line + 1, found
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if isinstance(name, yaml.ScalarNode) and name.value == str(key):
                return name.start_mark.line + 1, value
    return None
