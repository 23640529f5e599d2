"""What one unit does is said of one alone, whoever else is marked."""

from __future__ import annotations

from pressed_keys import pressed
from told_changes import pieces

from hexmarshal.vassal.values import KeyStroke


def test_what_one_unit_does_is_not_said_of_several(module):
    """HOS-2.70: one unit fires, so a menu that names all who are marked would say nothing."""
    squad = next(piece for piece in pieces(module) if piece.name.endswith("Rifle group"))
    say = KeyStroke.named("say-fire")
    assert "tell-fire" in pressed(squad.traits, say, {"Parts": "g2"})
    two = pressed(squad.traits, say, {"Parts": "g1 g2"})
    assert two[-1] == "tellTooMany"
    assert not {"tell-fire", "tellRefused"} & set(two)
    nobody = pressed(squad.traits, say, {"Parts": ""})
    assert nobody[-2:] == ["tellRefused", "refuseMany"]
