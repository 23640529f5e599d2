"""XML is written as the engine writes it, in the style of the file it came from."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from hexmarshal.errors import VassalFormatError
from hexmarshal.vassal.xml.xmlio import Document
from hexmarshal.vassal.xml.xmlstyle import Style

HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n'
XML_CHARS = st.characters(
    exclude_categories=["Cs"],
    exclude_characters=[
        *map(chr, [*range(9), 11, 12, *range(14, 32), 0xFFFE, 0xFFFF]),
    ],
)
texts = st.text(st.one_of(XML_CHARS, st.sampled_from("&<>\"'\t\n\r\x85\u2028 ;😀")), max_size=12)
tags = st.sampled_from(["a", "VASSAL.build.module.Map", "entry"])


@st.composite
def trees(draw, depth=0):
    attributes = draw(st.dictionaries(st.sampled_from(["x", "Y", "name", "äö"]), texts))
    element = etree.Element(draw(tags), attributes)
    children = draw(st.lists(trees(depth=depth + 1), max_size=3)) if depth < 3 else []
    element.extend(children)
    if not children:
        element.text = draw(texts.filter(lambda t: t.strip())) if draw(st.booleans()) else None
    return element


def parts(element):
    return [(e.tag, dict(e.items()), (e.text or "").strip() and e.text) for e in element.iter()]


styles = st.builds(
    Style,
    prolog=st.sampled_from([HEAD, '<?xml version="1.0" encoding="UTF-8"?>\n', ""]),
    epilog=st.sampled_from(["\n", ""]),
    indent=st.sampled_from(["    ", "  ", "", "\t"]),
    empty_pairs=st.booleans(),
)


@given(trees(), styles)
def test_what_is_written_reads_back_the_same_in_every_style(tree, style):
    data = style.document(tree)
    document = Document.parse(data)
    assert parts(document.root) == parts(tree)
    assert document.to_bytes() == data


@given(trees())
def test_windows_line_ends_are_kept(tree):
    style = Style(
        prolog=HEAD.replace("\n", "\r\n"), epilog="\r\n", separator="\r\n", newline="\r\n"
    )
    data = style.document(tree)
    document = Document.parse(data)
    assert parts(document.root) == parts(tree)
    assert document.to_bytes() == data
    document.root.set("new", "1")
    assert b"\n" not in document.to_bytes().replace(b"\r\n", b"")


def test_escapes_are_those_of_the_engine():
    root = etree.Element("x", a="&<>\"'\t\n\r\x85\xa0\u2028😀")
    child = etree.SubElement(root, "y")
    child.text = "&<>\"'\t\n\r\x85\xa0\u2028😀"
    assert Style().document(root).decode() == (
        HEAD + '<x a="&amp;&lt;&gt;&quot;\'&#9;&#10;&#13;\x85\xa0\u2028&#128512;">\n'
        "    <y>&amp;&lt;&gt;\"'\t\n&#13;&#133;\xa0\u2028&#128512;</y>\n</x>\n"
    )


def test_attributes_are_sorted_with_capitals_first():
    root = etree.Element("x", b="1", a="2", Z="3")
    assert '<x Z="3" a="2" b="1"/>' in Style().document(root).decode()


def test_an_element_left_without_children_is_written_as_empty():
    document = Document.parse(b"<a>\n    <b>\n        <c/>\n    </b>\n</a>\n")
    document.root[0].remove(document.root[0][0])
    assert document.to_bytes() == b"<a>\n    <b/>\n</a>\n"


def test_another_encoding_is_kept():
    data = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<a>\n    <b>ä</b>\n</a>\n'.encode(
        "latin-1"
    )
    document = Document.parse(data)
    assert document.root[0].text == "ä"
    document.root.set("x", "ö€")
    assert b'<a x="\xf6&#8364;">\n    <b>\xe4</b>' in document.to_bytes()


@pytest.mark.parametrize(
    ("data", "words", "line"),
    [
        (b"<a>\n<b>\n</a>", "broken XML", 3),
        (b"<a>\n<b x=1/></a>", "broken XML", 2),
        (b"<a>\n\xff\xfe</a>", "broken XML", 2),
        (b"<a>\n&eacute;</a>", "broken XML", 2),
        (b"<a>&#27;</a>", "broken XML", 1),
        (b"", "no element", None),
        (b"hello", "no element", None),
        (b"<!-- never closed", "no element", None),
        (b'\n<!DOCTYPE a [<!ENTITY e "x">]>\n<a>&e;</a>', "document type", 2),
        (
            b'<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE a SYSTEM "file:///x">\n<a/>',
            "document type",
            3,
        ),
        ("<a/>".encode("utf-16"), "UTF-16", None),
        (b'<?xml version="1.0" encoding="UTF-7"?><a/>', "utf-7", 1),
        (b'<?xml version="1.0" encoding="nonsense"?><a/>', "nonsense", 1),
        (b'<a xmlns="urn:x"/>', "namespaces", None),
    ],
)
def test_bad_xml_is_refused_with_its_line(data, words, line):
    with pytest.raises(VassalFormatError, match=words) as caught:
        Document.parse(data)
    assert caught.value.place.line == line


def test_entities_in_attributes_never_reach_the_parser():
    laughs = "".join(f'<!ENTITY l{i} "{f"&l{i - 1};" * 10 if i else "ha"}">' for i in range(12))
    with pytest.raises(VassalFormatError, match="document type"):
        Document.parse(f'<!DOCTYPE a [{laughs}]><a x="&l11;"/>'.encode())


def test_huge_text_is_read():
    data = b"<a>" + b"0123456789" * 1_500_000 + b"</a>"
    assert len(Document.parse(data).root.text) == 15_000_000


def test_deep_nesting_is_read_or_refused():
    for depth in (500, 100_000):
        data = b"<a>" * depth + b"</a>" * depth
        try:
            document = Document.parse(data)
            assert document.to_bytes() == data
            document.root.set("x", "1")
            assert document.to_bytes() == data.replace(b"<a>", b'<a x="1">', 1)
        except VassalFormatError:
            assert depth > 500


@given(st.data())
def test_a_mutated_file_gives_only_our_error(data):
    broken = bytearray(
        b'<?xml version="1.0" encoding="UTF-8"?>\n<a b="1" c="&amp;">\n  <!-- x -->\n'
        b"  <d>text</d>\n  <e><f/>\n</e></a>\n"
    )
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(broken) - 1))
        what = data.draw(st.sampled_from(["flip", "cut", "double"]))
        if what == "flip":
            broken[at] = data.draw(st.integers(0, 255))
        elif what == "cut":
            del broken[at : at + data.draw(st.integers(1, 10))]
        else:
            broken[at:at] = broken[at : at + 20]
        if not broken:
            break
    try:
        document = Document.parse(bytes(broken))
    except VassalFormatError:
        return
    assert document.to_bytes() == bytes(broken)
    document.root.set("x", "1")
    again = Document.parse(document.to_bytes())
    assert again.root.get("x") == "1"
