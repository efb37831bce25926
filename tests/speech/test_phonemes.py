"""Phonemes in two notations: what eSpeak itself makes of the mnemonics is the IPA that they are given for."""

from __future__ import annotations

import subprocess
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adstudio.speech.engine import Notation
from adstudio.speech.espeak import Espeak
from adstudio.speech.phonemes import in_notation


@pytest.mark.parametrize(
    ("phonemes", "espeak", "ipa"),
    [
        ("ʃɪˈvɔːn", "SI'vO:n", "ʃɪˈvɔːn"),
        ("/ʃɪˈvɔːn/", "SI'vO:n", "ʃɪˈvɔːn"),
        ("[ʃɪ.ˈvɔːn]", "SI'vO:n", "ʃɪˈvɔːn"),
        ("t͡ʃɛk", "tSEk", "tʃɛk"),
        ("hel'ou", "hel'ou", "helˈou"),
        ("gato:", "gato:", "ɡatoː"),
        ("SI'vO:n", "SI'vO:n", "ʃɪˈvɔːn"),
        ("[[h@l'oU]]", "h@l'oU", "həlˈəʊ"),
        ("bɔ̃ˈʒuːɹ tom", "bO~'Zu:r tom", normalize("NFD", "bɔ̃ˈʒuːɹ tom")),
    ],
)
def test_both_notations_are_understood(phonemes: str, espeak: str, ipa: str):
    assert in_notation(phonemes, Notation.ESPEAK) == espeak
    assert in_notation(phonemes, Notation.IPA) == ipa


@pytest.mark.parametrize("phonemes", ["", " ", "[]", "//", "☃", "a☃", "шɪ", "[[a]] [[b]]", "a\x01b", "a]]b", "A<b>"])
def test_what_is_no_phonemes_is_none(phonemes: str):
    assert in_notation(phonemes, Notation.ESPEAK) is None
    assert in_notation(phonemes, Notation.IPA) is None


def spoken_by(espeak: Espeak, voice: str, text: str) -> str:
    said = subprocess.run(
        [espeak.program, "-v", voice, "-q", "--ipa", text], capture_output=True, text=True, check=True, timeout=300
    )
    return normalize("NFD", said.stdout.strip())


@given(st.text() | st.text("aɪʃ'ˈ:ː[]/@h0 |_~", max_size=20))
def test_whatever_is_given_opens_and_closes_no_code(phonemes: str):
    for notation in Notation:
        found = in_notation(phonemes, notation)
        assert found is None or (found.strip() and found.isprintable() and not set(found) & set("[]<>\\{}"))


SOUNDS = {
    "en-gb": "p b t d k ɡ f v θ ð s z ʃ ʒ h m n ŋ l ɹ j w x ç χ ɣ β ɾ ʔ tʃ dʒ "
    "ɑː ɒ ɔː ɛ ɪ iː ʊ uː ʌ ɜː ə əʊ eɪ aɪ ɔɪ aʊ iə eə ʊə ɐ əl",
    "en-us": "æ oʊ ɚ",
    "fr": "ɑ̃ ɔ̃ ɛ̃ œ̃ ʁ y œ ɲ øː",
    "de": "øː y ts œ ç",
    "es": "ʎ ɲ β",
}


@pytest.mark.parametrize(("voice", "ipa"), [(voice, ipa) for voice, all_ in SOUNDS.items() for ipa in all_.split()])
def test_espeak_says_the_phoneme_that_was_asked_for(espeak: Espeak, voice: str, ipa: str):
    mnemonics = in_notation(ipa, Notation.ESPEAK)
    said = spoken_by(espeak, voice, f"[[{mnemonics}]]").replace("ˈ", "")
    # eSpeak writes ɹ as r when it stands alone
    assert said.replace("r", "ɹ") == normalize("NFD", ipa).replace("r", "ɹ")


def test_a_word_of_phonemes_is_said_as_the_word_itself(espeak: Espeak):
    said = spoken_by(espeak, "en-gb", "helmet")
    assert spoken_by(espeak, "en-gb", f"[[{in_notation(said, Notation.ESPEAK)}]]") == said
