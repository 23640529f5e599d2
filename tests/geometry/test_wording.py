"""What a schema finds is told in words: which name is wrong, and which one was meant."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from hexmarshal.geometry.schema_errors import keys_of, worded

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "minLength": 1},
        "steps": {"type": ["integer", "null"]},
        "cells": {"type": "array", "minItems": 1},
        "side": {"enum": ["red", "blue"]},
    },
    "patternProperties": {"^x-": {}},
}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"name": "a", "step": 1}, "'step' is not known here; did you mean steps?"),
        ({"name": "a", "colour": 1}, "'colour' is not known here; known: name, steps, cells, side"),
        ({"name": "a", "q": 1, "x-mine": 2, "z": 3}, "'q', 'z' are not known here; known: name"),
        ({"steps": 1}, "'name' is missing"),
        ({"name": ""}, "must not be empty"),
        ({"name": "a", "cells": []}, "must not be empty"),
        ({"name": "a", "steps": "two"}, 'must be a whole number or null, not "two"'),
        ({"name": ["a" * 90]}, 'must be text, not ["aaa'),
        ({"name": "a", "side": "green"}, "'green' is not one of ['red', 'blue']"),
    ],
)
def test_a_finding_is_told_in_words(document, said):
    error = best_match(Draft202012Validator(SCHEMA).iter_errors(document))
    assert worded(error).startswith(said)
    assert len(worded(error)) < 220


def test_a_name_that_is_not_known_is_where_it_stands():
    wrong = {"army": {"name": "a", "step": 1}}
    (error,) = Draft202012Validator({"properties": {"army": SCHEMA}}).iter_errors(wrong)
    assert keys_of(error) == ("army", "step")
    (error,) = Draft202012Validator({"properties": {"army": SCHEMA}}).iter_errors({"army": {}})
    assert keys_of(error) == ("army",)
