"""The process that drafts: what goes in and out, and that it writes over nothing and ends when it is told to."""

import signal
import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from draft_worker import run_draft
from whole_draft import draft

from adstudio.connections.model_access import Connection
from adstudio.core.cast import Person
from adstudio.core.errors import Oddity
from adstudio.core.film import Film
from adstudio.core.policy import Consent, Host, Policy
from adstudio.core.progress import Progress, Stage
from adstudio.core.script import Eventuality, Penalty, Script, Variant
from adstudio.core.settings import GapSettings, Scope, Settings
from adstudio.core.timebase import RATES, FrameRate, Span
from adstudio.drafting.draft import DraftError
from adstudio.drafting.events import PROTOCOL, DraftEvent, Failed, Finished, ModelFinished, Noted, OtherFilm
from adstudio.drafting.model.context import GivenTexts
from adstudio.drafting.model.events import Delayed, Found, Moved, SceneDraft, SceneState, Spent, Telling
from adstudio.drafting.model.requests import ModelOptions
from adstudio.drafting.report import Found as ReportFound
from adstudio.drafting.report import Report
from adstudio.drafting.request import DraftRequest, ModelDraft, Sources
from adstudio.drafting.text.align.match import Match, SceneMatch
from adstudio.drafting.text.score.rules import SuggestedPenalty, SuggestedRequirement
from adstudio.drafting.weigh.scene import Weighing
from adstudio.llm.messages import Usage
from adstudio.store.project import ProjectFile
from adstudio.system.codec import CodecError

SRT = "1\n00:00:02,000 --> 00:00:04,000\nWho goes there?\n\n2\n00:00:20,000 --> 00:00:21,500\nNobody.\n"


POLICY = Policy(
    "cloud", (Host("gpu.example", 8000, plain=True),), Consent("gemini", frozenset({"text", "clips"}), "now")
)
CONNECTION = Connection("gemini", "flash", "https://x/v1", POLICY, Path("/ä b"), "p", Path("/ca"), "salt", keyed=True)
FILM = Script(
    Film("F “ä”", 1000), people=(Person.named("Anna", b"face"), Person.named("Tom")), prompts=(("describe", "Tell."),)
)


@pytest.mark.parametrize(
    "sources",
    [
        Sources(),
        Sources(
            subtitles=Path("/Gün ter – ä/日本/#1 %20 &.srt"),
            candidates=Path("/x\udcff.json"),
            video=Path("-v.mp4"),
            end=1234,
            title="A “film” \u2028",
            language="pt-BR",
            encoding="cp1252",
            frame_rate=RATES["29.97 DF"],
            start_timecode="10:00:00;00",
            settings=Settings(words_per_minute=180, gaps=GapSettings(least=700), max_share=500_000, scope=Scope.SCENE),
        ),
        Sources(frame_rate=FrameRate(Fraction(30000, 1003))),
        Sources(screenplay=Path("/日本/s 1.fountain"), any_screenplay=True, suggested_rules=True, in_step=True),
        Sources(description=Path("d.txt"), listening=True),
        Sources(video=Path("f.mp4"), in_scenes=True),
    ],
)
def test_a_request_arrives_as_it_was_sent(sources: Sources):
    request = DraftRequest(Path("/Gün ter/film.adproj"), sources)
    assert PROTOCOL.read_request(PROTOCOL.request_line(request)) == request


def test_so_does_one_for_a_model():
    options = ModelOptions(thinking="low", again=True, anew=True, most_micro_usd=5, at_once=3)
    request = DraftRequest(
        script=FILM,
        scenes=("s1",),
        given=GivenTexts({"s1": "Text\nof it"}, {"s2": "Prose\nof it"}),
        model=ModelDraft(CONNECTION, "house", options, store=Path("/store")),
        weighing=Weighing(CONNECTION, "house", "text-embedding", 7, reviewed=True),
    )
    line = PROTOCOL.request_line(request)
    assert PROTOCOL.read_request(line) == request
    for bad in (
        b"",
        b"{}",
        b"[]",
        b"null",
        line.replace(b"gemini", b"telepathy"),
        line.replace(b'"low"', b'"for ever"'),
    ):
        with pytest.raises(CodecError):
            PROTOCOL.read_request(bad)


LINE = Eventuality(
    "s1-e01", (Variant("She “waits”."), Variant("She.", Fraction(1, 2))), Span(1, 2), 5, scene="s1", confidence=550
)
USAGE = Usage(1, 2, 3, 4, None)


@pytest.mark.parametrize(
    "event",
    [
        Progress(Stage.PLANNING, 0.25),
        Progress(Stage.DETECTING_CUTS),
        Finished(Path("/x/ä.adproj"), (("a.srt", Oddity("odd", 3)), ("b.json", Oddity("odder")))),
        Finished(
            Path("/x.adproj"),
            report=Report(
                5,
                3,
                unsure=("s1-e01",),
                lost=("s1-e02",),
                words=Match(6, 8, 9, 1),
                scenes=SceneMatch(1, 2, 3, 4),
                cues=7,
                speakers=2,
                repetitions=(SuggestedPenalty(Penalty("a", "b", 10**12), "“a” and “b”"),),
                needs=(SuggestedRequirement("a", "c", "“She”"),),
                rules_set=True,
                found=(ReportFound("s.fountain", Oddity("odd", 3), ("s1-e01",)),),
            ),
        ),
        Failed("it is broken"),
        OtherFilm("it is another film’s"),
        Moved("s1", SceneState.FAILED, "it was lost"),
        Telling("s1", 2, "A woman\n…"),
        Found("s1", 0, "e01", "She waits.", 1500, None),
        Spent(USAGE, 3),
        Noted("one thing"),
        SceneDraft("s1", SceneState.PARTIAL, (LINE,), "why", "Prose.", ("e01: note",)),
        ModelFinished({SceneState.DONE: 3}, "halted", 7, replace(USAGE, micro_usd=5)),
        Delayed("s1", "nobody answers there"),
    ],
)
def test_an_event_arrives_as_it_was_sent(event: DraftEvent):
    line = PROTOCOL.event_line(event)
    assert line.count(b"\n") == 1
    assert PROTOCOL.read_event(line) == event


def test_a_film_without_candidates_gives_a_project_for_human_lines(tmp_path: Path):
    srt = tmp_path / "Gün ter #1 %20 &.srt"
    srt.write_text(SRT, "utf-8")
    project = tmp_path / "film.adproj"
    code, said = run_draft(DraftRequest(project, Sources(subtitles=srt, end=60_000, title="Film")))
    assert code == 0
    finished = said[-1]
    assert isinstance(finished, Finished)
    assert (finished.project, finished.report) == (project, Report(lines=0, spoken=0, cues=2))
    assert all(isinstance(each, Progress) for each in said[:-1])
    with ProjectFile.open(project, read_only=True) as opened:
        script = opened.saved_script
    assert [cue.text for cue in script.cues] == ["Who goes there?", "Nobody."]
    assert script.eventualities == ()
    assert [scene.span for scene in script.scenes] == [Span(0, 60_000)]
    assert script.film.title == "Film"


def test_a_length_alone_is_a_silent_film(tmp_path: Path):
    made = draft(Sources(end=30_000), tmp_path / "silent.adproj")
    assert made.script.film.title == "silent"
    assert made.gaps.gaps == (Span(0, 30_000),)
    with pytest.raises(DraftError, match="how long"):
        draft(Sources(), tmp_path / "silent.adproj")


def test_a_project_that_is_there_stays_as_it_is(tmp_path: Path):
    project = tmp_path / "film.adproj"
    project.write_bytes(b"mine")
    code, said = run_draft(DraftRequest(project, Sources(end=60_000)))
    assert code == 2
    assert isinstance(said[-1], Failed)
    assert "already exists" in said[-1].message
    assert project.read_bytes() == b"mine"


def test_a_source_that_is_missing_is_told_in_one_sentence(tmp_path: Path):
    code, said = run_draft(DraftRequest(tmp_path / "film.adproj", Sources(subtitles=tmp_path / "no.srt")))
    assert code == 2
    assert isinstance(said[-1], Failed)
    assert "no.srt" in said[-1].message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("way", ["signal", "both", "gone"])
def test_it_ends_when_it_is_told_to_or_left_alone(
    tmp_path: Path, tmp_path_factory, sample_film, monkeypatch: pytest.MonkeyPatch, way: str
):
    """Stopped, stopped as the editor does it (input closed, then a signal), or with the editor gone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    sources = Sources(video=sample_film.film, description=sample_film.description, listening=True)
    with subprocess.Popen(PROTOCOL.command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        process.stdin.write(PROTOCOL.request_line(DraftRequest(tmp_path / "film.adproj", sources)))
        process.stdin.flush()
        assert isinstance(PROTOCOL.read_event(process.stdout.readline()), Progress)
        if way != "signal":
            process.stdin.close()
        if way != "gone":
            process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 130
    assert list(tmp_path.iterdir()) == []
