"""The sheet beside the map, the cup and the hands: where tokens lie and boxes mean something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.traces_of_war.art import colours, tokens
from hexmarshal.games.traces_of_war.art.sheet import SHEET, printed
from hexmarshal.games.traces_of_war.state import piles as names
from hexmarshal.games.traces_of_war.state.kinds import AXIS, SOVIET
from hexmarshal.kit.module import Card, Hand, Lies, Pile, Shown, Spread, TableSheet

if TYPE_CHECKING:
    from hexmarshal.games.traces_of_war.state.tables import Tables, Token

__all__ = ["hands", "piles", "spreads", "table_sheet"]

_TOKEN: Final = (tokens.TOKEN, tokens.TOKEN)
_AIR: Final = (56, 56)
_RESERVES: Final = {"Panzer reserve": "PR", "Infantry reserve": "IR", "Minor reserve": "AR"}


def table_sheet(tables: Tables) -> TableSheet:
    """The sheet, what its boxes mean, and the markers on its tracks."""
    german, red = colours.AXIS_BLUE, colours.SOVIET_RED
    marker = tokens.track_marker
    return TableSheet(
        sheet=SHEET,
        boxes={
            "Security divisions": Lies("deploy", AXIS),
            "Paratroops": Lies("airborne", SOVIET),
            "Displaced": Lies("displaced"),
            "Replaced": Lies("removed", SOVIET),
            **{box: Lies("reserve", AXIS, {"category": key}) for box, key in _RESERVES.items()},
            **{
                f"Arrivals {n}": Lies("arrivals", SOVIET, {"arrival": n}) for n in range(1, 10)
            },
            "Axis losses": Lies("eliminated", AXIS, losses=True),
            "Soviet losses": Lies("eliminated", SOVIET, losses=True),
        },
        tracks=(
            Shown("draws", "Draws", marker("DRAW", red)),
            Shown("bridgehead", "Bridgehead", marker("AIR", red), kind="bridgehead-track"),
            Shown("relocations-axis", "Axis relocations", marker("AXIS", german)),
            Shown("relocations-soviet", "Soviet relocations", marker("SOV", red)),
            Shown("points", "Points", marker("VP", red), aid=True),
            Shown("tens", "Tens", marker("VP x10", red), aid=True),
            Shown("crossings", "Crossings", marker("CP", german), aid=True),
        ),
        turn="Turn",
        turn_svg=tokens.turn_marker(),
        more=printed(tables),
    )  # fmt: skip


def piles(tables: Tables) -> tuple[Pile, ...]:
    """The cup, into which nobody looks, what was played, and the box of the Luftwaffe."""
    every = tuple(
        Card(t.id, t.title, tokens.token(t), home=home, home_of=side)
        for t in tables.tokens.values()
        for home, side in (_home(tables, t),)
    )
    air = tuple(
        Card(name, f"{kind.capitalize()} air support", tokens.air_marker(kind))
        for name in tables.air_markers
        for kind in (name.partition("-")[0],)
    )
    return (
        Pile(
            pile=names.CUP,
            box="Cup",
            cards=every,
            back=tokens.TOKEN_BACK,
            size=_TOKEN,
            out="Played tokens",
            thing="a token",
            # The engine does it before the tracker has moved: so it is still the choice of tokens.
            recalled_in="action",
            drawn_open=True,
        ),
        Pile(
            pile=names.PLAYED,
            box="Played tokens",
            open=True,
            size=_TOKEN,
            recalls="own tokens back into the pool, Supply into the cup",
        ),
        Pile(
            pile=names.BOX,
            box="Luftwaffe box",
            cards=air,
            back=tokens.AIR_BACK,
            size=_AIR,
            out="Luftwaffe box",
            thing="a Luftwaffe marker",
        ),
    )


def _home(tables: Tables, token: Token) -> tuple[str, str]:
    """TOW-4.2d: Supply goes into the cup every turn, all others into the pool of their side."""
    alike = [t.id for t in tables.tokens.values() if t.side == token.side]
    if token.side not in (AXIS, SOVIET):
        return "Cup", ""
    return f"Pool {alike.index(token.id) + 1}", token.side


def spreads() -> tuple[Spread, ...]:
    """Tokens that lie open: the one just drawn, and those that are still to come."""
    return (Spread(names.DRAWN, "Drawn"), Spread(names.TRACK, "To come"))


def hands() -> tuple[Hand, ...]:
    """What only a side may look at: its inactive tokens, and what the Axis keeps back."""
    return (
        Hand(side=SOVIET, pile=names.pool(SOVIET), places=11, size=_TOKEN, title="Pool"),
        Hand(side=AXIS, pile=names.pool(AXIS), places=6, size=_TOKEN, title="Pool"),
        Hand(side=AXIS, pile=names.HAND, places=6, size=_TOKEN, title="Hand"),
        Hand(side=AXIS, pile=names.AIR, places=4, size=_AIR, title="Luftwaffe"),
    )
