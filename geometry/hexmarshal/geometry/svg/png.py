"""SVG to PNG, without Cairo and without a font."""

from __future__ import annotations

from functools import cache

from hexmarshal.errors import GeometryError, MissingExtraError
from hexmarshal.geometry.svg.canvas import FONTS

__all__ = ["SVG", "fonts_work", "png"]

SVG = "ask for SVG"
"""What may be had in place of a PNG where pictures of both kinds are made."""

_PROBE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24">'
    f'<text x="2" y="20" font-size="20" font-family="{FONTS}">{{}}</text></svg>'
)


def png(svg: str, *, zoom: float = 1.0, paper: str | None = "white", instead: str = "") -> bytes:
    """The picture as PNG, `zoom` pixels for each unit of the SVG; see-through without paper.

    `instead` is what a user may ask for who cannot have it.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError:
        raise MissingExtraError(
            "PNG pictures need resvg-py",
            hint=", or ".join(filter(None, ("pip install 'hexmarshal[render]'", instead))),
        ) from None
    # Looking for fonts costs more than most pictures, and few of ours hold any native text.
    bare = "<text" not in svg and ":text" not in svg
    try:
        return bytes(
            svg_to_bytes(svg_string=svg, background=paper, zoom=zoom, skip_system_fonts=bare)
        )
    except (ValueError, RuntimeError, OSError) as error:
        raise GeometryError(f"this picture cannot be drawn: {error}") from None


@cache
def fonts_work(sample: str = "M") -> bool:
    """Whether this machine can draw native text at all; without a font it silently vanishes."""
    drawn, blank = (png(_PROBE.format(text), instead=SVG) for text in (sample, " "))
    return drawn != blank
