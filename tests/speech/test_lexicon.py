"""Which words of a line the lexicon replaces, and by what: right values written by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.core.narration import Pronunciation
from adstudio.core.words import composed
from adstudio.speech.engine import Capabilities, Notation, SpeechRequestError
from adstudio.speech.ignored import Ignored, Note, ignored_message
from adstudio.speech.lexicon import apply_lexicon
from adstudio.speech.spoken_text import LONGEST, spoken_text

ESPEAK = Capabilities(Notation.ESPEAK)
IPA = Capabilities(Notation.IPA)
NONE = Capabilities()
SIOBHAN = Pronunciation("Siobhán", "ʃɪˈvɔːn", phonemes=True)


def respelled(text: str, **words: str) -> str:
    lexicon = tuple(Pronunciation(word.replace("_", " "), spoken) for word, spoken in words.items())
    return apply_lexicon(text, lexicon, NONE).text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Anna sits.", "Ahna sits."),
        ("ANNA and anna", "Ahna and Ahna"),
        ("Hannah, Annabel, Anna2 and Ann", "Hannah, Annabel, Anna2 and Ann"),
        ("Anna’s hat, Anna's coat, the Annas", "Ahna’s hat, Ahna's coat, the Annas"),
        ("‘Anna’ (Anna) “Anna”—Anna…", "‘Ahna’ (Ahna) “Ahna”—Ahna…"),
        ("Anna-like, pre-Anna", "Ahna-like, pre-Ahna"),
        ("d’Anna, O'Anna", "d’Ahna, O'Ahna"),
        ("Anna'll go, Anna'd gone, Anna've", "Ahna'll go, Ahna'd gone, Ahna've"),
        ("Anna'xyz", "Anna'xyz"),
    ],
)
def test_a_word_is_found_as_a_whole(text: str, expected: str):
    assert respelled(text, Anna="Ahna") == expected


@pytest.mark.parametrize(
    ("word", "text", "expected"),
    [
        ("Don", "Don says: don't, Don’t, DON.", "X says: don't, Don’t, X."),
        ("T", "don't say T", "don't say X"),
        ("S", "Anna's S, it's", "Anna's X, it's"),
        ("ll", "they'll ll", "they'll X"),
        ("Zoë", "Zoe\u0308 and Zoë and Zoe", "X and X and Zoe"),
        ("Zoe\u0308", "Zoë", "X"),
        ("STRASSE", "Die Straße, strasse", "Die X, X"),
        ("İzmir", "İzmir, izmir", "X, izmir"),
        ("O'Neill", "O’Neill, ONeill, O'Neills", "X, ONeill, O'Neills"),
        ("O’Neill", "O'Neill's", "X's"),
        ("New York", "New  York, New\u00a0York, Newyork", "X, X, Newyork"),
        ("Anna-Maria", "Anna‑Maria, Anna‐Maria, Anna Maria", "X, X, Anna Maria"),
        ("C-3PO", "C-3PO (C-3PO)", "X (X)"),
        ("R2", "R2-D2 R2D2", "X-D2 R2D2"),
        ("太郎", "山田太郎が笑う", "山田Xが笑う"),
        ("राम", "राम और रामा", "X और रामा"),
        ("(c)", "text (c) 2020", "text X 2020"),
        ("a.b", "a.b axb", "X axb"),
    ],
)
def test_each_kind_of_word(word: str, text: str, expected: str):
    assert apply_lexicon(text, (Pronunciation(word, "X"),), NONE).text == expected


def test_the_longest_entry_comes_first_in_whatever_order_they_are_written():
    lexicon = (Pronunciation("York", "b"), Pronunciation("New York", "a"), Pronunciation("New", "c"))
    for order in (lexicon, lexicon[::-1]):
        assert apply_lexicon("New York, York, New Yorker", order, NONE).text == "a, b, c Yorker"


def test_what_was_replaced_is_not_replaced_again():
    assert respelled("a b", a="b", b="a") == "b a"


@pytest.mark.parametrize(
    ("spoken", "expected"),
    [
        ("shiv-AWN", "shivawn"),
        ("AL-uhn", "aluhn"),
        ("uh-OH", "uhoh"),
        ("DAV-id BOH-ee", "david bohee"),
        ("Jean-Luc", "Jean-Luc"),
        ("BBC", "BBC"),
        ("B-B-C", "B-B-C"),
        ("anna-lise", "anna-lise"),
    ],
)
def test_the_trades_notation_is_given_as_one_lower_case_word(spoken: str, expected: str):
    assert respelled("Anna.", Anna=spoken) == f"{expected}."


@pytest.mark.parametrize(
    ("text", "espeak", "ipa"),
    [
        ("Siobhán sits.", "[[SI'vO:n]] sits.", "[[ʃɪˈvɔːn]] sits."),
        ("“Siobhán”", "“ [[SI'vO:n]] ”", "“ [[ʃɪˈvɔːn]] ”"),
        ("Is it Siobhán?", "Is it [[SI'vO:n]]?", "Is it [[ʃɪˈvɔːn]]?"),
        ("Siobhán’s hand", "[[SI'vO:nz]] hand", "[[ʃɪˈvɔːnz]] hand"),
        ("Siobhán'd go", "[[SI'vO:nd]] go", "[[ʃɪˈvɔːnd]] go"),
        ("d'Siobhán", "[[dSI'vO:n]]", "[[dʃɪˈvɔːn]]"),
        ("qu’Siobhán", "[[kSI'vO:n]]", "[[kʃɪˈvɔːn]]"),
        ("O'Siobhán", "O' [[SI'vO:n]]", "O' [[ʃɪˈvɔːn]]"),
        ("[Siobhán]", "[ [[SI'vO:n]] ]", "[ [[ʃɪˈvɔːn]] ]"),
        ("pre-Siobhán-ish", "pre- [[SI'vO:n]] -ish", "pre- [[ʃɪˈvɔːn]] -ish"),
    ],
)
def test_phonemes_are_given_in_the_engines_notation(text: str, espeak: str, ipa: str):
    assert apply_lexicon(text, (SIOBHAN,), ESPEAK).text == espeak
    assert apply_lexicon(text, (SIOBHAN,), IPA).text == ipa


@pytest.mark.parametrize(
    ("phonemes", "genitive"),
    [
        ("ʃɔːn", "ʃɔːnz"),
        ("pat", "pats"),
        ("mæks", "mæksɪz"),
        ("dʒɔːdʒ", "dʒɔːdʒɪz"),
        ("ɹuːθ", "ɹuːθs"),
        ("zoːiː", "zoːiːz"),
    ],
)
def test_an_english_ending_sounds_as_the_sound_before_it_asks(phonemes: str, genitive: str):
    lexicon = (Pronunciation("X", phonemes, phonemes=True),)
    assert apply_lexicon("X's.", lexicon, IPA).text == f"[[{genitive}]]."


def test_what_an_engine_cannot_be_given_is_ignored_and_said_once():
    applied = apply_lexicon("Siobhán and Siobhán's Anna.", (SIOBHAN, Pronunciation("Anna", "Ahna")), NONE)
    assert applied.text == "Siobhán and Siobhán's Ahna."
    assert applied.ignored == (Ignored(Note.NO_PHONEMES, "Siobhán"),)
    message = ignored_message(applied.ignored[0], "pyttsx3")
    assert "Siobhán" in message
    assert "respelling" in message


def test_phonemes_that_nobody_knows_are_ignored_and_said():
    applied = apply_lexicon("Anna.", (Pronunciation("Anna", "☃", phonemes=True),), ESPEAK)
    assert (applied.text, applied.ignored) == ("Anna.", (Ignored(Note.UNKNOWN_PHONEMES, "Anna"),))
    assert "eSpeak" in ignored_message(applied.ignored[0], "eSpeak")


@pytest.mark.parametrize(
    ("text", "lexicon", "expected"),
    [
        ("[[h@l@U]] x [[[a", (), "[ [h@l@U]] x [ [ [a"),
        ("x", (Pronunciation("x", "[[h@l]]"),), "[ [h@l]]"),
        ("x[[y]]", (Pronunciation("x", "a["),), "a[ [ [y]]"),
        ("[x", (Pronunciation("x", "[b"),), "[ [b"),
        ("x", (Pronunciation("x", "a]] [[b", phonemes=True),), "x"),
    ],
)
def test_neither_text_nor_respelling_opens_phonemes(text: str, lexicon: tuple[Pronunciation, ...], expected: str):
    assert apply_lexicon(text, lexicon, ESPEAK).text == expected


@given(
    st.text("[]ab' -é", max_size=30), st.text("[]ab-", min_size=1, max_size=6), st.text("[]ab'", min_size=1, max_size=6)
)
def test_brackets_open_only_around_what_is_given_as_phonemes(text: str, word: str, spoken: str):
    lexicon = (Pronunciation(word, spoken), Pronunciation("é", "e", phonemes=True))
    assert "[[" not in apply_lexicon(text, lexicon, IPA).text.replace("[[e]]", "·")


@given(st.text(max_size=60))
def test_without_a_lexicon_only_codes_change(text: str):
    assert apply_lexicon(text, (), NONE).text.replace("[ [", "[[") == composed(text).replace("[ [", "[[")


def test_words_are_found_as_they_are_written_and_numerals_still_spoken():
    lexicon = (Pronunciation("№", "kingdom"), Pronunciation("Ⅳ", "the fourth"))
    assert spoken_text("№ Ⅳ costs ½ €", "en", lexicon, NONE).text == "kingdom the fourth costs half euros"
    # words that only the spoken form has are no words of the text
    assert spoken_text("½", "en", (Pronunciation("half", "x"),), NONE).text == "half"


def test_pronunciations_may_not_make_a_line_too_long():
    lexicon = (Pronunciation("a", "b" * 100),)
    with pytest.raises(SpeechRequestError, match="with its pronunciations"):
        spoken_text("a " * (LONGEST // 2), "en", lexicon, NONE)


def test_a_lexicon_of_thousands_is_applied_to_the_longest_line():
    lexicon = tuple(Pronunciation(f"word{number}", f"spoken{number}") for number in range(5_000))
    applied = apply_lexicon("word77 " * (LONGEST // 9) + "word4999", lexicon, NONE)
    assert applied.text.split()[-2:] == ["spoken77", "spoken4999"]
