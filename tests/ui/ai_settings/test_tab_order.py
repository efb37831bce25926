"""The Tab key goes through the pages about models as the eye does: down, and from left to right."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget

from adstudio.connections.saved_connections import SavedConnection, write_connections
from adstudio.core.cast import Person
from adstudio.core.policy import Host, Policy
from adstudio.core.steps import SetPeople
from adstudio.ui.actions.focus_order import stops
from adstudio.ui.ai_settings.window import PAGES, AiSettingsWindow


@pytest.fixture
def window(context, qtbot, _own_places):
    write_connections(
        [
            SavedConnection("House", "vllm", "m", "https://gpu.lan:8000/v1", keyed=True),
            SavedConnection("Old", "openai", "m", "http://10.0.0.5:8001/v1"),
            SavedConnection("Google", "gemini", "gemini-3.1-flash-lite"),
        ]
    )
    context.session.edits.do(SetPeople((), (Person.named("Anna"), Person.named("Tom"))))
    made = AiSettingsWindow(context)
    qtbot.addWidget(made)
    made.show()
    return made


def out_of_order(window: QWidget, page: QWidget) -> list[tuple[str, str]]:
    """Stops of the Tab key of which the later one stands before the earlier one, above it or to its left."""
    placed = [(stop.accessibleName(), QRect(stop.mapTo(window, QPoint(0, 0)), stop.size())) for stop in stops(page)]
    assert len(placed) >= 2
    return [
        (name, later)
        for n, (name, one) in enumerate(placed)
        for later, other in placed[n + 1 :]
        if (one.left() <= other.right() and other.left() <= one.right() and other.bottom() < one.top())
        or (one.top() <= other.bottom() and other.top() <= one.bottom() and other.right() < one.left())
    ]


@pytest.mark.parametrize("name", [*PAGES])
def test_the_order_is_that_of_the_eye(window, qtbot, name):
    window.show_page(name)
    qtbot.wait(20)
    assert out_of_order(window, window.page(name)) == []


@pytest.mark.parametrize("rule", [0, 1, 2])
def test_whichever_rule_is_looked_at(window, context, qtbot, rule):
    window.show_page("policy")
    page = window.page("policy")
    page.choice.group.button(rule).click()
    qtbot.wait(20)
    assert out_of_order(window, page) == []
    if rule == 1:
        for machine in page.servers.rows:
            machine.tick.click()
        page.servers.field.setText("https://third.lan")
        page.servers.add_button.click()
        qtbot.wait(20)
        assert out_of_order(window, page) == []
        names = [stop.accessibleName() for stop in stops(page)]
        assert names.index("third.lan:443") + 1 == names.index("Address of another server")
        # And they stay so when the machines are listed anew.
        context.session.storage.set_policy(Policy("on premises", (Host("gpu.lan", 8000),)))
        page.renew()
        qtbot.wait(20)
        assert out_of_order(window, page) == []
        names = [stop.accessibleName() for stop in stops(page)]
        assert all(one != other for one, other in pairwise(names))
