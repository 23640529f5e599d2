"""The rulebook of a game: every rule by its id, in our words, and what became of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

import yaml

from hexmarshal.errors import NotFoundError, Place, RulesError
from hexmarshal.errors.names import did_you_mean
from hexmarshal.rules.codec import TEXT, Converter, Shape
from hexmarshal.rules.copying import copied
from hexmarshal.rules.values import FieldError

if TYPE_CHECKING:
    from pathlib import Path

    from hexmarshal.rules.verdict import Violation

__all__ = ["Rule", "Rulebook", "Status", "load_yaml"]

# The C parser reads a few hundred rules in the time in which the Python one starts.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_HEAD = ("game", "title", "source", "status", "why", "rules")


class Status(StrEnum):
    """What became of a rule."""

    IMPLEMENTED = "implemented"
    ADVISORY = "advisory"
    OUT_OF_SCOPE = "out of scope"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: `section` is its place in the book, `text` one sentence of ours.

    `why` is the reason for a status other than implemented, `reading` the one that we chose where
    the book is ambiguous, `switch` the option that chooses another.
    """

    id: str
    section: str
    title: str
    text: str
    status: Status
    why: str = ""
    reading: str = ""
    switch: str = ""

    def to_json(self) -> dict[str, object]:
        """As JSON-able data, without what is empty."""
        return RULE.encode(self)


def _status(value: object) -> Status:
    try:
        return Status(str(value))
    except ValueError:
        known = ", ".join(status.value for status in Status)
        raise FieldError(f"{value!r} is not one of {known}") from None


def _words(value: object) -> str:
    """Text; YAML reads an unquoted section such as 9.3 as a number, which would lose 9.30."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        raise FieldError(f"must be text: write it in quotes, '{value}'")
    return TEXT.decode(value)


WORDS: Converter[str] = Converter(_words, str, {"type": "string"})
STATUS: Converter[Status] = Converter(
    _status, lambda status: status.value, {"enum": [status.value for status in Status]}
)
RULE: Shape[Rule] = Shape(
    Rule,
    {
        "id": WORDS,
        "section": WORDS,
        "title": WORDS,
        "text": WORDS,
        "status": STATUS,
        "why": WORDS,
        "reading": WORDS,
        "switch": WORDS,
    },
)


class Rulebook(Mapping[str, Rule]):
    """The rules of one game by id, in the order of the book."""

    __slots__ = ("_rules", "source", "title")

    def __init__(self, rules: Iterable[Rule], *, title: str = "", source: str = "") -> None:
        self.title = title
        self.source = source
        self._rules: dict[str, Rule] = {}
        for rule in rules:
            if rule.id in self._rules:
                raise RulesError(f"rule {rule.id} stands there twice", place=Place(entry=rule.id))
            if rule.status is not Status.IMPLEMENTED and not rule.why:
                raise RulesError(
                    f"rule {rule.id} is {rule.status.value} without a reason",
                    place=Place(entry=rule.id, field="why"),
                    hint="say why in one sentence",
                )
            self._rules[rule.id] = rule

    def __repr__(self) -> str:
        return f"<Rulebook of {self.title or 'a game'}, {len(self._rules)} rules>"

    def __getitem__(self, id: str) -> Rule:
        return self._rules[id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._rules)

    def __len__(self) -> int:
        return len(self._rules)

    def rule(self, id: str) -> Rule:
        """The rule of this id, whatever the case of its letters."""
        found = self._rules.get(id)
        if found is None:
            by_lower = {known.lower(): known for known in self._rules}
            known = by_lower.get(id.lower())
            if known is None:
                raise NotFoundError(f"no rule {id!r}", hint=did_you_mean(id, self._rules))
            found = self._rules[known]
        return found

    def section(self, id: str) -> str:
        """The place in the book, '' for an id that the book does not have."""
        rule = self._rules.get(id)
        return rule.section if rule else ""

    def placed(self, violations: tuple[Violation, ...]) -> tuple[Violation, ...]:
        """The same violations, each with its place in the book."""
        where = self.section
        return tuple([v if v.section else copied(v, section=where(v.rule)) for v in violations])

    def with_status(self, status: Status) -> list[Rule]:
        """All rules of one status."""
        return [rule for rule in self._rules.values() if rule.status is status]

    @classmethod
    def load(cls, *paths: Path) -> Rulebook:
        """From rulebook files; a folder stands for every `rulebook*.yaml` in it and below.

        `status` and `why` at the head of a file hold for its rules that have no status.
        """
        files: list[Path] = []
        for path in paths:
            files += sorted(path.rglob("rulebook*.yaml")) if path.is_dir() else [path]
        if not files:
            raise NotFoundError("no rulebook", place=Place(file=", ".join(map(str, paths))))
        rules: list[Rule] = []
        title = source = ""
        for file in files:
            document = load_yaml(file)
            try:
                rules += _rules(document)
                title = title or str(document.get("title", ""))
                source = source or str(document.get("source", ""))
            except FieldError as error:
                raise error.as_error("the rulebook").at(Place(file=str(file))) from None
        try:
            return cls(rules, title=title, source=source)
        except RulesError as error:
            raise error.at(Place(file=", ".join(map(str, files)))) from None


def _rules(document: Mapping[str, object]) -> list[Rule]:
    unknown = [name for name in document if name not in _HEAD]
    if unknown:
        raise FieldError(f"no such field; known: {', '.join(_HEAD)}", unknown[0])
    # What a file says of all its rules holds for those that do not say it themselves.
    common = {name: document[name] for name in ("status", "why") if name in document}
    listed = document.get("rules")
    if not isinstance(listed, list):
        raise FieldError("must be a list of rules", "rules")
    rules = []
    for i, entry in enumerate(listed):
        try:
            rules.append(RULE.decode(_completed(entry, common)))
        except FieldError as error:
            raise error.under(i).under("rules") from None
    return rules


def _completed(entry: object, common: Mapping[str, object]) -> object:
    """A rule with what its file says of all; a status of its own needs a reason of its own."""
    if not common or not isinstance(entry, dict) or "status" in entry:
        return entry
    return {**common, **entry}


def load_yaml(file: Path) -> dict[str, Any]:
    """A YAML or JSON file whose top level is an object; errors name the file and the line."""
    try:
        document = yaml.load(file.read_bytes(), Loader=_Loader)  # noqa: S506 - it is a safe one
    except FileNotFoundError:
        raise NotFoundError("no such file", place=Place(file=str(file))) from None
    except OSError as error:
        raise RulesError(f"cannot be read: {error.strerror}", place=Place(file=str(file))) from None
    except (yaml.YAMLError, UnicodeError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        raise RulesError(
            f"not YAML: {getattr(error, 'problem', None) or error}",
            place=Place(file=str(file), line=mark.line + 1 if mark else None),
        ) from None
    if not isinstance(document, dict):
        raise RulesError("must be an object at the top", place=Place(file=str(file)))
    return document
