"""From a screenplay or a description to a planned project, and one of its scenes drafted again."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
from draft_worker import run_draft
from whole_draft import draft

from adstudio.core.errors import BadInputError
from adstudio.core.plan import Status
from adstudio.core.progress import Progress, Stage
from adstudio.core.script import Origin
from adstudio.core.timebase import Span
from adstudio.drafting.draft import Draft
from adstudio.drafting.events import Failed, ModelFinished
from adstudio.drafting.model.events import SceneDraft, SceneState
from adstudio.drafting.request import DraftRequest, Sources
from adstudio.drafting.scene_again import NoTextError, drafted_again
from adstudio.drafting.text import stage_cache
from adstudio.drafting.text.text_drafting import OtherFilmError
from adstudio.editing.ids import Ids
from adstudio.editing.redraft import redraft_scene
from sample_film.source import WRITTEN

SRT = """1
00:00:04,000 --> 00:00:07,000
Who left the window open all night long?

2
00:00:13,000 --> 00:00:16,000
It was closed when I went to bed.
"""
FOUNTAIN = """INT. HALL - NIGHT

Anna opens the heavy door and steps into the dark hall.

ANNA
Who left the window open all night long?

She shuts the window.

TOM
It was closed when I went to bed.

EXT. GARDEN - DAY

Tom kneels beside the roses.
"""


@pytest.fixture(autouse=True)
def _parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("spacy")
    monkeypatch.setattr(stage_cache, "folder", lambda: tmp_path / "kept")


@pytest.fixture
def subtitles(tmp_path: Path) -> Path:
    path = tmp_path / "film.srt"
    path.write_text(SRT)
    return path


@pytest.fixture
def screenplay(tmp_path: Path) -> Path:
    path = tmp_path / "film.fountain"
    path.write_text(FOUNTAIN)
    return path


def from_screenplay(subtitles: Path, screenplay: Path, **more: object) -> Draft:
    sources = Sources(subtitles, screenplay=screenplay, end=24_000, **more)  # type: ignore[arg-type]
    return draft(sources, subtitles.parent / "p.adproj")


def test_a_screenplay_becomes_a_plan(subtitles: Path, screenplay: Path):
    made = from_screenplay(subtitles, screenplay)
    assert made.plan.status is Status.OPTIMAL
    assert made.plan.deliveries
    assert [scene.title for scene in made.script.scenes] == ["INT. HALL - NIGHT", "EXT. GARDEN - DAY"]
    assert [cue.speaker for cue in made.script.cues] == ["ANNA", "TOM"]
    assert made.script.film.screenplay is not None
    assert made.script.film.screenplay.path == str(screenplay)
    assert made.matched is not None
    assert made.matched.words.wip == 1.0
    gaps = made.gaps.gaps
    assert all(any(gap.contains(delivery.span) for gap in gaps) for delivery in made.plan.deliveries)


def test_candidates_come_before_a_screenplay_and_that_before_a_description(
    subtitles: Path, screenplay: Path, tmp_path: Path
):
    description = tmp_path / "d.txt"
    description.write_text("[0:01] A cat sleeps.\n")
    both = draft(Sources(subtitles, screenplay=screenplay, description=description, end=24_000), tmp_path / "p")
    assert any("Anna" in line.extract for line in both.script.eventualities)
    candidates = tmp_path / "c.json"
    candidates.write_text(
        '[{"audio_description": "A bird.", "occurrence_start": 1, "occurrence_end": 2, "salience": 1}]'
    )
    all_three = Sources(subtitles, candidates, screenplay=screenplay, description=description, end=24_000)
    made = draft(all_three, tmp_path / "p")
    assert [line.variants[0].text for line in made.script.eventualities] == ["A bird."]
    assert made.script.film.screenplay is None
    alone = draft(Sources(subtitles, description=description, end=24_000), tmp_path / "p")
    assert [line.variants[0].text for line in alone.script.eventualities] == ["A cat sleeps."]


def test_rules_are_suggested_and_set_only_when_asked(subtitles: Path, screenplay: Path):
    told = from_screenplay(subtitles, screenplay)
    assert not told.script.rules
    asked = from_screenplay(subtitles, screenplay, suggested_rules=True)
    assert asked.suggested == told.suggested
    pairs = [pair for each in told.suggested for pair in each.rules.requires]
    assert list(asked.script.rules.requires) == pairs


def silent_clip(path: Path, cut: int, pictures: int) -> Path:
    """Pictures at 25 a second, dark before the cut and light after it; no sound."""
    with av.open(str(path), "w") as out:
        video = out.add_stream("libx264", rate=25)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        video.codec_context.time_base = Fraction(1, 1000)
        for number in range(pictures):
            shade = np.full((48, 64, 3), 30 if number * 40 < cut else 220, np.uint8)
            frame = av.VideoFrame.from_ndarray(shade, format="rgb24")
            frame.pts, frame.time_base = number * 40, Fraction(1, 1000)
            out.mux(video.encode(frame))
        out.mux(video.encode())
    return path


def test_a_film_without_sound_or_subtitles_is_all_free(tmp_path: Path, screenplay: Path):
    video = silent_clip(tmp_path / "film.mp4", 4_000, 250)
    made = draft(Sources(video=video, screenplay=screenplay, listening=True), tmp_path / "p.adproj")
    assert made.gaps.gaps == (Span(0, 10_000),)
    told = [oddity.what for _, oddity in made.oddities]
    assert any("no sound" in what for what in told)
    assert any("only order" in what for what in told)
    spans = [line.occurrence for line in made.script.eventualities if line.occurrence is not None]
    assert spans
    assert all(one.start <= other.start for one, other in pairwise(spans))


def test_another_film_s_screenplay_is_refused_before_the_cuts_are_looked_for(subtitles: Path, tmp_path: Path):
    other = tmp_path / "ship.fountain"
    other.write_text("INT. SHIP\n\nCAPTAIN\n" + "All hands to the forward engine, quickly now!\n" * 4)
    video = silent_clip(tmp_path / "film.mp4", 4_000, 50)
    told: list[Stage] = []
    with pytest.raises(OtherFilmError, match="of its dialogue is in the film"):
        draft(Sources(subtitles, screenplay=other, video=video), tmp_path / "p", lambda each: told.append(each.stage))
    assert Stage.DETECTING_CUTS not in told


def test_a_scene_of_a_film_that_has_moved_is_drafted_without_its_cuts(
    subtitles: Path, screenplay: Path, tmp_path: Path
):
    video = silent_clip(tmp_path / "film.mp4", 4_000, 600)
    script = draft(Sources(subtitles, screenplay=screenplay, video=video), tmp_path / "p.adproj").script
    video.unlink()
    assert [line.extract for line in drafted_again(script, "s1").lines] == [
        line.extract for line in script.eventualities if line.scene == "s1"
    ]


def test_one_scene_drafted_again_keeps_what_a_describer_wrote(subtitles: Path, screenplay: Path):
    made = from_screenplay(subtitles, screenplay)
    first = made.script.eventualities[0]
    mine = replace(first, variants=(replace(first.variants[0], text="My own words."),), origin=Origin.HUMAN)
    script = replace(made.script, eventualities=(mine, *made.script.eventualities[1:]))
    screenplay.write_text(FOUNTAIN.replace("She shuts the window.", "She slams the window shut."))
    fresh = drafted_again(script, "s1").lines
    step = redraft_scene(script, Ids(script), "s1", fresh)
    assert step is not None
    texts = [line.variants[0].text for line in step.apply(script).eventualities]
    assert texts[0] == "My own words."
    assert "Anna slams the window shut." in texts
    assert "She shuts the window." not in texts
    assert texts.count("Tom kneels beside the roses.") == 1


def test_the_process_drafts_a_scene_again(subtitles: Path, screenplay: Path):
    script = from_screenplay(subtitles, screenplay).script
    request = DraftRequest(sources=Sources(screenplay=screenplay), script=script, scenes=("s1",))
    code, told = run_draft(request)
    assert code == 0
    assert any(isinstance(each, Progress) and each.stage is Stage.COMPRESSING for each in told)
    again = drafted_again(script, "s1")
    assert told[-2:] == [
        SceneDraft("s1", SceneState.DONE, again.lines, fusions=again.fusions, people=again.people),
        ModelFinished({SceneState.DONE: 1}),
    ]
    code, told = run_draft(replace(request, scenes=("s9",)))
    assert (code, told) == (2, [Failed("that scene is not in the film any more")])


def test_the_same_text_drafts_the_same_scene(subtitles: Path, screenplay: Path):
    script = from_screenplay(subtitles, screenplay).script
    assert redraft_scene(script, Ids(script), "s1", *drafted_again(script, "s1")[:2]) is None


def test_a_scene_of_a_film_without_a_text_cannot_be_drafted_again(subtitles: Path, screenplay: Path):
    script = from_screenplay(subtitles, screenplay).script
    with pytest.raises(NoTextError, match="screenplay or a description"):
        drafted_again(replace(script, film=replace(script.film, screenplay=None)), "s1")
    screenplay.unlink()
    with pytest.raises(BadInputError, match="there is no such screenplay"):
        drafted_again(script, "s1")


def test_the_sample_s_screenplay_is_read_and_its_cut_scene_known(tmp_path: Path):
    from adstudio.screenplay.file import read_screenplay

    found = read_screenplay(WRITTEN / "shooting-script.fountain")
    assert [scene.heading.split(" - ")[-1] for scene in found.scenes] == [
        "EVENING",
        "NIGHT",
        "NIGHT",
        "THURSDAY EVENING",
    ]
    assert found.oddities == ()
