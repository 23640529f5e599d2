"""What the chat tells of the module's pieces: what they are once a key has changed them."""

from __future__ import annotations

from told_changes import pieces, told, untold

from hexmarshal.vassal.traits import Delete
from hexmarshal.vassal.values import ctrl


def by_name(module):
    return {piece.name: piece for piece in pieces(module)}


def test_every_key_is_told(module):
    assert untold(module) == set()


def test_units_tell_where_they_look_and_what_they_are(module):
    unit = next(p for p in pieces(module) if "Rifles 41" in p.name and "German" in p.name)
    assert told(unit, ctrl("]"), Facing_Facing="2")[0].endswith(" turns to north-east *")
    assert told(unit, ctrl("F"), Status_Level="2")[0].endswith(": spent *")
    assert told(unit, ctrl("H"), Hasty_Level="1")[0].endswith(": Hasty defence no more *")
    seen = told(unit, ctrl("I"), InvisibleToOthers="false", UnitId="g1", BasicName="German Rifles")
    assert seen == ["$location$: g1 German Rifles comes into sight *"]


def test_the_name_in_a_report_says_not_already_what_the_report_says(module):
    unit = next(p for p in pieces(module) if "Rifles 41" in p.name and "German" in p.name)
    assert told(unit, ctrl("F"), Status_Level="2") == ["$location$: $oldPieceName$: spent *"]
    assert told(unit, ctrl("E")) == ["$oldLocationName$: $oldPieceName$ is destroyed *"]


def test_markers_tell_what_they_show(module):
    found = by_name(module)
    assert told(found["Smoke"], ctrl("F"), Smoke_Level="2")[0].endswith(": +1 *")
    assert told(found["Bunker"], ctrl("["), Facing_Facing="4")[0].endswith(" turns to south *")
    held = told(found["Objective"], ctrl("F"), Control_Level="3")
    assert held[0].endswith(": held by Soviets *")
    assert told(found["German barrage"], ctrl("T"), Falls="3")[0].endswith(": Falls in turn 3 *")


def test_to_delete_is_the_last_entry_of_a_menu(module):
    """The innermost trait is the last of the menu."""
    for piece in pieces(module):
        if piece.first(Delete) is not None:
            assert isinstance(piece.traits[-2], Delete), piece.name
