"""Prompts: ours, the project's own in their place, what differs; each change a step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pending_events import run_pending_events
from PySide6.QtCore import Qt

from adstudio.core.steps import SetPrompts
from adstudio.drafting.model.prompts import FIXED, NAMES, prompts
from adstudio.system.locations import resource
from adstudio.ui.ai_settings.messages import Piece, counted_words, differences
from adstudio.ui.ai_settings.prompts_page import PromptsPage


@pytest.fixture
def page(context, qtbot):
    made = PromptsPage(context)
    qtbot.addWidget(made)
    context.session.current_plan.changed.connect(lambda _: made.renew())
    made.show()
    made.renew()
    return made


def write(page, text):
    page.field.setFocus()
    page.field.setPlainText(text)
    page.flush()


def own(page):
    return dict(page._context.session.script.prompts)


def test_all_of_ours_are_shown_with_their_versions(page):
    assert page.list.count() == len(NAMES)
    for row, name in enumerate(NAMES):
        page.list.setCurrentRow(row)
        ours = getattr(prompts(), name)
        assert page.field.toPlainText() == ours.text
        assert page.version.text().startswith(f"Version {ours.version} ·")
        assert not page.back_button.isEnabled()
        assert not page.changes.isVisible()
        assert page.purpose.text()


def test_every_prompt_that_is_there_can_be_seen_and_edited(page, context):
    """The page is held against the files: a prompt that is added and not shown would be sent unseen."""
    files = {path.name.removesuffix(".txt") for path in resource("prompts").iterdir() if path.name.endswith(".txt")}
    # Those of evaluations are the same for all films, or their scores could not be compared.
    files -= set(FIXED)
    rows = [page.list.item(row).data(Qt.ItemDataRole.UserRole) for row in range(page.list.count())]
    assert sorted(rows) == sorted(files)
    assert files >= {"describe", "candidates", "direct", "polish", "weigh", "schedule"}
    for row, name in enumerate(rows):
        page.list.setCurrentRow(row)
        write(page, f"The house’s own wording for {name}.")
    assert own(page) == {name: f"The house’s own wording for {name}." for name in files}
    used = prompts(own(page))
    assert {getattr(used, name).text for name in files} == set(own(page).values())
    while context.session.undo():
        pass
    assert own(page) == {}


def test_a_wording_of_the_projects_own_is_a_step(page, context):
    page.list.setCurrentRow(1)
    write(page, "Tell what is seen.")
    assert own(page) == {"describe": "Tell what is seen."}
    assert page.list.item(1).text().endswith("✎")
    label = prompts({"describe": "Tell what is seen."}).describe.key
    assert page.version.text() == f"Version {label.removeprefix('describe ')}"
    assert page.changes.isVisible()
    assert context.session.undo()
    assert own(page) == {}
    assert page.field.toPlainText() == prompts().describe.text
    assert context.session.redo()
    assert page.field.toPlainText() == "Tell what is seen."


def test_typing_in_one_bout_is_one_step(page, context):
    for text in ("A", "A b", "A b c"):
        write(page, text)
    assert len(context.session.edits.document.past) == 1
    assert own(page) == {"system": "A b c"}
    page.field.typing_run.begin()
    write(page, "A b c d")
    assert len(context.session.edits.document.past) == 2


def test_back_to_ours(page, context):
    write(page, "Something else.")
    page.back_button.click()
    assert own(page) == {}
    assert page.field.toPlainText() == prompts().system.text
    assert len(context.session.edits.document.past) == 2


def test_ours_typed_again_is_ours(page):
    write(page, "Something else.")
    page.field.typing_run.begin()
    write(page, prompts().system.text + "\n\n")
    assert own(page) == {}


@pytest.mark.parametrize(
    ("text", "why"), [("", "empty"), (" \n ", "empty"), ("x" * 20_001, "longer"), ("a\x07b", "invalid characters")]
)
def test_a_wording_that_cannot_be_used_is_refused_and_loses_nothing(page, text, why):
    write(page, "Mine.")
    page.field.typing_run.begin()
    write(page, text)
    assert why in page.problem.text()
    assert "Until then the previous one applies" in page.problem.text()
    assert own(page) == {"system": "Mine."}
    assert page.field.toPlainText() == text
    page.list.setCurrentRow(1)
    assert page.field.toPlainText() == prompts().describe.text
    assert not page.problem.isVisible()
    assert page.list.item(0).text().endswith("⚠")
    assert "not accepted" in page.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    page.list.setCurrentRow(0)
    assert page.field.toPlainText() == text
    assert why in page.problem.text()
    write(page, "Mine again.")
    assert own(page) == {"system": "Mine again."}
    assert not page.list.item(0).text().endswith("⚠")


def test_typed_and_left_by_the_list_alone_is_refused_and_kept_too(page):
    page.field.setPlainText("x" * 20_001)
    page.list.setCurrentRow(2)
    assert page.field.toPlainText() == prompts().screenplay.text
    page.list.setCurrentRow(0)
    assert page.field.toPlainText() == "x" * 20_001
    assert "longer" in page.problem.text()
    page.back_button.click()
    page.list.setCurrentRow(1)
    page.list.setCurrentRow(0)
    assert page.field.toPlainText() == prompts().system.text
    assert not page.list.item(0).text().endswith("⚠")


def test_what_was_refused_is_not_another_projects(page, context):
    write(page, "")
    context.session.close_project()
    page.renew()
    assert page.field.toPlainText() == prompts().system.text
    assert not page.list.item(0).text().endswith("⚠")


def test_the_hand_and_what_differs_stay_in_sight(page, qtbot):
    page.resize(900, 600)
    page.show()
    page.list.setCurrentRow(3)
    ours = prompts().candidates.text
    page.field.setFocus()
    cursor = page.field.textCursor()
    cursor.movePosition(cursor.MoveOperation.End)
    page.field.setTextCursor(cursor)
    page.field.insertPlainText(" More words.")
    page.flush()
    assert own(page) == {"candidates": f"{ours} More words."}
    qtbot.waitUntil(lambda: page.changes.height() > 20)
    run_pending_events()
    assert page.field.viewport().rect().contains(page.field.cursorRect())
    assert page.changes.viewport().rect().contains(page.changes.cursorRect().center())
    assert page.changes.textCursor().position() >= len(ours)


def test_it_is_taken_after_a_rest_and_before_a_save(page, context, qtbot):
    page.field.setPlainText("Typed.")
    qtbot.waitUntil(lambda: own(page) == {"system": "Typed."})


def test_another_prompt_takes_what_was_typed(page):
    page.field.setPlainText("Typed.")
    page._rest = None
    page.flush()
    page.list.setCurrentRow(2)
    assert own(page) == {"system": "Typed."}


def test_what_differs_is_marked_by_more_than_colour(page):
    ours = prompts().screenplay.text
    page.list.setCurrentRow(2)
    first = ours.split()[0]
    write(page, ours.replace(first, "Something", 1))
    assert "1 word new, 1 word removed" in page.changes_title.text()
    assert page.changes.accessibleDescription() == "1 word new, 1 word removed"
    cursor = page.changes.textCursor()
    cursor.setPosition(1)
    assert cursor.charFormat().fontStrikeOut()
    cursor.setPosition(len(first) + 3)
    assert cursor.charFormat().fontUnderline()


def test_a_strange_wording_of_a_file_is_shown(context, qtbot):
    strange = (("describe", "a\x07b"), ("unheard", "of"))
    context.session.edits.do(SetPrompts((), strange))
    page = PromptsPage(context)
    qtbot.addWidget(page)
    page.renew()
    page.list.setCurrentRow(1)
    assert page.field.toPlainText() == "a\x07b"
    page.back_button.click()
    assert own(page) == {"unheard": "of"}


def test_without_a_project_they_are_only_read(context, qtbot):
    page = PromptsPage(context)
    qtbot.addWidget(page)
    context.session.close_project()
    page.renew()
    assert page.field.isReadOnly()
    assert page.field.toPlainText() == prompts().system.text
    assert "Open a project first" in page.hindrance.text()


def test_another_project_has_its_own(page, context):
    write(page, "Mine.")
    session = context.session
    script = replace(session.script, prompts=())
    session.close_project()
    page.renew()
    assert page.field.toPlainText() == prompts().system.text
    del script


def test_differences_word_by_word():
    assert differences("Tell what is seen.", "Tell all that is seen.") == (
        Piece("same", "Tell "),
        Piece("gone", "what"),
        Piece("new", "all that"),
        Piece("same", " is seen."),
    )
    assert differences("a", "a") == (Piece("same", "a"),)
    assert counted_words(differences("a b c", "a"), "gone") == 2


def test_all_too_much_that_differs_is_not_compared():
    one, other = "a b " * 2_500, "b a " * 2_500
    assert differences(f"same {one}end", f"same {other}end") == (
        Piece("same", "same "),
        Piece("gone", one[:-1]),
        Piece("new", other[:-1]),
        Piece("same", " end"),
    )
    assert differences(one, f"{one}more") == (Piece("same", one), Piece("new", "more"))
