"""How long a project’s voice was measured to speak: every script that is read knows it, and so does its plan."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from example_projects import fail
from example_scripts import E1, E2, SCRIPT

from adstudio.core.document import Document
from adstudio.core.errors import OutsideFailureError
from adstudio.core.narration import LengthSource, VoiceSettings
from adstudio.core.plan import Delivery, Plan, Status
from adstudio.core.script import Script, Variant
from adstudio.core.steps import Replace
from adstudio.speech.voice_lengths import VoiceLengths, manner_of
from adstudio.store.content import RestorePoint
from adstudio.store.project import ProjectFile

WORDING = Variant("A door opens.")
LINE = replace(E1, variants=(WORDING,), voice=None, approval=None)
VOICED: Script = replace(SCRIPT, voice=VoiceSettings("espeak-ng"), eventualities=(LINE, E2))


def lengths(ms: int) -> VoiceLengths:
    return VoiceLengths().with_measured(manner_of(VOICED.narrator), "1.51", {"A door opens.": ms})


def plan(length: int) -> Plan:
    return Plan(Status.OPTIMAL, "exact", deliveries=(Delivery("e1", 0, 1000, 1000 + length),))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "film.adproj"


def test_every_script_that_is_read_knows_them(path: Path) -> None:
    with ProjectFile.create(path, VOICED) as file:
        document = file.document(on_failure=fail)
        document.apply(Replace(LINE, replace(LINE, note="x")))
        file.set_lengths(lengths(777).to_bytes())
    with ProjectFile.open(path, read_only=True) as file:
        found = (
            file.saved_script,
            file.last_script,
            file.document(RestorePoint.LAST_SAVE, on_failure=fail).script,
            file.document(RestorePoint.LAST_STEP, on_failure=fail).script,
        )
        for script in found:
            assert script.length(WORDING) == (777, LengthSource.MEASURED)
        assert found[0] == VOICED
    with ProjectFile.open(path) as file:
        document = file.document(on_failure=fail)
        assert document.script.length(WORDING)[0] == 777
        document.undo()
        assert document.script.length(WORDING)[0] == 777


def test_save_as_takes_them_along(path: Path, tmp_path: Path) -> None:
    with ProjectFile.create(path, VOICED) as file:
        file.set_lengths(lengths(777).to_bytes())
        with ProjectFile.create(tmp_path / "copy.adproj", VOICED, like=file) as copy:
            assert copy.saved_script.length(WORDING)[0] == 777


def test_the_plan_of_the_saved_state_is_stored_again_with_them(path: Path) -> None:
    with ProjectFile.create(path, VOICED, plan=plan(900)) as file:
        document = file.document(on_failure=fail)
        document.refresh_lengths(lengths(777))
        document.keep_plan(document.revision, plan(777))
        file.set_lengths(lengths(777).to_bytes())
        assert not document.changed
    with ProjectFile.open(path) as file:
        assert file.saved_plan == plan(777)
        assert not file.recoverable


def test_a_plan_made_on_other_lengths_is_not_used(path: Path) -> None:
    with ProjectFile.create(path, VOICED, plan=plan(900)) as file:
        document: Document = file.document(on_failure=fail)
        document.apply(Replace(LINE, replace(LINE, note="x")))
        document.refresh_lengths(lengths(777))
        document.keep_plan(document.revision, plan(777))
        file.set_lengths(lengths(777).to_bytes())
    with ProjectFile.open(path) as file:
        assert file.saved_plan is None, (
            "that of the last save lasts otherwise now, that of the last step is not its plan"
        )
    with ProjectFile.create(path, VOICED, plan=plan(777)) as file:
        file.set_lengths(lengths(777).to_bytes())
    with ProjectFile.open(path) as file:
        assert file.saved_plan == plan(777)


def test_what_cannot_be_read_is_named_and_everything_else_is_there(path: Path) -> None:
    with ProjectFile.create(path, VOICED, plan=plan(900)) as file:
        file.set_lengths(re.sub(rb'"version":\d+,', b'"version":99,', lengths(777).to_bytes(), count=1))
    with ProjectFile.open(path) as file:
        (oddity,) = file.oddities
        assert "will be measured again" in oddity.what
        assert file.saved_script.length(WORDING)[1] is LengthSource.RATE
        assert file.saved_plan == plan(900)


def test_nothing_is_written_to_a_project_opened_read_only(path: Path) -> None:
    ProjectFile.create(path, VOICED).close()
    with ProjectFile.open(path, read_only=True) as file, pytest.raises(OutsideFailureError, match="read-only"):
        file.set_lengths(lengths(777).to_bytes())
