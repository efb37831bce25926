"""What may leave: nothing by looking, each rule by a button of its own, the cloud by its typed name; never by undo."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from adstudio.connections.saved_connections import SavedConnection, write_connections
from adstudio.core.policy import OFFLINE, Host, Policy
from adstudio.store.project import ProjectFile
from adstudio.ui.ai_settings.policy_page import PolicyPage

HOUSE = Host("gpu.lan", 8000)
PLAIN = Host("10.0.0.5", 8001, plain=True)


@pytest.fixture(autouse=True)
def _connections(_own_places):
    write_connections(
        [
            SavedConnection("House", "vllm", "m", "https://gpu.lan:8000/v1"),
            SavedConnection("Twin", "vllm", "n", "https://gpu.lan:8000/v1"),
            SavedConnection("Old", "openai", "m", "http://10.0.0.5:8001/v1"),
            SavedConnection("Here", "openai", "m", "http://127.0.0.1:9000/v1"),
            SavedConnection("Google", "gemini", "gemini-3.1-flash-lite"),
            SavedConnection("Disguised", "openai", "g", "https://generativelanguage.googleapis.com/v1beta/openai"),
        ]
    )


@pytest.fixture
def page(context, qtbot):
    made = PolicyPage(context)
    qtbot.addWidget(made)
    made.show()
    made.renew()
    return made


def policy(page):
    return page._context.session.project.policy


def row(page, place):
    return next(each for each in page.servers.rows if each.place == place)


def history(page):
    return [page.history.item(n).text() for n in range(page.history.count())]


def test_it_begins_offline_and_says_so(page):
    assert page.in_force.text() == "In force: offline. Nothing is shared."
    assert not page.offline_button.isEnabled()
    assert history(page) == ["Never changed: offline, the default for every project."]


def test_looking_at_a_rule_changes_nothing(page):
    for button in page.choice.group.buttons():
        button.click()
        assert policy(page) == OFFLINE
    assert page.panes[2].isVisible()
    assert not page.panes[1].isVisible()


def test_the_machines_of_the_house_are_offered_and_no_providers(page):
    assert [each.tick.text() for each in page.servers.rows] == [
        "gpu.lan:8000 · House, Twin",
        "10.0.0.5:8001 · Old",
        "127.0.0.1:9000 · Here · this machine",
    ]
    assert not any(each.tick.isChecked() for each in page.servers.rows)


def test_machines_are_allowed_at_once_and_that_is_told(page, context, qtbot, said):
    row(page, "gpu.lan:8000").tick.click()
    assert policy(page) == OFFLINE
    with qtbot.waitSignal(context.session.storage.models_changed):
        page.premises_button.click()
    assert policy(page) == Policy("on premises", (HOUSE,))
    assert page.in_force.text() == "In force: on premises. gpu.lan:8000."
    assert said[-1] == page.in_force.text()
    assert not page.premises_button.isEnabled()
    assert "On premises. gpu.lan:8000." in history(page)[0]


def test_unencrypted_takes_a_tick_of_its_own(page):
    page.choice.group.button(1).click()
    old = row(page, "10.0.0.5:8001")
    old.tick.click()
    assert old.danger.isVisible()
    assert "can read and change everything" in old.danger.text()
    assert not page.premises_button.isEnabled()
    assert "10.0.0.5:8001 is left out" in page.premises_note.text()
    old.plain.click()
    page.premises_button.click()
    assert policy(page) == Policy("on premises", (PLAIN,))
    again = row(page, "10.0.0.5:8001")
    assert again.plain.isChecked()
    again.tick.click()
    again.tick.click()
    assert not again.plain.isChecked(), "it is asked anew"


def test_a_name_of_the_internet_takes_a_tick_of_its_own(page, qtbot):
    page.choice.group.button(1).click()
    page.servers.field.setText("http://gpu.studio.tv/v1")
    qtbot.keyClick(page.servers.field, Qt.Key.Key_Return)
    ours = row(page, "gpu.studio.tv:80")
    qtbot.waitUntil(ours.own.isVisible)
    assert ours.own.accessibleName() == "On-premises server: gpu.studio.tv:80"
    assert ours.own.accessibleDescription() in ours.stranger.text()
    ours.plain.click()
    assert "gpu.studio.tv:80 is left out" in page.premises_note.text()
    assert not page.premises_button.isEnabled()
    ours.own.click()
    page.premises_button.click()
    assert policy(page) == Policy("on premises", (Host("gpu.studio.tv", 80, plain=True),))
    again = row(page, "gpu.studio.tv:80")
    assert again.own.isChecked(), "it is asked once"
    again.tick.click()
    again.tick.click()
    assert not again.own.isChecked()
    assert not row(page, "gpu.lan:8000").own.isVisible()


def test_another_provider_is_confirmed_as_one(page, qtbot):
    page.choice.group.button(1).click()
    page.servers.field.setText("https://api.openai.com/v1")
    page.servers.add_button.click()
    assert "belongs to a cloud provider" in page.servers.problem.text()
    page.choice.group.button(2).click()
    page.cloud.provider.setCurrentIndex(page.cloud.provider.findData("openai"))
    page.cloud.provider.activated.emit(0)
    assert "OpenAI, over the internet" in page.cloud.to.text()
    assert "in your contract with OpenAI" in page.cloud.terms.text()
    qtbot.keyClicks(page.cloud.field, "openai")
    page.cloud.allow_button.click()
    assert policy(page).consent.provider == "openai"
    assert page.in_force.text().startswith("In force: cloud. OpenAI may be sent ")


def test_this_machine_needs_no_encryption(page):
    page.choice.group.button(1).click()
    here = row(page, "127.0.0.1:9000")
    here.tick.click()
    assert not here.plain.isVisible()
    page.premises_button.click()
    assert [str(host) for host in policy(page).hosts] == ["127.0.0.1:9000"]


def test_a_machine_is_typed(page, qtbot):
    page.choice.group.button(1).click()
    page.servers.field.setText("https://other.lan:8443/v1")
    qtbot.keyClick(page.servers.field, Qt.Key.Key_Return)
    assert page.servers.field.text() == ""
    page.premises_button.click()
    assert policy(page).hosts == (Host("other.lan", 8443),)


@pytest.mark.parametrize("text", ["", "gpu", "ftp://gpu", "https://", "https://me:secret@gpu", "https://gpu:99999"])
def test_a_typed_machine_that_is_none(page, text):
    page.servers.field.setText(text)
    page.servers.add_button.click()
    assert "not the address of a server" in page.servers.problem.text()
    assert len(page.servers.rows) == 3


def test_of_many_machines_none_that_is_allowed_is_lost_and_no_more_are_added_than_can_be(page, context):
    many = tuple(Host(f"gpu{number}.lan", 443) for number in range(99))
    context.session.storage.set_policy(Policy("on premises", many))
    page.renew()
    for number, name in enumerate(("https://one.more", "https://two.more")):
        page.servers.field.setText(name)
        page.servers.add_button.click()
        assert bool(page.servers.problem.text()) == bool(number)
    row(page, "one.more:443").own.click()
    page.premises_button.click()
    assert set(policy(page).hosts) == {*many, Host("one.more", 443)}


def test_a_provider_is_no_machine_of_the_house(page):
    page.servers.field.setText("https://generativelanguage.googleapis.com/v1beta")
    page.servers.add_button.click()
    assert "belongs to a cloud provider" in page.servers.problem.text()
    assert len(page.servers.rows) == 3


def test_the_cloud_says_what_leaves_to_whom_and_what_they_do_with_it(page):
    texts = " ".join(
        (page.cloud.to.text(), page.cloud.terms.text(), *(each.text() for each in page.cloud.kinds.values()))
    )
    for words in (
        "generativelanguage.googleapis.com",
        "Google",
        "Photos",
        "with their names",
        "dialogue",
        "screenplay",
        "limited time",
        "zero data retention",
        "unpaid key",
    ):
        assert words in texts


@pytest.mark.parametrize("typed", ["", "yes", "gemin", "gemini pro", "Google"])
def test_a_name_typed_wrong_allows_nothing(page, qtbot, typed):
    page.choice.group.button(2).click()
    page.cloud.field.setText(typed)
    page.cloud.field.textEdited.emit(typed)
    assert not page.cloud.allow_button.isEnabled()
    qtbot.keyClick(page.cloud.field, Qt.Key.Key_Return)
    assert policy(page) == OFFLINE
    assert page.cloud.problem.text() == "That is not “gemini”: nothing was changed."


def confirm(page, qtbot, typed="gemini"):
    page.choice.group.button(2).click()
    page.cloud.field.clear()
    qtbot.keyClicks(page.cloud.field, typed)
    qtbot.keyClick(page.cloud.field, Qt.Key.Key_Return)


def test_the_name_typed_right_allows_what_is_ticked(page, qtbot):
    page.cloud.kinds["pictures"].click()
    confirm(page, qtbot, " Gemini")
    made = policy(page)
    assert (made.rule, made.hosts) == ("cloud", ())
    assert made.consent.provider == "gemini"
    assert made.consent.sends == {"text", "clips"}
    assert page.cloud.field.text() == ""
    assert not page.cloud.allow_button.isEnabled()
    assert "Google’s Gemini may be sent video frames and text." in page.in_force.text()


def test_more_is_confirmed_anew(page, qtbot):
    page.cloud.kinds["pictures"].click()
    confirm(page, qtbot)
    page.cloud.kinds["pictures"].click()
    assert policy(page).consent.sends == {"text", "clips"}, "a tick alone sends nothing"
    confirm(page, qtbot)
    assert policy(page).consent.sends == {"text", "clips", "pictures"}
    assert page.history.count() == 3


def test_machines_of_the_house_stay_beside_the_cloud_and_the_cloud_does_not_stay_beside_them(page, context, qtbot):
    context.session.storage.set_policy(Policy("on premises", (HOUSE,)))
    page.renew()
    assert "gpu.lan:8000" in page.cloud.also.text()
    confirm(page, qtbot)
    assert policy(page).hosts == (HOUSE,)
    assert "withdraws" in page.premises_note.text()
    page.premises_button.click()
    assert policy(page) == Policy("on premises", (HOUSE,))


def test_back_to_nothing_in_one_press(page, qtbot):
    confirm(page, qtbot)
    page.offline_button.click()
    assert policy(page) == OFFLINE
    assert len(history(page)) == 3


def test_undo_never_opens_a_way_out(page, context, qtbot):
    context.session.edits.attempt(lambda script: None)
    confirm(page, qtbot)
    page.offline_button.click()
    assert not context.session.undo()
    assert policy(page) == OFFLINE
    assert not context.session.edits.document.changed
    assert "Ctrl+Z" in " ".join(label.text() for label in page.findChildren(type(page.in_force)))


def test_what_was_typed_to_confirm_does_not_wait(page, qtbot):
    page.choice.group.button(2).click()
    qtbot.keyClicks(page.cloud.field, "gemini")
    page.flush()
    assert page.cloud.field.text() == ""


def test_a_project_opened_to_read_is_not_changed(context, qtbot, tmp_path):
    path = context.session.project.path
    context.session.storage.set_policy(Policy("on premises", (HOUSE,)))
    context.session.close_project()
    context.session.open_project(ProjectFile.open(path, read_only=True))
    page = PolicyPage(context)
    qtbot.addWidget(page)
    page.show()
    page.renew()
    assert "read-only" in page.hindrance.text()
    assert page.in_force.text() == "In force: on premises. gpu.lan:8000."
    assert not any(pane.isEnabled() for pane in page.panes)
    page._set(OFFLINE)
    assert policy(page).rule == "on premises"


def test_a_policy_that_cannot_be_written_stays_as_it_was(page, context, said, monkeypatch):
    from adstudio.core.errors import OutsideFailureError

    def refuse(_):
        raise OutsideFailureError("the disk is full")

    monkeypatch.setattr(context.session.project, "set_policy", refuse)
    row(page, "gpu.lan:8000").tick.click()
    page.premises_button.click()
    assert said[-1] == "the disk is full"
    assert page.in_force.text() == "In force: offline. Nothing is shared."
