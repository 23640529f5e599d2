"""A changed copy is what `dataclasses.replace` gives; what is made quickly stays frozen."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace

import pytest
from tutorial import Crossroads

from hexmarshal.rules import Marker, Position, Unit, engine
from hexmarshal.rules.copying import copied, quick
from hexmarshal.rules.state.pieces import Pile


@pytest.mark.parametrize(
    ("thing", "changes"),
    [
        (Unit("u", "tank", "red", cell="A1", steps=2), {"cell": "B2", "flags": frozenset("m")}),
        (Marker("m", "smoke", cell="A1"), {"cell": ""}),
        (Pile("deck", ("one", "two")), {"cards": ()}),
        (engine.start(Crossroads(), seed=1), {"turn": 7, "active": ("red",)}),
        (Position("some"), {}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_changed_copy_is_equal_to_a_replaced_one(
    thing: object, changes: dict[str, object]
) -> None:
    made = copied(thing, **changes)  # type: ignore[type-var]
    assert type(made) is type(thing)
    assert made == replace(thing, **changes)  # type: ignore[type-var]
    assert all(hasattr(made, field.name) for field in fields(made))


def test_what_a_position_remembers_stays_behind() -> None:
    position = engine.start(Crossroads(), seed=1)
    before = position.digest
    assert copied(position, turn=5).digest != before
    assert position.digest == before


def test_a_field_that_does_not_exist_is_refused() -> None:
    with pytest.raises(AttributeError, match="trun"):
        copied(Position("some"), trun=2)  # type: ignore[call-arg]


def test_a_class_that_checks_itself_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Checked:
        number: int

        def __post_init__(self) -> None:
            assert self.number > 0

    with pytest.raises(AssertionError):
        copied(Checked(1), number=-1)


@quick
@dataclass(frozen=True, slots=True)
class Hex:
    """A value of the tests."""

    row: int
    column: int = 0
    names: tuple[str, ...] = ()


@quick
@dataclass(frozen=True, slots=True)
class Town(Hex):
    """A child with a slot more."""

    title: str = "none"


def test_what_is_made_quickly_is_as_any_frozen_value() -> None:
    made = Town(1, names=("a",), title="Kharkov")
    assert type(made) is Town
    assert (made.row, made.column, made.names, made.title) == (1, 0, ("a",), "Kharkov")
    assert made == replace(Town(1), names=("a",), title="Kharkov")
    assert made == copied(Town(1), names=("a",), title="Kharkov")
    assert hash(made) == hash(copied(made))
    assert pickle.loads(pickle.dumps(made)) == made
    assert Hex(1, 0, ("a",)) != made
    with pytest.raises(FrozenInstanceError):
        made.row = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del made.row
    with pytest.raises(TypeError):
        Town()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        Town(1, hight=2)  # type: ignore[call-arg]


def test_a_class_with_values_made_anew_is_not_made_quickly() -> None:
    @dataclass(frozen=True, slots=True)
    class Listed:
        things: list[int] = field(default_factory=list)

    with pytest.raises(AssertionError):
        quick(Listed)
