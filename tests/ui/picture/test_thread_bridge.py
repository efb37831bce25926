"""The marshal: in order, on the window's thread, never waiting, and silent once closed."""

from __future__ import annotations

import threading

from PySide6.QtCore import QThread

from adstudio.ui.background.thread_bridge import ThreadBridge


def test_what_other_threads_post_runs_in_order_on_the_windows_thread(qtbot):
    marshal = ThreadBridge()
    seen: list[tuple[int, bool]] = []
    here = QThread.currentThread()

    def post_many():
        for number in range(200):
            marshal.post(lambda n=number: seen.append((n, QThread.currentThread() is here)))

    thread = threading.Thread(target=post_many)
    thread.start()
    thread.join(10)  # nobody runs the window's loop now: `post` does not wait for it
    assert not thread.is_alive()
    assert seen == []
    qtbot.waitUntil(lambda: len(seen) == 200)
    assert seen == [(number, True) for number in range(200)]
    marshal.close()


def test_nothing_is_run_once_closed(qtbot):
    marshal = ThreadBridge()
    seen: list[str] = []
    marshal.post(lambda: seen.append("before"))
    marshal.close()
    marshal.post(lambda: seen.append("after"))
    qtbot.wait(20)
    assert seen == []


def test_what_fails_takes_nothing_along(qtbot):
    marshal = ThreadBridge()
    seen: list[str] = []
    with qtbot.captureExceptions() as caught:
        marshal.post(lambda: 1 / 0)
        marshal.post(lambda: seen.append("next"))
        qtbot.waitUntil(lambda: seen == ["next"])
    assert [kind for kind, _, _ in caught] == [ZeroDivisionError]
    marshal.close()
