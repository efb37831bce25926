"""Numbers in German, French and Spanish words match the figures of subtitles."""

import pytest

from adstudio.drafting.text.align.normalisation import normal_words


def normal(text: str, language: str) -> str:
    return " ".join(word.text for word in normal_words(text, language))


@pytest.mark.parametrize(
    ("language", "written", "figures"),
    [
        ("de", "Einundzwanzig Meilen", "21 Meilen"),
        ("de", "zweihundertvierzig Seiten", "240 Seiten"),
        ("de", "fünf nach zwölf", "5 nach 12"),
        ("de", "am dritten Mai", "am 3. Mai"),
        ("de", "der einunddreißigste", "der 31."),
        ("de", "neunzehnhundertneunundachtzig", "1989"),
        ("de", "zweitausendfünf", "2005"),
        ("de", "tausend Euro", "1.000 Euro"),
        ("de-AT", "zwei Millionen", "2 Millionen"),
        ("fr", "Sept heures vingt-cinq", "7 heures 25"),
        ("fr", "quatre-vingt-dix-neuf", "99"),
        ("fr", "quatre-vingts, cent", "80, 100"),
        ("fr", "soixante et onze", "71"),
        ("fr", "vingt et une", "21"),
        ("fr", "septante-deux", "72"),
        ("fr", "mille neuf cent quatre-vingt-neuf", "1989"),
        ("fr", "deux mille trois cents", "2300"),
        ("fr", "le premier mai", "le 1er mai"),
        ("fr", "au deuxième étage", "au 2e étage"),
        ("es", "las tres y cuarto", "las 3 y 4"),
        ("es", "treinta y dos años", "32 años"),
        ("es", "veintiuno de junio", "21 de junio"),
        ("es", "mil novecientos sesenta y dos", "1962"),
        ("es", "ciento una", "101"),
        ("es", "doscientas cartas", "200 cartas"),
        ("es", "dos millones quinientos mil", "2.500.000"),
        ("es", "el segundo", "el 2º"),
    ],
)
def test_words_are_their_figures(language, written, figures):
    assert normal(written, language) == normal(figures, language)


@pytest.mark.parametrize(
    ("language", "written"),
    [("de", "ein mann"), ("de", "eine frau"), ("fr", "un ami"), ("fr", "une amie"), ("es", "un amigo"), ("es", "una")],
)
def test_an_article_is_no_number(language, written):
    assert normal(written, language) == written


@pytest.mark.parametrize(("language", "word"), [("de", "Einhundertundeins"), ("fr", "cent un"), ("es", "ciento uno")])
def test_every_number_is_read_where_it_stands(language, word):
    text = f"x {word} y"
    number = normal_words(text, language)[1]
    assert number.text == "101"
    assert text[number.start : number.end] == word


def test_every_german_number_below_a_thousand_has_one_value():
    # Spelt out by the rule of the language: units before tens, “und” between them.
    units = ["", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
    tens = {2: "zwanzig", 3: "dreißig", 4: "vierzig", 5: "fünfzig", 6: "sechzig", 7: "siebzig", 8: "achtzig"}
    for hundred in range(1, 10):
        for ten, name in tens.items():
            for unit in range(1, 10):
                word = f"{units[hundred]}hundert{units[unit]}und{name}"
                assert normal(word, "de") == str(hundred * 100 + ten * 10 + unit)


def test_a_number_ends_before_a_comma():
    assert normal("quatre-vingts, mille", "fr") == "80 1000"


def test_long_texts_take_no_longer_than_their_words():
    assert normal("mille " * 20_000, "fr")
    assert normal("zweitausend" * 2_000, "de")
