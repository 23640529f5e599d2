"""The counters of the module: every unit of the catalogue with its faces and its traits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexmarshal.games.kharkov.art import colours, faces
from hexmarshal.games.kharkov.module import orders
from hexmarshal.kit.drawing.counters import strength_svg
from hexmarshal.kit.module.pieces.reports import tells_level, tells_sign
from hexmarshal.kit.module.pieces.traits import ends, sign, steps, titles
from hexmarshal.vassal.builder import Counter, layer, markers, prototype

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from hexmarshal.games.kharkov.state.source import Source
    from hexmarshal.kit.module.pictures import Pictures
    from hexmarshal.vassal.builder.counters import Equipped

__all__ = ["Catalogue", "Maker"]

_GROUNDS = {
    "panzer": colours.PANZER,
    "panzergrenadier": colours.PANZER,
    "romanian": colours.ROMANIAN,
    "guards": colours.GUARDS,
}
_LIGHT_INK = frozenset({"panzer", "panzergrenadier", "guards"})
_REGIMENT = ("2-8", "1-8")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The counters of the data, with what the rules know of their types."""

    counters: Mapping[str, Mapping[str, Any]]
    types: Mapping[str, Mapping[str, Any]]
    pools: Mapping[str, Mapping[str, Any]]
    replacements: tuple[str, ...]
    regiments: int
    strong: int
    """The defence from which a pool's unit has a second step (KHA-9.53)."""

    @classmethod
    def load(cls, source: Source) -> Catalogue:
        """The catalogue of a folder of data."""
        listed = source.read("counters.yaml", "counters")
        units = source.read("rules/units.yaml", "units")
        return cls(
            listed["counters"],
            units["types"],
            listed["pools"],
            tuple(listed["replacements"]),
            listed["regiments"],
            units["replaced_from_defence"],
        )

    def side(self, id: str) -> str:
        """Whose counter it is."""
        row = self.counters[id]
        return str(row.get("side") or self.types[row["type"]]["side"])

    def ladder(self, id: str) -> tuple[str, ...]:
        """The steps of a counter, full strength first; none if its value is drawn."""
        row = self.counters[id]
        return tuple(row.get("ladder") or self.types[row["type"]].get("ladder", ()))

    def values(self, pool: str) -> tuple[str, ...]:
        """What a pool's units may turn out to be; the first is face 1."""
        return tuple(self.pools[pool]["values"])

    @property
    def second_steps(self) -> tuple[str, ...]:
        """What Replacements may be worth; in every pool they follow its own values."""
        return tuple(dict.fromkeys(self.replacements))


class Maker:
    """Makes counters and puts the pictures that they show into the module."""

    def __init__(self, catalogue: Catalogue, pictures: Pictures) -> None:
        self.catalogue, self.pictures = catalogue, pictures

    def all(self) -> Iterator[tuple[str, str, Counter]]:
        """Every counter: its id, the palette it belongs in, and the counter itself."""
        for unit, row in self.catalogue.counters.items():
            kind = row["type"]
            if kind in self.catalogue.pools:
                yield unit, f"Soviet {kind}", self._unrevealed(unit, kind)
            elif kind == "hq":
                yield unit, "Headquarters", self._headquarters(unit)
            elif kind == "reserve":
                yield unit, "Headquarters", self._reserve(unit)
            else:
                title = "Soviet guards" if kind == "guards" else "Axis mechanised"
                if kind not in ("guards", "panzer", "panzergrenadier"):
                    title = "Axis infantry"
                yield unit, title, self._stepped(unit)
        for number in range(1, self.catalogue.regiments + 1):
            yield f"reg-{number:02}", "Axis regiments", self._regiment(f"reg-{number:02}")

    def _known_by(self, id: str, kind: str, side: str) -> Equipped:
        """What a rules program knows the piece by; the catalogue has the rest."""
        listed = titles(side.capitalize(), self.catalogue.types[kind]["title"])
        return markers({"UnitId": id, "UnitType": kind, "UnitSide": side, **listed})

    def _base(self, kind: str, left: str = "", right: str = "") -> str:
        size = self.catalogue.types[kind].get("size", "")
        side = self.catalogue.types[kind]["side"]
        ground = _GROUNDS.get(kind, colours.AXIS if side == "axis" else colours.SOVIET)
        ink = colours.PAPER if kind in _LIGHT_INK else colours.INK
        face = faces.face(kind, size, ground, ink=ink, names=(left, right))
        name = "-".join(part.replace(" ", "") for part in (kind, left, right) if part)
        return self.pictures.add(name, face)

    def _strip(self, kind: str, value: str, *, reduced: bool) -> str:
        light = kind in _LIGHT_INK and not reduced
        ink = colours.PAPER if light else colours.INK
        name = f"value-{value}{'-reduced' if reduced else '-light' if light else ''}"
        return self.pictures.add(name, strength_svg(value, reduced=reduced, ink=ink))

    def _stepped(self, id: str) -> Counter:
        row, kind = self.catalogue.counters[id], self.catalogue.counters[id]["type"]
        left, _, right = row.get("name", "").partition("/")
        title = self.catalogue.types[kind]["title"]
        side = self.catalogue.side(id)
        ladder = self.catalogue.ladder(id)
        images = [self._strip(kind, value, reduced=i > 0) for i, value in enumerate(ladder)]
        names = [f"+ ({value})" for value in ladder]
        return Counter(
            f"{id} {row.get('name', '')} {title}".replace("  ", " "),
            self._base(kind, left, right),
            (
                *orders.last_in_menu(side),
                steps(images, names),
                *ends("Step_Level", 1, len(images), "K", "L"),
                self._known_by(id, kind, side),
                *_common(side),
                *orders.tells_steps(),
            ),
            faces.SIZE,
            faces.SIZE,
        )

    def _regiment(self, id: str) -> Counter:
        images = [self._strip("regiment", v, reduced=i > 0) for i, v in enumerate(_REGIMENT)]
        return Counter(
            f"{id} Regiment",
            self._base("regiment"),
            (
                *orders.last_in_menu("axis"),
                layer("Strength", images, next_command="2-8 or 1-8", key="F"),
                sign("Strongpoint", "strongpoint.png", "W", menu="Dug in"),
                self._known_by(id, "regiment", "axis"),
                *_common("axis"),
                *tells_level("Strength", _REGIMENT, "F"),
                *tells_sign("Strongpoint", "Dug in", "W"),
            ),
            faces.SIZE,
            faces.SIZE,
        )

    def _headquarters(self, id: str) -> Counter:
        row, side = self.catalogue.counters[id], self.catalogue.side(id)
        ground = colours.ROMANIAN if side == "axis" else colours.SOVIET
        shown = []
        for active in (False, True):
            value = f"{row['radius']}-{row['move']}" if active else f"N-{row['inactive_move']}"
            lines = (row.get("commander", ""), value)
            face = faces.staff("hq", row["name"].upper(), lines, ground, active=active)
            shown.append(self.pictures.add(f"{id}-{'active' if active else 'inactive'}", face))
        return Counter(
            f"{id} HQ {row['name']} ({row.get('commander', '')})",
            shown[0],
            (
                *orders.last_in_menu(side),
                layer("Active", shown, next_command="Active or not", key="F"),
                sign("Displaced", "displaced.png", "B"),
                self._known_by(id, "hq", side),
                *_common(side),
                *tells_level("Active", ("inactive", "active"), "F"),
                *tells_sign("Displaced", "Displaced", "B"),
            ),
            faces.SIZE,
            faces.SIZE,
        )

    def _reserve(self, id: str) -> Counter:
        row = self.catalogue.counters[id]
        name = f"{row['army']} ARMY"
        face = faces.staff("reserve", name, (str(row["move"]),), colours.SOVIET, active=True)
        return Counter(
            f"{id} {row['name']}",
            self.pictures.add(id, face),
            (
                *orders.last_in_menu("soviet"),
                self._known_by(id, "reserve", "soviet"),
                *_common("soviet"),
            ),
            faces.SIZE,
            faces.SIZE,
        )

    def _unrevealed(self, id: str, pool: str) -> Counter:
        title = f"{id} {self.catalogue.types[pool]['title']}"
        hidden = self.hidden(pool)
        own = [self._face(pool, value) for value in self.catalogue.values(pool)]
        second = [self._replacement(value) for value in self.catalogue.second_steps]
        values = (*self.catalogue.values(pool), *self.catalogue.second_steps)
        names = ["", *(f"+ ({value})" for value in values)]
        return Counter(
            title,
            hidden,
            (
                layer("Face", ["", *own, *second], names=names, follow="Face", first_value=0),
                orders.hidden_from_all(hidden, title),
                *orders.last_in_menu("soviet"),
                *orders.reveals(pool, len(own)),
                self._known_by(id, pool, "soviet"),
                *_common("soviet"),
            ),
            faces.SIZE,
            faces.SIZE,
        )

    def hidden(self, pool: str) -> str:
        """The side of a pool's counters that nobody has turned yet."""
        size = self.catalogue.types[pool].get("size", "")
        move = self.catalogue.pools[pool]["move"]
        return self.pictures.add(f"unrevealed-{pool}", faces.unrevealed(pool, size, move))

    def _face(self, pool: str, value: str) -> str:
        """A pool's counter that has turned out to be worth this."""
        named, _, printed = value.rpartition(" ")
        kind = named or pool
        size = self.catalogue.types[kind].get("size", "")
        face = faces.face(kind, size, colours.SOVIET, strength=printed)
        return self.pictures.add(f"{kind}-{printed}", face)

    def _replacement(self, value: str) -> str:
        face = faces.face("replacement", "XX", colours.SOVIET, strength=value, reduced=True)
        return self.pictures.add(f"replacement-{value}", face)

    def chits(self, pool: str) -> Iterator[Counter]:
        """The values of a pool, one counter each, to be drawn from a deck."""
        for number, (value, count) in enumerate(self.catalogue.pools[pool]["values"].items(), 1):
            image = self._face(pool, value)
            for _ in range(count):
                yield self._chit(number, value, image, self.hidden(pool))

    def replacement_chits(self) -> Iterator[Counter]:
        """The Replacement counters."""
        faces_of = {value: n for n, value in enumerate(self.catalogue.second_steps, 1)}
        for value in self.catalogue.replacements:
            image = self._replacement(value)
            yield self._chit(faces_of[value], value, image, self.hidden("rifle"))

    @staticmethod
    def _chit(number: int, value: str, image: str, cover: str) -> Counter:
        traits = orders.gives(number, value, cover)
        return Counter(value, image, traits, faces.SIZE, faces.SIZE)


def _common(side: str) -> tuple[Equipped, Equipped]:
    return prototype(orders.PROTOTYPES[side]), orders.report()
