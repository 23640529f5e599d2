"""Key strokes and named commands, in VASSAL's notation and as people write them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal import sequence
from hexmarshal.vassal.sequence import java_int
from hexmarshal.vassal.values.exact import ExactText

__all__ = ["KeyStroke", "KeyStrokes", "ctrl"]

# Old masks are the low bits, new masks the high ones; either or both may be set.
_MODIFIERS: Final = (("Ctrl", 130), ("Alt", 520), ("Shift", 65), ("Meta", 260))
_OTHER_BITS: Final = ~sum(mask for _, mask in _MODIFIERS)
# Alt Graph and the mouse buttons have bits too; VASSAL never asks for them.
_HARMLESS_BITS: Final = 32 | 8192 | 16 | 1024 | 2048 | 4096

_NAMED_CODES: Final = range(57344, 63743)
_FIRST_NAMED: Final = _NAMED_CODES.start

_KEY_NAMES: Final = {
    8: "Backspace", 9: "Tab", 10: "Enter", 12: "Clear", 16: "Shift", 17: "Ctrl", 18: "Alt",
    19: "Pause", 20: "CapsLock", 27: "Esc", 32: "Space", 33: "PageUp", 34: "PageDown", 35: "End",
    36: "Home", 37: "Left", 38: "Up", 39: "Right", 40: "Down", 44: "Comma", 45: "-", 46: ".",
    47: "/", 59: ";", 61: "=", 91: "[", 92: "\\", 93: "]", 106: "NumPad*", 107: "NumPad+",
    108: "NumPadSeparator", 109: "NumPad-", 110: "NumPad.", 111: "NumPad/", 127: "Delete",
    144: "NumLock", 145: "ScrollLock", 150: "&", 151: "*", 152: '"', 153: "<", 154: "PrintScreen",
    155: "Insert", 156: "Help", 157: "Meta", 160: ">", 161: "{", 162: "}", 192: "`", 222: "'",
    512: "@", 513: ":", 514: "^", 515: "$", 516: "Euro", 517: "!", 519: "(", 520: "#", 521: "Plus",
    522: ")", 523: "_", 524: "Windows", 525: "ContextMenu", 224: "KpUp", 225: "KpDown",
    226: "KpLeft", 227: "KpRight",
    **{code: chr(code) for code in (*range(48, 58), *range(65, 91))},
    **{96 + digit: f"NumPad{digit}" for digit in range(10)},
    **{111 + n: f"F{n}" for n in range(1, 13)},
    **{61427 + n: f"F{n}" for n in range(13, 25)},
}  # fmt: skip
_KEY_CODES: Final = {name.lower(): code for code, name in _KEY_NAMES.items()}


@dataclass(frozen=True, slots=True)
class KeyStroke(ExactText):
    """A key with modifiers, a command by name, or none; the session's code of a name means nothing.

    >>> KeyStroke("70,195").human()
    'Ctrl+Shift+F'
    >>> KeyStroke("57390,0,PlayAsEvent").name
    'PlayAsEvent'
    """

    @classmethod
    def named(cls, name: str) -> KeyStroke:
        """A command that has a name and no key."""
        if "," in name or not name:
            raise VassalFormatError(
                f"a key command cannot be named {name!r}",
                hint="The name must not be empty and must not hold a comma.",
            )
        return cls(f"{_FIRST_NAMED},0,{name}")

    @classmethod
    def of(cls, code: int, modifiers: int = 0) -> KeyStroke:
        """A key by its AWT code, with modifier bits."""
        return cls(f"{code},{modifiers}")

    @classmethod
    def from_human(cls, text: str) -> KeyStroke:
        """`Ctrl+Shift+F`, `F5`, an empty text for none, or `[Name]` for a named command."""
        if not text:
            return cls("")
        if text[0] == "[" and text[-1] == "]" and len(text) > 2:
            return cls.named(text[1:-1])
        masks = {name.lower(): mask for name, mask in _MODIFIERS}
        modifiers = 0
        rest = text
        while "+" in rest[:-1]:
            word, _, rest = rest.partition("+")
            mask = masks.get(word.strip().lower())
            if mask is None:
                raise VassalFormatError(
                    f"{word!r} is not a modifier key", hint="Use Ctrl, Alt, Shift or Meta."
                )
            modifiers |= mask
        key = rest.strip().lower()
        code = _KEY_CODES.get("plus" if key == "+" else key)
        if code is None:
            raise VassalFormatError(
                f"{rest!r} is not a key", hint="Write for example Ctrl+Shift+F, F5 or [MyCommand]."
            )
        return cls.of(code, modifiers)

    def _fields(self) -> list[str]:
        return sequence.decode(self.text, ",")

    @property
    def is_none(self) -> bool:
        """Whether this stands for no key at all."""
        return not self.text

    @property
    def is_legacy(self) -> bool:
        """Whether this is one of the oldest texts: a letter that is meant with Ctrl."""
        return bool(self.text) and "," not in self.text

    @property
    def name(self) -> str:
        """The name of a named command, else empty."""
        fields = self._fields()
        return fields[2] if len(fields) > 2 else ""

    @property
    def code(self) -> int:
        """The AWT key code; 0 if there is none or it does not parse."""
        if self.is_legacy:
            return ord(self.text[0].upper()[0])
        return java_int(self._fields()[0]) or 0

    @property
    def modifiers(self) -> int:
        """The modifier bits as written."""
        if self.is_legacy:
            return 130
        fields = self._fields()
        return (java_int(fields[1]) or 0) if len(fields) > 1 else 0

    @property
    def modifier_names(self) -> tuple[str, ...]:
        """`Ctrl`, `Alt`, `Shift`, `Meta`, by old and new masks alike."""
        bits = self.modifiers
        return tuple(name for name, mask in _MODIFIERS if bits & mask)

    def human(self) -> str:
        """As people write it: `Ctrl+Shift+F`; a named command in brackets; none is empty."""
        if not self.text:
            return ""
        if self.name:
            return f"[{self.name}]"
        code = self.code
        key = _KEY_NAMES.get(code) or (chr(code) if self.is_legacy else f"#{code}")
        return "+".join((*self.modifier_names, key))

    def same_as(self, other: KeyStroke) -> bool:
        """Whether VASSAL would take the two for the same command, however they are written."""
        if self.name or other.name:
            return self.name == other.name
        return (self.code, self.modifier_names) == (other.code, other.modifier_names)

    def problem(self) -> str | None:
        """What keeps VASSAL from reading this, in words, or None."""
        if not self.text or self.is_legacy:
            return None
        fields = self._fields()
        if len(fields) > 3:
            return f"{self.text!r} has more than a code, modifiers and a name"
        if java_int(fields[0]) is None:
            return f"the key code {fields[0]!r} is not a number"
        bits = java_int(fields[1])
        if bits is None:
            return f"the modifiers {fields[1]!r} are not a number"
        if bits & _OTHER_BITS & ~_HARMLESS_BITS:
            return f"the modifiers {bits} hold a bit that no modifier key has"
        if not self.name and self.code in _NAMED_CODES and self.code not in _KEY_NAMES:
            return f"the code {self.code} belongs to a named command, and the name is missing"
        return None


@dataclass(frozen=True, slots=True)
class KeyStrokes(ExactText):
    """A list of key strokes; an old text without a comma is one Ctrl letter per character."""

    @classmethod
    def of(cls, *keys: KeyStroke) -> KeyStrokes:
        """These keys; keys that are none are left out, as VASSAL does."""
        return cls(sequence.join([key.text for key in keys if key.text], ","))

    @property
    def keys(self) -> tuple[KeyStroke, ...]:
        """The members in order."""
        if not self.text:
            return ()
        if "," not in self.text:
            return tuple(KeyStroke(char) for char in self.text)
        return tuple(KeyStroke(token) for token in sequence.decode(self.text, ","))

    def human(self) -> str:
        """All of them, as people write them."""
        return ", ".join(key.human() for key in self.keys)

    def problem(self) -> str | None:
        """The first problem of a member, or None."""
        return next((found for key in self.keys if (found := key.problem())), None)


def ctrl(letter: str) -> KeyStroke:
    """The default of many traits: Ctrl and a letter."""
    return KeyStroke.of(ord(letter), 130)
