"""Lint, diff, merge and image tools on garbage: our own errors at most, never another."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hexmarshal.errors import HexMarshalError
from hexmarshal.vassal.commands.tree import CommandNode
from hexmarshal.vassal.container.archive import Archive
from hexmarshal.vassal.diff import diff_modules, diff_saves
from hexmarshal.vassal.images.image_rename import rename_images
from hexmarshal.vassal.images.image_set import image_files
from hexmarshal.vassal.lint import ModuleSubject, SaveSubject, check_module, check_save, fix_module
from hexmarshal.vassal.lint.subject import lenient_module
from hexmarshal.vassal.merge import merge
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.savegame import SavedGame
from tests.converters.vassal import saved_games as games
from tests.converters.vassal.small_modules import SOUND, sound_module
from tests.converters.vassal.tools.test_merge import GREEN, extended

GARBAGE = (
    "",
    "x",
    "-1",
    "9" * 40,
    "\\",
    "{(",
    "$",
    "1,2,3,4,5",
    ";;;;",
    "null",
    "NaN",
    "/",
    "\t\t",
)


def try_everything(archive: Archive) -> None:
    module = lenient_module(archive)
    subject = ModuleSubject(module)
    check_module(subject)
    diff_modules(sound_module(), module)
    for image in image_files(module)[:1]:
        with suppress(HexMarshalError):
            rename_images(module, {image.name: "other.svg"})
    with suppress(HexMarshalError):
        merge(module, [extended(GREEN)], any_module=True)
    fix_module(ModuleSubject(lenient_module(archive)), remove_unused=True)


@pytest.mark.parametrize("value", GARBAGE)
def test_every_attribute_garbage(value):
    module = sound_module()
    for component in list(module.walk()):
        for name in list(component.element.attrib):
            component.set(str(name), value)
    try_everything(Archive.from_bytes(module.to_bytes()))


@pytest.mark.parametrize("value", GARBAGE)
def test_every_text_garbage(value):
    module = sound_module()
    for component in list(module.walk()):
        if component.text.strip():
            component.text = value
    try_everything(Archive.from_bytes(module.to_bytes()))


@given(st.integers(0, 1 << 32))
def test_texts_cut_and_shuffled_at_random(seed):
    rng = random.Random(seed)
    module = sound_module()
    for component in list(module.walk()):
        if rng.random() < 0.3:
            for name, value in list(component.element.attrib.items()):
                if rng.random() < 0.3:
                    component.set(str(name), str(value)[: rng.randrange(len(value) + 1)])
        if component.text.strip() and rng.random() < 0.7:
            text = list(component.text)
            for _ in range(rng.randrange(4)):
                text[rng.randrange(len(text))] = rng.choice("\t\\;/,'|n")
            component.text = "".join(text[: rng.randrange(len(text) + 1)])
        if rng.random() < 0.05 and component.parent is not None:
            component.remove()
    try_everything(Archive.from_bytes(module.to_bytes()))


@given(st.integers(0, 1 << 32))
def test_archives_damaged_at_random(seed):
    rng = random.Random(seed)
    data = bytearray(SOUND)
    for _ in range(rng.randrange(1, 6)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    with suppress(HexMarshalError):
        try_everything(Archive.from_bytes(bytes(data)))


@given(st.lists(st.text(st.characters(exclude_characters="\x1b"), max_size=60), max_size=8))
def test_saves_of_garbage_are_checked_and_compared(texts):
    sound = [games.unit("1").encode(), *(c.encode() for c in games.COMPONENTS)]
    prefixed = [f"{head}{t}" for t in texts for head in ("+/", "D/1/", "TURN", "PLAYER\t", "")]
    root = CommandNode("begin_save", tuple(CommandNode(t) for t in (*sound, *prefixed)))
    try:
        saved = SavedGame.from_text(root.encode())
    except HexMarshalError:
        return
    check_save(SaveSubject(saved, sound_module()))
    other = SavedGame.from_text(CommandNode("begin_save").encode())
    module = sound_module()
    diff_saves(other, saved, modules=(module, module))
    diff_saves(saved, other)


def test_a_module_that_is_a_save_is_refused():
    saved = SavedGame.from_text("begin_save")
    with pytest.raises(HexMarshalError):
        Module.from_archive(Archive.from_bytes(saved.to_bytes()))
