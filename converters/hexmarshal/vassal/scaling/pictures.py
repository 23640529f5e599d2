"""Pictures made larger or smaller: bitmaps resampled, drawings given another size."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import MissingExtraError, Place, UsageError
from hexmarshal.vassal.images.image_size import image_size
from hexmarshal.vassal.scaling.stretch import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction

    from PIL.Image import Image

__all__ = ["new_size", "refuse_huge", "resized"]

_MOST_PIXELS: Final = 400_000_000
_MOST_IN_ALL: Final = 10 * _MOST_PIXELS
_ROOT: Final = re.compile(rb"<(?:\w+:)?svg\b[^>]*>", re.DOTALL)
_SIZE: Final = re.compile(rb"\s(?:width|height)\s*=\s*(?:\"[^\"]*\"|'[^']*')")
_BOX: Final = re.compile(rb"\sviewBox\s*=")


def new_size(size: tuple[int, int], across: Fraction, down: Fraction) -> tuple[int, int]:
    """What a picture of this size becomes; one pixel at the least."""
    return max(1, nearest(across * size[0])), max(1, nearest(down * size[1]))


def refuse_huge(sizes: Mapping[str, tuple[int, int]]) -> None:
    """A UsageError for pictures that would become so large that no VASSAL could show them."""
    total = 0
    for entry, (width, height) in sizes.items():
        total += width * height
        if width * height > _MOST_PIXELS:
            raise UsageError(
                f"the picture would have {width} x {height} pixels",
                place=Place(entry=entry),
                hint=f"choose a factor that leaves at most {_MOST_PIXELS:,} pixels to a picture",
            )
    if total > _MOST_IN_ALL:
        raise UsageError(
            f"the pictures would have {total:,} pixels in all",
            hint=f"choose a factor that leaves at most {_MOST_IN_ALL:,}",
        )


def resized(data: bytes, across: Fraction, down: Fraction) -> bytes | None:
    """The picture in another size and the same format; None if it is none that can be read."""
    size = image_size(data)
    if size is None:
        return None
    new = new_size(size, across, down)
    if max(size[0] * size[1], new[0] * new[1]) > _MOST_PIXELS:
        return None
    if data.lstrip()[:1] == b"<" or data.startswith(b"\xef\xbb\xbf"):
        return _drawing(data, size, new)
    return _bitmap(data, new)


def _drawing(data: bytes, size: tuple[int, int], new: tuple[int, int]) -> bytes:
    """An SVG keeps its drawing; what it measures is said anew."""

    def change(found: re.Match[bytes]) -> bytes:
        head = _SIZE.sub(b"", found[0])
        name, _, rest = head.partition(b"svg")
        box = b"" if _BOX.search(head) else f' viewBox="0 0 {size[0]} {size[1]}"'.encode()
        measures = f'svg width="{new[0]}" height="{new[1]}"'.encode()
        return name + measures + box + rest

    return _ROOT.sub(change, data, count=1)


def _bitmap(data: bytes, new: tuple[int, int]) -> bytes | None:
    try:
        import PIL.Image
    except ImportError:
        raise MissingExtraError(
            "pictures need Pillow", hint="pip install 'hexmarshal[render]'"
        ) from None
    PIL.Image.MAX_IMAGE_PIXELS = _MOST_PIXELS
    try:
        with PIL.Image.open(io.BytesIO(data)) as picture:
            kind = picture.format or "PNG"
            frames = getattr(picture, "n_frames", 1)
            if kind == "GIF" and frames > 1:
                return _moving(picture, frames, new)
            return _written(_sampled(picture, new), kind)
    except (OSError, ValueError, SyntaxError, PIL.Image.DecompressionBombError):
        return None


def _sampled(picture: Image, new: tuple[int, int]) -> Image:
    import PIL.Image

    if picture.mode in {"P", "LA", "PA", "RGBA"} or "transparency" in picture.info:
        # Colours weighted by their opacity, or what is transparent bleeds into the edges.
        weighted = picture.convert("RGBA").convert("RGBa")
        return weighted.resize(new, PIL.Image.Resampling.LANCZOS).convert("RGBA")
    plain = picture if picture.mode in {"L", "RGB"} else picture.convert("RGB")
    return plain.resize(new, PIL.Image.Resampling.LANCZOS)


def _written(picture: Image, kind: str) -> bytes:
    into = io.BytesIO()
    if kind == "JPEG":
        picture.convert("RGB").save(into, "JPEG", quality=92)
    elif kind == "GIF":
        picture.save(into, "GIF")
    else:
        picture.save(into, "PNG")
    return into.getvalue()


def _moving(picture: Image, frames: int, new: tuple[int, int]) -> bytes:
    shown: list[Image] = []
    times: list[int] = []
    for number in range(frames):
        picture.seek(number)
        times.append(int(picture.info.get("duration", 100)))
        shown.append(_sampled(picture, new))
    into = io.BytesIO()
    shown[0].save(
        into,
        "GIF",
        save_all=True,
        append_images=shown[1:],
        duration=times,
        loop=int(picture.info.get("loop", 0)),
        disposal=2,
    )
    return into.getvalue()
