"""The switches: optional rules, and readings of the book on which players differ."""

from __future__ import annotations

from hexmarshal.kit.options import choice, number, switch
from hexmarshal.rules.action import Param, ParamType
from hexmarshal.rules.plugin import Option
from hexmarshal.rules.values import FrozenMap

__all__ = ["OPTIONS"]

OPTIONS = (
    switch("variable_ap", "3D6 for an activation: highest and lowest", "COH-3.0.1a"),
    switch("fog_of_war", "action points are rolled in secret and counted up", "COH-3.0.1b"),
    switch("cautious_movement", "who moves without caution is easier to hit", "COH-5.0.3a"),
    Option(
        Param("balance", ParamType.VALUE, "more starting CAP by side, 1 or 2"),
        default=FrozenMap(),
        rules=("COH-3.2.5a",),
    ),
    choice("solo", ("", "german", "soviet"), "the side that the doctrine plays", "COH-20.2a"),
    number("players", "2: forces of one side are joined", "COH-20.1a", default=4, least=2, most=4),
    choice(
        "order",
        ("alternate", "together"),
        "of three or four players: turn about, or side by side",
        "COH-20.0a",
    ),
    switch(
        "free_cards",
        "cards 30, 40 and 41 are no action of the unit: the stunned may, and no mines notice",
        "COH-C30",
        "COH-C40",
        "COH-C41",
    ),
    switch("armed_clearing", "mines attack who clears them with card 41", "COH-18.3.3a"),
    switch("own_works", "friends inside do not save a fort from close combat", "COH-18.4d"),
    switch("smoke_at_home", "guns and mortars lay smoke on their own hex too", "COH-13.1a"),
)
