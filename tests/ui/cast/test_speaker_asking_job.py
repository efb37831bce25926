"""A model asked who speaks from the window: only where the project permits it, and its names as one step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adstudio.connections.saved_connections import SavedConnection
from adstudio.core.cast import Person, SpeakerSource
from adstudio.core.policy import OFFLINE, Consent, Host, Policy
from adstudio.core.steps import Replace, SetPeople
from adstudio.drafting.speakers.events import SpeakersAsked
from adstudio.system.worker import Failed
from adstudio.ui.cast import speaker_asking
from adstudio.ui.cast.speaker_asking import ALL_NAMED, NOBODY, SpeakerAsking
from adstudio.ui.drafts.model_request import NO_CONNECTION
from adstudio.ui.drafts.model_request import OFFLINE as KEPT_OFFLINE

HOUSE = SavedConnection("house", "vllm", "m", "https://gpu.house:8000/v1")
GEMINI = SavedConnection("google", "gemini", "m")
PERMITTED = Policy("on premises", (Host("gpu.house", 8000),))


@pytest.fixture
def asking(context, monkeypatch):
    """The job, with one model known; what would be started is noted instead."""
    monkeypatch.setattr(speaker_asking, "read_connections", lambda: (HOUSE,))
    session = context.session
    session.edits.do(SetPeople(session.script.people, (Person.named("Nora", b"a face"),)))
    first = session.script.cues[0]
    session.edits.do(Replace(first, replace(first, speaker=None, speaker_source=None)))
    made = SpeakerAsking(context)
    made.started = []
    monkeypatch.setattr(made.client, "start", lambda title, request: made.started.append(request))
    return made


def test_names_are_one_step_that_can_be_undone(asking, context, said):
    session = context.session
    session.project.set_policy(PERMITTED)
    context.actions["edit.ask_speakers"].trigger()
    (request,) = asking.started
    assert request.connection.policy == PERMITTED
    assert [person.name for person in request.people] == ["Nora"]
    assert not any(person.portraits for person in request.people), "no face leaves"
    before, first = session.script, session.script.cues[0]
    asking.client.ended.emit(SpeakersAsked(((first.id, "Nora"), ("gone", "Nora")), 3))
    cue = session.script.cues[0]
    assert (cue.speaker, cue.speaker_source, cue.speaker_confidence) == ("Nora", SpeakerSource.MODEL, 820)
    assert "names 2 of 3 cues" in said[-1]
    assert session.undo()
    assert session.script == before


def test_a_cue_that_was_rewritten_meanwhile_is_not_named(asking, context):
    session = context.session
    session.project.set_policy(PERMITTED)
    context.actions["edit.ask_speakers"].trigger()
    first = session.script.cues[0]
    session.edits.do(Replace(first, replace(first, text="Something else.")))
    asking.client.ended.emit(SpeakersAsked(((first.id, "Nora"),), 1))
    assert session.script.cues[0].speaker is None


@pytest.mark.parametrize(
    ("policy", "known", "sentence"),
    [
        (OFFLINE, (HOUSE,), KEPT_OFFLINE),
        (Policy("on premises", (Host("other.house", 8000),)), (HOUSE,), None),
        (PERMITTED, (GEMINI,), None),
        (Policy("cloud", (), Consent("openai", frozenset({"text"}), "2026-11-30T00:00:00Z")), (GEMINI,), None),
        (PERMITTED, (), NO_CONNECTION),
    ],
    ids=["offline", "another server", "a provider nobody allowed", "another provider", "no model"],
)
def test_nothing_is_started_where_the_project_does_not_permit_it(
    asking, context, said, monkeypatch, policy, known, sentence
):
    monkeypatch.setattr(speaker_asking, "read_connections", lambda: known)
    context.session.project.set_policy(policy) if policy != OFFLINE else None
    context.actions["edit.ask_speakers"].trigger()
    assert asking.started == []
    assert said[-1] == sentence if sentence else said[-1]


def test_a_policy_that_changes_meanwhile_stops_the_run(asking, context, said, monkeypatch):
    session = context.session
    session.project.set_policy(PERMITTED)
    context.actions["edit.ask_speakers"].trigger()
    stopped = []
    monkeypatch.setattr(type(asking.client), "busy", property(lambda _: True))
    monkeypatch.setattr(asking.client, "stop", lambda: stopped.append(True))
    session.project.set_policy(OFFLINE)
    session.storage.models_changed.emit()
    assert stopped == [True]
    assert said[-1] == speaker_asking.STOPPED_FOR_POLICY


def test_without_a_cast_and_without_a_cue_to_name_that_is_said(asking, context, said):
    session = context.session
    session.project.set_policy(PERMITTED)
    for cue in session.script.cues:
        if cue.speaker is None:
            session.edits.do(Replace(cue, replace(cue, speaker="Nora")))
    context.actions["edit.ask_speakers"].trigger()
    assert said[-1] == ALL_NAMED
    session.edits.do(SetPeople(session.script.people, ()))
    context.actions["edit.ask_speakers"].trigger()
    assert said[-1] == NOBODY
    assert asking.started == []


def test_failures_and_what_ended_a_run_early_are_said(asking, said):
    asking.client.ended.emit(Failed("the server cannot be reached"))
    assert said[-1] == "The server cannot be reached."
    asking.client.ended.emit(SpeakersAsked((), 4, halted="the key was refused", failed=4, why="the key was refused"))
    assert said[-1].endswith("4 cues got no answer: the key was refused. The key was refused.")
    asking.client.ended.emit(None)
