"""Where the window stands: most of the screen, then where it was, never where no screen is."""

import pytest
from desks import small_script
from pending_events import run_pending_events
from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QDockWidget

from adstudio.store.project import ProjectFile
from adstudio.ui.app.layouts import LAYOUTS
from adstudio.ui.app.window import Window
from adstudio.ui.app.window_geometry import PREFERENCE, first_place, on_a_screen
from adstudio.ui.session.preferences import Preferences

BIG, SIDE = QRect(0, 0, 1920, 1080), QRect(1920, 0, 1280, 1024)


@pytest.fixture
def windows(qapp, qtbot):
    made: list[Window] = []

    def make() -> Window:
        made.append(Window())
        return made[-1]

    yield make
    for window in made:
        if window.session.project is not None:
            window.session.edits.document.mark_saved()
        window.close()
        window.deleteLater()


def settle(window: Window, qtbot) -> None:
    """Wait until the panels have their places and sizes."""
    layouts = window.editor.layouts
    run_pending_events()
    qtbot.waitUntil(lambda: not (layouts._settling.isActive() or layouts._heights._settling.isActive()), timeout=30_000)
    run_pending_events()


def test_most_of_the_screen_at_first():
    assert first_place(BIG) == QRect(96, 54, 1728, 972)
    assert BIG.contains(first_place(BIG))


@pytest.mark.parametrize(
    ("wanted", "place"),
    [
        (QRect(100, 100, 800, 600), QRect(100, 100, 800, 600)),
        (QRect(2000, 100, 800, 600), QRect(2000, 100, 800, 600)),
        (QRect(5000, 5000, 800, 600), QRect(1120, 480, 800, 600)),  # that screen is gone
        (QRect(-500, -50, 800, 600), QRect(0, 0, 800, 600)),
        (QRect(0, 0, 4000, 3000), BIG),
        (QRect(1900, 0, 2000, 500), QRect(1920, 0, 1280, 500)),
    ],
)
def test_a_place_is_always_on_a_screen(wanted: QRect, place: QRect):
    assert on_a_screen(wanted, [BIG, SIDE]) == place


def test_the_window_starts_within_the_screen_and_comes_back_where_it_was(windows):
    first = windows()
    room = first.screen().availableGeometry()
    assert first.geometry() == first_place(room)
    first.show()
    first.setGeometry(20, 40, 700, 500)
    first.close()
    assert windows().geometry() == QRect(20, 40, 700, 500)


@pytest.mark.parametrize("stored", ["", "nonsense", "1 2 3", "9999 9999 9999 9999", "-99999 0 1 1", "0 0 0 0"])
def test_what_is_remembered_may_be_nonsense(windows, stored: str):
    Preferences().store(PREFERENCE, stored)
    window = windows()
    assert window.screen().availableGeometry().contains(window.geometry())


@pytest.mark.parametrize("size", [QSize(784, 520), QSize(864, 486)])
@pytest.mark.parametrize("name", LAYOUTS)
def test_no_layout_makes_a_small_window_larger(windows, tmp_path, qtbot, size: QSize, name: str):
    """800 × 600 and 1920 × 1080 at 200 % hold the window."""
    window = windows()
    window.context.preferences.store("layout", name)
    window.resize(size)
    window.show()
    run_pending_events()
    window.session.open_project(ProjectFile.create(tmp_path / "small.adproj", small_script()))
    settle(window, qtbot)
    assert (window.width(), window.height()) == (size.width(), size.height())
    least = window.minimumSizeHint()
    assert least.boundedTo(size) == least
    table = window.editor.table
    head = [table.head.find_box, table.head.regex, table.head.order, table.head.counts, table.head.filters]
    for place, one in enumerate(head):
        for other in head[place + 1 :]:
            assert not one.geometry().intersects(other.geometry())


@pytest.mark.parametrize("closed", [False, True])
def test_what_a_low_window_took_of_the_tabs_they_get_back(windows, tmp_path, qtbot, closed: bool):
    window = windows()
    window.resize(1440, 900)
    window.show()
    path = tmp_path / "small.adproj"
    window.session.open_project(ProjectFile.create(path, small_script()))
    settle(window, qtbot)
    window.actions_["plan.by_model"].trigger()
    settle(window, qtbot)

    def heights(of) -> list[int]:
        return [of.findChild(QDockWidget, name).height() for name in ("timeline", "drafts")]

    before = heights(window)
    assert before[1] > 150
    window.resize(900, 605)
    settle(window, qtbot)
    window.resize(1440, 900)
    settle(window, qtbot)
    if closed:
        window.close()
        window = windows()
        window.resize(1440, 900)
        window.show()
        window.session.open_project(ProjectFile.open(path))
        settle(window, qtbot)
    assert heights(window) == pytest.approx(before, abs=2)


def test_what_was_left_in_a_large_window_is_set_up_anew_in_a_small_one(windows, tmp_path, qtbot):
    Preferences().store("layout", "review")  # which has every panel
    window = windows()
    window.resize(1600, 1000)
    window.show()
    path = tmp_path / "small.adproj"
    window.session.open_project(ProjectFile.create(path, small_script()))
    settle(window, qtbot)
    assert window.editor.scenes.isVisible()
    window.close()
    small = windows()
    small.resize(784, 520)
    small.show()
    small.session.open_project(ProjectFile.open(path))
    settle(small, qtbot)
    assert (small.width(), small.height()) == (784, 520)
    assert not small.editor.scenes.isVisible()
