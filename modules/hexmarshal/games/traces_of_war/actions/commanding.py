"""Tokens and the cup, headquarters, the two commands, modes and segments."""

from __future__ import annotations

from typing import Final

from hexmarshal.games.traces_of_war.actions.words import ACTION, CELL, FIGHTING_PHASES, UNIT
from hexmarshal.games.traces_of_war.rules.command import activation, cup, okh, selection
from hexmarshal.games.traces_of_war.rules.sequence import setup
from hexmarshal.rules.action import ActionType, Param, ParamType, Seal

__all__ = ["COMMANDING"]

COMMANDING: Final = (
    ActionType(
        "deploy",
        "Security division",
        (UNIT, CELL),
        "The Axis player places a security division in a major city.",
        ("TOW-3.0d",),
        phases=("setup",),
        states=("deployment",),
        check=setup.check,
        apply=setup.deploy,
        candidates=setup.candidates,
    ),
    ActionType(
        "choose_tokens",
        "Command tokens",
        (
            Param("tokens", ParamType.CARDS, "those that go into the cup"),
            Param(
                "hand", ParamType.CARDS, "those that the Axis player keeps in hand", required=False
            ),
        ),
        "Both sides choose in secret; the cup is filled when both have.",
        ("TOW-4.2a", "TOW-4.2b", "TOW-4.2c", "TOW-4.2.1a", "TOW-4.2.2a"),
        phases=("selection",),
        states=("selection",),
        sealed=Seal.SILENT,
        check=selection.check,
        apply=selection.choose,
        candidates=selection.candidates,
    ),
    ActionType(
        "draw",
        "Draw a token",
        (),
        "The next token comes out of the cup.",
        ("TOW-4.3a", "TOW-4.3i"),
        phases=ACTION,
        states=("draw",),
        check=cup.check_draw,
        apply=cup.draw,
    ),
    ActionType(
        "throw_in",
        "Throw a token in",
        (Param("token", ParamType.CARD, "a token in the Axis hand"),),
        "A token that the Axis player kept goes into the cup, at any moment of the phase.",
        ("TOW-4.2b",),
        phases=ACTION,
        anytime=True,
        check=cup.check_throw_in,
        apply=cup.throw_in,
        candidates=cup.hand,
    ),
    ActionType(
        "interrupt",
        "Interrupt order",
        (),
        "An OKH token from the hand cancels the token just drawn, never Supply.",
        ("TOW-4.2.2d", "TOW-4.2.2e"),
        phases=ACTION,
        states=("interrupt",),
        check=cup.check_interrupt,
        apply=cup.interrupt,
    ),
    ActionType(
        "let_stand",
        "No interrupt",
        (),
        "The token just drawn is carried out.",
        ("TOW-4.2.2d",),
        phases=ACTION,
        states=("interrupt",),
        apply=cup.let_stand,
    ),
    ActionType(
        "activate_hq",
        "Activate a headquarters",
        (UNIT,),
        "By OKH, by STAVKA, or in the opening of turn 1.",
        ("TOW-4.2.2c", "TOW-4.3h", "TOW-12.1"),
        phases=FIGHTING_PHASES,
        states=("okh", "stavka", "opening"),
        check=okh.check_hq,
        apply=okh.activate_hq,
        candidates=okh.headquarters,
    ),
    ActionType(
        "okh_command",
        "OKH command",
        (Param("units", ParamType.UNITS, "the units activated"),),
        "Activates some Axis units anywhere, whatever their headquarters.",
        ("TOW-4.2.2f",),
        phases=ACTION,
        states=("okh",),
        check=okh.check_command,
        apply=okh.command,
        candidates=okh.command_candidates,
    ),
    ActionType(
        "negotiate",
        "Supreme Command negotiation",
        (),
        "Negotiation points for reinforcements or for lifting orders.",
        ("TOW-4.2.2c", "TOW-4.2.2d", "TOW-4.2.2g"),
        phases=ACTION,
        states=("okh",),
        check=okh.check_negotiate,
        apply=okh.negotiate,
    ),
    ActionType(
        "pass",
        "Pass the token by",
        (),
        "Nothing is done with OKH or STAVKA.",
        ("TOW-4.2.2c", "TOW-4.3h"),
        phases=ACTION,
        states=("okh", "stavka"),
        apply=okh.pass_by,
    ),
    ActionType(
        "choose_mode",
        "Action mode",
        (
            Param(
                "mode",
                ParamType.CHOICE,
                "whether the activated units move first or fight first",
                choices=("move_combat", "combat_move"),
            ),
        ),
        "",
        ("TOW-4.3d",),
        phases=ACTION,
        states=("mode",),
        apply=activation.choose_mode,
    ),
    ActionType(
        "end_segment",
        "End of the segment",
        (),
        "No more moves, or no more attacks, in this activation.",
        ("TOW-4.3d",),
        phases=FIGHTING_PHASES,
        states=("movement", "combat"),
        apply=activation.end_segment,
    ),
)
