"""Connections: kept as soon as they are whole, tried in a process of its own, their keys in the keyring or nowhere."""

from __future__ import annotations

import os
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget

from adstudio.connections.connection_test import PROTOCOL, KeyringFailed, Reached, StoredKey
from adstudio.connections.saved_connections import SavedConnection, default_place, read_connections, write_connections
from adstudio.core.policy import Host, Policy
from adstudio.llm.keys import session_key
from adstudio.system.worker import Failed
from adstudio.ui.ai_settings import connection_test, connections_page
from adstudio.ui.ai_settings.connections_page import ConnectionsPage

KEY = "sk-test-0123456789abcdef"
HOUSE = SavedConnection("House", "vllm", "qwen3.5-27b", "https://gpu.house:8000/v1")
OTHER = SavedConnection("Other", "openai", "llava", "http://10.0.0.5:8001/v1")
ECHO = "import sys; print({answer!r}, flush=True); sys.stdin.read()"


@pytest.fixture
def page(context, qtbot):
    made = ConnectionsPage(context)
    qtbot.addWidget(made)
    made.show()
    return made


@pytest.fixture
def house(context, qtbot):
    write_connections([HOUSE, OTHER])
    made = ConnectionsPage(context)
    qtbot.addWidget(made)
    made.show()
    return made


def says(page, text):
    """What stands in place of the process that tries: a program."""
    page.fields._tester.command = [sys.executable, "-I", "-c", text]


def answers(page, answer):
    line = PROTOCOL.event_line(answer).decode().strip()
    says(page, f"import sys; sys.stdin.readline(); print({line!r}, flush=True)")


def typed(field: QLineEdit, text: str):
    field.setFocus()
    field.setText(text)
    field.editingFinished.emit()


def try_it(page, qtbot):
    with qtbot.waitSignal(page.fields._tester.ended) as told:
        page.fields.test_button.click()
    return told.args[0]


def test_there_is_none_yet(page):
    assert page.none.isVisible()
    assert not page.fields.isVisible()
    assert not page.remove_button.isEnabled()


def test_a_new_one_is_kept_as_soon_as_it_is_whole(page, context, qtbot):
    page.add()
    assert "Saved once" in page.problem.text()
    typed(page.fields.name, "House")
    typed(page.fields.url, "https://gpu.house:8000/v1")
    assert "Not saved yet" in page.problem.text()
    assert not default_place().exists()
    with qtbot.waitSignal(context.session.storage.models_changed):
        page.fields.model.setCurrentText("qwen3.5-27b")
        page.fields.flush()
    assert read_connections() == (HOUSE,)
    assert not page.problem.isVisible()
    assert "49" in page.fields.known.text()
    assert "Tokens cost nothing" in page.fields.known.text()
    typed(page.fields.url, "https://api.openai.com/v1")
    assert "Its price is unknown" in page.fields.known.text(), "a provider is paid"


def test_one_is_changed_in_its_place(house):
    house.list.setCurrentRow(1)
    typed(house.fields.name, "Otherwise")
    assert [each.name for each in read_connections()] == ["House", "Otherwise"]
    assert house.list.item(1).text() == "Otherwise"
    typed(house.fields.url, "https://10.0.0.5/v1")
    assert read_connections()[1].url == "https://10.0.0.5/v1"


@pytest.mark.parametrize("url", ["gpu", "ftp://gpu/v1", "https://me:secret@gpu/v1", "https://gpu/v1?key=x", "http://"])
def test_an_address_that_is_none_is_not_kept(house, url):
    typed(house.fields.url, url)
    assert house.problem.isVisible()
    assert "The previous settings remain" in house.problem.text()
    assert read_connections() == (HOUSE, OTHER)


def test_two_of_a_name_are_refused(house):
    typed(house.fields.name, "Other")
    assert "already" in house.problem.text()
    assert read_connections() == (HOUSE, OTHER)


def test_one_goes_when_it_was_asked_for(house, monkeypatch):
    monkeypatch.setattr(connections_page, "ask", lambda *_, **__: None)
    house.remove()
    assert len(read_connections()) == 2
    monkeypatch.setattr(connections_page, "ask", lambda *_, **__: 0)
    house.remove()
    assert read_connections() == (OTHER,)
    assert house.fields.name.text() == "Other"
    house.remove()
    assert house.none.isVisible()


def test_a_new_one_that_was_never_kept_goes_without_a_question(house, monkeypatch):
    monkeypatch.setattr(connections_page, "ask", lambda *_, **__: pytest.fail("asked"))
    house.add()
    house.remove()
    assert house.list.count() == 2


def test_those_of_another_program_stay(house):
    third = SavedConnection("Third", "vllm", "m", "https://third/v1")
    write_connections([HOUSE, OTHER, third])
    typed(house.fields.name, "Ours")
    assert [each.name for each in read_connections()] == ["Ours", "Other", "Third"]
    house.renew()
    assert house.list.count() == 3


def test_a_damaged_file_is_said_and_not_written_over(context, qtbot):
    default_place().parent.mkdir(parents=True)
    default_place().write_text("{")
    page = ConnectionsPage(context)
    qtbot.addWidget(page)
    page.show()
    assert "is not a valid list o" in page.problem.text()
    assert not page.add_button.isEnabled()
    assert default_place().read_text() == "{"
    write_connections([HOUSE])
    page.renew()
    assert page.add_button.isEnabled()
    assert not page.problem.isVisible()


def test_a_plain_address_is_warned_of_unless_it_is_this_machine(house):
    assert not house.fields.plain.isVisible()
    house.list.setCurrentRow(1)
    assert "not encrypted" in house.fields.plain.text()
    typed(house.fields.url, "http://127.0.0.1:8000/v1")
    assert not house.fields.plain.isVisible()


def test_a_server_that_has_the_model(house, qtbot, said):
    answers(house, Reached(("other", "qwen3.5-27b")))
    assert try_it(house, qtbot) == Reached(("other", "qwen3.5-27b"))
    assert house.fields.result.text() == "gpu.house:8000 responds, and has qwen3.5-27b."
    assert said[-1] == house.fields.result.text()
    offered = [house.fields.model.itemText(n) for n in range(house.fields.model.count())]
    assert offered == ["other", "qwen3.5-27b"]
    assert house.fields.named == HOUSE


def test_a_server_without_the_model_offers_those_it_has(house, qtbot):
    answers(house, Reached(("a", "b", "c", "d", "e")))
    try_it(house, qtbot)
    assert "has no model “qwen3.5-27b”. It has a, b, c, d and 1 more" in house.fields.result.text()
    house.fields.model.setCurrentIndex(1)
    house.fields.model.activated.emit(1)
    assert read_connections()[0].model == "b"


def test_the_only_model_is_taken_where_none_is_named(page, qtbot):
    page.add()
    typed(page.fields.name, "House")
    typed(page.fields.url, "https://gpu.house:8000/v1")
    answers(page, Reached(("qwen3.5-27b",)))
    try_it(page, qtbot)
    assert read_connections() == (HOUSE,)


def test_what_goes_wrong_is_the_faults_own_sentence(house, qtbot):
    answers(house, Failed("gpu.house:8000 cannot be found: check the name"))
    try_it(house, qtbot)
    assert house.fields.result.text() == "gpu.house:8000 cannot be found: check the name."


@pytest.mark.parametrize(
    "text", ["import os; os._exit(139)", "print('Traceback')", "print('{\"models\": 3}')", "import sys; sys.exit(3)"]
)
def test_a_test_that_dies_or_says_nothing_of_use(house, qtbot, text):
    says(house, text)
    assert try_it(house, qtbot) == Failed(connection_test.CRASHED)
    assert house.fields.test_button.text() == "&Test the connection"


def test_a_test_that_never_ends_is_given_up(house, qtbot):
    says(house, "import time; time.sleep(60)")
    house.fields._tester._limit.setInterval(100)
    assert try_it(house, qtbot) == Failed(connection_test.LATE)
    qtbot.waitUntil(lambda: not house._context.jobs.running)


def test_a_test_is_stopped(house, qtbot):
    says(house, "import sys; sys.stdin.readline(); sys.stdin.read()")
    house.fields.test_button.click()
    assert house.fields.test_button.text() == "S&top the test"
    assert [job.title for job in house._context.jobs.running] == ["Testing House"]
    with qtbot.waitSignal(house.fields._tester.ended) as told:
        house.fields.test_button.click()
    assert told.args == [None]
    assert "stopped" in house.fields.result.text()


def test_another_address_forgets_what_was_tried(house, qtbot):
    says(house, "import sys; sys.stdin.readline(); sys.stdin.read()")
    house.fields.test_button.click()
    typed(house.fields.url, "https://elsewhere/v1")
    assert not house.fields._tester.busy
    qtbot.waitUntil(lambda: not house._context.jobs.running)


def test_an_address_that_is_none_is_not_tried(house):
    typed(house.fields.url, "gpu")
    house.fields.test_button.click()
    assert "not the address of a server" in house.fields.result.text()
    assert not house.fields._tester.busy


def test_what_the_process_is_told_holds_no_key(house, qtbot, context, tmp_path):
    heard = tmp_path / "heard"
    house.fields.keyed.click()
    typed(house.fields.key.field, KEY)
    says(house, f"import sys; open({str(heard)!r}, 'w').write(sys.stdin.readline() + repr(sys.argv))")
    try_it(house, qtbot)
    text = heard.read_text()
    assert KEY not in text
    trial = PROTOCOL.read_request(text.splitlines()[0].encode())
    assert (trial.ask, trial.url, trial.keyed, trial.plain) == ("models", HOUSE.url, True, False)


def test_a_key_goes_unencrypted_only_where_the_project_allows_that(house, context):
    house.list.setCurrentRow(1)
    assert not house.fields._request("models").plain
    context.session.storage.set_policy(Policy("on premises", (Host("10.0.0.5", 8001, plain=True),)))
    assert house.fields._request("models").plain


def test_what_came_of_a_test_goes_with_the_model_that_it_was_about(house):
    house.fields._tested(Failed("it is not there"))
    assert house.fields.result.text() == "It is not there."
    house.fields.model.edit.setText("another")
    house.fields.model.edit.editingFinished.emit()
    assert house.fields.result.text() == ""


def test_without_a_keyring_a_key_is_kept_for_the_session(house, qtbot):
    with qtbot.waitSignal(house.fields.key._tester.ended) as told:
        house.fields.keyed.click()
    assert isinstance(told.args[0], KeyringFailed)
    state = house.fields.key.state
    assert "no keyring that can store secrets" in state.text()
    assert "only while adstudio is open" in state.text()
    assert "paste one above" in state.text()
    house.fields.test_button.click()
    assert house.fields.result.text() == "No key for gpu.house:8000 yet: paste one above."
    assert not house.fields._tester.busy
    typed(house.fields.key.field, f" {KEY} ")
    assert session_key("gpu.house:8000").reveal() == KEY
    assert "•••cdef is held for gpu.house:8000, but only until adstudio is closed: this system" in state.text()
    assert "no key can be kept" not in state.text()
    assert house.fields.key.field.text() == ""
    assert KEY not in default_place().read_text()
    for widget in house.findChildren(QWidget):
        assert KEY not in f"{widget.accessibleName()} {widget.accessibleDescription()} {widget.toolTip()}"
    house.fields.key.remove()
    assert session_key("gpu.house:8000") is None


class Ring:
    """A keyring that keeps in memory."""

    def __new__(cls, *, refuses=False):
        from keyring.backend import KeyringBackend
        from keyring.errors import PasswordSetError

        class Memory(KeyringBackend):
            priority = 1

            def __init__(self):
                super().__init__()
                self.terms = {}

            def get_password(self, service, username):
                return self.terms.get((service, username))

            def set_password(self, service, username, password):
                if refuses:
                    raise PasswordSetError(password)
                self.terms[service, username] = password

            def delete_password(self, service, username):
                del self.terms[service, username]

        return Memory()


def test_a_key_is_kept_in_the_keyring_alone(house, keyring_of):
    ring = Ring()
    keyring_of(ring)
    house.fields.keyed.click()
    assert house.fields.key.field.echoMode() is QLineEdit.EchoMode.Password
    typed(house.fields.key.field, KEY)
    assert ring.terms == {("adstudio", "gpu.house:8000"): KEY}
    assert "•••cdef is stored in the system’s keyring" in house.fields.key.state.text()
    assert session_key("gpu.house:8000") is None
    assert read_connections()[0].keyed
    house.fields.key.remove()
    assert ring.terms == {}


def test_a_keyring_that_refuses_does_not_tell_the_key(house, keyring_of):
    keyring_of(Ring(refuses=True))
    house.fields.keyed.click()
    typed(house.fields.key.field, KEY)
    assert "refused" in house.fields.key.state.text()
    assert KEY not in house.fields.key.state.text()
    assert session_key("gpu.house:8000") is not None


def test_what_is_no_key_is_refused_and_stays_to_be_mended(house, keyring_of):
    ring = Ring()
    keyring_of(ring)
    house.fields.keyed.click()
    typed(house.fields.key.field, "two words")
    assert "not a key" in house.fields.key.problem.text()
    assert house.fields.key.field.text() == "two words"
    assert ring.terms == {}


def test_a_key_belongs_to_a_server_and_not_to_a_name(house, qtbot):
    house.fields.keyed.click()
    house.fields.key._tester.forget()
    house.fields.key._tested(StoredKey("•••1111"))
    assert "•••1111" in house.fields.key.state.text()
    typed(house.fields.url, "https://elsewhere:9000/v1")
    assert "•••1111" not in house.fields.key.state.text()
    typed(house.fields.url, "no address")
    assert not house.fields.key.field.isEnabled()
    assert "Enter the address first" in house.fields.key.state.text()
    qtbot.waitUntil(lambda: not house._context.jobs.running)


def test_the_key_goes_with_the_last_connection_that_needs_it(context, qtbot, keyring_of, monkeypatch):
    ring = Ring()
    keyring_of(ring)
    twins = [SavedConnection(name, "vllm", "m", "https://gpu.house:8000/v1", keyed=True) for name in ("A", "B")]
    write_connections(twins)
    ring.terms["adstudio", "gpu.house:8000"] = KEY
    page = ConnectionsPage(context)
    qtbot.addWidget(page)
    page.show()
    monkeypatch.setattr(connections_page, "ask", lambda *_, **__: 0)
    page.remove()
    assert ring.terms
    page.remove()
    assert not ring.terms
    qtbot.waitUntil(lambda: not context.jobs.running)


def test_gemini_needs_no_address_and_always_a_key(page, qtbot):
    os.environ["ADSTUDIO_KEY_GEMINI"] = KEY
    page.add()
    page.fields.kind.setCurrentIndex(page.fields.kind.findData("gemini"))
    page.fields.kind.activated.emit(2)
    assert not page.fields.keyed.isVisible()
    assert "•••cdef" in page.fields.key.state.text()
    assert page.fields.url.placeholderText() == "Google’s default address"
    typed(page.fields.name, "Google")
    page.fields.model.setCurrentText("gemini-3.1-flash-lite")
    page.fields.flush()
    assert read_connections() == (SavedConnection("Google", "gemini", "gemini-3.1-flash-lite", keyed=True),)
    assert "0.25 US dollars in, 1.50 out" in page.fields.known.text()


def test_return_in_a_field_presses_no_button(house, qtbot):
    house.fields.name.setFocus()
    qtbot.keyClick(house.fields.name, Qt.Key.Key_Return)
    assert not house.fields._tester.busy
