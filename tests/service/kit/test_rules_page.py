"""The page of a module's help menu to look rules up in."""

from __future__ import annotations

import pytest

from hexmarshal.kit.pages.rules import rules_page
from hexmarshal.rules.rulebook import Rule, Rulebook, Status


@pytest.mark.parametrize("why", ["Aircraft are not ruled yet.", "Aircraft are not ruled yet"])
def test_why_a_rule_is_not_judged_ends_with_one_stop(why: str) -> None:
    rule = Rule("X-1", "E7", "Aircraft", "They come.", Status.OUT_OF_SCOPE, why)
    page = rules_page(Rulebook([rule]), "The rules").decode()
    assert "<i> The referee does not know it: Aircraft are not ruled yet.</i>" in page
