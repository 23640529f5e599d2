"""The fragments of docs/add-a-game.md that are no examples by themselves run where they belong."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import tutorial.combat
import tutorial.declaration
import tutorial.movement
import tutorial2.board
import tutorial2.declaration
from tutorial import Crossroads
from tutorial2 import Picket

from hexmarshal.rules import Distribution, FrozenMap, Position, Unit, engine
from hexmarshal.rules.action import ActionType, Param, ParamType, Seal
from hexmarshal.rules.choosing.choices import Begun
from hexmarshal.rules.dice import Dice
from hexmarshal.rules.frames import FrameTable, FrameType, Silence
from hexmarshal.rules.secrecy.concealment import conceal, reveal
from hexmarshal.rules.state.effects import ChangeUnit, MoveUnit
from hexmarshal.rules.state.ledger import Ledger
from hexmarshal.rules.verdict import Resolution, Step, Violation

PAGE = (Path(__file__).parents[4] / "docs" / "add-a-game.md").read_text("utf-8")
FRAGMENTS = {
    block.partition("\n")[0].strip(): block
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    if ">>>" not in block
}
START = engine.start(Crossroads(), seed=1)
PICKET = engine.start(Picket(), seed=1)
NAMES: dict[str, Any] = {
    "engine": engine,
    **{
        one.__name__: one
        for one in (
            ActionType, Begun, ChangeUnit, Distribution, FrameTable, FrameType, FrozenMap, Ledger,
            MoveUnit, Param, ParamType, Seal, Silence, Unit, Violation, conceal, reveal,
        )
    },
}  # fmt: skip


def run(first: str, **names: Any) -> tuple[Any, dict[str, Any]]:
    """What a fragment gives as the body of a function, and the names that it makes."""
    body = textwrap.indent(FRAGMENTS[first], "    ")
    scope: dict[str, Any] = {**NAMES, **names}
    exec(f"def fragment():\n{body}\n    return locals()", scope)
    found = scope["fragment"]()
    return (list(found) if inspect.isgenerator(found) else found), scope


def value(first: str, **names: Any) -> Any:
    """The value of a fragment that is one expression."""
    return eval(FRAGMENTS[first].strip(), {**NAMES, **names})


def same(made: ActionType, known: ActionType) -> None:
    for field in ("name", "params", "rules", "phases", "states", "check", "apply", "sealed"):
        assert getattr(made, field) == getattr(known, field), field


def action_types() -> None:
    crossroads, picket = tutorial.declaration, tutorial2.declaration
    for block in re.findall(r"^ActionType\(\n.*?^\)", PAGE, re.MULTILINE | re.DOTALL):
        home = picket if '"order"' in block else crossroads
        made = eval(block, {**NAMES, **vars(home)})
        same(made, home.ACTIONS[made.name])


def ledger() -> None:
    steps = (Step("he moves", "TUT-2"),)
    done, _ = run(
        "ledger = Ledger(position, dice)",
        position=START,
        dice=Dice(START.generator),
        resolution=Resolution("move", "done", steps=steps),
    )
    assert done.position.unit("b3").cell == "D3"
    assert done.position.unit("b3").has("moved")
    assert [one.steps for one in done.resolutions] == [steps]


def ask() -> None:
    made = Ledger(START, Dice(START.generator))
    value(
        'ledger.ask("advance", side, about={"attackers": left, "cell": target.cell})',
        ledger=made,
        side="blue",
        left=("b1",),
        target=START.unit("r1"),
    )
    frame = made.position.frame("advance")
    assert frame is not None
    assert frame.text("cell") == START.unit("r1").cell
    assert [one.side for one in frame.deciders] == ["blue"]


def frames() -> None:
    known = tutorial.declaration.FRAMES["advance"]
    cell = known.params[1]
    made, _ = run("FRAMES = FrameTable(", ATTACKERS=tutorial.declaration.ATTACKERS, CELL=cell)
    assert made["FRAMES"]["advance"] == replace(known, doc="")


def advance() -> None:
    first = next(line for line in FRAGMENTS if line.startswith('ActionType("advance"'))
    made, _ = run(first, combat=tutorial.combat)
    asked = Ledger(START, Dice(START.generator))
    asked.ask("advance", "blue", about={"attackers": ("b1",), "cell": "D3"})
    made["advance"](asked, Crossroads().game.actions.make("advance", "blue", unit="b1"))
    assert asked.position.frame("advance") is None
    assert f"check={tutorial.combat.__name__.partition('.')[2]}.check_advance" in first
    assert tutorial.declaration.ACTIONS["advance"].apply is tutorial.combat.advance


def occupied() -> None:
    unit = START.unit("b1")
    (found,), _ = run("if position.at(cell):", position=START, cell=unit.cell, unit=unit)
    assert (found.rule, found.cells) == ("TUT-2", (unit.cell,))


def choices() -> None:
    first = next(line for line in FRAGMENTS if line.startswith("engine.next_choices"))
    found = value(first, plugin=Crossroads(), position=START)
    assert found.slot == "path"
    assert found.choices


def reaction() -> None:
    mover = next(unit for unit in PICKET.units.values() if unit.seen_by is None and unit.cell)
    made = Ledger(PICKET, Dice(PICKET.generator))
    names = {"ledger": made, "name": mover.id, "unit": mover, "cell": mover.cell}
    asked, _ = run(
        "if name in ledger.common.units:  # all see who took the step",
        **names,
        other=tutorial2.board.other,
        around=tutorial2.board.around,
    )
    frame = made.position.frame("reaction")
    assert asked is True
    assert frame is not None
    assert [one.side for one in frame.deciders] == [tutorial2.board.other(mover.side)]


def concealed() -> None:
    units = {name: Unit(name, "infantry", "red", cell="D4") for name in ("squad", "leader")}
    stack = Position(game="g", sides=("blue", "red"), units=FrozenMap(units))
    made = Ledger(stack, Dice())
    first = next(line for line in FRAGMENTS if line.startswith("conceal("))
    run(first, ledger=made)
    assert set(made.position.units) == {"squad", "leader"}
    assert all(unit.cell == "D4" for unit in made.position.units.values())


def odds() -> None:
    first = "Distribution.die(6).map(lambda die: row[die - 1])"
    table, exact = FRAGMENTS[first].strip().splitlines()
    scope = {**NAMES, "row": ["-", "-", "-", "R", "R", "E"]}
    assert str(eval(table, scope).probability(lambda result: result == "E")) == "1/6"
    assert str(eval(exact, scope)) == "5/18"


TRIED: dict[str, Callable[[], None]] = {
    "ActionType(": action_types,
    "ledger = Ledger(position, dice)": ledger,
    "ledger.ask(": ask,
    "FRAMES = FrameTable(": frames,
    'ActionType("advance"': advance,
    "if position.at(cell):": occupied,
    "engine.next_choices(": choices,
    "if name in ledger.common.units:": reaction,
    "conceal(": concealed,
    "Distribution.die(6)": odds,
}


@pytest.mark.parametrize("first", FRAGMENTS)
def test_a_fragment_of_the_page_does_what_it_says(first: str) -> None:
    begins = max(filter(first.startswith, TRIED), key=len, default="")
    assert begins, f"nobody runs what begins with {first}"
    TRIED[begins]()
