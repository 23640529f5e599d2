"""Lint: a sound module has no findings; each mistake has exactly its own; what can be is mended."""

from __future__ import annotations

import pytest

from hexmarshal.errors import UsageError, VassalFormatError
from hexmarshal.vassal.commands.codec import Command
from hexmarshal.vassal.commands.registry import Unknown
from hexmarshal.vassal.commands.tree import tree
from hexmarshal.vassal.components import (
    Board,
    DrawPile,
    GlobalOptions,
    GlobalProperty,
    HexGrid,
    HexGridNumbering,
    HtmlChart,
    Inventory,
    Map,
    PredefinedSetup,
    PrototypeDefinition,
    SetupStack,
)
from hexmarshal.vassal.container.archive import Archive, build_archive
from hexmarshal.vassal.lint import (
    MODULE_CHECKS,
    SAVE_CHECKS,
    Finding,
    ModuleSubject,
    SaveSubject,
    Severity,
    check_module,
    check_save,
    fix_module,
    open_subject,
)
from hexmarshal.vassal.lint.__main__ import page
from hexmarshal.vassal.lint.subject import lenient_module
from hexmarshal.vassal.module import Module
from hexmarshal.vassal.saves.savegame import SavedGame
from hexmarshal.vassal.state.placed import PlacedStack
from tests.conftest import ROOT
from tests.converters.vassal import saved_games as games
from tests.converters.vassal.small_modules import (
    SOUND,
    Change,
    changed,
    extension,
    picture,
    slot,
    sound_module,
)


def findings(archive: Archive, base: Module | None = None) -> list[Finding]:
    return check_module(ModuleSubject(lenient_module(archive), base))


def text_of(name: str, old: str, new: str) -> Change:
    def change(module: Module) -> None:
        found = slot(module, name)
        assert old in found.text
        found.text = found.text.replace(old, new)

    return change


def trait(text: str, state: str = "") -> Change:
    """One more trait, outermost, of the counter Blue."""

    def change(module: Module) -> None:
        blue = slot(module, "Blue")
        head, types, states = "+/null/", *blue.text.removeprefix("+/null/").split("/")
        types = text + "\t" + types.replace("\t", "\\\t")
        blue.text = f"{head}{types}/{state}\t" + states.replace("\t", "\\\t")

    return change


def attribute(cls, name: str, value: str | None) -> Change:
    return lambda module: next(module.each(cls)).set(name, value)


def entry(name: str, data: bytes | None) -> Change:
    return lambda module: module.changes.update({name: data})


def add(parent, cls, **attributes: str) -> Change:
    return lambda module: next(module.each(parent)).add(cls, attributes) and None


def copy_of(cls) -> Change:
    def change(module: Module) -> None:
        found = next(module.each(cls))
        found.parent.append(found.copy())

    return change


def no_numbering(module: Module) -> None:
    next(module.each(HexGridNumbering)).remove()


def cycle(module: Module) -> None:
    proto = next(module.each(PrototypeDefinition))
    proto.text = "+/null/prototype;Unit\tpiece;;;;/\tnull;0;0;;0"


def old_version(module: Module) -> None:
    module.root.set("VassalVersion", "3.2.0")


def own_class(module: Module) -> None:
    next(module.each(Map)).element.append(module.document.root.makeelement("own.Thing", {}))


def stranger(module: Module) -> None:
    name = "VASSAL.build.module.Nonsense"
    module.root.element.append(module.document.root.makeelement(name, {}))


def renumbered(module: Module) -> None:
    slot(module, "Red").set("gpid", "900")
    module.root.set("nextPieceSlotId", "901")


def zeppelins(module: Module) -> None:
    trait("mark;Kind", "Tank")(module)
    trait('globalkey;All;71,130;68,130;{Kind=="Zeppelin"};false')(module)


def other_setup(module: Module) -> None:
    module.root.set("name", "Other")
    module.metadata.set("name", "Other")


CASES: dict[str, Change] = {
    "metadata-differ": lambda module: module.metadata.set("version", "0.9"),
    "old-format": old_version,
    "own-class": own_class,
    "missing-class": own_class,
    "unknown-class": stranger,
    "newer-engine": lambda module: module.root.set("VassalVersion", "4.2.0"),
    "unknown-trait": trait("zork;1;2"),
    "missing-part": lambda module: next(module.each(GlobalOptions)).remove(),
    "second-part": copy_of(GlobalOptions),
    "missing-image": text_of("Blue", "blue.svg", "gone.svg"),
    "bad-image": entry("images/red.svg", b"version https://git-lfs.github.com/spec/v1"),
    "unused-image": entry("images/nobody.svg", picture()),
    "missing-sound": trait("playSound;bang.wav;Bang;66,130;false;;false"),
    "missing-file": attribute(HtmlChart, "fileName", "gone.html"),
    "hostile-name": entry("sounds/aux.wav", b"x"),
    "case-collision": entry("IMAGES/red.svg", b"x"),
    "damaged-piece": text_of("Blue", "\tpiece", "\tmark;A\tpiece"),
    "empty-slot": lambda module: setattr(slot(module, "Ace"), "text", ""),
    "missing-setup": attribute(PredefinedSetup, "file", "gone.vsav"),
    "broken-setup": entry("Start.vsav", b"PK no zip at all"),
    "setup-piece": renumbered,
    "setup-module": other_setup,
    "missing-gpid": lambda module: slot(module, "Blue").set("gpid", None),
    "duplicate-gpid": lambda module: slot(module, "Blue").set("gpid", slot(module, "Red").gpid),
    "next-gpid": lambda module: module.root.set("nextPieceSlotId", "1"),
    "duplicate-name": copy_of(GlobalProperty),
    "nameless": attribute(GlobalProperty, "name", ""),
    "unknown-prototype": text_of("Blue", "prototype;Unit", "prototype;Gone"),
    "prototype-cycle": cycle,
    "unknown-deck": trait("return;Discard;68,130;Nowhere;;;2;false;Nowhere"),
    "unknown-place": trait("sendto;Go;71,130;Main Map;Nowhere;1;1;;;0;0;1;1;;L;;;;"),
    "marker-nowhere": trait("placemark;Mark;77,130;null;null;0;0;true;;;77;0;false"),
    "unknown-side": trait("restrict;Green;false;true;"),
    "unknown-name": trait('hideCmd;;Hide;{CurrentMap=="Nowhere"};'),
    "empty-inventory": lambda module: (
        module.root.add(Inventory, {"name": "All", "include": ""}) and None
    ),
    "nameless-grid": no_numbering,
    "degenerate-grid": attribute(HexGrid, "dx", "0.0"),
    "start-nowhere": attribute(SetupStack, "location", "nowhere"),
    "bad-key": trait(r"delete;Delete;x\,y;"),
    "bad-expression": trait("hideCmd;;Hide;{(Strength > 2};"),
    "lone-dollar": attribute(Map, "moveToFormat", "costs 5$"),
    "bad-value": attribute(Board, "width", "wide"),
    "unheard-key": trait(r"macro;;;84,130;;;57344\,0\,Gone"),
    "unset-property": trait("hideCmd;;Hide;{Strength > 2};"),
    "deaf-command": trait("globalkey;All;71,130;81,130;;false"),
    "pointless-command": zeppelins,
    "trigger-circle": trait(r"macro;;;84,130;;;84\,130"),
    "stuck-layer": trait("emb2;;0;;;0;;;0;;;;1;false;0;0;red.svg,back.svg;,;true;Side;;;;;1;1"),
}


def test_a_sound_module_has_no_findings():
    assert findings(Archive.from_bytes(SOUND)) == []


@pytest.mark.parametrize("name", CASES)
def test_each_mistake_is_found(name):
    found = [f for f in findings(changed(CASES[name])) if f.id == name]
    assert len(found) == 1, found
    declared = next(check for check in MODULE_CHECKS if check.id == name)
    assert found[0].message
    assert found[0].hint
    assert found[0].severity <= declared.severity
    assert found[0].place.entry or found[0].place.line


# What follows from one mistake beside its own finding.
FOLLOWING = {
    "missing-class": {"own-class"},
    "own-class": {"missing-class"},
    "degenerate-grid": {"start-nowhere"},
    "nameless-grid": {"start-nowhere"},
    "marker-nowhere": {"next-gpid"},
    "bad-expression": {"unset-property"},
}


@pytest.mark.parametrize("name", CASES)
def test_a_mistake_raises_no_false_alarm(name):
    others = {f.id for f in findings(changed(CASES[name]))} - {name}
    assert others <= FOLLOWING.get(name, set())


def test_a_part_of_an_extension_holds_one_component():
    head = '<VASSAL.build.module.ExtensionElement target="">'
    tail = "</VASSAL.build.module.ExtensionElement>"
    one = '<VASSAL.build.module.Inventory name="All" include="{true}"/>'
    found = findings(extension(head + one + tail, head + tail, head + one + one + tail))
    told = [f.message for f in found if f.id == "extension-element"]
    assert sorted(told) == [
        "holds 2 components, of which the engine builds the first alone",
        "holds no component: the engine fails on it",
    ]


def test_an_image_of_nothing_but_spaces_is_none():
    assert findings(changed(text_of("Blue", "blue.svg", " "))) == findings(
        changed(text_of("Blue", "blue.svg", ""))
    )
    assert findings(changed(attribute(Board, "image", " "))) == findings(
        changed(attribute(Board, "image", ""))
    )


def test_every_check_of_a_module_has_a_case():
    without = {"no-metadata", "wrong-build-file", "extension-element"}
    assert set(CASES) | without == {check.id for check in MODULE_CHECKS}


def _entries_without(*names: str) -> dict[str, bytes]:
    archive = Archive.from_bytes(SOUND)
    return {name: archive.read(name) for name in archive.names() if name not in names}


def test_a_build_file_without_metadata_is_found_and_mended():
    bare = Archive.from_bytes(b"".join(build_archive(_entries_without("moduledata"))))
    with pytest.raises(VassalFormatError):
        Module.from_archive(bare)
    subject = ModuleSubject(lenient_module(bare))
    assert [f.id for f in check_module(subject)] == ["no-metadata"]
    assert [m.id for m in fix_module(subject)] == ["no-metadata"]
    mended = Module.from_archive(Archive.from_bytes(subject.module.to_bytes()))
    assert (mended.metadata.name, mended.metadata.vassal_version) == ("Small", "3.7.0")


def test_a_build_file_that_the_engine_does_not_look_for_is_found():
    entries = _entries_without()
    entries["moduledata"] = entries["moduledata"].replace(b"3.7.0", b"3.2.0")
    wrong = Archive.from_bytes(b"".join(build_archive(entries)))
    assert "wrong-build-file" in {f.id for f in findings(wrong)}


@pytest.mark.parametrize("name", [c.id for c in MODULE_CHECKS if c.mend and c.id in CASES])
def test_what_can_be_mended_is_gone_after_mending(name):
    subject = ModuleSubject(lenient_module(changed(CASES[name])))
    assert name in {f.id for f in check_module(subject)}
    assert name in {m.id for m in fix_module(subject)}
    again = Archive.from_bytes(subject.module.to_bytes())
    assert name not in {f.id for f in findings(again)}


def test_mending_a_sound_module_changes_not_a_byte():
    subject = ModuleSubject(sound_module())
    assert fix_module(subject, remove_unused=True) == []
    assert subject.module.to_bytes() == SOUND


def test_a_duplicate_gets_the_next_free_id_and_the_first_keeps_its_own():
    module = lenient_module(changed(CASES["duplicate-gpid"]))
    red, following = slot(module, "Red").gpid, module.root.next_piece_slot_id
    fix_module(ModuleSubject(module))
    assert slot(module, "Red").gpid == red
    blue = slot(module, "Blue")
    assert blue.gpid == str(following)
    assert f";{following};" in blue.text
    assert module.root.next_piece_slot_id == following + 1


def test_unused_images_go_only_when_asked():
    archive = changed(CASES["unused-image"])
    subject = ModuleSubject(lenient_module(archive))
    assert fix_module(subject) == []
    assert [m.what for m in fix_module(subject, remove_unused=True)] == [
        "removed images/nobody.svg"
    ]
    assert not Archive.from_bytes(subject.module.to_bytes()).has("images/nobody.svg")


@pytest.mark.parametrize(
    "change",
    [
        attribute(HtmlChart, "description", "see nobody.svg"),
        entry("notes.html", b"<img src='images/nobody.svg'>"),
        attribute(Map, "moveToFormat", '<img src="no$x$.svg">'),
        attribute(DrawPile, "ownAttribute", "nobody.svg"),
    ],
)
def test_an_image_that_any_text_mentions_is_not_called_unused(change):
    def both(module: Module) -> None:
        CASES["unused-image"](module)
        change(module)

    assert "unused-image" not in {f.id for f in findings(changed(both))}


@pytest.mark.parametrize("name", ["/images/die.gif", "moved.gif", "moved", "/icons/16x16/no.png"])
def test_the_engines_own_images_are_not_missing(name):
    def change(module: Module) -> None:
        next(module.each(DrawPile)).parent.set("icon", name)

    assert findings(changed(change)) == []


def test_an_engine_image_that_no_engine_has_is_a_warning():
    (found,) = findings(changed(attribute(Map, "icon", "/images/nonsense.gif")))
    assert (found.id, found.severity) == ("missing-image", Severity.WARNING)


def test_a_name_without_a_suffix_means_a_gif():
    def change(module: Module) -> None:
        module.changes["images/night.gif"] = b"GIF89a"
        next(module.each(Map)).set("icon", "night")

    assert findings(changed(change)) == []


def test_one_bad_piece_does_not_hide_the_others():
    def change(module: Module) -> None:
        CASES["damaged-piece"](module)
        slot(module, "Red").text = slot(module, "Red").text.replace("back.svg", "gone.svg")

    assert {"damaged-piece", "missing-image"} <= {f.id for f in findings(changed(change))}


PIECE = (
    '<VASSAL.build.module.ExtensionElement target="VASSAL.build.module.PieceWindow:Counters/'
    'VASSAL.build.widget.ListWidget:Units"><VASSAL.build.widget.PieceSlot entryName="More"'
    ' gpid="a1b:7" height="0" width="0">+/null/prototype;Unit\tpiece;;;red.svg;More/'
    "\tnull;0;0;a1b:7;0</VASSAL.build.widget.PieceSlot></VASSAL.build.module.ExtensionElement>"
)


def test_in_an_extension_alone_names_of_the_module_are_only_info():
    found = findings(extension(PIECE))
    assert {f.id for f in found} == {"missing-image", "unknown-prototype"}
    assert {f.severity for f in found} == {Severity.INFO}
    assert all("--module" in f.hint for f in found)


def test_with_its_module_an_extension_is_sound():
    assert findings(extension(PIECE), sound_module()) == []


def test_with_its_module_an_unknown_name_is_an_error():
    broken = extension(PIECE.replace("prototype;Unit", "prototype;Gone"))
    assert [(f.id, f.severity) for f in findings(broken, sound_module())] == [
        ("unknown-prototype", Severity.ERROR)
    ]


def saved(*commands: Command) -> SaveSubject:
    root = tree(games.game.BeginSave(), [tree(c) for c in (*commands, games.game.EndSave())])
    return SaveSubject(SavedGame.from_text(root.encode()))


SAVE_CASES = {
    "save-piece": [games.AddPiece("1", games.TYPE, "only\tone")],
    "save-command": [Unknown("M/1/Main Map/x/y")],
    "save-member": [games.unit("1"), games.stack("9", 10, 20, "1", "77")],
    "save-nowhere": [games.unit("1", map="null")],
}


@pytest.mark.parametrize("name", SAVE_CASES)
def test_each_mistake_of_a_save_is_found(name):
    found = check_save(saved(*SAVE_CASES[name]))
    assert [f.id for f in found] == [name]


def test_a_save_that_does_not_end_is_found():
    cut = SavedGame.from_text("begin_save\x1b\x1bSETUP_STACK\t")
    assert [f.id for f in check_save(SaveSubject(cut))] == ["save-unfinished"]


def test_metadata_of_a_save_that_cannot_be_read_are_found_with_their_place():
    whole = saved(games.unit("1")).saved.with_entries({"savedata": b"<data"})
    (found,) = check_save(SaveSubject(whole))
    assert (found.id, found.place.entry, found.place.line) == ("save-metadata", "savedata", 1)


def test_a_piece_in_two_stacks_is_found():
    subject = saved(games.unit("1"))
    # Loading never leaves a piece in two stacks; a state put together by hand may.
    for number in ("8", "9"):
        subject.state.table.items[number] = PlacedStack(number, games.MAP, 10, 20, ("1",))
    assert [f.id for f in check_save(subject)] == ["save-held-twice"]


def test_a_save_is_checked_against_its_module():
    subject = saved(
        games.unit("1", map="Elsewhere"),
        games.game.ChooseBoards("Main Map", (games.game.BoardChoice("Gone"),)),
    )
    subject.module = ModuleSubject(sound_module())
    unknown = {f.id for f in check_save(subject)}
    assert unknown == {"save-map", "save-board", "save-unknown-piece"}


def test_findings_of_a_save_hold_no_user_id():
    subject = saved(
        *games.COMPONENTS,
        games.AddPiece("1", f"hide;;;;player:\tpiece;;;;{games.ANN}", f"{games.ANN}\t"),
        games.stack("9", 1, 1, games.ANN),
    )
    told = repr(check_save(subject))
    assert told.count("save-")
    assert games.ANN not in told
    assert games.ANN in repr(check_save(subject, show_secrets=True))


def test_only_what_belongs_to_a_module_takes_one(tmp_path):
    path = tmp_path / "m.vmod"
    path.write_bytes(SOUND)
    with pytest.raises(UsageError):
        open_subject(path, path)


def test_the_page_of_checks_is_up_to_date():
    assert (ROOT / "docs" / "vassal" / "lint.md").read_text() == page()


def test_ids_are_unique_and_told_apart_from_those_of_saves():
    ids = [c.id for c in MODULE_CHECKS] + [c.id for c in SAVE_CHECKS]
    assert len(ids) == len(set(ids))


def test_real_files_are_read_without_false_alarms(corpus):
    for path in sorted((corpus / "saves").glob("*.vsav")):
        found = {finding.severity for finding in check_save(open_subject(path))}
        assert found <= {Severity.INFO} or path.stem.startswith("Campaign"), path
    extension_findings = check_module(open_subject(corpus / "extensions" / "CustomUnit.vmdx"))
    assert {f.severity for f in extension_findings} == {Severity.INFO}
    for name in ("tld.buildFile", "asl_pbs.buildFile.xml"):
        found = check_module(open_subject(corpus / "buildfiles" / name))
        assert Severity.ERROR not in {f.severity for f in found}, name


def test_a_missing_image_is_told_with_the_one_that_was_meant():
    for wrong, meant in (("Blue.svg", "blue.svg"), ("blu.svg", "blue.svg")):
        found = findings(changed(text_of("Blue", "blue.svg", wrong)))
        (told,) = [f.message for f in found if f.id == "missing-image"]
        assert told.endswith(f"did you mean {meant}?")
    found = findings(changed(text_of("Blue", "blue.svg", "zebra.png")))
    (told,) = [f.message for f in found if f.id == "missing-image"]
    assert "did you mean" not in told
