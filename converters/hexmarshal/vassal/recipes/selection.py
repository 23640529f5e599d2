"""Which pieces and which of their traits a step of a recipe is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hexmarshal.errors import BadInputError, HexMarshalError
from hexmarshal.vassal.pieces.piece_names import properties_of
from hexmarshal.vassal.pieces.prototypes import expand
from hexmarshal.vassal.pieces.references import images_of
from hexmarshal.vassal.recipes.patterns import Pattern
from hexmarshal.vassal.traits import RawTrait, Trait, stock_forms
from hexmarshal.vassal.xml.component_paths import ComponentPath
from hexmarshal.vassal.xml.component_query import Query

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hexmarshal.geometry.values_with_lines import Keys, Sourced
    from hexmarshal.vassal.components import Component
    from hexmarshal.vassal.pieces.piece import Piece

__all__ = ["PieceSelector", "TraitSelector", "trait_kinds"]


def trait_kinds() -> dict[str, type[Trait]]:
    """Every stock trait by the name that recipes use."""
    return {cls.__name__: cls for forms in stock_forms().values() for cls in forms.values()}


@dataclass(frozen=True, slots=True)
class TraitSelector:
    """Traits of one kind, or of a module's own prefix, whose fields match."""

    kind: type[Trait] | None
    prefix: str
    where: tuple[tuple[str, Pattern], ...]

    @classmethod
    def read(cls, source: Sourced, keys: Keys, given: Any) -> TraitSelector:  # noqa: ANN401
        """From a kind's name, or `{kind: ..., where: {field: pattern}}`."""
        place = source.place(*keys)
        found = given if isinstance(given, dict) else {"kind": given}
        name = str(found["kind"])
        kind = trait_kinds().get(name)
        if kind is None and not name.endswith(";"):
            raise BadInputError(
                f"no trait is called {name!r}",
                place=place,
                hint="hexmarshal edit --schema lists them; a trait of the module's own is named"
                " by its prefix, such as conceal;",
            )
        where = []
        for field, pattern in (found.get("where") or {}).items():
            if kind is not None and field not in {spec.name for spec in kind.layout.fields}:
                raise BadInputError(
                    f"a {name} has no field {field!r}",
                    place=source.place(*keys, "where", field),
                    hint=f"its fields: {', '.join(s.name for s in kind.layout.fields)}",
                )
            where.append((field, Pattern.read(pattern, place)))
        return cls(kind, "" if kind else name, tuple(where))

    def matches(self, trait: Trait) -> bool:
        """Whether a trait is meant."""
        if self.kind is None:
            return isinstance(trait, RawTrait) and trait.own_prefix == self.prefix
        if type(trait) is not self.kind:
            return False
        return all(_holds(pattern, getattr(trait, name)) for name, pattern in self.where)

    def indices(self, piece: Piece) -> list[int]:
        """The places of the traits meant, outermost first."""
        return [i for i, trait in enumerate(piece.traits) if self.matches(trait)]


def _holds(pattern: Pattern, value: object) -> bool:
    if isinstance(value, bool):
        return pattern.holds("true" if value else "false")
    if isinstance(value, tuple):
        return any(pattern.holds(str(each)) for each in value)
    return pattern.holds(str(value))


@dataclass(frozen=True, slots=True)
class PieceSelector:
    """Conditions on a piece and on where it stands; all of them must hold."""

    name: Pattern | None = None
    gpid: Pattern | None = None
    image: Pattern | None = None
    prototype: Pattern | None = None
    trait: TraitSelector | None = None
    properties: tuple[tuple[str, Pattern], ...] = ()
    inside: Query | None = None
    path: str = ""
    exclude: PieceSelector | None = None

    @classmethod
    def read(cls, source: Sourced, keys: Keys, given: dict[str, Any]) -> PieceSelector:
        """From the mapping in a recipe."""

        def pattern(name: str) -> Pattern | None:
            return Pattern.read(given[name], source.place(*keys, name)) if name in given else None

        trait = given.get("trait")
        inside = None
        if "in" in given:
            try:
                inside = Query.parse(str(given["in"]))
            except HexMarshalError as why:
                place = source.place(*keys, "in")
                raise BadInputError(why.message, place=place, hint=why.hint) from None
        return cls(
            pattern("name"),
            pattern("gpid"),
            pattern("image"),
            pattern("prototype"),
            None if trait is None else TraitSelector.read(source, (*keys, "trait"), trait),
            tuple(
                (name, Pattern.read(value, source.place(*keys, "property", name)))
                for name, value in given.get("property", {}).items()
            ),
            inside,
            str(given.get("path", "")),
            cls.read(source, (*keys, "not"), given["not"]) if "not" in given else None,
        )

    def matches(
        self,
        piece: Piece,
        component: Component | None,
        definitions: Mapping[str, str],
        *,
        within: Component | None = None,
    ) -> bool:
        """Whether a piece is meant; `component` is the slot or prototype that holds it.

        A piece that a trait carries has none, but stands `within` that of its carrier.
        """
        name = piece.name or (component.name if component is not None else "")
        if self.name is not None and not self.name.holds(name):
            return False
        if self.gpid is not None:
            gpid = component.get("gpid") if component is not None else ""
            if not self.gpid.holds(gpid or piece.gpid):
                return False
        if self.path and (component is None or str(ComponentPath.to(component)) != self.path):
            return False
        home = component if component is not None else within
        if self.inside is not None and (
            home is None or not any(map(self.inside.matches, home.ancestors()))
        ):
            return False
        if self.prototype is not None and not any(map(self.prototype.holds, piece.prototypes)):
            return False
        if self.image is not None and not any(map(self.image.holds, images_of(piece))):
            return False
        if self.trait is not None and not self.trait.indices(piece):
            return False
        if self.properties:
            known = properties_of(expand(piece, definitions).piece)
            if not all(n in known and p.holds(known[n]) for n, p in self.properties):
                return False
        return self.exclude is None or not self.exclude.matches(
            piece, component, definitions, within=within
        )
