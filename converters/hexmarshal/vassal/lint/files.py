"""Checks of files: images, sounds, pages, and names that a file system cannot hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from hexmarshal.errors import VassalFormatError
from hexmarshal.errors.names import did_you_mean
from hexmarshal.vassal.components import BrowserHelpFile, BrowserPDFFile, HelpFile, HtmlChart
from hexmarshal.vassal.components.attributes import Sound
from hexmarshal.vassal.images.image_set import image_entries
from hexmarshal.vassal.images.missing_images import missing_images
from hexmarshal.vassal.images.unused_images import unused_images
from hexmarshal.vassal.lint.checks import Check, Found, Severity
from hexmarshal.vassal.lint.subject import ModuleSubject, gathered
from hexmarshal.vassal.values import FormattedText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hexmarshal.vassal.components import Component

__all__ = ["CHECKS", "remove_unused"]

_RESERVED: Final = frozenset(
    ["con", "prn", "aux", "nul"] + [f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)]
)
_FORBIDDEN: Final = re.compile(r'[<>:"|?*\\\x00-\x1f]')
# PNG, GIF, JPEG, BMP, TIFF; an SVG may begin with a comment.
_PICTURES: Final = (b"\x89PNG\r\n", b"GIF8", b"\xff\xd8", b"BM", b"II*\0", b"MM\0*")
_HEAD: Final = 1 << 14
_ENGINE_SOUNDS: Final = ("phone1.wav", "DoorOpen.au", "DoorClose.au")


def elsewhere(components: list[Component]) -> str:
    """How many more components do the same as the first."""
    more = len(components) - 1
    return f" (and {more} more)" if more else ""


def _missing_image(subject: ModuleSubject) -> Iterator[Found]:
    module = subject.module
    images = (e for each in (module, subject.base) if each is not None for e in each.entries())
    there = [e.removeprefix("images/") for e in images if e.startswith("images/")]
    also = subject.base.find_image if subject.base is not None else lambda _name: None
    for name, users in missing_images(module, subject.drawn_images).items():
        if name.startswith("/"):
            message = f"the engine has no image {name!r}{elsewhere(users)}"
            yield subject.found(users[0], message, severity=Severity.WARNING)
        elif also(name) is None:
            question = did_you_mean(name, there)
            message = f"there is no image {name!r}{elsewhere(users)}"
            yield subject.unresolved(users[0], f"{message}; {question}" if question else message)


def _bad_image(subject: ModuleSubject) -> Iterator[Found]:
    module = subject.module
    for entry in image_entries(module):
        try:
            head = module.head(entry, _HEAD)
        except VassalFormatError as why:
            yield subject.about_entry(entry, why.message)
            continue
        if head.startswith(_PICTURES) or b"<svg" in head or b":svg" in head:
            continue
        pointer = head.startswith(b"version https://git-lfs")
        what = "only Git LFS's pointer to a picture" if pointer else "no picture that VASSAL knows"
        yield subject.about_entry(entry, f"this is {what}" if head else "this file is empty")


def _unused_image(subject: ModuleSubject) -> Iterator[Found]:
    # What code of the module's own loads cannot be told; and extensions replace images by name.
    soft = Severity.INFO if subject.own_classes or subject.module.is_extension else None
    for entry in unused_images(subject.module):
        yield subject.about_entry(entry, "nothing names this image", soft)


def remove_unused(subject: ModuleSubject) -> Iterator[str]:
    """Take every unused image out of the archive."""
    for entry in unused_images(subject.module):
        subject.module.changes[entry] = None
        yield f"removed {entry}"


def _missing_sound(subject: ModuleSubject) -> Iterator[Found]:
    for name, users in gathered(_sounds(subject)).items():
        literal = "$" not in name and not FormattedText(name).is_expression
        if literal and name not in _ENGINE_SOUNDS and not subject.has_entry(f"sounds/{name}"):
            yield subject.unresolved(users[0], f"there is no sound {name!r}{elsewhere(users)}")


def _sounds(subject: ModuleSubject) -> Iterator[tuple[str, Component]]:
    for component in subject.components:
        for attribute in component.declared.values():
            if isinstance(attribute, Sound) and (name := component.get(attribute.name)):
                yield name, component
    for use in subject.traits:
        for spec, value in use.trait.items():
            if spec.code == "SOUND" and value.text:
                yield value.text, use.component


def _missing_file(subject: ModuleSubject) -> Iterator[Found]:
    for component in subject.components:
        match component:
            case HelpFile():
                wanted = component.file_name
                # The engine brings its own pages, among them one that old modules name plainly.
                if component.file_type != "archive" or wanted in {"Intro.txt", ""}:
                    continue
            case HtmlChart():
                wanted = component.file_name
            case BrowserPDFFile():
                wanted = component.pdf_file
            case BrowserHelpFile():
                wanted = f"help/{component.contents}" if component.contents else ""
            case _:
                continue
        if wanted and not wanted.startswith("/") and not subject.has_entry(wanted):
            yield subject.unresolved(component, f"there is no file {wanted!r}")


def _hostile_name(subject: ModuleSubject) -> Iterator[Found]:
    for entry in subject.module.entries():
        for part in entry.split("/"):
            problem = _name_problem(part)
            if problem:
                yield subject.about_entry(entry, problem)
                break


def _name_problem(part: str) -> str:
    if part.partition(".")[0].strip().lower() in _RESERVED:
        return f"{part!r} is the name of a device in Windows"
    if part.endswith((".", " ")):
        return f"{part!r} ends in a dot or a space, which Windows drops"
    found = _FORBIDDEN.search(part)
    return f"{part!r} has the character {found[0]!r}, which Windows forbids" if found else ""


def _case_collision(subject: ModuleSubject) -> Iterator[Found]:
    seen: dict[str, str] = {}
    for entry in subject.module.entries():
        first = seen.setdefault(entry.casefold(), entry)
        if first != entry:
            yield subject.about_entry(entry, f"differs from {first!r} only in case")


CHECKS: Final[tuple[Check[ModuleSubject], ...]] = (
    Check(
        "missing-image",
        Severity.ERROR,
        "An image is named that is neither in the module nor in the engine",
        "add the image, or correct the name: case counts, and a name without a suffix means .gif",
        _missing_image,
        needs_files=True,
    ),
    Check(
        "bad-image",
        Severity.WARNING,
        "A file among the images is no picture",
        "put the picture itself in its place: the engine shows nothing of such a file",
        _bad_image,
        needs_files=True,
    ),
    Check(
        "unused-image",
        Severity.WARNING,
        "An image is in the archive that nothing names",
        "remove it with --remove-unused if no one needs it",
        _unused_image,
        needs_files=True,
    ),
    Check(
        "missing-sound",
        Severity.WARNING,
        "A sound is named that is not in the module",
        "add the sound under sounds/, or correct the name",
        _missing_sound,
        needs_files=True,
    ),
    Check(
        "missing-file",
        Severity.WARNING,
        "A page of help or a chart is named that is not in the module",
        "add the file, or remove the component",
        _missing_file,
        needs_files=True,
    ),
    Check(
        "hostile-name",
        Severity.WARNING,
        "A file has a name that Windows cannot hold",
        "rename it: hexmarshal images --rename follows every reference",
        _hostile_name,
        needs_files=True,
    ),
    Check(
        "case-collision",
        Severity.WARNING,
        "Two files have names that differ only in case",
        "rename one of them: unpacked on Windows or macOS one overwrites the other",
        _case_collision,
        needs_files=True,
    ),
)
