"""Words are checked by the system's dictionary for the film's language, and the project's names are right."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from adstudio.core.cast import Person
from adstudio.core.errors import OutsideFailureError
from adstudio.core.film import Film
from adstudio.core.script import Cue, Script
from adstudio.spelling.checker import MOST_DICTIONARIES, Speller, choose_dictionaries, dictionaries
from adstudio.spelling.names import WORD, project_names

TAG = "la_VA"
"""A language for which no system has a dictionary; ours knows a few English words."""


@pytest.fixture
def dictionary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A dictionary of Hunspell's form, in the user's own folder of Enchant."""
    pytest.importorskip("enchant", reason="Enchant is not installed; packaging/test.sh installs it")
    monkeypatch.setenv("ENCHANT_CONFIG_DIR", str(tmp_path))
    folder = tmp_path / "hunspell"
    folder.mkdir()
    (folder / f"{TAG}.aff").write_text("SET UTF-8\nTRY esianrtolcdugmphbyfvkwz\n", encoding="utf-8")
    words = ["the", "helmet", "looks", "can't", "opens", "door", "a", "re", "enters", "sees", "vale"]
    (folder / f"{TAG}.dic").write_text("\n".join([str(len(words)), *words]) + "\n", encoding="utf-8")
    if TAG not in dictionaries().tags:
        pytest.skip("Enchant does not find a dictionary of Hunspell's form here")
    return tmp_path


def wrong(speller: Speller, text: str) -> list[str]:
    return [text[start:end] for start, end in speller.misspelled(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The helmet looks", []),
        ("The helmt looks.", ["helmt"]),
        ("can't can’t canʼt", []),
        ("He re-enters, re-entters", ["He", "entters"]),  # the parts of a compound count one by one
        ("the 3rd door, door3, 1080p", []),  # with a figure it is no word
        ("a x", []),
        ("«helmet» 😀 “helmtt”", ["helmtt"]),
        ("", []),
        ("шлем", ["шлем"]),
    ],
)
def test_words_that_the_dictionary_does_not_know(dictionary: Path, text: str, found: list[str]):
    assert wrong(Speller(TAG), text) == found


def test_names_of_the_project_are_right_with_a_capital_and_in_the_genitive(dictionary: Path):
    speller = Speller(TAG, frozenset({"nora", "müller"}))
    assert wrong(speller, "Nora sees Nora's, Nora’s, NORA") == []
    assert wrong(speller, "Müller’s nora Noras") == ["nora", "Noras"]


def test_what_may_be_meant(dictionary: Path):
    assert Speller(TAG).suggestions("helmt") == ["helmet"]


@pytest.fixture
def second(dictionary: Path) -> str:
    """Another dictionary of the language, with words that the first has not."""
    (dictionary / "hunspell" / "la_IT.aff").write_text("SET UTF-8\nTRY esianrtolcdugmphbyfvkwz\n", encoding="utf-8")
    words = ["the", "grey", "helmet", "helmut", "labelled"]
    text = "\n".join([str(len(words)), *words]) + "\n"
    (dictionary / "hunspell" / "la_IT.dic").write_text(text, encoding="utf-8")
    return "la_IT"


def test_a_word_is_right_that_any_dictionary_of_the_language_knows(second: str):
    text = "The grey door, labelled, opns"
    assert wrong(Speller(TAG), text) == ["grey", "labelled", "opns"]
    assert wrong(Speller(second), text) == ["door", "opns"]
    assert wrong(Speller(TAG, others=(second,)), text) == ["opns"]
    assert wrong(Speller(second, others=(TAG,)), text) == ["opns"]


def test_the_preferred_dictionary_suggests_first_and_keeps_what_is_added(dictionary: Path, second: str):
    speller = Speller(TAG, others=(second,))
    assert speller.suggestions("helmt") == ["helmet", "helmut"]
    assert speller.suggestions("labeled") == ["labelled"]
    speller.add("blick")
    assert wrong(Speller(TAG), "blick") == []
    assert wrong(Speller(second), "blick") == ["blick"]


def test_further_dictionaries_are_loaded_only_for_words_that_the_first_has_not(
    second: str, monkeypatch: pytest.MonkeyPatch
):
    import enchant

    loaded: list[str] = []
    load = enchant.Broker.request_dict
    monkeypatch.setattr(enchant.Broker, "request_dict", lambda self, tag: (loaded.append(tag), load(self, tag))[1])
    speller = Speller(TAG, frozenset({"nora"}), (second,))
    assert wrong(speller, "Nora sees the helmet") == []
    assert loaded == [TAG]
    assert wrong(speller, "opns grey opns") == ["opns", "opns"]
    speller.use_names(frozenset())
    assert wrong(speller, "Nora opns") == ["Nora", "opns"]
    assert loaded == [TAG, second]


def test_a_further_dictionary_that_is_gone_is_left_out(second: str):
    speller = Speller(TAG, others=("xx_XX", second))
    assert wrong(speller, "grey opns") == ["opns"]


def test_a_word_is_ignored_or_added(dictionary: Path):
    speller = Speller(TAG)
    assert wrong(speller, "zorb blick") == ["zorb", "blick"]
    speller.ignore("zorb")
    assert wrong(speller, "zorb blick") == ["blick"]
    speller.add("blick")
    assert wrong(speller, "zorb blick") == []
    kept = (dictionary / f"{TAG}.dic").read_text(encoding="utf-8").split()
    assert kept == ["blick"]  # in the user's own list, for good


@pytest.mark.parametrize(
    ("language", "tags", "chosen", "found"),
    [
        ("en-GB", ("en", "en_GB", "en_US"), "", "en_GB"),
        # Without a country all of the language, first those of the preferred countries that there are.
        ("en", ("de_DE", "en", "en_GB", "en_US", "en_IE"), "", "en_IE en_US en en_GB"),
        ("en", ("en", "en_GB", "en_US"), "", "en_US en en_GB"),
        ("en", ("en", "en_AU", "en_GB"), "", "en en_AU en_GB"),
        ("en", ("en_GB",), "", "en_GB"),
        ("en", ("en_AU", "en_GB", "en_US"), "en_GB", "en_GB"),  # only what was chosen
        ("en-US", ("en_GB", "en_US"), "en_GB", "en_GB"),
        ("en-GB", ("en_GB", "en_US"), "en_ZA", "en_GB"),  # a dictionary that is gone
        ("en", ("en_GB", "en_US"), "en_ZA", "en_US en_GB"),
        ("de", ("de_AT", "de_DE", "en_GB"), "en_GB", "de_AT de_DE"),
        ("pt-BR", ("pt_AO", "pt_PT"), "", "pt_AO"),
        ("fr", ("en_GB", "de_DE"), "en_GB", ""),
        ("EN_gb", ("en-GB",), "", "en-GB"),
        ("", ("en_GB",), "", ""),
        ("eng", ("en_GB",), "", ""),
    ],
)
def test_dictionaries_are_of_the_films_language(language: str, tags: tuple[str, ...], chosen: str, found: str):
    assert choose_dictionaries(language, tags, chosen, countries=("", "IE", "US")) == tuple(found.split())


def test_of_a_language_with_very_many_dictionaries_only_some_are_asked():
    tags = [f"es_{first}{second}" for first in "ABCDE" for second in "VWXYZ"]
    found = choose_dictionaries("es", tags, countries=("EZ",))
    assert found == ("es_EZ", *tags[: MOST_DICTIONARIES - 1])


def test_without_the_library_there_is_none_and_that_is_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "enchant", None)
    found = dictionaries()
    assert found.tags == ()
    assert found.problem == "Spelling is not checked: Enchant is missing. Install libenchant-2-2."


def test_a_dictionary_that_is_gone_is_said(dictionary: Path):
    with pytest.raises(OutsideFailureError, match="xx_XX cannot be read"):
        Speller("xx_XX")


def test_the_projects_names():
    script = Script(
        Film("The Grelb", 60_000),
        cues=(
            Cue("1", 0, 1_000, "Mikael! Where is Zofka's bag?", "ANNA-LENA"),
            Cue("2", 1_000, 2_000, "Where? In Hobsk, where else.", None),
            Cue("3", 2_000, 3_000, "STOP! Bag of Zofka.", "TOM"),
        ),
        people=(Person.named("Nora Vale"),),
    )
    names = project_names(script)
    assert {"nora", "vale", "anna", "lena", "tom", "mikael", "zofka", "hobsk", "grelb"} <= names
    # Small somewhere, or in capitals only, is no name.
    assert not {"where", "bag", "stop", "is"} & names


def test_what_is_a_word():
    assert WORD.findall("Tom’s o'clock re-enters 3rd A1 x2y don't! 'quoted'") == [
        "Tom’s",
        "o'clock",
        "re",
        "enters",
        "don't",
        "quoted",
    ]
