"""The key of a server: typed or pasted, stored in the keyring, recognised by its last letters, and never shown."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from adstudio.connections.connection_test import Answer, ConnectionTest, KeyringFailed, StoredKey
from adstudio.core.errors import AdstudioError
from adstudio.system.worker import Failed
from adstudio.ui.ai_settings.connection_test import connection_tester
from adstudio.ui.background.jobs import Jobs
from adstudio.ui.widgets.controls import button, line
from adstudio.ui.widgets.form import column, row
from adstudio.ui.widgets.text import Wrapped, say_in, sentence

PASTE = "Paste the key"
NONE = "No key stored for {place}: paste one above."
STORED = "{hint} is stored in the system’s keyring for {place}."
SESSION = "{hint} is held for {place} until adstudio is closed."
NO_LONGER = "{hint} is held for {place}, but only until adstudio is closed: {why}."
LOOKING = "Looking in the keyring…"
NO_PLACE = "Enter the address first: a key belongs to one server."


class ApiKeyField(QWidget):
    """Knows no more of a stored key than its last letters, which a child process reports."""

    changed = Signal()
    """A key was stored or removed."""

    def __init__(self, jobs: Jobs) -> None:
        super().__init__()
        self._server = ""
        self._test: ConnectionTest | None = None
        self._no_keyring = ""
        self._hint = ""
        self._tester = connection_tester(jobs, self)
        self._tester.ended.connect(self._tested)
        self.field = line("Key", PASTE)
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.editingFinished.connect(self.flush)
        self.remove_button = button("Remo&ve key", "Remove the key", self.remove)
        self.state = Wrapped("Stored key")
        self.problem = Wrapped("Problem with the key", warns=True)
        self.setLayout(column(row(self.field, self.remove_button, grows=self.field), self.state, self.problem))
        self.problem.hide()
        self.setFocusProxy(self.field)
        self._show()

    @property
    def lacks_key(self) -> bool:
        """Whether the server is known to have no stored key."""
        return bool(self._server) and not self._hint and not self._tester.busy

    def show_server(self, server: str, test: ConnectionTest | None) -> None:
        """Show the key of a server (by its name in the keyring); empty and None while there is no address."""
        if server == self._server:
            return
        self._server, self._test = server, test
        self._hint = self._no_keyring = ""
        self._tester.forget()
        self.field.clear()
        say_in(self.problem, "")
        self._look()

    def flush(self) -> None:
        """Store what was typed."""
        value = self.field.text().strip()
        if value and self._server:
            self._store(value)

    def remove(self) -> None:
        """Remove the key."""
        from adstudio.llm.keys import delete_key

        say_in(self.problem, "")
        try:
            delete_key(self._server)
        except AdstudioError as error:
            say_in(self.problem, sentence(str(error)))
            return
        self._hint = ""
        self._look()
        self.changed.emit()
        self.field.setFocus()

    def _store(self, value: str) -> None:
        from adstudio.llm.faults import ClientMissingError, NoKeyringError
        from adstudio.llm.keys import Secret, set_session_key, store_key

        try:
            try:
                store_key(self._server, value)
                self._no_keyring = ""
            except (NoKeyringError, ClientMissingError) as error:
                set_session_key(self._server, value)
                self._no_keyring = str(error)
        except AdstudioError as error:
            say_in(self.problem, sentence(str(error)))
            return
        self._tester.forget()  # its answer would be out of date
        self.field.clear()
        say_in(self.problem, "")
        self._hint = Secret(value).hint
        self._show()
        self.changed.emit()

    def _look(self) -> None:
        from adstudio.llm.keys import session_key

        given = session_key(self._server) if self._server else None
        if given is not None:
            self._hint = given.hint
        elif self._test is not None and self._server:
            self._tester.start(f"Looking for the key of {self._server}", self._test)
        self._show()

    def _tested(self, answer: Answer | None) -> None:
        match answer:
            case StoredKey(hint):
                self._hint = hint
            case KeyringFailed(message):
                self._no_keyring = message
            case Failed(message):
                say_in(self.problem, sentence(message))
            case _:
                pass
        self._show()

    def _show(self) -> None:
        from adstudio.llm.keys import session_key

        there, hint = bool(self._server), self._hint
        self.field.setEnabled(there)
        self.field.setPlaceholderText(f"{hint} – paste a new one to replace it" if hint else PASTE)
        self.remove_button.setEnabled(bool(hint))
        if not there:
            text = NO_PLACE
        elif self._tester.busy:
            text = LOOKING
        elif hint:
            of_session = session_key(self._server) is not None
            template = STORED if not of_session else NO_LONGER if self._no_keyring else SESSION
            text = template.format(hint=hint, place=self._server, why=self._no_keyring.rstrip("."))
        else:
            text = NONE.format(place=self._server)
            if self._no_keyring:
                text += f" {sentence(self._no_keyring)} Until then a key is held only while adstudio is open."
        say_in(self.state, text)
