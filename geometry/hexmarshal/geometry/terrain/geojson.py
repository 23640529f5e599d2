"""Shapes to and from GeoJSON features, coordinates in the map's own units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hexmarshal.errors import GeometryError, HexMarshalError, Place
from hexmarshal.geometry.terrain.outlines import Outline, Polygon, Polyline
from hexmarshal.geometry.terrain.points import exact_number
from hexmarshal.geometry.terrain.terrain_map import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal
    from fractions import Fraction

    from hexmarshal.geometry.values_with_lines import Value

__all__ = ["shapes_of"]


def shapes_of(value: Value, file: str | None = None) -> Iterator[Shape]:
    """The shapes of a FeatureCollection; several polygons of one feature are numbered."""
    if not isinstance(value, dict) or value.get("type") != "FeatureCollection":
        raise GeometryError("this is not a FeatureCollection", place=Place(file=file))
    features = value.get("features")
    if not isinstance(features, list):
        raise GeometryError("features must be a list", place=Place(file=file, field="features"))
    for k, feature in enumerate(features):
        try:
            yield from _shapes(feature, f"feature {k + 1}")
        except HexMarshalError as error:
            raise error.at(Place(file=file, field=f"features.{k}")) from None
        except (TypeError, ValueError, KeyError, AttributeError, IndexError):
            raise GeometryError(
                "this feature has not the form that GeoJSON prescribes",
                place=Place(file=file, field=f"features.{k}"),
            ) from None


def _shapes(feature: Any, default: str) -> Iterator[Shape]:  # noqa: ANN401 - any JSON
    properties = feature.get("properties") or {}
    terrain = properties.get("terrain")
    if not isinstance(terrain, str):
        raise GeometryError("a feature needs the property terrain", place=Place(field="terrain"))
    name = str(properties.get("name", default))
    base = exact_number(properties.get("base", 0), "base")
    height = properties.get("height")
    exact_height = None if height is None else exact_number(height, "height")
    outlines = list(_outlines(feature["geometry"]))
    for k, outline in enumerate(outlines):
        numbered = name if len(outlines) == 1 else f"{name} ({k + 1})"
        yield Shape(numbered, terrain, outline, base, exact_height)


def _outlines(geometry: Any) -> Iterator[Outline]:  # noqa: ANN401 - any JSON
    kind, coordinates = geometry["type"], geometry["coordinates"]
    if kind == "Polygon":
        yield Polygon.of(*(_row(ring) for ring in coordinates))
    elif kind == "MultiPolygon":
        for part in coordinates:
            yield Polygon.of(*(_row(ring) for ring in part))
    elif kind == "LineString":
        yield Polyline.of(_row(coordinates))
    else:
        raise GeometryError(
            f"a {kind} cannot be terrain", hint="use Polygon, MultiPolygon or LineString"
        )


def _row(points: Any) -> list[tuple[int | Decimal | Fraction, int | Decimal | Fraction]]:  # noqa: ANN401
    return [(point[0], point[1]) for point in points]
