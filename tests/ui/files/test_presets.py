"""Presets in the window: chosen, remembered, saved, imported, exported, deleted; and what settings do to the plan."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialogButtonBox

from adstudio.core.errors import BadInputError
from adstudio.core.house_rules import HouseFault
from adstudio.core.script import Pin
from adstudio.core.settings import GapSettings, Near, Settings
from adstudio.planning.film import preview_worker
from adstudio.planning.film.preview_worker import Preview, Previewed, Previewer, Received, film_parts
from adstudio.presets.library import SHIPPED, own_presets, preset_named
from adstudio.presets.preset import PLAN_KEYS, PROPOSAL
from adstudio.ui.files import plan_preview, preset_picker
from adstudio.ui.files.new_project import NewProjectDialog
from adstudio.ui.files.plan_fields import FAULTS, HELP, PlanFields
from adstudio.ui.files.plan_preview import UNCHANGED, WORKING
from adstudio.ui.files.preset_picker import CUSTOM, LAST_USED
from adstudio.ui.files.project_settings import ProjectSettingsDialog


@pytest.fixture(autouse=True)
def own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture
def fields(qtbot) -> PlanFields:
    found = PlanFields()
    qtbot.addWidget(found)
    return found


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Answers to the questions of the picker, in order."""
    found: list[object] = []
    for name in ("ask", "ask_open", "ask_save"):
        monkeypatch.setattr(preset_picker, name, lambda *_, **__: found.pop(0))
    monkeypatch.setattr(preset_picker.InputDialog, "ask_text", lambda *_, **__: found.pop(0))
    return found


def choose(fields: PlanFields, name: str) -> None:
    picker = fields.presets.picker
    picker.setCurrentIndex(picker.findData(name))
    picker.activated.emit(picker.currentIndex())


@pytest.mark.parametrize("name", SHIPPED)
def test_a_preset_sets_every_field_and_comes_back_as_it_is(fields: PlanFields, name: str) -> None:
    changes: list[Settings] = []
    fields.changed.connect(lambda: changes.append(fields.settings))
    choose(fields, "uk" if name == "paper" else "paper")
    choose(fields, name)
    assert fields.settings == preset_named(name).settings
    assert (len(changes), fields.preset, fields.problem) == (2, name, "")
    assert fields.presets.about.text() == preset_named(name).about


def test_settings_that_are_no_preset_are_custom_until_they_are_one_again(fields: PlanFields) -> None:
    picker = fields.presets.picker
    fields.show_settings(preset_named("house").settings)
    assert (picker.currentText(), picker.findText(CUSTOM)) == ("House", -1)
    fields.share.setValue(88)
    assert (picker.currentText(), fields.preset) == (CUSTOM, "")
    fields.share.setValue(85)
    assert (picker.currentText(), picker.findText(CUSTOM)) == ("House", -1)


def test_a_preset_does_not_say_how_dialogue_counts(fields: PlanFields) -> None:
    fields.show_settings(preset_named("house").settings)
    fields.words.setChecked(True)
    assert (fields.settings.gaps.word_edges, fields.preset) == (True, "house")
    choose(fields, "uk")
    assert (fields.settings.gaps.word_edges, fields.preset) == (True, "uk")


def test_each_field_says_what_it_is_for_and_who_says_so(fields: PlanFields) -> None:
    fields.show_settings(preset_named("streaming").settings)
    assert fields.rate.toolTip().startswith(f"{HELP['words_per_minute']} Source: Jankowska et al. 2017")
    assert fields.reach.toolTip().endswith(f"Source: {PROPOSAL}.")
    fields.rate.setValue(150)
    assert fields.rate.toolTip() == HELP["words_per_minute"]
    boxes = {"keep_sound", "keep_music", "keep_sung"}
    assert set(HELP) == {key.name for key in PLAN_KEYS} - boxes


@pytest.mark.parametrize(
    "settings",
    [
        Settings(near=Near(500, 2000, 800_000), reach=1, delta_early=1500, delta_late=4000),
        Settings(delta_early=3000, delta_late=3000),
        Settings(delta_early=1500),
        Settings(near=Near(0, 10_000, 1_000_000)),
        Settings(reach=17),
        Settings(gaps=GapSettings(word_edges=True)),
    ],
)
def test_settings_come_back_as_they_were(fields: PlanFields, settings: Settings) -> None:
    fields.show_settings(settings)
    assert fields.settings == settings


def test_each_new_field_changes_its_setting(fields: PlanFields) -> None:
    fields.show_settings(preset_named("house").settings)
    fields.early.setValue(2)
    assert (fields.settings.early, fields.settings.late) == (2000, 4000)
    fields.late.setValue(2)
    assert (fields.settings.delta_max, fields.settings.delta_early, fields.settings.delta_late) == (2000, None, None)
    fields.near_early.setValue(1)
    fields.near_late.setValue(1.5)
    fields.far.setValue(70)
    assert fields.settings.near == Near(1000, 1500, 700_000)
    fields.far.setValue(100)
    assert fields.settings.near is None
    assert not fields.near_early.isEnabled()
    fields.reach.setCurrentIndex(fields.reach.findText("No limit"))
    assert fields.settings.reach is None
    fields.reach.setCurrentIndex(fields.reach.findText("Its own gaps"))
    assert fields.settings.reach == 0


@pytest.mark.parametrize(
    ("fault", "change"),
    [
        (HouseFault.SHARE, lambda fields: fields.share.setValue(0)),
        (HouseFault.FAR_GAIN, lambda fields: fields.far.setValue(0)),
        (HouseFault.NEAR_EARLY, lambda fields: fields.early.setValue(0.4)),
        (HouseFault.NEAR_LATE, lambda fields: fields.near_late.setValue(4.001)),
        (HouseFault.NO_GAPS, lambda fields: fields.least.setValue(60)),
        (
            HouseFault.NO_PLACE,
            lambda fields: [
                each.setValue(0) for each in (fields.near_early, fields.near_late, fields.early, fields.late)
            ],
        ),
    ],
)
def test_contradictory_settings_are_named_and_cannot_be_taken(
    context, qtbot, fault: HouseFault, change: Callable[[PlanFields], object]
) -> None:
    dialog = ProjectSettingsDialog(context.session.script)
    qtbot.addWidget(dialog)
    choose(dialog.plan, "house")
    ok = dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Ok)
    assert ok.isEnabled()
    change(dialog.plan)
    assert dialog.plan.wrong.text() == dialog.plan.problem == FAULTS[fault]
    assert not ok.isEnabled()
    choose(dialog.plan, "house")
    assert (dialog.plan.wrong.text(), ok.isEnabled()) == ("", True)


def test_own_presets_are_saved_offered_replaced_and_deleted(fields: PlanFields, answers: list[object]) -> None:
    choose(fields, "uk")
    fields.pause.setValue(0.5)
    answers[:] = [(" Ours ", True)]
    fields.presets.save.trigger()
    assert (fields.preset, fields.presets.picker.currentText()) == ("Ours", "Ours")
    saved = preset_named("ours")
    assert saved.settings == replace(preset_named("uk").settings, min_pause=500)
    assert saved.sources == preset_named("uk").sources | {"min_pause": PROPOSAL}
    fields.pause.setValue(0.75)
    answers[:] = [("Ours", True), None]
    fields.presets.save.trigger()
    assert preset_named("ours").settings.min_pause == 500
    answers[:] = [("Ours", True), 0]
    fields.presets.save.trigger()
    assert (preset_named("ours").settings.min_pause, fields.preset) == (750, "Ours")
    answers[:] = [0]
    fields.presets.delete.trigger()
    assert own_presets().presets == ()
    assert (fields.preset, fields.settings.min_pause) == ("", 750)
    assert answers == []


def test_shipped_presets_cannot_be_deleted_or_overwritten(fields: PlanFields, answers: list[object]) -> None:
    choose(fields, "uk")
    assert not fields.presets.delete.isEnabled()
    answers[:] = [("House", True)]
    fields.presets.save.trigger()
    assert "“House”" in fields.presets.wrong.text()
    assert own_presets().presets == ()


def test_a_preset_is_exported_and_imported(fields: PlanFields, answers: list[object], tmp_path: Path) -> None:
    choose(fields, "german")
    answers[:] = [(tmp_path / "Haus", "")]
    fields.presets.export.trigger()
    choose(fields, "paper")
    answers[:] = [tmp_path / "Haus.json"]
    fields.presets.take_in.trigger()
    assert (fields.preset, fields.presets.wrong.text()) == ("Haus", "")
    assert fields.settings == preset_named("german").settings


def test_a_preset_of_another_version_is_named_and_changes_nothing(
    fields: PlanFields, answers: list[object], tmp_path: Path
) -> None:
    choose(fields, "paper")
    file = tmp_path / "next.json"
    file.write_text(json.dumps({"format": "adstudio-preset/2"}), "utf-8")
    answers[:] = [file]
    fields.presets.take_in.trigger()
    assert "adstudio-preset/2" in fields.presets.wrong.text()
    assert (fields.preset, own_presets().presets) == ("paper", ())


def test_a_new_project_starts_from_the_preset_used_last(context, qtbot, folder: Path) -> None:
    first = NewProjectDialog(context)
    qtbot.addWidget(first)
    assert first.plan.settings == preset_named("house").settings
    choose(first.plan, "childrens")
    first.sources.length_field.setText("30")
    first.place.field.setText(str(folder / "one"))
    first.make.click()
    qtbot.waitUntil(lambda: first.project is not None)
    assert first.project is not None
    assert first.project.saved_script.settings == preset_named("childrens").settings
    first.project.close()
    second = NewProjectDialog(context)
    qtbot.addWidget(second)
    assert second.plan.preset == "childrens"
    for dialog in (first, second):
        dialog.reject()
    qtbot.waitUntil(lambda: not context.jobs.running)


def test_a_preset_that_has_gone_is_the_houses(context, qtbot) -> None:
    context.preferences.store(LAST_USED, "gone")
    dialog = NewProjectDialog(context)
    qtbot.addWidget(dialog)
    assert dialog.plan.preset == "house"
    dialog.reject()


@pytest.fixture
def dialog(context, qtbot):
    found = ProjectSettingsDialog(context.session.script, None, context)
    qtbot.addWidget(found)
    yield found
    found.reject()


def test_what_settings_do_to_the_plan_is_shown_before_they_are_taken(context, dialog, qtbot) -> None:
    """Half of each gap, of 10, 4 and 8 s: `a` in 4 s and `d` in 4 s fit, `c` does not in 2 s, nor `e` beside `d`."""
    dialog.plan.share.setValue(50)
    assert dialog.effect.text() == WORKING
    qtbot.waitUntil(lambda: dialog.effect.text() != WORKING)
    assert dialog.effect.text() == (
        "2 lines instead of 5, 8.0 s spoken instead of 20.0 s, 3 out, 1 reworded."
        " Out: “b in 4000 ms”, “c in 3000 ms”, “e in 3000 ms”."
    )
    dialog.plan.share.setValue(99.9)
    qtbot.waitUntil(lambda: dialog.effect.text() not in (WORKING, ""))
    dialog.plan.share.setValue(100)
    assert dialog.effect.text() == ""
    assert not context.session.edits.document.changed


def test_the_latest_settings_are_answered_and_none_after_the_end(context, dialog, qtbot, monkeypatch) -> None:
    monkeypatch.setattr(plan_preview, "PAUSE_MS", 0)
    for share in (90, 80, 70, 60, 50):
        dialog.plan.share.setValue(share)
    qtbot.waitUntil(lambda: dialog.effect.text() != WORKING)
    assert dialog.effect.text().startswith("2 lines instead of 5")
    dialog.plan.share.setValue(0)
    assert dialog.effect.text() == ""
    dialog.plan.share.setValue(70)
    dialog.reject()
    assert not dialog._preview.working


def test_what_was_previewed_is_what_comes(context, dialog, qtbot) -> None:
    choose(dialog.plan, "uk")
    qtbot.waitUntil(lambda: dialog.effect.text() != WORKING)
    shown = dialog.effect.text()
    before, script = context.session.plan, context.session.script
    context.session.edits.do(dialog.step)
    assert plan_preview.effect_text(script, before, context.session.plan, 0) == shown
    assert context.preferences.text(LAST_USED) == ""
    dialog.accept()
    assert context.preferences.text(LAST_USED) == "uk"


def test_a_crash_is_said(dialog, qtbot, monkeypatch) -> None:
    dialog._preview._client.command = ["/bin/false"]
    dialog.plan.share.setValue(50)
    qtbot.waitUntil(lambda: dialog.effect.text() == plan_preview.CRASHED)


def test_nothing_changed_and_conflicts_are_said(context) -> None:
    script, plan = context.session.script, context.session.plan
    assert plan_preview.effect_text(script, plan, plan, 0) == UNCHANGED
    assert plan_preview.effect_text(script, plan, plan, 1) == "5 lines, 20.0 s spoken. 1 conflict with locks."


def test_the_worker_remembers_the_film_and_suspends_locks_that_conflict(
    context, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, plan = context.session.script, context.session.plan
    pinned = script.eventualities[0]
    locked = script.with_eventuality(0, replace(pinned, pin=Pin(selected=True, variant=0)))
    previewer = Previewer()
    with pytest.raises(BadInputError, match="no film"):
        previewer.answer(Preview(script.settings, "en"))
    monkeypatch.setattr(preview_worker, "LINES_AT_A_TIME", 2)
    parts = list(film_parts(locked, plan))
    assert len(parts) == 4
    for part in parts:
        assert previewer.answer(part) == Received()
    half = replace(script.settings, max_share=500_000)
    answer = previewer.answer(Preview(half, "en"))
    assert isinstance(answer, Previewed)
    # `a` in full takes 6 s, and half of its gap are 5 s.
    assert answer.conflicts == 1
    assert "d" in answer.plan.by_element
    again = previewer.answer(Preview(script.settings, "en"))
    assert isinstance(again, Previewed)
    assert again.conflicts == 0
    assert "a" in again.plan.by_element


def test_the_presets_own_actions_have_names(fields: PlanFields) -> None:
    assert fields.presets.more.accessibleName()
    assert [each.text() for each in fields.presets.more.menu().actions()] == [
        "&Save as preset…",
        "&Import preset…",
        "&Export preset…",
        "&Delete preset…",
    ]
