"""Numerals and symbols beyond ASCII: what is said, and how many words it is; both by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.spoken_form import spoken_form
from adstudio.core.words import count_words

REPORT = Path(__file__).resolve().parents[2] / "../shared/data/reports/75.txt"


@pytest.mark.skipif(not REPORT.is_file(), reason="the collection of reports is not beside the repository")
def test_roman_numerals_of_one_character_each_are_those_of_letters() -> None:
    text = REPORT.read_text(encoding="utf-8").strip()
    assert spoken_form(text) == "Act IV, scene IX."
    assert count_words(text) == 4


@pytest.mark.parametrize(
    ("text", "said", "count"),
    [
        ("Henry Ⅷ", "Henry VIII", 2),
        ("ⅩⅢ", "XIII", 1),
        ("page ⅳ", "page IV", 2),
        ("½ cup", "half cup", 2),
        ("3½ hours", "3 and a half hours", 5),
        ("3 ½ hours", "3 and a half hours", 5),
        ("2¼ miles", "2 and a quarter miles", 5),
        ("⅔ full.", "two thirds full.", 3),
        ("1⁄2", "half", 1),
        ("№ 5", "number 5", 2),
        ("№5", "number 5", 2),
        ("90°", "90 degrees", 2),
        ("20 °C", "20 degrees Celsius", 3),
        ("−5 ℃", "minus 5 degrees Celsius", 4),
        ("68°F.", "68 degrees Fahrenheit.", 3),
        ("1 °C", "1 degree Celsius", 3),
        ("21°", "21 degrees", 2),
        ("0.1°", "0.1 degrees", 2),
        ("€1", "1 euro", 2),
        ("$3, £5 million", "$3, 5 million pounds", 4),
        ("6′2″ tall", "6 feet 2 inches tall", 5),
        ("€5", "5 euros", 2),
        ("£1.50, or 3 €", "1.50 pounds, or 3 euros", 5),
        ("3×4", "3 times 4", 3),
        ("5 m²", "5 square metres", 3),
        ("40㎡", "40 square metres", 3),
        ("x²", "x squared", 2),
        ("CO₂", "CO2", 1),
        ("5‰", "5 per mille", 3),
        ("§ 12", "section 12", 2),
        ("±3", "plus or minus 3", 4),
        ("٣ ٤٥", "3 45", 2),
        ("１０", "10", 1),
        ("𝟓𝟔", "56", 1),
        ("२०", "20", 1),
        ("ＥＸＩＴ", "EXIT", 1),
        ("ﬁnds", "finds", 1),
        ("3\u00a0½ hours", "3 and a half hours", 5),
        ("1\u202f€", "1 euro", 2),
        ("£1m, €5bn", "1m pounds, 5bn euros", 4),
    ],
)
def test_what_is_said_is_what_is_counted(text: str, said: str, count: int) -> None:
    assert spoken_form(text) == said
    assert count_words(text) == count_words(said) == count


@pytest.mark.parametrize(
    ("text", "said"),
    [("①②", "1 2"), ("❶ Go", "1 Go"), ("the year ↀ", "the year 1000"), ("20㎏", "20 kg"), ("Smile 🙂", "Smile"),
     ("♪ la ♪", "la"), ("Lego™", "Lego"), ("10⁶", "10 6")],
)  # fmt: skip
def test_signs_of_their_own_are_set_apart_and_pictures_are_not_said(text: str, said: str) -> None:
    assert spoken_form(text).split() == said.split()
    assert count_words(text) == len(said.split())


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "number 3: half of 20 degrees"),
        ("de", "Nummer 3: ein halb of 20 Grad"),
        ("de-AT", "Nummer 3: ein halb of 20 Grad"),
        ("fr_FR", "numéro 3: un demi of 20 degrés"),
        ("es", "número 3: medio of 20 grados"),
        ("it", "numero 3: mezzo of 20 gradi"),
        # No words of ours: the voice's own.
        ("pl", "№ 3: ½ of 20°"),
    ],
)
def test_the_words_are_those_of_the_language(language: str, said: str) -> None:
    assert spoken_form("№ ３: ½ of 20°", language) == said


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [("1 m², 2 m²", "fr", "1 mètre carré, 2 mètres carrés"), ("1 km²", "it", "1 chilometro quadrato"),
     ("1 °F", "es", "1 grado Fahrenheit"), ("€5 Mio.", "de", "5 Mio Euro.")],
)  # fmt: skip
def test_one_and_many_in_other_languages(text: str, language: str, said: str) -> None:
    assert spoken_form(text, language) == said


@pytest.mark.parametrize("language", ["de", "fr", "pl"])
def test_numerals_are_the_same_in_every_language(language: str) -> None:
    assert spoken_form("Ⅳ, ٣, ５", language) == "IV, 3, 5"


@pytest.mark.parametrize(
    "text",
    ["She parks.", "L’été, où ?", "Она идёт – да…", "彼女は一人、三〇", "하나 둘", "1º", "“a − b”", "ไทยำ",
     "تفتح الباب", "a′"],
)  # fmt: skip
def test_words_and_punctuation_stay(text: str) -> None:
    assert spoken_form(text) == text


@given(st.text(max_size=200))
def test_a_spoken_form_is_its_own(text: str) -> None:
    assert spoken_form(spoken_form(text, "pl"), "pl") == spoken_form(text, "pl")
    assert count_words(spoken_form(text)) == count_words(text)
