"""What is told of a draft: its figures and links worked out by hand, and the stages as they come."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from adstudio.core.errors import BadInputError, Oddity
from adstudio.core.provenance import Provenance, ScreenplayLine
from adstudio.drafting import worker
from adstudio.drafting.draft import Sources, draft
from adstudio.drafting.draft_stages import Stage, State, begun, course_of, gone_on, over, text_course
from adstudio.drafting.messages import MODULE, Done, Failed, Progress, draft_arguments, read_message, write_message
from adstudio.drafting.redraft import drafted_again
from adstudio.drafting.report import report_of
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
    assert report.lines == len(made.script.eventualities)
    assert report.spoken == len(made.plan.deliveries)
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
        told: list[str] = []
        draft(sources, tmp_path / "p.adproj", lambda what, _, told=told: told.append(what))
        # The process itself tells the last one.
        assert (*dict.fromkeys(told), "writing the project") == course_of(sources)
    told = []
    made = draft(Sources(subtitles, screenplay=screenplay, end=24_000), tmp_path / "p.adproj")
    drafted_again(made.script, "s1", lambda what, _: told.append(what))
    assert tuple(dict.fromkeys(told)) == text_course(screenplay, video=False)


def test_stages_go_on_one_by_one():
    stages = gone_on(begun(("a", "b", "c")), "a", 0.25)
    assert [(stage.state, stage.share) for stage in stages] == [
        (State.RUNNING, 0.25),
        (State.WAITING, -1.0),
        (State.WAITING, -1.0),
    ]
    # One is passed over, and one comes that nobody expected.
    stages = gone_on(gone_on(stages, "c", -1.0), "d", 0.5)
    assert stages == (
        Stage("a", State.DONE, 1.0),
        Stage("b", State.PASSED),
        Stage("c", State.DONE, 1.0),
        Stage("d", State.RUNNING, 0.5),
    )
    assert [stage.state for stage in over(stages)] == [State.DONE, State.PASSED, State.DONE, State.DONE]


def test_another_films_screenplay_is_refused_in_a_way_that_can_be_told(subtitles: Path, screenplay: Path, capfd):
    other = screenplay.with_name("other.fountain")
    speech = "\n\n".join(f"BOB\nBananas {word} purple umbrellas nowhere." for word in ("eat", "paint", "sell", "sing"))
    other.write_text(f"INT. ZOO - DAY\n\nA parrot paints.\n\n{speech}\n")
    project = screenplay.with_name("p.adproj")
    assert worker.main(draft_arguments(Sources(subtitles, screenplay=other, end=24_000), project)) == 2
    failed = read_message(capfd.readouterr().out.splitlines()[-1])
    assert isinstance(failed, Failed)
    assert failed.other_film
    assert "not seem to be this film’s screenplay" in failed.sentence
    assert "--" not in failed.sentence
    assert not project.exists()
    with pytest.raises(BadInputError):
        draft(Sources(subtitles, screenplay=other.with_name("gone.fountain"), end=24_000), project)


HANGING = """
import sys, time
from adstudio.drafting import draft, worker
draft.plan_film = lambda *_: time.sleep(120)
sys.exit(worker.main(sys.argv[1:]))
"""
PARENT = """
import subprocess, sys
worker = subprocess.Popen([sys.executable, "-I", "-c", *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(worker.pid, flush=True)
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
    arguments = draft_arguments(Sources(subtitles, screenplay=screenplay, end=24_000), project)
    before = set(tmp_path.iterdir())
    command = [sys.executable, "-I", "-c", PARENT, HANGING, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as editor:
        assert editor.stdout is not None
        worker = int(editor.stdout.readline())
        for line in editor.stdout:
            told = read_message(line)
            if isinstance(told, Progress) and told.what == "planning":
                break
        editor.kill()
    deadline = time.monotonic() + 20
    while _runs(worker) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _runs(worker)
    assert set(tmp_path.iterdir()) - before <= {tmp_path / "cache"}
    done = subprocess.run([sys.executable, "-I", "-m", MODULE, *arguments], capture_output=True, check=True)
    assert isinstance(read_message(done.stdout.splitlines()[-1]), Done)
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
    line = write_message(Done(tmp_path / "p.adproj", made.oddities, report))
    read = read_message(line)
    assert isinstance(read, Done)
    assert read.report == report
