"""Who lies in ambush is nobody else's business: another unit there changes nothing for others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hexmarshal.rules import engine
from hexmarshal.rules.plugins import registry
from hexmarshal.rules.values import FrozenMap

PLUGIN = registry.default().get("heroes_of_stalingrad")
START = engine.start(PLUGIN, "tractor_works", seed="ambush")


@pytest.mark.parametrize("like", ["r2", "r5", "r7"])
def test_another_unit_in_ambush_changes_neither_view_nor_choices_nor_refusals(like: str):
    hidden, other = START.units["r8"], START.units[like]
    assert hidden.known_to == {"russian"}
    assert hidden.type != other.type
    changed = replace(hidden, type=other.type, values=other.values, steps=other.steps)
    twin = replace(START, units=FrozenMap({**START.units, "r8": changed}))
    views = [engine.view(PLUGIN, one, "german").to_json() for one in (START, twin)]
    assert views[0] == views[1]
    offers = [
        [str(o.action) for o in engine.offers(PLUGIN, one, "german")] for one in (START, twin)
    ]
    assert offers[0] == offers[1]
    make = PLUGIN.game.actions.make
    aimed = make("fire", "german", unit="g2", target="r8")
    verdicts = [engine.check(PLUGIN, one, aimed) for one in (START, twin)]
    assert verdicts[0] == verdicts[1]
    own = [engine.view(PLUGIN, one, "russian").to_json() for one in (START, twin)]
    assert own[0] != own[1]
