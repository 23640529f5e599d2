"""Actions: what a player does, declared per game as a kind with typed parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar, cast, overload

from hexmarshal.errors import Place, RulesError
from hexmarshal.errors.names import did_you_mean
from hexmarshal.rules.copying import quick
from hexmarshal.rules.params import (
    NESTED,
    THINGS,
    Param,
    ParamType,
    decode_fields,
    fields_schema,
    require_fields,
)
from hexmarshal.rules.values import EMPTY, FieldError, FrozenMap, Record, Value, thaw

if TYPE_CHECKING:
    from hexmarshal.rules.choosing.chooser import Chooser
    from hexmarshal.rules.plugin import Offer
    from hexmarshal.rules.verdict import Verdict

__all__ = [
    "Action",
    "ActionTable",
    "ActionType",
    "Candidates",
    "Param",
    "ParamType",
    "QueryTable",
    "QueryType",
    "Seal",
    "Signature",
    "TypeTable",
    "in_short",
]


@dataclass(frozen=True, slots=True)
class Signature:
    """A name with parameters: what action types, query types and frame types have in common.

    `by_name`, `references`, which pairs the parameters that name things with what they name, and
    `nested`, those that may name things further inside, follow from `params`: bulk checks need them
    too often to work them out each time.
    """

    name: str
    title: str
    params: tuple[Param, ...] = ()
    doc: str = ""
    rules: tuple[str, ...] = ()
    by_name: Mapping[str, Param] = field(init=False, repr=False, compare=False)
    references: tuple[tuple[str, str], ...] = field(init=False, repr=False, compare=False)
    nested: tuple[Param, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        named = ((p.name, THINGS[p.type]) for p in self.params if p.type in THINGS)
        object.__setattr__(self, "by_name", {param.name: param for param in self.params})
        object.__setattr__(self, "references", tuple(named))
        nested = tuple(param for param in self.params if param.type in NESTED)
        object.__setattr__(self, "nested", nested)

    def decode(self, document: Mapping[str, object]) -> Record:
        """The parameters, all checked; a missing or an unknown one is an error."""
        return require_fields(self.params, self.decode_some(document))

    def decode_some(self, document: Mapping[str, object]) -> Record:
        """Those of the parameters that are there, checked; an unknown one is an error."""
        return decode_fields(self.name, self.by_name, document, "parameter")

    @property
    def schema(self) -> dict[str, object]:
        """The parameters as JSON Schema."""
        return {
            "type": "object",
            "title": self.title,
            "description": self.doc,
            **fields_schema(self.params),
        }


# Of a name that there is not, so much is told.
LONGEST = 60
# So many phases with a state are remembered with the kinds that belong in them.
PLACES = 1000
# What a game gives for a slot of an action begun: its values, or None for those of its type.
Candidates: TypeAlias = "Callable[[Any, Action, str], Iterable[Value] | None]"


class Seal(StrEnum):
    """What others learn of a sealed action until it is revealed: not its kind, not its parameters.

    COUNTED: that the side did something; SILENT: nothing, not even that.
    """

    COUNTED = "counted"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class ActionType(Signature):
    """One kind of action of a game; `phases` and `states` say where it belongs (empty: all).

    One that is `anytime` may be taken by any side at any moment of those phases, whoever else is
    asked for something: a token thrown in, a card. What is being decided stays as it is.
    For one that `rolls` there are dice every time: without any, nobody has done it.
    `words` are the verbs by which players tell it in plain words (`fire`), with the past tense
    behind them where that is irregular (`shoot shot`). `sentence` tells it in words, with the names
    of parameters for their values and `{side}` for who does it; what stands in square brackets is
    left out where a parameter in it is. Parameters that it does not name are told behind it.
    One that is `sealed` changes what its own side knows or only its side sees, and rolls no dice.
    `check` and `apply` are its rules: they get what the plugin's `situation` and `ledger` make, and
    the action. Without `check` it is always legal. `candidates` narrows what a slot may hold where
    its type would allow too much: for a list the entries that may follow, None among them if the
    slot may be left out. `likely` gives those of the candidates that a quick look does not rule
    out, it may be because nothing legal follows: who looks for whole actions tries these alone.
    `listed` gives what a list of actions shows of a slot where all would be too many, whole lists
    at that: one path to each place. `offers` makes the whole list of the kind by itself, where a
    game can do that faster than the walk.
    `places`, `before` and `after` follow from `params`: which slot is where, and those that come
    before each and after it.
    """

    phases: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    anytime: bool = False
    sealed: Seal | None = None
    rolls: bool = False
    words: tuple[str, ...] = ()
    sentence: str = ""
    check: Callable[[Any, Action], Verdict] | None = None
    apply: Callable[[Any, Action], object] | None = None
    candidates: Candidates | None = None
    likely: Candidates | None = None
    listed: Candidates | None = None
    offers: Callable[[Chooser], Iterator[Offer]] | None = None
    places: Mapping[str, int] = field(init=False, repr=False, compare=False)
    needed: tuple[str, ...] = field(init=False, repr=False, compare=False)
    before: tuple[frozenset[str], ...] = field(init=False, repr=False, compare=False)
    after: tuple[frozenset[str], ...] = field(init=False, repr=False, compare=False)

    def fits(self, phase: str, state: str) -> bool:
        """Whether it belongs in this phase, and to what is asked for in it."""
        if self.phases and phase not in self.phases:
            return False
        return not self.states or state in self.states or self.anytime

    def __post_init__(self) -> None:
        Signature.__post_init__(self)
        names = [param.name for param in self.params]
        earlier = tuple(frozenset(names[:i]) for i in range(len(names)))
        later = tuple(frozenset(names[i + 1 :]) for i in range(len(names)))
        needed = tuple(p.name for p in self.params if p.required and (p.fewest or not p.many))
        object.__setattr__(self, "places", {name: i for i, name in enumerate(names)})
        object.__setattr__(self, "needed", needed)
        object.__setattr__(self, "before", earlier)
        object.__setattr__(self, "after", later)


@quick
@dataclass(frozen=True, slots=True)
class Action:
    """What one side does: a kind and its parameters, plain data."""

    kind: str
    side: str
    params: Record = EMPTY

    def open(self, name: str) -> bool:
        """Whether this parameter may still be chosen, or grow: never, in a whole action."""
        del name
        return False

    def text(self, name: str, default: str = "") -> str:
        """A parameter that holds one name: a unit, a cell, a card, a choice."""
        value = self.params.get(name, default)
        return value if isinstance(value, str) else default

    def texts(self, name: str) -> tuple[str, ...]:
        """A parameter that holds a list of names: units, cells, a path."""
        return _texts(self.params.get(name, ()))

    def given(self, name: str, default: Value = None) -> Value:
        """A parameter as it is, or the default where it was left out or is not chosen yet."""
        return self.params.get(name, default)

    def so_far(self, name: str) -> tuple[str, ...]:
        """The names in a list, and none as long as none was chosen."""
        return _texts(self.given(name, ()))

    def number(self, name: str, default: int = 0) -> int:
        """A parameter that holds a whole number."""
        value = self.params.get(name, default)
        return value if isinstance(value, int) else default

    def flag(self, name: str) -> bool:
        """A parameter that holds true or false; false where it was not given."""
        return self.params.get(name) is True

    def to_json(self) -> dict[str, object]:
        """As one flat object: kind, side and the parameters."""
        params = {name: thaw(value) for name, value in self.params.items()}
        return {"kind": self.kind, "side": self.side, **params}

    def __str__(self) -> str:
        return " ".join((f"{self.side}: {self.kind}", *_named(self.params)))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def _repr_svg_(self) -> str:
        from hexmarshal.rules.showing.cards import NEUTRAL, card

        return card([str(self)], NEUTRAL)


ONLY_TEXT = frozenset({str})


def _texts(value: Value) -> tuple[str, ...]:
    if not isinstance(value, tuple):
        return ()
    if ONLY_TEXT.issuperset(map(type, value)):  # as good as always
        return cast("tuple[str, ...]", value)
    return tuple([v for v in value if isinstance(v, str)])


def in_short(value: Value) -> str:
    """A value for people: lists by commas, what has names in brackets."""
    if isinstance(value, tuple):
        return ",".join(map(in_short, value))
    if isinstance(value, FrozenMap):
        return f"({' '.join(_named(value))})"
    return str(value)


def _named(values: Mapping[str, Value]) -> Iterator[str]:
    return (f"{name}={in_short(value)}" for name, value in values.items())


S = TypeVar("S", bound=Signature)
D = TypeVar("D")


class TypeTable(Mapping[str, S]):
    """Named declarations of one game, in the order given."""

    __slots__ = ("_types",)

    # Names that the flat JSON form keeps for itself.
    RESERVED: ClassVar[tuple[str, ...]] = ()

    def __init__(self, types: Iterable[S]) -> None:
        self._types: dict[str, S] = {}
        for one in types:
            if one.name in self._types:
                raise RulesError(f"{one.name!r} is declared twice")
            for param in one.params:
                if param.name in self.RESERVED:
                    raise RulesError(f"{one.name}: no parameter may be named {param.name!r}")
            self._types[one.name] = one

    def __getitem__(self, name: str) -> S:
        return self._types[name]

    @overload
    def get(self, name: str, /) -> S | None: ...

    @overload
    def get(self, name: str, /, default: S | D) -> S | D: ...

    def get(self, name: str, /, default: D | None = None) -> S | D | None:
        """As of a dict; the inherited one goes through an exception."""
        return self._types.get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._types)

    def __len__(self) -> int:
        return len(self._types)

    def named(self, name: object, field: str) -> S:
        """The type of this name; a FieldError that lists what there is if there is none."""
        if not isinstance(name, str):
            raise FieldError("is missing or not text", field)
        found = self._types.get(name)
        if found is None:
            text = f"{name[:LONGEST]!r} is not one of {', '.join(self._types)}"
            raise FieldError(text, field, hint=did_you_mean(name, self._types))
        return found

    def require(self, name: str, field: str = "name") -> S:
        """The type of this name, or an error that lists what there is."""
        try:
            return self.named(name, field)
        except FieldError as error:
            place = Place(field=field)
            raise RulesError(error.message, place=place, hint=error.hint) from None


class ActionTable(TypeTable[ActionType]):
    """The actions of one game: the registry that reads them."""

    __slots__ = ("_placed",)

    RESERVED = ("kind", "side")

    def __init__(self, types: Iterable[ActionType]) -> None:
        super().__init__(types)
        self._placed: dict[tuple[str, str], tuple[ActionType, ...]] = {}

    def placed(self, phase: str, state: str) -> tuple[ActionType, ...]:
        """The kinds that belong in this phase, and to what is asked for in it."""
        found = self._placed.get((phase, state))
        if found is None:
            found = tuple(kind for kind in self._types.values() if kind.fits(phase, state))
            if len(self._placed) < PLACES:  # phases and states of positions from outside are many
                self._placed[phase, state] = found
        return found

    def decode(self, document: object) -> Action:
        """An action from its flat JSON form; errors name the field."""
        try:
            if not isinstance(document, Mapping):
                raise FieldError("must be an object with kind, side and parameters")
            fields = dict(document)
            kind = self.named(fields.pop("kind", None), "kind")
            side = fields.pop("side", None)
            if not isinstance(side, str) or not side:
                raise FieldError("is missing or not text", "side")
            return Action(kind.name, side, kind.decode(fields))
        except FieldError as error:
            raise error.as_error("the action") from None

    def make(self, kind: str, side: str, **params: object) -> Action:
        """An action from Python values, checked like one from JSON."""
        return self.decode({"kind": kind, "side": side, **params})


@dataclass(frozen=True, slots=True)
class QueryType(Signature):
    """One question that a game answers: reach, sight, supply, odds, control, score, or its own.

    `by_sight`: its answer tells what is seen; where sight is not free, players may not ask it.
    """

    by_sight: bool = False


class QueryTable(TypeTable[QueryType]):
    """The queries of one game."""

    __slots__ = ()

    RESERVED = ("name",)

    def decode(self, document: object) -> tuple[str, Record]:
        """A query from its flat JSON form: its name and its parameters."""
        try:
            if not isinstance(document, Mapping):
                raise FieldError("must be an object with a name and parameters")
            fields = dict(document)
            asked = self.named(fields.pop("name", None), "name")
            return asked.name, asked.decode(fields)
        except FieldError as error:
            raise error.as_error("the query") from None
