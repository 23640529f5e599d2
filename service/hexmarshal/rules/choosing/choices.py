"""The next choice: the slot that is open, what may be chosen for it, whether that is enough."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hexmarshal.rules.action import Action, Param
from hexmarshal.rules.choosing.partial import NotChosen
from hexmarshal.rules.copying import quick
from hexmarshal.rules.values import EMPTY, FieldError, thaw
from hexmarshal.rules.verdict import FREE, Cost, Verdict, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from hexmarshal.rules.action import ActionTable, ActionType
    from hexmarshal.rules.choosing.chooser import Chooser
    from hexmarshal.rules.values import Record, Value

__all__ = ["KIND", "Begun", "Choice", "Choices", "Refused", "choices", "kinds"]

KIND = "kind"


@dataclass(frozen=True, slots=True)
class Begun:
    """What a player has chosen so far, and the slot that the next choice is for.

    `slot` empty: the one that follows from the rest, a list that was begun last or the first slot
    that nothing was said of. A slot named later than others settles those before it: a list is as
    long as it will be, and what may be left out is left out.
    """

    kind: str = ""
    params: Record = EMPTY
    slot: str = ""

    @classmethod
    def decode(cls, table: ActionTable, document: Mapping[str, object], slot: str = "") -> Begun:
        """From flat JSON: kind and parameters, any of them missing; errors name the field."""
        fields = {name: value for name, value in document.items() if name not in (KIND, "side")}
        return cls.read(table, document.get(KIND), fields, slot)

    @classmethod
    def read(
        cls, table: ActionTable, kind: object, params: Mapping[str, object], slot: str = ""
    ) -> Begun:
        """From a kind, None if it is not chosen yet, and parameters; errors name the field."""
        try:
            if kind is None:
                if params or slot not in ("", KIND):
                    raise FieldError("comes before everything else", KIND)
                return cls()
            known = table.named(kind, KIND)
            if slot and slot not in known.by_name:
                names = ", ".join(known.by_name) or "none"
                raise FieldError(f"{known.name} has no slot {slot!r}; it has: {names}", "slot")
            return cls(known.name, known.decode_some(params), slot)
        except FieldError as error:
            raise error.as_error("the action") from None


@quick
@dataclass(frozen=True, slots=True)
class Choice:
    """A value for the slot, or one more entry of its list, and what the action costs with it."""

    value: Value
    cost: Cost = FREE


@quick
@dataclass(frozen=True, slots=True)
class Refused:
    """A value that the rules forbid here, and why."""

    value: Value
    violations: tuple[Violation, ...]


@quick
@dataclass(frozen=True, slots=True)
class Choices:
    """What may be chosen next.

    `slot` is empty when nothing is left to choose. `ready` says that the slot may stay as it is: a
    list that is long enough, a parameter that may be left out; `then` is the slot after it. `free`:
    its values cannot be listed, give any. `action` is what there is so far as a whole action, if
    nothing that it needs is missing, and `verdict` what the rules say of that.
    """

    slot: str
    choices: tuple[Choice, ...] = ()
    refused: tuple[Refused, ...] = ()
    ready: bool = False
    then: str = ""
    free: bool = False
    action: Action | None = None
    verdict: Verdict | None = None

    @property
    def complete(self) -> bool:
        """Whether the action may be done as it stands."""
        return self.verdict is not None and self.verdict.legal

    def to_json(self) -> dict[str, object]:
        """As JSON-able data."""
        document: dict[str, object] = {
            "slot": self.slot,
            "choices": [{"value": thaw(c.value), "cost": c.cost.to_json()} for c in self.choices],
            "ready": self.ready,
            "then": self.then,
            "free": self.free,
            "complete": self.complete,
        }
        if self.refused:
            document["refused"] = [
                {"value": thaw(r.value), "violations": [v.to_json() for v in r.violations]}
                for r in self.refused
            ]
        if self.action is not None and self.verdict is not None:
            document["action"] = self.action.to_json()
            document["verdict"] = self.verdict.to_json()
        return document


def kinds(
    chooser: Chooser,
    table: ActionTable,
    misplaced: Callable[[ActionType], Iterable[Violation]],
    *,
    reasons: bool,
) -> Choices:
    """The first choice of all: the kinds of action that belong here, and that nothing forbids."""
    found: list[Choice] = []
    refused: list[Refused] = []
    for kind in table.values():
        broken = tuple(misplaced(kind))
        cost = FREE
        if not broken:
            verdict = chooser.judge(chooser.action(kind, EMPTY, frozenset(kind.by_name)))
            broken, cost = verdict.violations, verdict.cost
        if not broken:
            found.append(Choice(kind.name, cost))
        elif reasons:
            refused.append(Refused(kind.name, chooser.placed(broken)))
    return Choices(KIND, tuple(found), tuple(refused))


def choices(
    chooser: Chooser,
    kind: ActionType,
    begun: Begun,
    misplaced: tuple[Violation, ...],
    *,
    reasons: bool,
) -> Choices:
    """What may be chosen for the open slot of an action begun: nothing where it is misplaced."""
    given = begun.params
    at = _place(kind, begun)
    action, verdict = _as_it_stands(chooser, kind, given, misplaced)
    if at == len(kind.params):
        return Choices("", action=action, verdict=verdict)
    if misplaced:
        why = Verdict(chooser.placed(misplaced))
        return Choices(kind.params[at].name, action=action, verdict=why)
    param, later = kind.params[at], kind.after[at]
    many = param.many
    then = kind.params[at + 1].name if later else ""
    in_turn = given.keys() == kind.before[at] if given else not kind.before[at]
    if not in_turn:  # players may choose in another order
        later = frozenset(_undecided(kind, given, at))
        then = next((p.name for p in kind.params[at + 1 :] if p.name in later), "")
    # Once no other slot is open, what there is and what is ready are the same action.
    again = not many and param.name in given
    same = not later and not again
    if again:
        given = given.without(param.name)  # all its values, not the one chosen
    values = (
        chooser.values(kind, param, given, later, unlikely=True)
        if in_turn
        else _values(chooser, kind, at, given, later)
    )
    found: list[Choice] = []
    refused: list[Refused] = []
    trial = chooser.tried(kind, param, given, later | {param.name} if many else later)
    for value in values or ():
        if value is None:
            continue
        judged = trial(value)
        if not judged.violations:
            found.append(Choice(value, judged.cost))
        elif reasons:
            refused.append(Refused(value, chooser.placed(judged.violations)))
    ready = (many or not param.required) and _ready(
        chooser, kind, param, given, later, verdict if same else None
    )
    if not found and action is None:  # nothing leads on: why not is said of what there is
        action, verdict = _as_it_stands(chooser, kind, begun.params, (), short=True)
    free = values is None
    return Choices(param.name, tuple(found), tuple(refused), ready, then, free, action, verdict)


def _values(
    chooser: Chooser, kind: ActionType, at: int, given: Record, later: frozenset[str]
) -> Iterable[Value] | None:
    """What the slot may hold; asked for before one that it depends on, what its type allows."""
    param = kind.params[at]
    if given.keys() >= kind.before[at]:
        return chooser.values(kind, param, given, later, unlikely=True)
    try:
        values = chooser.values(kind, param, given, later, unlikely=True)
        return values if values is None else tuple(values)
    except NotChosen:
        return chooser.by_type(kind, param, given)


def _as_it_stands(
    chooser: Chooser,
    kind: ActionType,
    given: Record,
    misplaced: tuple[Violation, ...],
    *,
    short: bool = False,
) -> tuple[Action | None, Verdict | None]:
    """What there is so far as a whole action, and the verdict on that."""
    if not short:
        for name in kind.needed:
            if name not in given:
                return None, None
    whole = _whole(kind, given, short=short)
    if whole is None:
        return None, None
    action = Action(kind.name, chooser.side, whole)
    verdict = chooser.judge(action)
    if misplaced or verdict.violations:
        broken = chooser.placed((*misplaced, *verdict.violations))
        verdict = Verdict(broken, verdict.cost, verdict.notes)
    return action, verdict


def _place(kind: ActionType, begun: Begun) -> int:
    """Which slot the choice is for; as many as there are: none."""
    if begun.slot:
        return kind.places[begun.slot]
    last = max((kind.places[name] for name in begun.params), default=-1)
    if last >= 0 and kind.params[last].many:
        missing = next((i for i, p in enumerate(kind.params[:last]) if _is_due(p, begun)), None)
        return last if missing is None else missing
    missing = next((i for i, p in enumerate(kind.params) if _is_due(p, begun)), None)
    if missing is not None and missing < last:
        return missing
    return last + 1


def _is_due(param: Param, begun: Begun) -> bool:
    return param.required and param.name not in begun.params


def _undecided(kind: ActionType, given: Record, at: int) -> Iterator[str]:
    """The slots that stay open once the one in this place is settled."""
    for i, param in enumerate(kind.params):
        if i != at and param.name not in given and (i > at or param.required):
            yield param.name


def _ready(
    chooser: Chooser,
    kind: ActionType,
    param: Param,
    given: Record,
    later: frozenset[str],
    as_it_stands: Verdict | None,
) -> bool:
    held = given.get(param.name, ())
    left_out = not held and not param.required
    if isinstance(held, tuple) and len(held) < param.fewest and not left_out:
        return False
    if as_it_stands is not None:
        return as_it_stands.legal
    settled = given.set(param.name, held) if param.required else given
    return chooser.judge(chooser.action(kind, settled, later)).legal


def _whole(kind: ActionType, given: Record, *, short: bool) -> Record | None:
    """The parameters as a whole action has them; None if one that it needs is missing.

    A list that nothing is in yet is empty; where it needs entries, only if it may be too `short`.
    """
    empty: dict[str, Value] = {}
    for param in kind.params:
        if param.required and param.name not in given:
            if not param.many or (param.fewest and not short):
                return None
            empty[param.name] = ()
    return given.merged(empty) if empty else given
