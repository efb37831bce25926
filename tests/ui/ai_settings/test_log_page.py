"""What was sent: of this project and of all, sums by machine, a log of fifty megabytes, one that cannot be read."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt

from adstudio.connections.model_access import default_log
from adstudio.ui.ai_settings.egress_log_page import Column, EgressLogPage

OUT, OUTCOME, PLACE, PROJECT, WHEN = Column.OUT, Column.OUTCOME, Column.PLACE, Column.PROJECT, Column.WHEN


def lines(number, project="small.adproj", place="gpu.house:8000", event="answered", sent=1_500_000, status=200):
    common = {
        "project": project,
        "process": 1,
        "number": number,
        "at": "2026-11-28T07:00:00.000+00:00",
        "method": "POST",
        "place": place,
        "path": "/v1/chat/completions",
    }
    begun = {**common, "event": "begun", "sent": 0, "received": 0, "status": 0}
    return "".join(
        json.dumps(each) + "\n"
        for each in (begun, {**common, "event": event, "sent": sent, "received": 2_000, "status": status})
    )


@pytest.fixture
def log():
    path = default_log()
    path.parent.mkdir(parents=True)
    path.write_text(lines(1) + lines(2, "other.adproj", "google:443") + lines(3, event="failed", status=0))
    return path


@pytest.fixture
def page(context, qtbot):
    made = EgressLogPage(context)
    qtbot.addWidget(made)
    made.show()
    return made


def read(page, qtbot):
    page.renew()
    qtbot.waitUntil(lambda: not page.is_reading)


def shown(page, column):
    return [page.rows.index(row, column).data() for row in range(page.rows.rowCount())]


def test_nothing_was_ever_sent(page, qtbot):
    read(page, qtbot)
    assert page.state.text() == "Nothing from this project has been sent."
    page.which.setCurrentIndex(1)
    read(page, qtbot)
    assert page.state.text() == "Nothing has been sent."


def test_of_this_project_the_newest_first(page, log, qtbot):
    read(page, qtbot)
    assert shown(page, OUTCOME) == ["connection lost", "status 200"]
    assert shown(page, PLACE) == ["gpu.house:8000"] * 2
    assert shown(page, OUT) == ["1.5 MB"] * 2
    assert shown(page, WHEN)[0].startswith("2026-11-28 ")
    assert page.table.isColumnHidden(PROJECT)
    assert page.state.text() == "2 requests: the whole log."
    assert [page.totals_by_host.item(n).text() for n in range(page.totals_by_host.count())] == [
        "gpu.house:8000: 2 requests, 3.0 MB out, 4.0 kB in"
    ]


def test_of_all_projects(page, log, qtbot):
    page.which.setCurrentIndex(1)
    read(page, qtbot)
    assert shown(page, PROJECT) == ["small.adproj", "other.adproj", "small.adproj"]
    assert page.totals_by_host.count() == 2


def test_a_project_is_also_known_by_its_identity(page, context, qtbot):
    default_log().parent.mkdir(parents=True)
    default_log().write_text(lines(1, context.session.project.identity) + lines(2, str(context.session.project.path)))
    read(page, qtbot)
    assert page.rows.rowCount() == 2


def test_how_it_came_out_can_be_read_at_any_width(page, log, qtbot):
    for width in (700, 848, 1400):
        page.resize(width, 600)
        for which in (0, 1):
            page.which.setCurrentIndex(which)
            read(page, qtbot)
            qtbot.wait(10)
            header = page.table.horizontalHeader()
            assert header.sectionSize(OUTCOME) >= page.fontMetrics().horizontalAdvance("status 200") + 16
            assert header.length() >= page.table.viewport().width()


def test_another_project_of_the_same_name_is_not_this_one(page, context, qtbot):
    default_log().parent.mkdir(parents=True)
    mine = json.loads(lines(1).splitlines()[0]) | {"identity": context.session.project.identity}
    default_log().write_text("".join(json.dumps(row) + "\n" for row in (mine, mine | {"identity": "ab" * 16})))
    read(page, qtbot)
    assert page.rows.rowCount() == 1


def test_what_is_new_is_read_again(page, log, qtbot):
    read(page, qtbot)
    with log.open("a") as stream:
        stream.write(lines(4))
    page.again_button.click()
    qtbot.waitUntil(lambda: not page.is_reading)
    assert page.rows.rowCount() == 3


def test_fifty_megabytes_are_bounded_and_the_window_stays_quick(page, qtbot):
    default_log().parent.mkdir(parents=True)
    block = "".join(lines(n) for n in range(1_000)).encode()
    with default_log().open("wb") as stream:
        while stream.tell() < 50_000_000:
            stream.write(block)
    page.renew()
    assert page.is_reading
    assert page.rows.rowCount() == 0, "nothing is read before the window has turned"
    qtbot.waitUntil(lambda: not page.is_reading)
    assert page.rows.rowCount() == 5_000
    assert page.state.text().startswith("The last 5")
    assert "older ones are in the log files" in page.state.text()


def test_a_log_that_cannot_be_read(page, qtbot):
    default_log().mkdir(parents=True)
    read(page, qtbot)
    assert "traffic log cannot be read" in page.problem.text()
    assert page.state.text() == ""


def test_out_of_sight_it_reads_no_more(page, log, qtbot):
    page.renew()
    page.hide()
    assert not page.is_reading


def test_without_a_project_all_are_shown(page, context, log, qtbot):
    context.session.close_project()
    read(page, qtbot)
    assert page.rows.rowCount() == 3
    assert not page.which.isEnabled()


def test_rows_are_told_in_words(page, log, qtbot):
    read(page, qtbot)
    tip = page.rows.index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "POST gpu.house:8000/v1/chat/completions, 1.5 MB out, 2.0 kB in, status 200" in tip
    assert page.rows.headerData(0, Qt.Orientation.Horizontal) == "When"
