"""Words and speakers found in the background: what is asked, and that each answer is one step."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal

from adstudio.characters.sound_messages import ListenForSpeakers, ListenForWords, SpeakersNamed, WordsHaveTimes
from adstudio.characters.speakers import NamedCue
from adstudio.characters.word_times import FoundWords
from adstudio.core.cast import SpeakerSource
from adstudio.core.film import Media
from adstudio.core.steps import Replace, SetFilm
from adstudio.core.word_times import CueWords, SpokenWord
from adstudio.system.worker import Failed
from adstudio.ui.cast.sound_jobs import SoundJobs
from adstudio.ui.panels.problems import problems_of


class Films(QObject):
    """A film that is there."""

    finished = Signal()
    source = (Path("film.mp4"), "")


@pytest.fixture
def jobs(context, monkeypatch):
    """The jobs of a project with a film; what would be started is noted instead."""
    film = context.session.script.film
    media = Media("film.mp4", "film.mp4", 1, "x", film.end, has_audio=True)
    context.session.edits.do(SetFilm(film, replace(film, media=media)))
    made = SoundJobs(context, Films(context.session))
    made.asked = []
    monkeypatch.setattr(made.client, "start", lambda title, request: made.asked.append(request))
    return made


def words_of(cue, *, late: int = 0) -> CueWords:
    return CueWords(cue.id, cue.text, cue.start, cue.end, (SpokenWord("Who", cue.start - late, cue.end, 900),))


def test_found_words_are_one_step_and_contradicted_cues_become_problems(jobs, context, said):
    session = context.session
    cue = next(cue for cue in session.script.cues if cue.start >= 500)
    context.actions["edit.find_words"].trigger()
    (request,) = jobs.asked
    assert isinstance(request, ListenForWords)
    assert request.cues == session.script.cues
    before = session.script
    jobs.client.ended.emit(WordsHaveTimes(FoundWords((words_of(cue, late=400),)), ()))
    assert session.script.words_by_cue[cue.id].words[0].confidence == 900
    assert any("after its first word" in problem.what for problem in problems_of(session))
    assert "1 word of 1 cue" in said[-1]
    context.session.edits.document.undo()
    assert session.script == before


def test_sound_of_another_film_changes_nothing_and_is_said(jobs, context, said):
    before = context.session.script
    jobs.client.ended.emit(WordsHaveTimes(FoundWords((), (), other_sound=True), ()))
    assert context.session.script is before
    assert said[-1].startswith("Nothing was changed")


def test_found_speakers_are_one_step_with_their_source(jobs, context, said):
    named = context.session.script.cues[0]
    cue = replace(named, speaker=None)
    context.session.edits.do(Replace(named, cue))
    context.actions["edit.find_speakers"].trigger()
    (request,) = jobs.asked
    assert isinstance(request, ListenForSpeakers)
    assert request.cues[0] == cue
    jobs.client.ended.emit(SpeakersNamed((NamedCue(cue.id, "Nora", SpeakerSource.VOICE, 800),)))
    after = next(each for each in context.session.script.cues if each.id == cue.id)
    assert (after.speaker, after.speaker_source, after.speaker_confidence) == ("Nora", SpeakerSource.VOICE, 800)
    assert "have a speaker" in said[-1]


def test_nobody_named_and_a_failure_are_said(jobs, said):
    jobs.client.ended.emit(SpeakersNamed(()))
    jobs.client.ended.emit(SpeakersNamed((), "3 cues are silent in the film’s sound"))
    jobs.client.ended.emit(Failed("pocketsphinx is not installed"))
    jobs.client.ended.emit(None)
    assert said == [*said[:2], "pocketsphinx is not installed"]
    assert said[0].startswith("Nobody")
    assert said[1] == f"{said[0]} 3 cues are silent in the film’s sound."


def test_without_a_film_there_is_nothing_to_listen_to(context):
    SoundJobs(context, Films(context.session))
    context.actions.refresh()
    assert not context.actions["edit.find_words"].isEnabled()
    assert not context.actions["edit.find_speakers"].isEnabled()
