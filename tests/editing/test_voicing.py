"""The project's voice, lines with a voice or level of their own, extended lines, and pronunciations."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editing_scripts import SCRIPT, done

from adstudio.core.narration import MAX_PRONUNCIATIONS, LengthSource, LineVoice, Pronunciation, VoiceSettings
from adstudio.core.script import Approval
from adstudio.editing.change import EditRefused
from adstudio.editing.labels import label_of
from adstudio.editing.voicing import (
    change_line_voice,
    import_pronunciations,
    pronunciation_of,
    set_duck,
    set_extended,
    set_pronunciation,
    set_speaking_rate,
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
    script = done(change_line_voice(SCRIPT, ["e1", "e4"], lambda _: slow))
    assert [line.voice for line in script.eventualities] == [slow, None, None, slow]
    # Nine words at 140 a minute are 3,857.1 ms, rounded up; at 200 they are 2,700.
    assert script.duration(script.eventuality("e1").variants[0], slow) == 3858
    alike = done(change_line_voice(script, ["e1", "e4"], lambda _: LineVoice()), script)
    assert alike == SCRIPT
    assert change_line_voice(SCRIPT, ["e1"], lambda _: LineVoice()) is None


def test_a_line_with_another_voice_no_longer_has_the_length_it_was_accepted_with() -> None:
    line = replace(SCRIPT.eventuality("e2"), approval=Approval(0, 5000, 700))
    script = SCRIPT.with_eventuality(1, line).with_changes(voice=VoiceSettings("espeak-ng"))
    assert script.planned_length(line, 0) == (700, LengthSource.ACCEPTED)
    softer = done(change_line_voice(script, ["e2"], lambda voice: replace(voice, volume=-60)), script)
    assert softer.planned_duration(softer.eventuality("e2"), 0) == 700
    slower = done(change_line_voice(script, ["e2"], lambda voice: replace(voice, rate=100)), script)
    # Two words at 100 a minute.
    assert slower.planned_length(slower.eventuality("e2"), 0) == (1200, LengthSource.RATE)


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


def test_imported_pronunciations_are_added_or_replace_those_of_the_same_word() -> None:
    script = done(set_pronunciation(SCRIPT, "Tom", "tomm"))
    script = done(set_pronunciation(script, "Zoë", "ZOH-ee"), script)
    step = import_pronunciations(script, [Pronunciation("TOM", "tahm"), Pronunciation("Anna", "AH-na")])
    words = [(entry.word, entry.spoken) for entry in done(step, script).lexicon]
    assert words == [("Anna", "AH-na"), ("TOM", "tahm"), ("Zoë", "ZOH-ee")]
    assert import_pronunciations(script, script.lexicon) is None
    too_many = [Pronunciation(f"w{n}", "x") for n in range(MAX_PRONUNCIATIONS)]
    with pytest.raises(EditRefused, match="at most 5,000 words"):
        import_pronunciations(script, too_many)


def test_what_is_changed_of_several_lines_leaves_the_rest_as_each_has_it() -> None:
    script = done(change_line_voice(SCRIPT, ["e1"], lambda _: LineVoice(pitch=5)))
    script = done(change_line_voice(script, ["e1", "e2"], lambda own: replace(own, rate=150)), script)
    assert script.eventuality("e1").voice == LineVoice(rate=150, pitch=5)
    assert script.eventuality("e2").voice == LineVoice(rate=150)
    script = done(change_line_voice(script, ["e2"], lambda own: replace(own, rate=None)), script)
    assert script.eventuality("e2").voice is None


def test_the_speaking_rate_is_the_film_s_language_s_own_where_it_has_one() -> None:
    assert done(set_speaking_rate(SCRIPT, 150)).settings.words_per_minute == 150
    assert set_speaking_rate(SCRIPT, SCRIPT.settings.rate_for(SCRIPT.film.language)) is None
    tag = SCRIPT.film.language
    own = SCRIPT.with_changes(settings=replace(SCRIPT.settings, rate_by_language=((tag, 120), ("de", 130))))
    settings = done(set_speaking_rate(own, 150), own).settings
    assert settings.rate_by_language == ((tag, 150), ("de", 130))
    assert settings.words_per_minute == SCRIPT.settings.words_per_minute
    for rate in (39, 601):
        with pytest.raises(EditRefused, match="40 to 600 words a minute"):
            set_speaking_rate(SCRIPT, rate)


def test_history_says_what_was_changed_of_a_line() -> None:
    for step, said in (
        (set_extended(SCRIPT, ["e1"], on=True), "Hold the picture for "),
        (set_duck(SCRIPT, ["e1"], 185), "by 18.5 dB"),
        (change_line_voice(SCRIPT, ["e1"], lambda _: LineVoice(rate=150)), "Change voice of "),
    ):
        assert step is not None
        assert said in label_of(step, SCRIPT)
        assert said not in label_of(step.inverse(), SCRIPT)
