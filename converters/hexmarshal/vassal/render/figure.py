"""What one piece looks like: its traits drawn from the inside out, as VASSAL does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hexmarshal.vassal.traits import (
    AngleState,
    BasicPiece,
    FacingState,
    HiddenState,
    Hideable,
    Labeler,
    LabelState,
    Layer,
    LayerState,
    LegacyLayer,
    Mask,
    MaskState,
    MovedState,
    MovementMarkable,
    RawState,
    RawTrait,
    RotateFixed,
    RotateFree,
)
from hexmarshal.vassal.values import beanshell

if TYPE_CHECKING:
    from PIL.Image import Image

    from hexmarshal.vassal.pieces.piece import Piece
    from hexmarshal.vassal.render.pictures import Pictures
    from hexmarshal.vassal.traits import State, Trait

__all__ = ["Figure", "cover_name", "figure", "property_of"]

Lookup = Callable[[str], str | None]
# The name as it is shown is made from layers and labels, and labels may show it in turn.
_CONCEALED: Final = "conceal;"
_UNKNOWN: Final = "?"
_NO: Final = ("", "false", "0")
_WHOLE_NAMES: Final = ("PieceName", "pieceName")


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with the point in it that lies on the piece's position."""

    image: Image
    x: int
    y: int

    @classmethod
    def centred(cls, image: Image) -> Figure:
        """A picture that lies on its centre."""
        return cls(image, image.width // 2, image.height // 2)

    def with_layer(self, image: Image, dx: int, dy: int, *, under: bool = False) -> Figure:
        """With another picture, its centre moved off the position by (dx, dy)."""
        import PIL.Image

        left = min(-self.x, dx - image.width // 2)
        top = min(-self.y, dy - image.height // 2)
        right = max(self.image.width - self.x, dx - image.width // 2 + image.width)
        bottom = max(self.image.height - self.y, dy - image.height // 2 + image.height)
        canvas = PIL.Image.new("RGBA", (right - left, bottom - top))
        own = (self.image, (-self.x - left, -self.y - top))
        other = (image, (dx - image.width // 2 - left, dy - image.height // 2 - top))
        for picture, corner in (other, own) if under else (own, other):
            canvas.alpha_composite(picture, corner)
        return Figure(canvas, -left, -top)

    def turned(self, degrees: float) -> Figure:
        """Turned around the position, counter-clockwise."""
        import PIL.Image

        half = max(self.x, self.y, self.image.width - self.x, self.image.height - self.y)
        square = PIL.Image.new("RGBA", (2 * half, 2 * half))
        square.alpha_composite(self.image, (half - self.x, half - self.y))
        resample = PIL.Image.Resampling.BICUBIC
        return Figure.centred(square.rotate(degrees, resample, expand=True))


def figure(
    piece: Piece,
    pictures: Pictures,
    *,
    reveal: bool = False,
    face_down: bool = False,
    around: Lookup = lambda _name: None,
) -> Figure | None:
    """The piece as an onlooker sees it, or with `reveal` as it is; None if it is not seen.

    A piece that lies `face_down`, as in a closed deck, shows its mask whoever owns it; one without
    a mask shows its face even so, as VASSAL draws it. `around` knows the properties of the game,
    for what labels say and layers follow.
    """
    import PIL.Image

    from hexmarshal.vassal.pieces.piece_names import PieceProperties, full_name

    def outside(name: str) -> str | None:
        return full_name(piece, around) if name in _WHOLE_NAMES else around(name)

    known = PieceProperties(piece, outside)

    shown = Figure.centred(PIL.Image.new("RGBA", (1, 1)))
    pairs = list(zip(piece.traits, piece.states, strict=True))
    for trait, state in reversed(pairs):
        if not reveal:
            if isinstance(trait, Hideable) and isinstance(state, HiddenState) and state.owner:
                return None
            masked = isinstance(state, MaskState) and (state.owner or face_down)
            if isinstance(trait, Mask) and masked:
                shown = _masked(trait, pictures, shown)
                continue
            if _is_concealed(trait, state):
                shown = _concealed(trait, pictures)
                continue
        shown = _with(trait, state, known, pictures, shown)
    return shown


def cover_name(piece: Piece) -> str | None:
    """What an onlooker calls a piece that is masked, concealed or hidden; None if it lies open."""
    for trait, state in zip(piece.traits, piece.states, strict=True):
        if isinstance(trait, Mask) and isinstance(state, MaskState) and state.owner:
            return trait.mask_name or _UNKNOWN
        if isinstance(trait, Hideable) and isinstance(state, HiddenState) and state.owner:
            return _UNKNOWN
        if _is_concealed(trait, state):
            return _UNKNOWN
    return None


def _masked(trait: Mask, pictures: Pictures, shown: Figure) -> Figure:
    # The image of its style, if it has one, is what the owner sees laid over the piece.
    cover = pictures.get(trait.image)
    return shown if cover is None else Figure.centred(cover)


def _is_concealed(trait: Trait, state: State) -> bool:
    """Whether VASL's own mask, a concealment counter, covers the piece."""
    if not isinstance(trait, RawTrait) or trait.own_prefix != _CONCEALED:
        return False
    owner = state.text.partition(";")[0].strip() if isinstance(state, RawState) else ""
    return owner not in ("", "null")


def _concealed(trait: Trait, pictures: Pictures) -> Figure:
    """The concealment counter; a blank one if the module has no picture of it."""
    import PIL.Image

    fields = trait.text.split(";") if isinstance(trait, RawTrait) else []
    name = fields[2] if len(fields) > 2 else ""
    # Old modules leave out what ends the name.
    cover = pictures.get(name if "." in name else f"{name}.gif") if name else None
    return Figure.centred(cover or PIL.Image.new("RGBA", (48, 48), (200, 200, 200, 255)))


def _with(trait: Trait, state: State, known: Lookup, pictures: Pictures, shown: Figure) -> Figure:
    match trait, state:
        case BasicPiece(), _:
            image = pictures.get(trait.image)
            return shown if image is None else Figure.centred(image)
        case Layer(), LayerState():
            return _layer(trait, state, known, pictures, shown)
        case LegacyLayer(), LayerState() if 0 < state.level <= len(trait.levels):
            image = pictures.get(trait.levels[state.level - 1].partition(",")[0])
            at = trait.x_offset, trait.y_offset
            return shown if image is None else shown.with_layer(image, *at)
        case Labeler(), LabelState() if state.text:
            return _labelled(trait, state.text, known, shown)
        case RotateFixed(), FacingState() if state.facing and trait.facings > 1:
            return shown.turned(-state.facing * 360 / trait.facings)
        case RotateFree(), AngleState() if state.angle:
            return shown.turned(state.angle)
        case MovementMarkable(), MovedState() if state.moved:
            icon = pictures.get(trait.icon)
            if icon is None:
                return shown
            # The icon's place is given by its corner, not by its centre.
            at = trait.x_offset + icon.width // 2, trait.y_offset + icon.height // 2
            return shown.with_layer(icon, *at)
    return shown


def _layer(
    trait: Layer, state: LayerState, known: Lookup, pictures: Pictures, shown: Figure
) -> Figure:
    from hexmarshal.vassal.pieces.piece_names import shown_level

    level = shown_level(trait, state, known)
    if not 0 < level <= len(trait.images) or _left_out(trait, known):
        return shown
    image = pictures.get(trait.images[level - 1])
    if image is None:
        return shown
    if trait.scale not in {0.0, 1.0}:
        size = (max(1, round(image.width * trait.scale)), max(1, round(image.height * trait.scale)))
        image = image.resize(size)
    return shown.with_layer(image, trait.x_offset, trait.y_offset)


def _left_out(trait: Layer, known: Lookup) -> bool:
    """Whether a layer that follows a property is shown only while another has a value."""
    if not (trait.follow_property and trait.only_property_name):
        return False
    value = known(trait.only_property_name)
    return value is not None and (value not in _NO) != (trait.only_property_state == "true")


def property_of(piece: Piece, name: str) -> str:
    """A property of a piece as a label or layer asks for it; empty if it has none."""
    from hexmarshal.vassal.pieces.piece_names import properties_of

    return properties_of(piece).get(name, "")


def _labelled(trait: Labeler, text: str, known: Lookup, shown: Figure) -> Figure:
    import PIL.Image
    from PIL import ImageDraw, ImageFont

    said = _said(text, known)
    if not said or said.startswith("<html"):
        return shown
    font = ImageFont.load_default(max(6, trait.font_size))
    left, top, right, bottom = ImageDraw.Draw(shown.image).multiline_textbbox((0, 0), said, font)
    pad = 1
    size = (int(right - left) + 2 * pad + 1, int(bottom - top) + 2 * pad + 1)
    ground = trait.background.rgba or (0, 0, 0, 0)
    label = PIL.Image.new("RGBA", size, ground)
    ink = trait.foreground.rgba or (0, 0, 0, 255)
    ImageDraw.Draw(label).multiline_text((pad - left, pad - top), said, ink, font)
    box = (-shown.x, -shown.y, shown.image.width - shown.x, shown.image.height - shown.y)
    x = _along(trait.horizontal_position, box[0], box[2], "l", "r") + trait.horizontal_offset
    y = _along(trait.vertical_position, box[1], box[3], "t", "b") + trait.vertical_offset
    dx = x + {"l": size[0] // 2, "r": -(size[0] // 2)}.get(trait.horizontal_just, 0)
    dy = y + {"t": size[1] // 2, "b": -(size[1] // 2)}.get(trait.vertical_just, 0)
    return shown.with_layer(label, dx, dy)


def _said(text: str, known: Lookup) -> str:
    """What a label says; nothing if it is an expression that cannot be worked out."""
    from hexmarshal.vassal.values import FormattedText
    from hexmarshal.vassal.values.evaluation import evaluate

    if beanshell.is_braced(text):
        return (evaluate(text, known) or "").strip()
    if "$" in text:
        wanted = FormattedText(text)
        values = {name: value for name in wanted.properties if (value := known(name)) is not None}
        text = wanted.fill(values)
    return text.strip()


def _along(position: str, low: int, high: int, first: str, last: str) -> int:
    return {first: low, last: high}.get(position, (low + high) // 2)
