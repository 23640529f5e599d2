"""A small change gives a small difference, whatever the formatting of the file."""

from __future__ import annotations

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from hexmarshal.vassal.xml.xmlio import Document

BY_HAND = b"""<?xml version='1.0'?>
<!-- made by hand -->
<module  version = "1"
         name = 'Test'>

\t<!-- units -->
\t<slot name='b' gpid="2">+/null/x</slot >
\t<slot gpid="1" name='a'/>
\t<window><slot name='c'>text &#65;</slot><![CDATA[ ]]></window>

</module>
<!-- the end -->
"""
ENGINE = b"""<?xml version="1.0" encoding="UTF-8"?>
<a>
<b name="1">
<c>text</c>
<c>more</c>
</b>
<b name="2"/>
</a>
"""


def change(data: bytes, do) -> tuple[list[str], list[str]]:
    """The lines that a change takes out and puts in."""
    document = Document.parse(data)
    assert document.to_bytes() == data
    do(document.root)
    after = document.to_bytes()
    assert content(Document.parse(after).root) == content(document.root)
    lines = list(difflib.ndiff(data.decode().split("\n"), after.decode().split("\n")))
    return [x[2:] for x in lines if x[0] == "-"], [x[2:] for x in lines if x[0] == "+"]


def content(element) -> list[object]:
    def text(e) -> str:
        return (e.text or "") if (e.text or "").strip() else ""

    return [(e.tag, dict(e.items()), text(e)) for e in element.iter() if isinstance(e.tag, str)]


class TestByHand:
    def test_text(self):
        def do(root):
            root.find("slot").text = "new & old"

        assert change(BY_HAND, do) == (
            ["\t<slot name='b' gpid=\"2\">+/null/x</slot >"],
            ["\t<slot name='b' gpid=\"2\">new &amp; old</slot >"],
        )

    def test_attribute(self):
        gone, came = change(BY_HAND, lambda root: root.set("name", "New"))
        assert gone == ['<module  version = "1"', "         name = 'Test'>"]
        assert came == ['<module name="New" version="1">']

    def test_attribute_of_an_empty_element(self):
        gone, came = change(BY_HAND, lambda root: root.findall("slot")[1].set("gpid", "9"))
        assert gone == ["\t<slot gpid=\"1\" name='a'/>"]
        assert came == ['\t<slot gpid="9" name="a"/>']

    def test_new_child_goes_in_with_the_indentation_of_its_siblings(self):
        def do(root):
            root.insert(2, etree.Element("slot", name="n"))

        gone, came = change(BY_HAND, do)
        assert gone == []
        assert [line for line in came if line.strip()] == ['\t<slot name="n"/>']

    def test_child_removed(self):
        gone, came = change(BY_HAND, lambda root: root.remove(root.find("slot")))
        assert gone == ["\t<slot name='b' gpid=\"2\">+/null/x</slot >"]
        assert came == []

    def test_first_child_of_an_empty_element(self):
        def do(root):
            root.findall("slot")[1].append(etree.Element("entry"))

        gone, came = change(BY_HAND, do)
        assert gone == ["\t<slot gpid=\"1\" name='a'/>"]
        assert came == ['\t<slot gpid="1" name="a">', "\t\t<entry/>", "\t</slot>"]

    def test_comment(self):
        def do(root):
            root[0].text = " pieces "

        assert change(BY_HAND, do) == (["\t<!-- units -->"], ["\t<!-- pieces -->"])

    def test_children_swapped(self):
        def do(root):
            root.insert(1, root.findall("slot")[1])

        gone, came = change(BY_HAND, do)
        assert len(gone) == len(came) == 1


class TestEngineWithoutIndentation:
    def test_text(self):
        def do(root):
            root[0][1].text = "changed"

        assert change(ENGINE, do) == (["<c>more</c>"], ["<c>changed</c>"])

    def test_new_child(self):
        def do(root):
            etree.SubElement(root[1], "c").text = "x"

        gone, came = change(ENGINE, do)
        assert gone == ['<b name="2"/>']
        assert came == ['<b name="2">', "<c>x</c>", "</b>"]


@pytest.mark.parametrize("source", [BY_HAND, ENGINE, ENGINE.replace(b"\n", b"")])
@given(data=st.data())
def test_any_change_says_what_the_tree_says(source, data):
    document = Document.parse(source)
    for _ in range(data.draw(st.integers(1, 5))):
        elements = [e for e in document.root.iter() if isinstance(e.tag, str)]
        element = data.draw(st.sampled_from(elements))
        what = data.draw(st.sampled_from(["set", "text", "add", "remove", "move"]))
        if what == "set":
            element.set(
                data.draw(st.sampled_from(["name", "x"])), data.draw(st.text("a&'\"<", max_size=3))
            )
        elif what == "text" and not len(element):
            element.text = data.draw(st.sampled_from(["", "new", "a<b&c"]))
        elif what == "add":
            if (element.text or "").strip():
                continue
            new = etree.Element(data.draw(st.sampled_from(["slot", "b", "new"])))
            element.insert(data.draw(st.integers(0, len(element))), new)
        elif element is not document.root:
            parent = element.getparent()
            parent.remove(element)
            if what == "move":
                element.tail = None
                parent.insert(data.draw(st.integers(0, len(parent))), element)
    after = document.to_bytes()
    again = Document.parse(after)
    assert content(again.root) == content(document.root)
    assert again.to_bytes() == after
