"""What is told of a draft: its figures and links worked out by hand, and the stages as they come."""

import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from draft_worker import run_draft
from whole_draft import draft

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.progress import Progress, Stage, StageState, StageStatus, advanced, not_begun
from adstudio.core.provenance import Provenance, ScreenplayLine
from adstudio.drafting.events import PROTOCOL, Finished, OtherFilm
from adstudio.drafting.report import report_of
from adstudio.drafting.request import DraftRequest, Sources, stages_of, text_stages
from adstudio.drafting.scene_again import drafted_again
from adstudio.drafting.text import stage_cache
from adstudio.drafting.text.align.match import Match

SRT = """1
00:00:04,000 --> 00:00:07,000
Who left the window open all night long?

2
00:00:13,000 --> 00:00:16,000
TOM: It was closed when I went to bed.
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


@pytest.fixture
def subtitles(tmp_path: Path) -> Path:
    path = tmp_path / "film.srt"
    path.write_text(SRT)
    return path


@pytest.fixture
def screenplay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    pytest.importorskip("spacy")
    monkeypatch.setattr(stage_cache, "folder", lambda: tmp_path / "kept")
    path = tmp_path / "film.fountain"
    path.write_text(FOUNTAIN)
    return path


def test_the_figures_are_those_of_the_draft(subtitles: Path, screenplay: Path):
    sources = Sources(subtitles, screenplay=screenplay, end=24_000)
    made = draft(sources, screenplay.with_name("p.adproj"))
    report = report_of(sources, made)
    assert report.lines == report.spoken == len(made.script.eventualities) == len(made.plan.deliveries) == 3
    first, second, last = made.plan.deliveries
    fused = replace(first, members=(first.element, second.element))
    assert report_of(sources, replace(made, plan=replace(made.plan, deliveries=(fused, last)))).spoken == 3
    assert report.words == Match(16, 16, 16, 16)
    assert report.scenes is not None
    assert report.scenes.screenplay_scenes == 2
    # The subtitles know that Tom speaks; that Anna does they have from the screenplay.
    assert (report.cues, report.speakers) == (2, 1)
    assert report.placed + len(report.lost) == report.lines
    first = made.script.eventualities[0]
    assert first.provenance == Provenance(ScreenplayLine(3))
    assert all(
        bool(found.lines) == (found.source == str(screenplay) and found.oddity.line in (3, 8, 15))
        for found in report.found
        if found.oddity.line
    )


def test_the_stages_come_as_they_were_announced(subtitles: Path, screenplay: Path, tmp_path: Path):
    prose = tmp_path / "d.txt"
    prose.write_text("Anna opens the heavy door.\n\nTom kneels beside the roses.\n")
    for sources in (
        Sources(subtitles, screenplay=screenplay, end=24_000),
        Sources(subtitles, description=prose, end=24_000),
        Sources(subtitles, end=24_000),
    ):
        told: list[Stage] = []
        draft(sources, tmp_path / "p.adproj", lambda each, told=told: told.append(each.stage))
        # The service itself tells the last one.
        assert (*dict.fromkeys(told), Stage.WRITING_PROJECT) == stages_of(sources)
    told = []
    made = draft(Sources(subtitles, screenplay=screenplay, end=24_000), tmp_path / "p.adproj")
    drafted_again(made.script, "s1", lambda each: told.append(each.stage))
    assert tuple(dict.fromkeys(told)) == text_stages(screenplay, video=False)


def test_stages_go_on_one_by_one():
    a, b, c, d = Stage.SEGMENTING, Stage.GROUNDING, Stage.COMPRESSING, Stage.SCORING
    stages = advanced(not_begun((a, b, c)), Progress(a, 0.25))
    assert [(each.state, each.fraction) for each in stages] == [
        (StageState.RUNNING, 0.25),
        (StageState.WAITING, None),
        (StageState.WAITING, None),
    ]
    # One is skipped, and one comes that nobody expected.
    assert advanced(advanced(stages, Progress(c)), Progress(d, 0.5)) == (
        StageStatus(a, StageState.DONE, 1.0),
        StageStatus(b, StageState.SKIPPED),
        StageStatus(c, StageState.DONE, 1.0),
        StageStatus(d, StageState.RUNNING, 0.5),
    )


def test_another_films_screenplay_is_refused_in_a_way_that_can_be_told(subtitles: Path, screenplay: Path):
    other = screenplay.with_name("other.fountain")
    speech = "\n\n".join(f"BOB\nBananas {word} purple umbrellas nowhere." for word in ("eat", "paint", "sell", "sing"))
    other.write_text(f"INT. ZOO - DAY\n\nA parrot paints.\n\n{speech}\n")
    project = screenplay.with_name("p.adproj")
    code, told = run_draft(DraftRequest(project, Sources(subtitles, screenplay=other, end=24_000)))
    failed = told[-1]
    assert code == 2
    assert isinstance(failed, OtherFilm)
    assert str(other) in failed.message
    assert "--" not in failed.message
    assert not project.exists()
    with pytest.raises(BadInputError):
        draft(Sources(subtitles, screenplay=other.with_name("gone.fountain"), end=24_000), project)


HANGING = """
import sys, time
from adstudio.drafting import draft, worker
draft.plan_film = lambda *_: time.sleep(120)
sys.exit(worker.main())
"""
PARENT = """
import subprocess, sys
worker = subprocess.Popen([sys.executable, "-I", "-c", sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(worker.pid, flush=True)
worker.stdin.write(sys.argv[2].encode() + b"\\n")
worker.stdin.flush()
for line in worker.stdout:
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes as Linux shows them")
def test_an_editor_that_is_killed_takes_the_draft_with_it_and_leaves_nothing(
    subtitles: Path, screenplay: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    project = tmp_path / "p.adproj"
    request = DraftRequest(project, Sources(subtitles, screenplay=screenplay, end=24_000))
    before = set(tmp_path.iterdir())
    command = [sys.executable, "-I", "-c", PARENT, HANGING, PROTOCOL.request_line(request).decode().strip()]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as editor:
        assert editor.stdout is not None
        worker = int(editor.stdout.readline())
        for line in editor.stdout:
            told = PROTOCOL.read_event(line)
            if isinstance(told, Progress) and told.stage is Stage.PLANNING:
                break
        editor.kill()
    deadline = time.monotonic() + 20
    while _runs(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _runs(worker)
    assert set(tmp_path.iterdir()) - before <= {tmp_path / "cache"}
    code, events = run_draft(request)
    assert code == 0
    assert isinstance(events[-1], Finished)
    assert project.exists()


def _runs(process: int) -> bool:
    """Whether a process still works; one that nobody has fetched yet has ended all the same."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_what_has_no_footing_is_told_over_a_pipe_like_all_else(
    subtitles: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    pytest.importorskip("spacy")
    monkeypatch.setattr(stage_cache, "folder", lambda: tmp_path / "kept")
    prose = tmp_path / "prose.txt"
    prose.write_text("".join(f"Somebody {verb} a purple parrot.\n" for verb in ("paints", "sells", "feeds", "hides")))
    sources = Sources(subtitles=subtitles, description=prose, end=20_000)
    made = draft(sources, tmp_path / "p.adproj")
    assert any(type(odd) is not Oddity for _, odd in made.oddities)
    report = report_of(sources, made)
    assert {type(each.oddity) for each in report.found} == {Oddity}
    code, events = run_draft(DraftRequest(tmp_path / "p.adproj", sources))
    assert code == 0
    assert isinstance(events[-1], Finished)
    assert events[-1].report == report
