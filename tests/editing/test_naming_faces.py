from __future__ import annotations

import pytest

from adstudio.core.cast import FaceBox, Person
from adstudio.core.film import Film
from adstudio.core.script import Script
from adstudio.editing.change import EditRefused
from adstudio.editing.ids import Ids
from adstudio.editing.labels import label_of
from adstudio.editing.named_faces import name_faces, unname_faces

NORA, TOM = Person.named("Nora"), Person.named("Tom")
SCRIPT = Script(Film("f", 60_000), people=(NORA, TOM))
ONE, TWO, THREE = ((1000 * n, FaceBox(100 * n, 100, 500, 500)) for n in (1, 2, 3))


def named(script):
    return {each.time: each.person for each in script.named_faces}


def test_faces_are_named_in_one_step_and_that_is_undone():
    step = name_faces(SCRIPT, Ids(SCRIPT), [ONE, TWO, ONE], NORA.id)
    script = step.apply(SCRIPT)
    assert named(script) == {1000: NORA.id, 2000: NORA.id}
    assert label_of(step, script) == "Name 2 faces as “Nora”"
    assert step.inverse().apply(script) == SCRIPT


def test_a_face_can_be_somebody_elses_or_nobodys_afterwards():
    script = name_faces(SCRIPT, Ids(SCRIPT), [ONE, TWO], NORA.id).apply(SCRIPT)
    script = name_faces(script, Ids(script), [TWO], TOM.id).apply(script)
    script = name_faces(script, Ids(script), [ONE], None).apply(script)
    assert named(script) == {1000: None, 2000: TOM.id}
    assert name_faces(script, Ids(script), [TWO], TOM.id) is None


def test_names_are_taken_back_by_face():
    script = name_faces(SCRIPT, Ids(SCRIPT), [ONE, TWO, THREE], NORA.id).apply(SCRIPT)
    step = unname_faces(script, [TWO])
    assert named(step.apply(script)) == {1000: NORA.id, 3000: NORA.id}
    assert step.inverse().apply(step.apply(script)) == script
    assert unname_faces(step.apply(script), [TWO]) is None


def test_somebody_who_is_not_in_the_cast_is_refused():
    with pytest.raises(EditRefused, match="no longer in the cast"):
        name_faces(SCRIPT, Ids(SCRIPT), [ONE], "person-gone")
