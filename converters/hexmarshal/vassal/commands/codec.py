"""The one engine that reads and writes every stock command from its declaration.

A command is a frozen dataclass whose fields are annotated with a kind (`Text`, `Integer`, ...) and
a `Form` (prefix, delimiter, quirks). Typed means exact: a text that would not be written back
letter for letter is refused here and kept raw by the registry.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields, replace
from functools import lru_cache, partial
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Self,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from hexmarshal.vassal import sequence
from hexmarshal.vassal.commands.field_kinds import FieldKind, Rest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["ODD", "Command", "CommandError", "Form", "form", "shared"]

ODD: Final = ("'", "\\")


class CommandError(ValueError):
    """Why a text with a stock prefix is not that stock command; never quotes the text."""


@dataclass(frozen=True, slots=True)
class Form:
    """How a command is laid out around its fields.

    `delimiter` None means at most one field, kept raw. `glued`: the first element is the prefix
    (or, with `suffix`, ends in it) together with the first field. `plain`: no escaping at all.
    """

    prefix: str
    delimiter: str | None = None
    glued: bool = False
    suffix: str = ""
    plain: bool = False


@dataclass(frozen=True, slots=True)
class _Slot:
    """One field of a command class, resolved."""

    name: str
    kind: FieldKind | Rest
    optional: bool
    reader: Callable[[str], Any] | None = None
    """From a part of the text to the value; None for a field that takes several parts."""


@dataclass(frozen=True, slots=True)
class Command:
    """Anything that stands at one node of a command tree."""

    FORM: ClassVar[Form | None] = None
    SLOTS: ClassVar[tuple[_Slot, ...]] = ()

    @classmethod
    def decode(cls, text: str) -> Self:
        """The command that `text` says, or a CommandError."""
        assert cls.FORM is not None
        if not text.startswith(cls.FORM.prefix):
            raise CommandError("does not begin as it should")
        return cls(*_read(cls.FORM, cls.SLOTS, text))

    def encode(self) -> str:
        """The command's own text, without sub-commands."""
        return _write(self.FORM, self.SLOTS, self)

    def shown(self) -> str:
        """The command for a person: no secret, and no text that may hold one."""
        parts = (
            f"{slot.name}=…"
            if _is_hidden(slot.kind)
            else f"{slot.name}={getattr(self, slot.name)!r}"
            for slot in self.SLOTS
        )
        return f"{type(self).__name__}({', '.join(parts)})"

    def secret_values(self) -> Iterator[tuple[str, bool]]:
        """User ids in this command, each with whether it may be a mere name; no empty ones."""
        for slot in self.SLOTS:
            if slot.kind.secret:
                value = getattr(self, slot.name)
                for text in (value or ()) if isinstance(slot.kind, Rest) else (value,):
                    if text:
                        yield text, slot.kind.soft

    def with_secrets(self, rename: Callable[[str], str]) -> Self:
        """The same command with every secret field renamed; empty stays empty."""
        changed: dict[str, Any] = {}
        for slot in self.SLOTS:
            value = getattr(self, slot.name)
            if slot.kind.secret and value:
                many = isinstance(slot.kind, Rest)
                changed[slot.name] = tuple(map(rename, value)) if many else rename(value)
        return replace(self, **changed) if changed else self


C = TypeVar("C", bound=Command)


def form(
    prefix: str,
    delimiter: str | None = None,
    *,
    glued: bool = False,
    suffix: str = "",
    plain: bool = False,
) -> Callable[[type[C]], type[C]]:
    """Declare how the dataclass below is written."""

    def declare(cls: type[C]) -> type[C]:
        cls.FORM = Form(prefix, delimiter, glued, suffix, plain)
        hints = get_type_hints(cls, include_extras=True)
        cls.SLOTS = tuple(
            _slot(f.name, _kind(hints[f.name]), cls.FORM, at, optional=f.default is not MISSING)
            for at, f in enumerate(fields(cls))
        )
        cls.__repr__ = Command.shown  # type: ignore[assignment]
        return cls

    return declare


def _is_hidden(kind: FieldKind | Rest) -> bool:
    return kind.secret or (isinstance(kind, FieldKind) and kind.hidden)


def _kind(hint: Any) -> FieldKind | Rest:  # noqa: ANN401 - a type form has no better type in 3.11
    if get_origin(hint) is Annotated:
        for extra in get_args(hint)[1:]:
            if isinstance(extra, FieldKind | Rest):
                return extra
    for part in get_args(hint):
        if get_origin(part) is Annotated:
            return _kind(part)
    raise TypeError(f"{hint} declares no kind")


def _slot(name: str, kind: FieldKind | Rest, form: Form, at: int, *, optional: bool) -> _Slot:
    """A field with its reader, put together once so that reading a command is a few calls."""
    if isinstance(kind, Rest):
        return _Slot(name, kind, optional)
    delimiter = form.delimiter
    steps: list[Callable[[str], Any]] = []
    if delimiter is not None and not form.plain:
        steps.append(partial(_token, delimiter))
    if kind.shared:
        steps.append(shared)
    if form.glued and at == 0:
        steps.append(partial(_unglued, form))
    if kind.read is not None:
        steps.append(partial(_value, name, kind))
    return _Slot(name, kind, optional, _chained(steps))


def _chained(steps: list[Callable[[str], Any]]) -> Callable[[str], Any]:
    if len(steps) == 1:
        return steps[0]

    def run(part: str) -> object:
        value: Any = part
        for step in steps:
            value = step(value)
        return value

    return run


def _read(form: Form, slots: tuple[_Slot, ...], text: str) -> list[Any]:
    delimiter = form.delimiter
    if delimiter is None:
        parts = [text[len(form.prefix) :]]
        if not slots and not parts[0]:
            return []
    elif form.plain:
        parts = text[len(form.prefix) :].split(delimiter)
    else:
        parts = sequence.split(text, delimiter, 0 if form.glued else len(form.prefix))
    values: list[Any] = []
    for slot, part in zip(slots, parts, strict=False):
        if slot.reader is None:
            return [*values, _rest(slot, parts[len(values) :], delimiter or "")]
        values.append(slot.reader(part))
    if len(parts) > len(slots):
        raise CommandError("has more fields than any version known")
    for slot in slots[len(parts) :]:
        if slot.reader is None:
            values.append(_rest(slot, [], ""))
        elif not slot.optional:
            raise CommandError(f"has no field {slot.name}")
    return values


def _token(delimiter: str, part: str) -> str:
    """The element in a part, if `_write` would write it just so."""
    if delimiter not in part and part[:1] not in ODD:
        return part
    token = sequence.unescape(part, delimiter)
    # Only quotes and a leading backslash can be written in more than one way.
    if part[0] in ODD and sequence.escape(token, delimiter) != part:
        raise CommandError("is quoted in a way that VASSAL does not write")
    return token


def _unglued(form: Form, token: str) -> str:
    """The first field without the prefix and suffix that it is glued to."""
    end = len(token) - len(form.suffix)
    if not (token.startswith(form.prefix) and token.endswith(form.suffix)):
        raise CommandError("does not begin as it should")
    return token[len(form.prefix) : end]


@lru_cache(maxsize=1 << 12)
def shared(text: str) -> str:
    """The same text, as one object for all that are equal."""
    return text


def _value(name: str, kind: FieldKind, token: str) -> object:
    assert kind.read is not None
    assert kind.write is not None
    try:
        value = kind.read(token)
    except ValueError:
        raise CommandError(f"field {name} is not a {kind.name}") from None
    if kind.loose and kind.write(value) != token:
        raise CommandError(f"field {name} is not {kind.name} as VASSAL writes them")
    return value


def _rest(slot: _Slot, parts: list[str], delimiter: str) -> object:
    kind = slot.kind
    assert isinstance(kind, Rest)
    tokens = [_token(delimiter, part) for part in parts]
    try:
        values = kind.read(tokens)
        # An empty list is written like a list of one empty text.
        exact = (kind.write(values) or [""]) == (tokens or [""])
    except ValueError:
        exact = False
    if not exact:
        raise CommandError(f"field {slot.name} is not {kind.name}")
    return values


def _write(form: Form | None, slots: tuple[_Slot, ...], command: Command) -> str:
    assert form is not None
    tokens: list[str] = []
    for slot in slots:
        value = getattr(command, slot.name)
        kind = slot.kind
        if isinstance(kind, Rest):
            tokens.extend(kind.write(value))
        elif value is None and slot.optional:
            break
        else:
            tokens.append(value if kind.write is None else kind.write(value))
    if form.delimiter is None:
        return form.prefix + "".join(tokens)
    if form.plain:
        return form.prefix + form.delimiter.join(tokens)
    if form.glued:
        tokens[0] = form.prefix + tokens[0] + form.suffix
        return sequence.join(tokens, form.delimiter)
    return form.prefix + sequence.join(tokens, form.delimiter)
