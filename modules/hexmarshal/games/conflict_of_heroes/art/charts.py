"""Charts for the players: terrain, fire, costs and hit markers, read from the game's data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hexmarshal.games.conflict_of_heroes.art.colours import INK, PAPER
from hexmarshal.kit.drawing.charts import ChartLook
from hexmarshal.rules.charts import Chart, ChartTable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.games.conflict_of_heroes.state.tables import Card, Hit, Tables

__all__ = ["CHARTS", "charts"]

CHARTS: Final = ChartLook(paper=PAPER, stripe="#e6dcbd", head="#3b4532", title="#3b4532", ink=INK)


def charts(tables: Tables) -> Iterator[Chart]:
    """Every chart of the game."""
    yield _terrain(tables)
    yield _fire(tables)
    yield _costs(tables)
    yield _hits(tables, "foot")
    yield _hits(tables, "vehicle")
    yield _works(tables)
    yield _cards(tables)


def _chart(
    title: str, heads: tuple[str, ...], rows: tuple[tuple[str, ...], ...], note: str = ""
) -> Chart:
    """A chart of one table, its key made of its title."""
    key = "-".join(title.lower().replace(":", "").split())
    return Chart(key, title, (ChartTable(heads, rows, note=note),))


def _signed(value: int) -> str:
    return f"+{value}" if value > 0 else str(value)


def _cost(value: int | None) -> str:
    return "no" if value is None else _signed(value) if value else "0"


def _terrain(tables: Tables) -> Chart:
    rows = []
    for kind in tables.terrain.values():
        marks = [kind.extra[c] for c in ("foot", "tracked", "wheeled")]
        texts = [_cost(mark) for mark in marks]
        for i, name in enumerate(("foot", "tracked", "wheeled")):
            if name in kind.immobilises:
                texts[i] += " !"
        rows.append(
            (
                kind.title,
                *texts,
                _signed(kind.defence) if kind.defence else "0",
                "blocked" if kind.blocks else "clear",
                "yes" if kind.cover else "no",
            )
        )
    climb, back = tables.number("movement", "climb"), tables.number("movement", "backwards")
    return _chart(
        "Terrain",
        ("Terrain", "Foot", "Tracked", "Wheeled", "Defence", "Sight", "Cover"),
        tuple(rows),
        f"Extra cost to enter. +{climb} for each level climbed, +{back} backwards. "
        f"! 2D6: {tables.number('movement', 'immobilisation')} or more, or immobilised.",
    )


def _fire(tables: Tables) -> Chart:
    fire = {name: tables.number("fire", name) for name in _FIRE}
    critical, most = tables.number("fire", "critical"), tables.number("fire", "cap_per_roll")
    rows = tuple((what, _signed(fire[name]), where) for name, (what, where) in _FIRE.items())
    return _chart(
        "Fire",
        ("Modifier", "Points", "Of"),
        rows,
        f"Hit: 2D6 + firepower reach the defence. {critical} more: destroyed. "
        f"At most {most} CAP on a roll.",
    )


_FIRE: Final = {
    "short_range": ("Next to the target", "firepower"),
    "long_range": ("Beyond range, to twice the range", "firepower"),
    "close_combat": ("Close combat", "firepower"),
    "close_combat_white": ("Close combat, white plate", "firepower"),
    "higher_firer": ("Firer higher", "firepower"),
    "higher_target": ("Target higher", "defence"),
    "support": ("Each supporter in a group", "firepower"),
    "vehicle_shelter": ("Infantry, for each vehicle in the hex", "defence"),
}
_COSTS: Final = {
    "activation": "Action points of an activation",
    "stall": "Stall",
    "rally": "Rally",
    "hide": "Hide",
    "hasty_defence": "Hasty defence",
    "turret": "Turret, out of arc",
    "engineer_smoke": "Smoke by engineers",
}


def _costs(tables: Tables) -> Chart:
    rows = tuple((what, str(tables.number("costs", name))) for name, what in _COSTS.items())
    pivot = ("Pivot", str(tables.number("movement", "pivot")))
    hidden = [
        (f"Hidden move into {what}", f"+{tables.number('movement', name)}")
        for name, what in (("hidden_cover", "cover"), ("hidden_open", "the open"))
    ]
    return _chart("Costs", ("Action", "AP or CAP"), (*rows, pivot, *hidden))


def _hits(tables: Tables, pool: str) -> Chart:
    rows = []
    for hit in tables.hits.values():
        if hit.key.startswith(pool):
            rally = "destroyed" if hit.eliminated else f"{hit.rally}+" if hit.rally else "none"
            rows.append((hit.title, str(hit.count), ", ".join(_effects(hit)) or "none", rally))
    return _chart(f"Hits: {pool}", ("Marker", "Copies", "Effect", "Rally"), tuple(rows))


def _effects(hit: Hit) -> Iterator[str]:
    if hit.eliminated:
        yield "out of the game"
    if hit.only_rally:
        yield "may only rally"
    if hit.no_fire:
        yield "no fire" if len(hit.no_fire) > 1 else f"no {next(iter(hit.no_fire))} fire"
    if hit.no_move:
        yield "no move, no pivot"
    for value, name in (
        (hit.fire, "fire cost"),
        (hit.move, "move cost"),
        (hit.red, "red firepower"),
        (hit.blue, "blue firepower"),
        (hit.flank, "flank"),
        (hit.front, "front"),
    ):
        if value:
            yield f"{name} {_signed(value)}"
    if hit.range is not None:
        yield f"range {hit.range}"


def _works(tables: Tables) -> Chart:
    rows = []
    for thing in tables.works.values():
        flank = "" if thing.defence_flank is None else f" / flank +{thing.defence_flank}"
        rows.append(
            (
                thing.title,
                f"+{thing.defence}{flank}" if thing.defence else "-",
                "-" if thing.rating is None else str(thing.rating),
            )
        )
    return _chart("Works", ("Marker", "Defence given", "Own defence"), tuple(rows))


def _cards(tables: Tables) -> Chart:
    rows = tuple(
        (entry.key, entry.title, entry.kind, str(entry.copies), _price(entry))
        for entry in tables.cards.values()
    )
    return _chart("Cards", ("Card", "Title", "Kind", "Copies", "Cost"), rows)


def _price(entry: Card) -> str:
    return f"{entry.cost} {_PAY[entry.pay]}" if entry.cost else "0"


_PAY: Final = {"cap": "CAP", "ap": "AP", "either": "AP or CAP"}
