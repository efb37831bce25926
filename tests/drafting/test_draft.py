"""From a film's files to a planned project: two real films with candidates of our own, and odd videos."""

import json
import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from whole_draft import draft

from adstudio.core.plan import Status
from adstudio.core.progress import Stage
from adstudio.core.settings import Scope, Settings
from adstudio.core.timebase import RATES, FrameRate, Span
from adstudio.drafting.draft import DraftError
from adstudio.drafting.film_time import labels_of
from adstudio.drafting.request import Sources, stages_of
from adstudio.media.probe import Probe
from adstudio.planning.engines.cpsat import solve_cpsat
from adstudio.planning.film.film_problem import film_problem

DATA = Path(__file__).parents[1] / "data"


def adstudio(*arguments: object) -> int:
    from adstudio.cli.main import main

    with pytest.raises(SystemExit) as ended:
        main([str(argument) for argument in arguments])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def milliseconds(label: str) -> int:
    hours, minutes, seconds, millis = (int(part) for part in re.split("[:.,]", label))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + millis


def cues_of(text: str) -> list[Span]:
    """The times of the cues of an SRT or WebVTT text, read by their look alone."""
    found = re.findall(r"^(\d+:\d\d:\d\d[.,]\d{3}) --> (\d+:\d\d:\d\d[.,]\d{3})$", text, re.MULTILINE)
    return [Span(milliseconds(start), milliseconds(end)) for start, end in found]


def check_every_format(project: Path, gaps: list[Span], folder: Path) -> None:
    """Each export says the same, lies in the gaps, and the problem's best is the project's plan."""
    for form in ("srt", "vtt", "dapt", "csv", "json", "reframed", "problem", "plan"):
        assert adstudio("export", project, "--format", form, "-o", folder / f"script.{form}") == 0
    plan = json.loads((folder / "script.plan").read_bytes())
    assert plan["status"] == "optimal"
    spans = [Span(round(d["start"] * 1000), round(d["end"] * 1000)) for d in plan["deliveries"]]
    assert all(any(gap.contains(span) for gap in gaps) for span in spans)
    assert all(first.end <= second.start for first, second in pairwise(spans))
    for form in ("srt", "vtt"):
        assert cues_of((folder / f"script.{form}").read_text(encoding="utf-8")) == spans
    generated = json.loads((folder / "script.reframed").read_bytes())
    assert [Span(round(v["start"] * 1000), round(v["end"] * 1000)) for v in generated.values()] == spans
    assert len((folder / "script.csv").read_text(encoding="utf-8").splitlines()) == len(spans) + 1
    for backend in ("exact", "cpsat"):
        solved = folder / f"{backend}.plan"
        assert adstudio("solve", folder / "script.problem", "--backend", backend, "-o", solved) == 0
        again = json.loads(solved.read_bytes())
        assert (again["objective"], again["status"]) == (plan["objective"], "optimal")
        assert adstudio("verify", folder / "script.problem", solved) == 0
    assert adstudio("verify", folder / "script.problem", folder / "script.plan") == 0
    assert adstudio("explain", folder / "script.problem", "-o", folder / "explain.json") == 0


def test_the_trailer(shared_data: Path, tmp_path: Path, capfd):
    film = shared_data / "film" / "plan9-trailer"
    project = tmp_path / "plan9.adproj"
    captions, video = film / "captions.en.vtt", film / "plan9.av1.mp4"
    drafting = ("--subtitles", captions, "--candidates", DATA / "plan9.candidates.json", "-o", project)
    assert adstudio("draft", video, *drafting) == 0
    said = capfd.readouterr()
    assert said.out == ""
    assert "optimal" in said.err
    made = draft(Sources(captions, DATA / "plan9.candidates.json", video), project)
    end = made.script.film.end
    # By the captions: music from 15.834 to 19.608 may be spoken over, all other pauses are under a second.
    assert list(made.gaps.gaps) == [Span(15_772, 19_840), Span(29_620, end)]
    assert len(made.script.eventualities) == 20
    assert all(len(eventuality.variants) == 6 for eventuality in made.script.eventualities)
    assert made.script.film.media is not None
    assert Path(made.script.film.media.path) == video.absolute()
    check_every_format(project, list(made.gaps.gaps), tmp_path)


def test_a_film_without_its_video(shared_data: Path, tmp_path: Path):
    subtitles = shared_data / "film" / "sintel" / "sintel.en.srt"
    project = tmp_path / "sintel.adproj"
    candidates = DATA / "sintel.candidates.json"
    assert adstudio("draft", "--end", "888", "--subtitles", subtitles, "--candidates", candidates, "-o", project) == 0
    made = draft(Sources(subtitles, candidates, end=888_000), project)
    assert made.oddities == ()
    assert (made.script.film.end, made.script.film.language, made.script.film.media) == (888_000, "en", None)
    assert [scene.id for scene in made.script.scenes] == ["mountain", "hut", "town", "quest", "cave"]
    assert len(made.script.eventualities) == 26
    # By the subtitles: free up to the first cue, then between cues 1 and 2, and from the last one to the end.
    assert made.gaps.gaps[0] == Span(0, 107_250)
    assert made.gaps.gaps[1] == Span(110_500, 111_800)
    assert made.gaps.gaps[-1] == Span(629_800, 888_000)
    check_every_format(project, list(made.gaps.gaps), tmp_path)


def test_scenes_bound_their_lines_when_asked(shared_data: Path, tmp_path: Path):
    subtitles = shared_data / "film" / "sintel" / "sintel.en.srt"
    candidates = DATA / "sintel.candidates.json"
    made = draft(
        Sources(subtitles, candidates, end=888_000, settings=Settings(scope=Scope.SCENE)), tmp_path / "p.adproj"
    )
    assert made.plan.status is Status.OPTIMAL
    for delivery in made.plan.deliveries:
        scene = made.script.scene_by_id[made.script.eventuality(delivery.element).scene or ""]
        assert scene.span.contains(delivery.span)
    problem = film_problem(made.script, made.gaps.gaps)
    assert solve_cpsat(problem).objective == made.plan.objective


SRT = "1\n00:00:00,100 --> 00:00:00,400\nHallo.\n"


@pytest.fixture
def subtitles(tmp_path: Path) -> Path:
    path = tmp_path / "film.de.srt"
    path.write_text(SRT)
    return path


@pytest.fixture
def candidates(tmp_path: Path) -> Path:
    path = tmp_path / "candidates.json"
    element = {"audio_description": "Eine Tür geht auf.", "occurrence_start": 1, "occurrence_end": 2, "salience": 0.5}
    path.write_text(json.dumps([element], ensure_ascii=False), encoding="utf-8")
    return path


def clip(path: Path, times: list[int]) -> Path:
    """A silent clip whose pictures are shown at these milliseconds."""
    with av.open(str(path), "w") as out:
        video = out.add_stream("libx264", rate=25)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        video.codec_context.time_base = Fraction(1, 1000)
        for number, time in enumerate(times):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), number % 256, np.uint8), format="rgb24")
            frame.pts, frame.time_base = time, Fraction(1, 1000)
            out.mux(video.encode(frame))
        out.mux(video.encode())
    return path


def test_a_silent_video_is_drafted_and_told_of(subtitles: Path, candidates: Path, tmp_path: Path):
    video = clip(tmp_path / "film.mp4", list(range(0, 4000, 40)))
    made = draft(Sources(subtitles, candidates, video), tmp_path / "p.adproj")
    assert made.script.film.end == 4000
    assert made.script.film.media is not None
    assert (made.script.film.media.has_audio, made.script.film.media.relative_path) == (False, "film.mp4")
    assert [oddity.what for source, oddity in made.oddities if source == str(video)] == ["the video has no sound"]
    # Four words at 200 a minute: 1.2 s, centred on 1.5 s.
    assert [delivery.span for delivery in made.plan.deliveries] == [Span(900, 2100)]


def test_a_varying_rate_is_measured_and_told_of(subtitles: Path, candidates: Path, tmp_path: Path):
    video = clip(tmp_path / "film.mkv", [*range(0, 2000, 40), *range(2000, 4000, 100)])
    made = draft(Sources(subtitles, candidates, video), tmp_path / "p.adproj")
    assert made.script.film.media is not None
    assert made.script.film.media.variable_rate
    assert any("rate varies" in oddity.what for source, oddity in made.oddities if source == str(video))
    assert made.plan.status is Status.OPTIMAL


def test_what_the_film_is_called_and_described_in(subtitles: Path, candidates: Path, tmp_path: Path):
    made = draft(Sources(subtitles, candidates, end=10_000), tmp_path / "p.adproj")
    assert (made.script.film.title, made.script.film.language) == ("film.de", "de")
    named = Sources(subtitles, candidates, end=10_000, title="Die Tür", language="pt-BR")
    film = draft(named, tmp_path / "p.adproj").script.film
    assert (film.title, film.language) == ("Die Tür", "pt-BR")


def test_the_last_cue_ends_a_film_of_unknown_length(subtitles: Path, candidates: Path, tmp_path: Path):
    made = draft(Sources(subtitles, candidates), tmp_path / "p.adproj")
    assert made.script.film.end == 400
    assert made.plan.deliveries == ()
    subtitles.write_text("")
    with pytest.raises(DraftError, match="--end"):
        draft(Sources(subtitles, candidates, without_dialogue=True), tmp_path / "p.adproj")


def test_a_sound_file_is_no_film(subtitles: Path, candidates: Path, shared_data: Path, tmp_path: Path):
    sound = shared_data / "media" / "jfk.flac"
    with pytest.raises(DraftError, match="no pictures"):
        draft(Sources(subtitles, candidates, sound), tmp_path / "p.adproj")


@pytest.mark.parametrize(
    ("measured", "label"),
    [
        (None, RATES["25"]),
        (Fraction(25), RATES["25"]),
        (Fraction(30_000, 1001), FrameRate(Fraction(30_000, 1001), drop=True)),
        (Fraction(24_000, 1001), RATES["23.976"]),
        (Fraction(15), FrameRate(Fraction(15))),
        (Fraction(1, 2), RATES["25"]),
    ],
)
def test_labels_count_the_videos_own_frames(measured: Fraction | None, label: FrameRate):
    probed = Probe(
        duration=1,
        rate=measured,
        declared_rate=None,
        variable_rate=False,
        has_video=True,
        has_audio=False,
        width=1,
        height=1,
        start=0,
        first_picture=0,
        container="mp4",
        oddities=(),
    )
    assert labels_of(None, probed) == label
    assert labels_of(RATES["50"], probed) == RATES["50"]
    assert labels_of(None, None) == RATES["25"]


def test_each_stage_is_told(subtitles: Path, candidates: Path, tmp_path: Path):
    heard: list[Stage] = []
    sources = Sources(subtitles, candidates, end=10_000)
    made = draft(sources, tmp_path / "p.adproj", lambda each: heard.append(each.stage))
    assert heard == [Stage.READING_SUBTITLES, Stage.READING_CANDIDATES, Stage.FINDING_GAPS, Stage.PLANNING]
    assert len(made.script.eventualities) == 1


def slides(path: Path, seconds: int, cut_s: int) -> Path:
    """A picture a second: dark ones up to the cut, bright ones behind it."""
    with av.open(str(path), "w", format="mp4") as out:
        stream = out.add_stream("mpeg4", rate=1)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(seconds):
            shade = 20 if number < cut_s else 230
            out.mux(stream.encode(av.VideoFrame.from_ndarray(np.full((48, 64, 3), shade, np.uint8), format="rgb24")))
        out.mux(stream.encode())
    return path


def test_a_film_that_a_model_is_to_describe_is_cut_into_scenes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    video = slides(tmp_path / "film.mp4", 150, 70)
    whole = draft(Sources(video=video), tmp_path / "p.adproj")
    assert [scene.span for scene in whole.script.scenes] == [Span(0, 150_000)]
    told: list[Stage] = []
    sources = Sources(video=video, in_scenes=True)
    made = draft(sources, tmp_path / "p.adproj", lambda each: told.append(each.stage))
    assert [scene.span for scene in made.script.scenes] == [Span(0, 70_000), Span(70_000, 150_000)]
    # The process itself tells the last one.
    assert (*dict.fromkeys(told), Stage.WRITING_PROJECT) == stages_of(sources)
    assert (made.script.eventualities, made.oddities) == ((), whole.oddities)
    # Without a video there are no cuts, and nothing that a model could be shown.
    assert len(draft(Sources(end=150_000, in_scenes=True), tmp_path / "p.adproj").script.scenes) == 1


def test_a_film_whose_cuts_cannot_be_found_is_cut_by_the_clock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    from adstudio.media import shots
    from adstudio.media.opening import MediaError

    def broken(*_: object, **__: object) -> None:
        raise MediaError("no picture of it can be decoded")

    monkeypatch.setattr(shots, "film_shots", broken)
    video = slides(tmp_path / "film.mp4", 150, 70)
    made = draft(Sources(video=video, in_scenes=True), tmp_path / "p.adproj")
    # Two minutes at most, forty seconds at least: 150 s are 110 and 40.
    assert [scene.span for scene in made.script.scenes] == [Span(0, 110_000), Span(110_000, 150_000)]
    name, oddity = made.oddities[-1]
    assert name == str(video)
    assert oddity.what.startswith("the film’s cuts are not known")
    assert oddity.what.endswith("no picture of it can be decoded")
