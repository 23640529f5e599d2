"""Signs: what a property of a piece says about its unit or marker, read and written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from hexmarshal.rules.values import freeze
from hexmarshal.table.binding.facts import Fact, Shown, told
from hexmarshal.table.binding.patterns import Match

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.rules.state.pieces import Marker, Unit
    from hexmarshal.table.binding.patterns import PieceLook

__all__ = ["OWN", "Sign", "UnreadableError"]

OWN: Final = "own"
_DEFAULTS: Final[dict[str, Shown]] = {"steps": 1, "facing": None, "level": 0, "face": ""}
_Meaning = tuple[tuple[tuple[str, str], Shown], ...]


class UnreadableError(Exception):
    """A property that shows what the sign has no case for."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One property and what it shows: a table of cases, steps, a facing, or a value as it is."""

    prop: str
    of: Match | None
    cases: Mapping[str, tuple[_Meaning, ...]]
    also: Mapping[str, Mapping[str, str]]
    number: str = ""
    first: int = 0
    value: str = ""
    aid: bool = False
    is_list: bool = False
    on_map: bool = False
    shared: bool = False

    @classmethod
    def load(cls, document: Mapping[str, Any], where: str) -> Sign:
        """From the binding."""
        cases = {
            str(text): means if isinstance(means, list) else [means]
            for text, means in document.get("cases", {}).items()
        }
        number = f"steps {document['steps']}" if "steps" in document else ""
        return cls(
            document["property"],
            Match.load(document["of"], f"{where}.of") if "of" in document else None,
            {text: tuple(tuple(_meaning(one)) for one in means) for text, means in cases.items()},
            {text: means[0].get("also", {}) for text, means in cases.items()},
            number or ("facing" if "facing" in document else ""),
            int(document.get("facing", 0)),
            document.get("value", ""),
            document.get("aid", False),
            document.get("list", False),
            document.get("on_map", False),
            document.get("shared", False),
        )

    @property
    def covers(self) -> frozenset[tuple[str, str]]:
        """Everything that some case speaks of."""
        return frozenset(
            key for means in self.cases.values() for meaning in means for key, _ in meaning
        )

    @property
    def sets(self) -> frozenset[str]:
        """The properties that are written when a piece is to show this sign."""
        return frozenset((self.prop, *(name for one in self.also.values() for name in one)))

    def concerns(self, look: PieceLook) -> bool:
        """Whether the piece bears this sign."""
        if self.prop not in look.properties:
            return False
        return self.of is None or self.of.find(look) is not None

    def read(self, look: PieceLook, type: str, side: str) -> Iterator[Fact]:
        """The facts that the piece shows by this sign."""
        for fact in self._facts(look, type, side):
            also = self.on_map or self.shared
            yield fact._replace(on_map=self.on_map, shared=self.shared) if also else fact

    def _facts(self, look: PieceLook, type: str, side: str) -> Iterator[Fact]:
        text = look.properties[self.prop]
        if self.value:
            shown: Shown = int(text) if text.lstrip("-").isdecimal() else text
            if self.is_list:
                shown = tuple(text.split())
            yield Fact("value", self.value, shown if text else None, self.aid)
        elif self.number:
            yield self._numbered(text, look)
        elif text not in self.cases and not self._open:
            raise UnreadableError(f"{self.prop} shows {text!r}")
        else:
            means = [dict(meaning) for meaning in self.cases.get(text, ((),))]
            for key in sorted(self.covers):
                first, *others = (
                    _sides(one.get(key, _default(key, type)), key, side) for one in means
                )
                or_else = tuple(value for value in others if value != first)
                yield Fact(key[0], key[1], first, self.aid, or_else)

    @property
    def _open(self) -> bool:
        """Flags alone: whatever is not listed shows none of them."""
        return all(of == "flag" or of in ("seen_by", "known_to") for of, _ in self.covers)

    def _numbered(self, text: str, look: PieceLook) -> Fact:
        try:
            shown = abs(int(text))
        except ValueError:
            raise UnreadableError(f"{self.prop} shows {text!r}, no number") from None
        if self.number == "facing":
            return Fact("facing", "", shown - self.first, self.aid)
        if self.number == "steps down":
            return Fact("steps", "", look.levels(self.prop) - shown + 1, self.aid)
        return Fact("steps", "", shown, self.aid)

    def write(self, look: PieceLook, unit: Unit | Marker, type: str) -> dict[str, str]:
        """The properties that show the unit as it is; `UnreadableError` if no case does.

        `type` is what the piece is by itself.
        """
        if self.value:
            value = unit.values.get(self.value)
            if isinstance(value, tuple):
                return {self.prop: " ".join(map(str, value))}
            return {self.prop: "" if value is None else str(value)}
        if self.number:
            return {self.prop: str(self._number(look, unit))}
        for text, means in self.cases.items():
            if any(self._fits(unit, dict(meaning), type) for meaning in means):
                return {self.prop: text, **self.also[text]}
        if self._open and not any(_is_told(unit, key) for key in self.covers):
            # None of the cases: the text in place, unless that is one of them.
            now = look.properties[self.prop]
            return {self.prop: now if now not in self.cases else self._other()}
        raise UnreadableError(f"no case of {self.prop} shows {unit.id} as it is")

    def _fits(self, unit: Unit | Marker, means: Mapping[tuple[str, str], Shown], type: str) -> bool:
        return all(
            told(unit, Fact(key[0], key[1], None)).value
            == _sides(means.get(key, _default(key, type)), key, unit.side)
            for key in self.covers
        )

    def _other(self) -> str:
        """A text that is no case: the other level, the other truth."""
        numbers = all(text.isdecimal() for text in self.cases)
        likes = ("1", "2", "0", "3") if numbers else ("false", "true", "")
        return next((text for text in likes if text not in self.cases), "")

    def _number(self, look: PieceLook, unit: Unit | Marker) -> int:
        if self.number == "facing":
            return (unit.facing or 0) + self.first
        steps = getattr(unit, "steps", 1)
        return look.levels(self.prop) - steps + 1 if self.number == "steps down" else steps


def _meaning(document: Mapping[str, Any]) -> Iterator[tuple[tuple[str, str], Shown]]:
    for key, value in document.items():
        match key:
            case "flags":
                yield from ((("flag", flag), True) for flag in value)
            case "values":
                yield from ((("value", name), freeze(one)) for name, one in value.items())
            case "seen_by" | "known_to":
                yield (key, ""), frozenset((OWN,) if value == OWN else value)
            case "also":
                pass
            case _:
                yield (key, ""), value


def _default(key: tuple[str, str], type: str) -> Shown:
    of, _ = key
    if of == "flag":
        return False
    return type if of == "type" else _DEFAULTS.get(of)


def _sides(value: Shown, key: tuple[str, str], side: str) -> Shown:
    if key[0] in ("seen_by", "known_to") and isinstance(value, frozenset) and OWN in value:
        return frozenset((side,))
    return value


def _is_told(unit: Unit | Marker, key: tuple[str, str]) -> bool:
    value = told(unit, Fact(key[0], key[1], None)).value
    return value is not None and value is not False
