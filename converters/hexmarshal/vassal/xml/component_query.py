"""A small language to find components: class globs with attribute tests, one inside another.

`PieceSlot` matches by short class name, `VASSAL.build.*` by full one; `*` and `?` are wild.
Tests follow in brackets: `[gpid]` has it, `[gpid=12]`, `[name!='Red 1']`, and with `=~` a regular
expression that must match the whole. `name` is the component's name whatever its attribute is,
`text` its text (unless it has an attribute of that name); a quoted value may hold anything.
`Map[name=Main] SetupStack` finds stacks anywhere inside the map, `Map > BoardPicker` only directly
inside. `GameModule` is the module itself, also where an old VASSAL wrote it as `BasicModule`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import translate
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hexmarshal.vassal.components import Component

__all__ = ["Query"]

_TOKEN: Final = re.compile(
    r"\s*(?P<child>>)\s*"
    r"|(?P<space>\s+)"
    r"|(?P<class>[\w.*?$]+)"
    r"|\[\s*(?P<attribute>[\w.:-]+)\s*"
    r"(?:(?P<operator>=~|!=|=)\s*(?P<value>'[^']*'|\"[^\"]*\"|[^\]'\"]*?)\s*)?\]"
)


_SINCE: Final = {"BasicModule": "GameModule"}


@dataclass(frozen=True, slots=True)
class _Test:
    attribute: str
    accepts: Callable[[str | None], bool]

    def holds(self, component: Component) -> bool:
        value = component.element.get(self.attribute)
        if self.attribute == "name":
            value = component.name or value
        elif self.attribute == "text" and value is None:
            value = component.text
        return self.accepts(value)


@dataclass(frozen=True, slots=True)
class _Part:
    pattern: re.Pattern[str]
    full: bool
    tests: tuple[_Test, ...]
    direct: bool
    """Whether it must stand directly inside what the part before it matches."""

    def holds(self, component: Component) -> bool:
        names = (component.class_name,) if self.full else _names(component)
        fits = any(self.pattern.match(name) is not None for name in names)
        return fits and all(test.holds(component) for test in self.tests)


def _names(component: Component) -> tuple[str, ...]:
    name = component.short_name
    return (name, _SINCE[name]) if name in _SINCE else (name,)


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed query; parse once, use often."""

    text: str
    parts: tuple[_Part, ...]

    @classmethod
    def parse(cls, text: str) -> Query:
        """Read a query; a UsageError shows where it cannot be understood."""
        parts: list[_Part] = []
        direct, at, fresh = False, 0, True
        source = text.strip()
        while at < len(source):
            found = _TOKEN.match(source, at)
            if found is None:
                raise _confused(source, at)
            if found["child"]:
                if fresh or not parts:
                    raise _confused(source, at)
                direct, fresh = True, True
            elif found["space"]:
                fresh = True
            elif found["class"]:
                if not fresh:
                    raise _confused(source, at)
                glob = found["class"]
                parts.append(_Part(re.compile(translate(glob)), "." in glob, (), direct))
                direct, fresh = False, False
            else:
                test = _test(found)
                if fresh:
                    parts.append(_Part(re.compile(""), False, (), direct))
                    direct, fresh = False, False
                last = parts[-1]
                parts[-1] = _Part(last.pattern, last.full, (*last.tests, test), last.direct)
            at = found.end()
        if not parts or direct:
            raise _confused(source, at)
        return cls(text, tuple(parts))

    def find(self, root: Component) -> Iterator[Component]:
        """All components from `root` down that match, in the order of the file."""
        return (component for component in root.walk() if self.matches(component))

    def matches(self, component: Component) -> bool:
        """Whether a component matches, with all that must stand around it."""
        *outer, last = self.parts
        return last.holds(component) and _inside(component, outer, direct=last.direct)


def _inside(component: Component, parts: list[_Part], *, direct: bool) -> bool:
    if not parts:
        return True
    *outer, last = parts
    for ancestor in component.ancestors():
        if last.holds(ancestor) and _inside(ancestor, outer, direct=last.direct):
            return True
        if direct:
            break
    return False


def _test(found: re.Match[str]) -> _Test:
    attribute, operator, value = found["attribute"], found["operator"], found["value"] or ""
    if value[:1] in {"'", '"'}:
        value = value[1:-1]
    if operator is None:
        return _Test(attribute, lambda text: text is not None)
    if operator == "=":
        return _Test(attribute, lambda text: text == value)
    if operator == "!=":
        return _Test(attribute, lambda text: text != value)
    try:
        pattern = re.compile(value, re.DOTALL)
    except re.error as why:
        raise UsageError(f"{value!r} is not a regular expression: {why}") from why
    return _Test(attribute, lambda text: text is not None and pattern.fullmatch(text) is not None)


def _confused(source: str, at: int) -> UsageError:
    return UsageError(
        f"cannot understand the query {source!r} at {source[at:]!r}"
        if at < len(source)
        else f"the query {source!r} is not complete",
        hint="write for example PieceSlot[entryName=~'Inf.*'] or Map[name=Main] SetupStack",
    )
