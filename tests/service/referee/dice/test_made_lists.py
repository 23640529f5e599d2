"""Lists that a game makes of a kind: once for all who ask for a part of them."""

from __future__ import annotations

import pytest

pytest.importorskip("resvg_py")

from coh_goes import PLUGIN, untouched

from hexmarshal.referee.interpret.rules_calls import Rules
from hexmarshal.rules import engine
from hexmarshal.rules.values import FrozenMap


def test_a_list_is_made_once_for_all_who_ask_for_a_part_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here, asked, listed = untouched().position, [], engine.offers
    units = [unit.id for unit in here.of_side("german")]
    every = [
        list(listed(PLUGIN, here, "german", ("activate",), FrozenMap({"unit": unit})))
        for unit in units
    ]

    def counted(*args: object) -> object:
        asked.append(args)
        return listed(*args)

    monkeypatch.setattr(engine, "offers", counted)
    rules = Rules(PLUGIN)
    found = [list(rules.offers(here, "german", ("activate",), {"unit": unit})) for unit in units]
    assert found == every
    assert any(found)
    assert len(asked) == 1
