"""What belongs to an open project is not looked through for garbage; what was left of a closed one is found."""

from __future__ import annotations

import gc
import weakref

from desks import desk_on, small_script

from adstudio.editing.pins import pin_out
from adstudio.store.project import ProjectFile
from adstudio.ui.app.garbage_collection import GarbageCollection


class Ring:
    """Garbage that only a search finds."""

    def __init__(self) -> None:
        self.me = self


def test_an_open_project_is_set_aside_and_a_closed_one_is_not(qapp, tmp_path):
    thresholds = gc.get_threshold()
    with desk_on(tmp_path) as desk:
        garbage = GarbageCollection(desk.session)
        try:
            ring = Ring()
            gone = weakref.ref(ring)
            desk.session.open_project(ProjectFile.create(tmp_path / "other.adproj", small_script()))
            assert gc.get_freeze_count() > 0
            del ring
            gc.collect()
            assert gone() is not None
            desk.session.close_project()
            assert gc.get_freeze_count() == 0
            assert gone() is None
        finally:
            garbage.close()
    assert gc.get_threshold() == thresholds
    assert gc.get_freeze_count() == 0


def test_what_is_left_when_the_hand_rests_is_looked_through_no_more_until_the_project_is_closed(qapp, qtbot, tmp_path):
    with desk_on(tmp_path) as desk:
        session = desk.session
        garbage = GarbageCollection(session)
        try:
            session.open_project(ProjectFile.create(tmp_path / "other.adproj", small_script()))
            found, kept = Ring(), Ring()
            young, old = weakref.ref(found), weakref.ref(kept)
            del found
            session.edits.do(pin_out(session.script, ("a",)))
            qtbot.waitUntil(lambda: young() is None)
            del kept
            gc.collect()
            assert old() is not None
            session.close_project()
            assert old() is None
        finally:
            garbage.close()
