"""Everything of a deleted character is gone from the project's bytes once nothing can be undone any more."""

from __future__ import annotations

from base64 import b64encode
from random import Random

import pytest

from adstudio.core.cast import FaceBox, NamedFace, Person, Portrait
from adstudio.core.film import Film
from adstudio.core.script import Cue, Script, SpeakerSource
from adstudio.core.steps import Insert
from adstudio.editing.cast import add_portrait, delete_person, remove_portrait
from adstudio.store.project import ProjectFile

PICTURES = [b"\xff\xd8" + Random(seed).randbytes(3000) for seed in range(3)]
NORA = Person(
    "person-0123456789", "Zebedia Quux", ("Zebby",), "the woman in vermilion", portraits=(Portrait(PICTURES[0]),)
)
TOM = Person("person-9876543210", "Tom", portraits=(Portrait(PICTURES[1]),))
SPOKEN = Cue("c1", 0, 1000, "Hello", "Zebedia Quux", speaker_source=SpeakerSource.VOICE, speaker_confidence=900)
TRACES = [b"Zebedia", b"Zebby", b"vermilion", NORA.id.encode(), b64encode(PICTURES[0])[100:200]]


@pytest.fixture
def path(tmp_path):
    """A project whose file has Nora in its first script, in steps, and in a second script in between."""
    path = tmp_path / "film.adproj"
    ProjectFile.create(path, Script(Film("f", 60_000), cues=(SPOKEN,), people=(NORA, TOM))).close()
    changed(path, Insert(NamedFace("face-1", 1000, FaceBox(0, 0, 9, 9), NORA.id)))
    return path


def changed(path, *steps, save=True):
    with ProjectFile.open(path) as project:
        document = project.document(on_failure=pytest.fail)
        for step in steps:
            made = step(document.script) if callable(step) else step
            document.apply(made)
        if save:
            project.save()
        while project.tidy():
            pass


def held(path, traces=TRACES):
    data = path.read_bytes()
    return [trace for trace in traces if trace in data]


def test_a_deleted_character_is_gone_from_the_file_when_it_is_opened_again(path):
    assert held(path) == TRACES
    changed(path, lambda script: delete_person(script, NORA.id))
    ProjectFile.open(path).close()
    assert held(path) == []
    assert b64encode(PICTURES[1])[100:200] in path.read_bytes(), "Tom's is there"
    with ProjectFile.open(path) as project:
        assert project.oddities == ()
        assert project.saved_script.people == (TOM,)
        assert project.saved_script.cues[0].speaker is None


def test_work_goes_on_in_the_file_that_was_written_anew(path):
    changed(path, lambda script: delete_person(script, NORA.id))
    changed(path, Insert(NamedFace("face-2", 2000, FaceBox(0, 0, 9, 9), TOM.id)))
    with ProjectFile.open(path) as project:
        assert [face.id for face in project.saved_script.named_faces] == ["face-2"]


def test_a_deletion_that_was_not_saved_takes_nothing_from_the_file(path):
    changed(path, lambda script: delete_person(script, NORA.id), save=False)
    with ProjectFile.open(path) as project:
        assert project.recoverable
        assert NORA in project.saved_script.people
    assert held(path) == TRACES


def test_reading_a_project_writes_nothing(path):
    changed(path, lambda script: delete_person(script, NORA.id))
    before = path.read_bytes()
    ProjectFile.open(path, read_only=True).close()
    assert path.read_bytes() == before


def test_a_picture_that_was_removed_is_gone_too(path):
    trace = b64encode(PICTURES[2])[100:200]
    changed(path, lambda script: add_portrait(script, NORA.id, Portrait(PICTURES[2])))
    ProjectFile.open(path).close()
    assert trace in path.read_bytes()
    changed(path, lambda script: remove_portrait(script, NORA.id, PICTURES[2]))
    ProjectFile.open(path).close()
    assert trace not in path.read_bytes()
    assert held(path) == TRACES
