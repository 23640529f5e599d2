"""A new game: a folder with a plugin that plays, to be changed rule by rule."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import OutputError, Place, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Names", "lay_out"]

TEMPLATE: Final = Path(__file__).parent / "template"
_KEY: Final = re.compile(r"[a-z][a-z0-9_]*")
_PREFIX: Final = re.compile(r"[A-Z][A-Z0-9]+")


class Names:
    """What a new game is called: its key, which is its package too, its title, its rules."""

    def __init__(self, key: str, title: str = "", prefix: str = "") -> None:
        if not _KEY.fullmatch(key) or keyword.iskeyword(key):
            raise UsageError(
                f"{key!r} cannot be the key of a game",
                hint="small letters, digits and underscores, a letter first: my_game",
            )
        words = [word for word in key.split("_") if word]
        self.key = key
        self.title = title.strip() or " ".join(word.capitalize() for word in words)
        initials = "".join(word[0] for word in words) if len(words) > 1 else key[:3]
        self.prefix = prefix or initials.upper()
        self.class_name = "".join(word.capitalize() for word in words)
        if not _PREFIX.fullmatch(self.prefix):
            raise UsageError(
                f"{self.prefix!r} cannot begin the ids of rules",
                hint="two or more capitals or digits: MG",
            )
        if any(sign in self.title for sign in '"\\\n:#'):
            raise UsageError(f"{self.title!r} cannot be the title of a game")

    def put_into(self, text: str) -> str:
        """A text of the template with these names in it."""
        for old, new in (
            ("My Game", self.title),
            ("MyGame", self.class_name),
            ("mygame", self.key),
            ("MG-", f"{self.prefix}-"),
        ):
            text = text.replace(old, new)
        return text


def lay_out(folder: Path, names: Names) -> Iterator[Path]:
    """Write the files of a new game into a folder that is empty or not there yet."""
    place = Place(file=str(folder))
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError("there is something already", place=place, hint="name another folder")
    for source in sorted(TEMPLATE.rglob("*")):
        if source.is_file() and source.suffix not in (".pyc", ".pyi"):
            target = folder / names.put_into(source.relative_to(TEMPLATE).as_posix())
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                text = names.put_into(source.read_text("utf-8"))
                target.write_text(text, "utf-8", newline="\n")
            except OSError as error:
                why = error.strerror or str(error)
                place = Place(file=str(target))
                raise OutputError(f"cannot be written: {why}", place=place) from None
            yield target
