"""Why a text is not JSON: a sentence in plain English, with the place where a person would look."""

from __future__ import annotations

import pytest

from adstudio.core.json_reading import JsonError, parse_json


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "p.json is empty, so it is not valid JSON"),
        (" \r\n\t", "p.json is empty, so it is not valid JSON"),
        ("{", "line 1, column 2: a key in double quotes is missing"),
        ('{"a": 1,\n}', "line 2, column 1: a key in double quotes is missing"),
        ("{'a': 1}", "line 1, column 2: a key in double quotes is missing"),
        ('{"a" 1}', "line 1, column 6: a colon is missing"),
        ('{"a":\n\n}', "line 3, column 1: a value is missing"),
        ("[1, ]", "line 1, column 5: a value is missing"),
        ("[1\n 2]", "line 2, column 2: a comma or a closing bracket is missing"),
        ("[1, 2", "line 1, column 6: a comma or a closing bracket is missing"),
        ('["Tom runs.]', "line 1, column 2: a string has no closing double quote"),
        ('"Tom', "line 1, column 1: a string has no closing double quote"),
        ('["Tom\nruns."]', "line 1, column 6: a string has an unescaped line break or control character (write \\n)"),
        (r'["C:\work"]', "line 1, column 5: a string has an invalid backslash escape"),
        (r'["\u00g0"]', "a string has a \\u without four hexadecimal digits"),
        ("{}\n{}", "line 2, column 1: something follows the end of the value"),
    ],
)
def test_a_fault_is_named_in_words_and_by_its_place(text: str, fault: str) -> None:
    with pytest.raises(JsonError) as caught:
        parse_json(text.encode(), "p.json")
    said = str(caught.value)
    assert fault in said
    assert said.startswith("p.json")
    assert said.endswith("so this is not valid JSON") or "is empty" in said


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("nul", "nul"),
        ("\n <!DOCTYPE html>\n<html>\n", "<!DOCTYPE html> <htm…"),
        ("twenty characters...", "twenty characters..."),
        ("1\n00:00:01,000 --> 00:00:02,000\nHello.\n", None),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\nHello.\n", "WEBVTT 00:01.000 --…"),
    ],
)
def test_what_does_not_even_begin_like_json_is_quoted(text: str, start: str | None) -> None:
    with pytest.raises(JsonError) as caught:
        parse_json(text.encode(), "p.json")
    # SubRip begins with a number, which is a JSON value.
    fault = "line 2, column 1: something follows" if start is None else f"p.json begins with “{start}”, so it is not"
    assert fault in str(caught.value)
