"""`draft` where its project is there already: it goes on in it, and what people have done is never written over."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from model_running import MODEL, film_of, serving

from adstudio.core.document import Document
from adstudio.core.narration import VoiceSettings
from adstudio.core.script import Origin, Script
from adstudio.core.steps import Step
from adstudio.drafting.run_state import drafted_scenes
from adstudio.editing.cues import set_cue_times
from adstudio.editing.ids import Ids
from adstudio.editing.labels import label_of
from adstudio.editing.lines import delete_lines, move_later, set_salience
from adstudio.editing.pins import set_note
from adstudio.editing.regions import draw_silence
from adstudio.editing.scenes import set_reviewed, split_scene
from adstudio.editing.voicing import set_voice
from adstudio.editing.wordings import rewrite, set_duration
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile

BY_HAND = "The describer wrote this by hand."


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, impatient: None):
    for kind in ("CONFIG", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(tmp_path / kind))


@pytest.fixture
def model():
    pytest.importorskip("httpx2", reason="httpx2, which asks servers, is not installed")
    pytest.importorskip("spacy", reason="spaCy, which cuts descriptions, is not installed")


def connected(run, server):
    done = run("connect", "house", "--kind", "vllm", "--url", f"{server.address}/v1", "--model", MODEL)
    assert done.code == 0, done.err


def drafting(film, srt, project, *more):
    return ("draft", film, "--subtitles", srt, "--llm", "house", "--on-premises", "-o", project, *more)


def scripts(project: Path) -> tuple[Script, Script]:
    with closing(ProjectFile.open(project, read_only=True)) as opened:
        return opened.saved_script, opened.last_script


def fail(error: Exception) -> None:
    raise error


def edited(project: Path, *edits: Callable[[Script], Step | None], save: bool = True) -> Script:
    """As an editor works on it, and closes it."""
    with closing(ProjectFile.open(project)) as opened:
        document = opened.document(on_failure=fail)
        for edit in edits:
            step = edit(document.script)
            assert step is not None
            document.apply(step)
        if save:
            opened.save()
        return document.script


def document_of(opened: ProjectFile) -> Document:
    return opened.document(RestorePoint.LAST_STEP, on_failure=fail)


def first_part(run, tmp_path: Path, server) -> tuple[tuple[object, ...], Path, Script]:
    """A film of two scenes, of which one was withheld."""
    film, srt = film_of(tmp_path / "film.mp4", 200)
    project = tmp_path / "p.adproj"
    connected(run, server)
    words = drafting(film, srt, project)
    done = run(*words)
    assert done.code == 3
    assert "the same command continues in it and asks only for what is missing" in done.err
    assert "--force" not in done.err
    script, _ = scripts(project)
    assert len(drafted_scenes(script)) == 1
    return words, project, script


def test_the_command_that_was_named_keeps_all_that_people_did_and_each_scene_can_be_undone(run, model, tmp_path):
    with serving(tmp_path, "--faults", "blocked") as server:
        words, project, script = first_part(run, tmp_path, server)
        lines = [line.id for line in script.eventualities]
        before = edited(
            project,
            lambda s: rewrite(s, lines[0], 0, BY_HAND),
            lambda s: set_duration(s, lines[1], 0, 4200),
            lambda s: move_later(s, lines[2]),
            lambda s: delete_lines(s, [lines[4]]),
            lambda s: set_note(s, lines[5], "check the name"),
            lambda s: draw_silence(s, Ids(s), 9000, 11_000),
        )
        asks = len(server.asked)
        done = run(*words, "--again")
        assert done.code == 0, done.err
        assert "the draft continues in it" in done.err
        assert "1 scene inserted into" in done.err
        assert "as 1 unsaved step" in done.err
        assert len(server.asked) > asks
        assert server.answered_twice == []
        saved, last = scripts(project)
        assert saved == before, "nobody has saved"
        there, came = drafted_scenes(before), drafted_scenes(last) - drafted_scenes(before)
        assert len(there) == len(came) == 1
        assert [line for line in last.eventualities if line.scene in there] == list(before.eventualities)
        assert (last.silences, last.scenes, last.cues) == (before.silences, before.scenes, before.cues)
        with closing(ProjectFile.open(project)) as opened:
            document = document_of(opened)
            (step,) = document.past
            assert label_of(step, last).endswith("drafted by house (by a command)")
            assert document.undo()
            assert document.script == before
            assert document.redo()
            opened.save()
        # All is there: the same once more asks nothing, and changes nothing.
        asks = len(server.asked)
        done = run(*words)
        assert done.code == 0, done.err
        assert "nothing to ask" in done.err
        assert len(server.asked) == asks
        assert scripts(project) == (last, last)


def test_where_nobody_has_worked_on_it_what_came_is_saved(run, model, tmp_path):
    with serving(tmp_path, "--faults", "blocked") as server:
        words, project, _ = first_part(run, tmp_path, server)
        done = run(*words, "--again")
        assert done.code == 0, done.err
        assert "unsaved step" not in done.err
    saved, last = scripts(project)
    assert saved == last
    assert drafted_scenes(saved) == {scene.id for scene in saved.scenes}
    exported = run("export", project, "--format", "srt")
    assert exported.code == 0
    assert "unsaved changes" not in exported.err


def test_steps_that_were_not_saved_stay_where_they_are(run, model, tmp_path):
    with serving(tmp_path, "--faults", "blocked") as server:
        words, project, script = first_part(run, tmp_path, server)
        line = script.eventualities[0].id
        edited(project, lambda s: rewrite(s, line, 0, BY_HAND), save=False)
        run(*words, "--force").refused(2, "unsaved steps", "without --force")
        assert run(*words, "--again").code == 0
        saved, last = scripts(project)
        assert saved == script
        assert last.eventuality(line).variants[0].text == BY_HAND
        with closing(ProjectFile.open(project)) as opened:
            document = document_of(opened)
            assert len(document.past) == 2
            assert document.undo()
            assert document.script.eventuality(line).origin is Origin.HUMAN
            assert document.undo()
            assert document.script == script


def test_all_asked_anew_takes_the_machines_lines_alone_and_none_of_a_reviewed_scene(run, model, tmp_path):
    with serving(tmp_path, "--faults", "blocked") as server:
        words, project, script = first_part(run, tmp_path, server)
        assert run(*words, "--again").code == 0
        script, _ = scripts(project)
        first, second = (scene.id for scene in script.scenes)
        mine = next(line.id for line in script.eventualities if line.scene == second)
        before = edited(project, lambda s: rewrite(s, mine, 0, BY_HAND), lambda s: set_reviewed(s, [first], on=True))
        asks = len(server.asked)
        done = run(*words, "--anew")
        assert done.code == 0, done.err
        assert len(server.asked) > asks
        _, last = scripts(project)
        assert [line for line in last.eventualities if line.scene == first] == [
            line for line in before.eventualities if line.scene == first
        ]
        assert last.eventuality(mine) == before.eventuality(mine)
        texts = [line.variants[0].text for line in last.eventualities if line.scene == second]
        assert texts.count(BY_HAND) == 1
        assert len(texts) >= len([line for line in before.eventualities if line.scene == second])


def test_force_says_what_it_would_throw_away_and_writes_nothing(run, model, tmp_path):
    with serving(tmp_path, "--faults", "blocked") as server:
        words, project, script = first_part(run, tmp_path, server)
        first, second = (line.id for line in script.eventualities[:2])
        edited(
            project,
            lambda s: rewrite(s, first, 0, BY_HAND),
            lambda s: set_duration(s, second, 0, 4200),
            lambda s: draw_silence(s, Ids(s), 9000, 11_000),
        )
        kept, asks = project.read_bytes(), len(server.asked)
        run(*words, "--force", "--again").refused(
            2, "2 lines written or worked on and 1 silence", "without --force the same command continues in it"
        )
        assert project.read_bytes() == kept
        assert len(server.asked) == asks


def test_one_written_by_the_model_itself_goes_on_and_its_own_holds_are_no_persons(run, model, tmp_path):
    film, srt = film_of(tmp_path / "film.mp4", 200)
    project = tmp_path / "p.adproj"
    with serving(tmp_path, "--faults", "blocked") as server:
        connected(run, server)
        words = drafting(film, srt, project, "--direct")
        assert run(*words).code == 3
        before, _ = scripts(project)
        assert all(line.pin.held for line in before.eventualities)
        done = run(*words, "--again")
        assert done.code == 0, done.err
        saved, last = scripts(project)
        assert saved == last, "nobody has worked on it"
        assert drafted_scenes(saved) == {scene.id for scene in saved.scenes}
        assert all(line.pin.held for line in saved.eventualities)
        assert set(before.eventualities) <= set(saved.eventualities)
        assert run(*words, "--force").code == 0, "the model’s own holds may be written over"


def test_another_film_is_no_place_to_go_on(run, candidates: Path, tmp_path: Path, model):
    film, srt = film_of(tmp_path / "film.mp4", 30)
    other, _ = film_of(tmp_path / "other.mp4", 45)
    project = tmp_path / "p.adproj"
    offline = ("--subtitles", srt, "--candidates", candidates, "-o", project)
    assert run("draft", film, *offline).code == 0
    script, _ = scripts(project)
    edited(project, lambda s: rewrite(s, script.eventualities[0].id, 0, BY_HAND))
    kept = project.read_bytes()
    with serving(tmp_path) as server:
        connected(run, server)
        run(*drafting(other, srt, project)).refused(2, "a project of another film", "--force")
        assert server.asked == []
    run("draft", other, *offline).refused(2, "a project of another film")
    assert project.read_bytes() == kept
    done = run("draft", other, *offline, "--force")
    assert done.code == 0, done.err
    assert "was a project of another film and was replaced, with 1 line written or worked on" in done.err


def test_the_offline_draft_writes_over_machines_lines_alone(run, candidates: Path, tmp_path: Path):
    film, srt = film_of(tmp_path / "film.mp4", 30)
    project = tmp_path / "p.adproj"
    words = ("draft", film, "--subtitles", srt, "--candidates", candidates, "-o", project)
    assert run(*words).code == 0
    run(*words).refused(2, "already exists", "--force")
    assert run(*words, "--force").code == 0
    script, _ = scripts(project)
    edited(project, lambda s: move_later(s, script.eventualities[0].id))
    kept = project.read_bytes()
    run(*words, "--force").refused(2, "1 line written or worked on", "in the editor", "another name")
    run(*words).refused(2, "1 line written or worked on", "in the editor")
    assert project.read_bytes() == kept
    without = ("draft", "--end", 30, "--subtitles", srt, "--candidates", candidates, "-o", project)
    run(*without, "--force").refused(2, "1 line written or worked on", "another name")
    assert project.read_bytes() == kept, "it may be of this film"


def test_what_cannot_be_read_is_written_over_with_force_and_that_is_said(run, candidates: Path, tmp_path: Path):
    film, srt = film_of(tmp_path / "film.mp4", 30)
    project = tmp_path / "p.adproj"
    words = ("draft", film, "--subtitles", srt, "--candidates", candidates, "-o", project)
    assert run(*words).code == 0
    data = project.read_bytes()
    project.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))
    run(*words).refused(2, "cannot be continued", "--force")
    done = run(*words, "--force")
    assert done.code == 0, done.err
    assert "could not be read and was replaced" in done.err
    assert scripts(project)[0].eventualities


def test_one_that_is_open_in_an_editor_is_left_alone(run, model, tmp_path):
    with serving(tmp_path, "--faults", "blocked") as server:
        words, project, _ = first_part(run, tmp_path, server)
        asks = len(server.asked)
        with closing(ProjectFile.open(project)):
            run(*words, "--again").refused(3, "open")
        assert len(server.asked) == asks


def test_weighing_goes_on_in_the_project_and_leaves_what_people_weighed(run, candidates: Path, tmp_path: Path, model):
    film, srt = film_of(tmp_path / "film.mp4", 30)
    project = tmp_path / "p.adproj"
    words = ("draft", film, "--subtitles", srt, "--candidates", candidates, "-o", project)
    weighing = (*words, "--weigh", "text-embedding", "--weigh-with", "house", "--on-premises")
    with serving(tmp_path) as server:
        connected(run, server)
    done = run(*weighing)
    assert done.code == 3, "nobody is there any more"
    assert "the same command asks only for those" in done.err
    script, _ = scripts(project)
    first, second = (line.id for line in script.eventualities)
    before = edited(project, lambda s: rewrite(s, first, 0, BY_HAND), lambda s: set_salience(s, [first], 123_456))
    with serving(tmp_path) as server:
        connected(run, server)
        done = run(*weighing)
        assert done.code == 0, done.err
    saved, last = scripts(project)
    assert saved == before
    assert last.eventuality(first) == before.eventuality(first)
    assert last.eventuality(second).salience != before.eventuality(second).salience
    with closing(ProjectFile.open(project)) as opened:
        document = document_of(opened)
        assert [label_of(step, last) for step in document.past] == ["Set salience of 1 line by house (by a command)"]


def test_scenes_and_dialogue_that_are_written_over_are_kept_aside(run, candidates: Path, tmp_path: Path):
    film, srt = film_of(tmp_path / "film.mp4", 30)
    project = tmp_path / "p.adproj"
    words = ("draft", film, "--subtitles", srt, "--candidates", candidates, "-o", project, "--force")
    assert run(*words).code == 0
    assert run(*words).code == 0
    assert not list(tmp_path.glob("p (*).adproj")), "nothing but the machine’s lines has gone"
    before = edited(
        project,
        lambda s: split_scene(s, Ids(s), 12_000),
        lambda s: set_cue_times(s, s.cues[0].id, start=4000, end=s.cues[0].end + 4000),
        lambda s: set_voice(s, VoiceSettings("espeak-ng")),
    )
    done = run(*words)
    assert done.code == 0, done.err
    assert "had different scenes, dialogue and voice settings: it is kept as p (replaced).adproj" in done.err
    assert scripts(tmp_path / "p (replaced).adproj")[0] == before
    assert scripts(project)[0].cues != before.cues


def test_what_can_be_redone_is_not_put_an_end_to(run, model, tmp_path):
    with serving(tmp_path, "--faults", "blocked") as server:
        words, project, script = first_part(run, tmp_path, server)
        with closing(ProjectFile.open(project)) as opened:
            document = document_of(opened)
            for text in (BY_HAND, "And this."):
                step = rewrite(document.script, script.eventualities[0].id, 0, text)
                assert step is not None
                document.apply(step)
            document.undo()
        kept = project.read_bytes()
        run(*words, "--again").refused(2, "can still be redone", "in the editor")
        assert project.read_bytes() == kept


def test_a_text_that_the_project_was_not_drafted_from_is_not_passed_over_in_silence(run, model, tmp_path):
    screenplay, prose = tmp_path / "film.fountain", tmp_path / "film.txt"
    screenplay.write_text("INT. HALL - NIGHT\n\nAnna opens the heavy door.\n")
    prose.write_text("[00:00:08] Anna opens the heavy door.\n\n[00:00:30] She shuts the window.\n")
    with serving(tmp_path, "--faults", "blocked") as server:
        words, project, _ = first_part(run, tmp_path, server)
        kept, asks = project.read_bytes(), len(server.asked)
        run(*words, "--screenplay", screenplay).refused(2, "was not drafted from", "leave film.fountain out")
        run(*words, "--description", prose).refused(2, "was not drafted from", "leave film.txt out")
        assert project.read_bytes() == kept
        assert len(server.asked) == asks
        told = tmp_path / "told.adproj"
        words = (*words[:-1], told, "--description", prose)
        done = run(*words)
        assert told.exists(), done.err
        done = run(*words, "--again")
        assert done.code == 0, done.err
        assert "the draft continues in it" in done.err
