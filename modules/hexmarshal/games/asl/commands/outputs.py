"""What the commands write: pictures and tables into files, JSON onto the screen."""

from __future__ import annotations

import json as jsonlib
from pathlib import Path
from typing import Final

from hexmarshal.errors import UsageError
from hexmarshal.vassal.container.atomic import refuse_existing, write_atomically

__all__ = ["STANDARD_OUTPUT", "check_outputs", "print_json", "write_picture", "write_text"]

STANDARD_OUTPUT: Final = Path("-")
_PICTURES: Final = frozenset({".svg", ".png"})


def check_outputs(svg: Path | None, *others: Path | None, force: bool) -> None:
    """Refuse what could not be written before the work begins."""
    if svg is not None:
        if svg.suffix.lower() not in _PICTURES:
            raise UsageError(f"{str(svg)!r}: a picture is a .svg or a .png file")
        refuse_existing(svg, force=force)
    for other in others:
        if other is not None and other != STANDARD_OUTPUT:
            refuse_existing(other, force=force)


def write_text(path: Path, text: str, *, force: bool) -> None:
    """A file of text."""
    write_atomically(path, [text.encode("utf-8")], force=force)


def write_picture(path: Path, svg: str, *, force: bool) -> None:
    """A drawing as it is or, if its name says so, as a bitmap."""
    if path.suffix.lower() != ".png":
        write_text(path, svg, force=force)
        return
    from hexmarshal.geometry.svg.png import png

    write_atomically(path, [png(svg, instead="name the picture .svg")], force=force)


def print_json(document: object) -> None:
    """One JSON document."""
    print(jsonlib.dumps(document, ensure_ascii=False, indent=2))
