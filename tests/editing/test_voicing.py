"""The project's voice, lines with a voice or level of their own, extended lines, and pronunciations."""

from __future__ import annotations

import pytest
from editing_scripts import SCRIPT, done

from adstudio.core.narration import MAX_PRONUNCIATIONS, LineVoice, Pronunciation, VoiceSettings
from adstudio.editing.change import EditRefused
from adstudio.editing.voicing import (
    pronunciation_of,
    set_duck,
    set_extended,
    set_line_voice,
    set_pronunciation,
    set_voice,
)
from adstudio.gaps.gaps import gaps_of
from adstudio.planning.engines.exact import solve_exact
from adstudio.planning.film.film_problem import film_problem


def test_a_project_gets_a_voice() -> None:
    voice = VoiceSettings("espeak-ng", "en-gb", pitch=-5)
    assert done(set_voice(SCRIPT, voice)).voice == voice
    assert set_voice(SCRIPT, SCRIPT.voice) is None


def test_lines_get_a_voice_of_their_own_and_lose_it() -> None:
    slow = LineVoice(rate=140)
    script = done(set_line_voice(SCRIPT, ["e1", "e4"], slow))
    assert [line.voice for line in script.eventualities] == [slow, None, None, slow]
    # Nine words at 140 a minute are 3,857.1 ms, rounded up; at 200 they are 2,700.
    assert script.duration(script.eventuality("e1").variants[0], slow) == 3858
    alike = done(set_line_voice(script, ["e1", "e4"], LineVoice()), script)
    assert alike == SCRIPT
    assert set_line_voice(SCRIPT, ["e1"], LineVoice()) is None


def test_the_film_is_lowered_under_one_line_by_another_depth() -> None:
    assert done(set_duck(SCRIPT, ["e2"], 120)).eventuality("e2").duck == 120
    for depth in (-1, 601):
        with pytest.raises(EditRefused, match="0 to 60 dB"):
            set_duck(SCRIPT, ["e2"], depth)


def test_an_extended_line_takes_no_room_in_any_gap() -> None:
    spoken = solve_exact(film_problem(SCRIPT, gaps_of(SCRIPT).gaps))
    assert {"e1", "e2"} <= {delivery.element for delivery in spoken.deliveries}
    script = done(set_extended(SCRIPT, ["e1"], on=True))
    plan = solve_exact(film_problem(script, gaps_of(script).gaps))
    assert "e1" not in {delivery.element for delivery in plan.deliveries}
    assert done(set_extended(script, ["e1"], on=False), script) == SCRIPT


def test_a_line_without_an_action_cannot_hold_the_picture() -> None:
    with pytest.raises(EditRefused, match="give the line an action first"):
        set_extended(SCRIPT, ["e1", "e3"], on=True)


def test_a_word_is_in_the_lexicon_once_whatever_its_case() -> None:
    script = done(set_pronunciation(SCRIPT, " Tom ", "tomm"))
    script = done(set_pronunciation(script, "Anna", "ˈanə", phonemes=True), script)
    assert script.lexicon == (Pronunciation("Anna", "ˈanə", phonemes=True), Pronunciation("Tom", "tomm"))
    script = done(set_pronunciation(script, "TOM", "tahm"), script)
    assert pronunciation_of(script, "tom") == Pronunciation("TOM", "tahm")
    assert set_pronunciation(script, "TOM", "tahm") is None
    assert done(set_pronunciation(script, "Tom", ""), script).lexicon == (script.lexicon[0],)
    assert set_pronunciation(SCRIPT, "Tom", "") is None


def test_pronunciations_that_cannot_be_are_refused() -> None:
    for word, spoken in (("", "x"), ("x" * 201, "x"), ("x", "y" * 201), ("a\tb", "x")):
        with pytest.raises(EditRefused, match=r"A word and how it is spoken are 1 to 200 characters each\."):
            set_pronunciation(SCRIPT, word, spoken)
    full = SCRIPT.with_changes(lexicon=tuple(Pronunciation(f"w{n}", "x") for n in range(MAX_PRONUNCIATIONS)))
    with pytest.raises(EditRefused, match="at most 5,000 words"):
        set_pronunciation(full, "one more", "x")
    assert set_pronunciation(full, "w1", "y") is not None
