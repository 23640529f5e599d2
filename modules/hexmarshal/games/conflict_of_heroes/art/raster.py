"""SVG to PNG that keeps what is transparent, as counters need it."""

from __future__ import annotations

from hexmarshal.errors import GeometryError, MissingExtraError

__all__ = ["raster"]


def raster(svg: str, *, zoom: float = 1.0) -> bytes:
    """The picture as PNG, `zoom` pixels for each unit of the SVG."""
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise MissingExtraError(
            "the game's pictures are drawn with resvg-py",
            hint="pip install 'hexmarshal[render]'",
        ) from None
    try:
        return bytes(svg_to_bytes(svg_string=svg, zoom=zoom, skip_system_fonts=True))
    except ValueError as error:
        raise GeometryError(f"this picture cannot be drawn: {error}") from None
