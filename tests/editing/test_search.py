"""Words and expressions are found in time, whatever their case, and never as nothing."""

from __future__ import annotations

import pytest

from adstudio.editing.change import EditRefused
from adstudio.editing.search import LONGEST_SEARCH, Search


@pytest.mark.parametrize(
    ("wanted", "text", "spans"),
    [
        ("helmet", "Her Helmet, a helmet.", [(4, 10), (14, 20)]),
        ("STRASSE", "Die Straße.", [(4, 10)]),
        ("don't", "They don’t, he don't.", [(5, 10), (15, 20)]),
        ("Zoe\u0301", "Zo\u00e9 nods.", [(0, 3)]),  # typed in two characters, stored in one
        ("a.b", "a.b axb", [(0, 3)]),
        ("(", "A (small) bag", [(2, 3)]),
        ("", "anything", []),
        ("лодка", "Лодка уходит.", [(0, 5)]),
    ],
)
def test_words_are_found(wanted: str, text: str, spans: list[tuple[int, int]]):
    finder = Search(wanted).finder()
    assert finder.spans(text) == spans
    assert finder.contains(text) == bool(spans)


@pytest.mark.parametrize(
    ("search", "text", "spans"),
    [
        (Search("s.ts", is_regex=True), "She sits.", [(4, 8)]),
        (Search("x*", is_regex=True), "axxb", [(1, 3)]),  # of no characters nothing is found
        (Search("^she", is_regex=True), "She sees she", [(0, 3)]),
        (Search("she", match_case=True), "She sees she", [(9, 12)]),
        (Search("car", whole_words=True), "The car, a scar, cars", [(4, 7)]),
        (Search("a|b", is_regex=True, whole_words=True), "a ab b", [(0, 1), (5, 6)]),
        (Search(r"\bNora\b", is_regex=True), "Nora, Noras", [(0, 4)]),
    ],
)
def test_options_narrow_what_is_found(search: Search, text: str, spans: list[tuple[int, int]]):
    assert search.finder().spans(text) == spans


@pytest.mark.parametrize("wanted", ["(s", "[", "*a", "(?P<x", "a{2,1}", r"\1", "(?<=a+"])
def test_an_expression_that_is_not_complete_finds_nothing_and_says_so(wanted: str):
    search = Search(wanted, is_regex=True)
    assert search.problem.startswith("Invalid regular expression: ")
    assert search.finder().spans("(s [ *a") == []
    assert Search(wanted).problem == ""


@pytest.mark.parametrize(
    ("wanted", "text"),
    [("(a+)+$", "a" * 60 + "b"), ("(a|aa)+$", "a" * 80 + "b"), ("(.*)*x", "y" * 5000), (r"(\w+\s?)*!", "word " * 60)],
)
def test_an_expression_that_would_take_for_ever_ends(wanted: str, text: str):
    finder = Search(wanted, is_regex=True).finder()
    for _ in range(200):
        finder.spans(text)
    # Whichever of them the library is clever enough for is done; the others are given up, and that is said.
    assert finder.problem in ("", "This regular expression takes too long: make it simpler.")
    assert finder.spans("aaa") in ([], [(0, 3)])


def test_what_takes_for_ever_is_said_and_nothing_more_is_looked_for():
    finder = Search("(a|aa)+$", is_regex=True).finder()
    finder.spans("a" * 200 + "b")
    assert finder.problem == "This regular expression takes too long: make it simpler."
    assert not finder.contains("aaa")
    with pytest.raises(EditRefused, match="too long"):
        finder.replaced("aaa", "b")


def test_a_very_long_search_is_cut():
    assert Search("a" * 10_000).finder().contains("a" * LONGEST_SEARCH)


@pytest.mark.parametrize(
    ("search", "text", "by", "found"),
    [
        (Search("Tom"), "Tom sees Tom.", "Tim", ("Tim sees Tim.", 2)),
        (Search("Tom"), "Tom.", r"\1", (r"\1.", 1)),  # words are taken as they are
        (Search(r"(\w+) and (\w+)", is_regex=True), "Ann and Bob", r"\2 and \1", ("Bob and Ann", 1)),
        (Search(r"(?P<who>Ann)", is_regex=True), "Ann", r"\g<who>a", ("Anna", 1)),
        (Search("x*", is_regex=True), "axxb", "-", ("a-b", 1)),
        (Search("e"), "e", "e\u0301", ("\u00e9", 1)),
        (Search("zzz"), "Tom", "x", ("Tom", 0)),
    ],
)
def test_what_is_found_is_replaced(search: Search, text: str, by: str, found: tuple[str, int]):
    assert search.finder().replaced(text, by) == found


@pytest.mark.parametrize("by", [r"\3", r"\g<nobody>", r"\g<"])
def test_a_replacement_that_names_no_group_is_refused(by: str):
    with pytest.raises(EditRefused, match="not a valid replacement"):
        Search("(a)", is_regex=True).finder().replaced("a", by)
