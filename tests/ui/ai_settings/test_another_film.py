"""What may leave, when the project is given another film: why nothing holds, and how it is allowed again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adstudio.connections.saved_connections import SavedConnection, write_connections
from adstudio.core.film import Media, SourceFile
from adstudio.core.policy import Consent, Host, Policy
from adstudio.core.steps import SetFilm
from adstudio.ui.ai_settings.policy_page import PolicyPage
from adstudio.ui.drafts.model_request import forbidden
from adstudio.ui.polish.polish_process import find_obstacle

HOUSE = Host("gpu.house", 8000)
HERE = SavedConnection("House", "vllm", "m", "https://gpu.house:8000/v1")
GOOGLE = SavedConnection("Google", "gemini", "gemini-3.1-flash-lite")
ON_PREMISES = Policy("on premises", (HOUSE,))
CLOUD = Policy("cloud", (HOUSE,), Consent("gemini", frozenset({"text"}), "2026-11-28T06:00:00Z"))
FILM, OTHER = Media("/a.mp4", "a.mp4", 1, "one", 30_000), Media("/b.mp4", "b.mp4", 1, "two", 30_000)
AGAIN = "have to be confirmed again for this one"


def link(context, media):
    film = context.session.script.film
    context.session.edits.do(SetFilm(film, replace(film, media=media)))


@pytest.fixture
def page(context, qtbot, _own_places):
    write_connections([HERE, GOOGLE])
    link(context, FILM)
    made = PolicyPage(context)
    context.session.storage.models_changed.connect(made.renew)
    qtbot.addWidget(made)
    made.show()
    made.renew()
    return made


def history(page):
    return [page.history.item(n).text().split("  ")[-1] for n in range(page.history.count())]


def test_machines_are_allowed_again_in_one_press(page, context):
    context.session.storage.set_policy(ON_PREMISES)
    assert not page.lapse.isVisible()
    link(context, OTHER)
    assert page.in_force.text() == "In force: offline. Nothing is shared."
    assert page.lapse.isVisible()
    assert page.lapse.text() == (
        "On premises. gpu.house:8000. It was allowed for another film, so it does not apply to this one. Check"
        " whether it should apply here too, and allow it again."
    )
    assert page.panes[1].isVisible(), "what was chosen is in sight"
    assert page.servers.hosts == (HOUSE,)
    assert history(page)[0] == "On premises. gpu.house:8000. For another film."
    assert page.premises_button.isEnabled()
    page.premises_button.click()
    assert (context.session.project.policy, context.session.project.policy.lapsed) == (ON_PREMISES, False)
    assert not page.lapse.isVisible()
    assert page.in_force.text() == "In force: on premises. gpu.house:8000."
    assert history(page)[:2] == ["On premises. gpu.house:8000.", "On premises. gpu.house:8000. For another film."]


def test_undo_brings_the_film_and_what_was_allowed_for_it_and_redo_takes_both(page, context):
    context.session.storage.set_policy(ON_PREMISES)
    link(context, OTHER)
    assert context.session.undo()
    assert page.in_force.text() == "In force: on premises. gpu.house:8000."
    assert not page.lapse.isVisible()
    assert context.session.redo()
    assert page.in_force.text() == "In force: offline. Nothing is shared."
    assert page.lapse.isVisible()


def test_the_cloud_is_confirmed_again_by_its_name_with_what_was_ticked(page, context, qtbot):
    context.session.storage.set_policy(CLOUD)
    link(context, OTHER)
    assert page.cloud.isVisible()
    assert page.cloud.sends == {"text"}
    assert not page.cloud.allow_button.isEnabled()
    assert page.cloud.field.isEnabled()
    assert page.cloud.also.text() == ("The on-premises servers allowed before are allowed again: gpu.house:8000.")
    qtbot.keyClicks(page.cloud.field, "gemini")
    page.cloud.allow_button.click()
    policy = context.session.project.policy
    assert (policy.rule, policy.hosts, policy.consent.sends) == ("cloud", (HOUSE,), {"text"})
    assert policy.consent.at > CLOUD.consent.at, "it was confirmed now"


def test_let_nothing_leave_ends_it(page, context):
    context.session.storage.set_policy(CLOUD)
    link(context, OTHER)
    page.offline_button.click()
    assert not page.lapse.isVisible()
    assert not page.offline_button.isEnabled()
    assert context.session.undo()
    assert context.session.project.policy == Policy()


def test_a_first_video_is_told_apart(page, context):
    link(context, None)
    context.session.storage.set_policy(ON_PREMISES)
    link(context, FILM)
    assert "It was allowed when the project had no video" in page.lapse.text()
    assert history(page)[0].endswith("Without a video.")


def test_the_panels_say_why_and_lead_to_the_page(page, context):
    context.session.storage.set_policy(CLOUD)
    project = context.session.project
    assert forbidden(HERE, project.policy, frozenset({"text"})) == ""
    link(context, OTHER)
    for named in (HERE, GOOGLE, None):
        assert forbidden(named, project.policy, frozenset({"text"})) == (
            f"The project’s sharing settings were confirmed for another film, and {AGAIN}."
        )
        found = find_obstacle(project, named)
        assert found is not None
        assert (AGAIN in found.sentence, found.page) == (True, "policy")


def test_another_title_is_no_other_film(page, context):
    context.session.storage.set_policy(ON_PREMISES)
    heard: list[bool] = []
    context.session.storage.models_changed.connect(lambda: heard.append(True))
    film = context.session.script.film
    context.session.edits.do(SetFilm(film, replace(film, title="Other", subtitles=SourceFile("other.srt", "", 0, ""))))
    assert heard == []
    assert context.session.project.policy == ON_PREMISES
