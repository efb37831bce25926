"""The fields of one connection, and the button that tests it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from adstudio.connections.connection_test import Answer, ConnectionTest, Reached
from adstudio.connections.model_access import KINDS, Kind
from adstudio.connections.saved_connections import SavedConnection
from adstudio.core.errors import AdstudioError
from adstudio.core.policy import OFFLINE, Host
from adstudio.system.worker import Failed
from adstudio.ui.ai_settings.api_key_field import ApiKeyField
from adstudio.ui.ai_settings.connection_test import connection_tester
from adstudio.ui.ai_settings.messages import KIND_NAMES, known_of, reached
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Check, Picker, button, line
from adstudio.ui.widgets.file_dialogs import ALL, ask_open, documents
from adstudio.ui.widgets.form import add_row, column, form, row
from adstudio.ui.widgets.text import Wrapped, note, say_in, sentence, tone
from adstudio.ui.widgets.theme import UNIT
from adstudio.ui.widgets.typed_pick import TypedPick

CERTIFICATES = "Certificates (*.pem *.crt *.cer)"
TEST, STOP = "&Test the connection", "S&top the test"
TESTING = "Asking {place} which models it has…"
STOPPED = "The test was stopped."
NO_KEY = "No key for {place} yet: paste one above."
PLAIN = "An http:// address is not encrypted: anyone on the network in between can read everything, including the key."
LABELS = 24 * UNIT


class ConnectionFields(QWidget):
    """Shows a connection and returns it as it is typed; `entered` follows each field that was changed."""

    entered = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._shown = SavedConnection("", "vllm", "")
        self._filling = False
        self.name = line("Name of the connection", "Your name for it")
        self.kind = Picker("Kind of server")
        for kind in KINDS:
            self.kind.addItem(KIND_NAMES[kind], kind)
        self.url = line("Address of the server")
        self.authority = line("Certificate file", "System certificates")
        choose = button("Choose…", "Choose a certificate file", self._choose)
        self.keyed = Check("The server requires a &key", lambda _: self._changed())
        self.key = ApiKeyField(context.jobs)
        self.model = TypedPick("Model", "The model’s name on the server")
        self.model.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.known = Wrapped("About the model")
        self.plain = Wrapped("Warning about encryption", warns=True)
        self.test_button = button(TEST, "Test the connection", self._test)
        self.result = note("Test result")
        self._tester = connection_tester(context.jobs, self)
        self._tester.ended.connect(self._tested)
        fields = form(LABELS)
        add_row(fields, "&Name", self.name)
        add_row(fields, "Kin&d", self.kind)
        add_row(fields, "&Address", self.url)
        fields.addRow("", self.plain)
        add_row(fields, "&Certificates", self.authority, choose)
        of_key = QWidget()
        of_key.setLayout(column(self.keyed, self.key, spacing=2 * UNIT))
        fields.addRow("Key", of_key)
        add_row(fields, "&Model", self.model)
        fields.addRow("", self.known)
        self.setLayout(column(fields, row(self.test_button, None), self.result, spacing=3 * UNIT))
        for field in (self.name, self.url, self.authority):
            field.editingFinished.connect(self._changed)
        self.model.edit.editingFinished.connect(self._changed)
        self.model.activated.connect(lambda _: self._changed())
        self.kind.activated.connect(lambda _: self._changed())
        self.key.changed.connect(lambda: self._say("", good=False))

    @property
    def named(self) -> SavedConnection:
        """The connection as the fields say it, valid or not."""
        authority = self.authority.text().strip()
        kind = cast("Kind", self.kind.currentData())
        return SavedConnection(
            name=self.name.text().strip(),
            kind=kind,
            model=self.model.currentText().strip(),
            url=self.url.text().strip(),
            keyed=self.keyed.isChecked() or kind == "gemini",
            authority=Path(authority) if authority else None,
        )

    def show_named(self, named: SavedConnection) -> None:
        """Show another connection, and forget the test of the one before."""
        self._filling = True
        self._tester.forget()
        self.name.setText(named.name)
        self.kind.setCurrentIndex(self.kind.findData(named.kind))
        self.url.setText(named.url)
        self.authority.setText("" if named.authority is None else str(named.authority))
        self.keyed.setChecked(named.keyed)
        self.model.clear()
        self.model.setCurrentText(named.model)
        for field in (self.name, self.url, self.authority):
            field.setCursorPosition(0)
        self._filling = False
        self._shown = self.named
        self._say("", good=False)
        self._renew()

    def flush(self) -> None:
        """Take what is being typed."""
        self.key.flush()
        self._changed()

    def stop(self) -> None:
        """Stop testing."""
        self._tester.forget()

    def _changed(self) -> None:
        if self._filling or self.named == self._shown:
            return
        if replace(self.named, name="", model="") != replace(self._shown, name="", model=""):
            self._tester.forget()
            self._say("", good=False)
        elif self.named.model != self._shown.model and not self._tester.busy:
            self._say("", good=False)  # it was about the model before
        self._shown = self.named
        self._renew()
        self.entered.emit()

    def _renew(self) -> None:
        """Adapt what is offered and said to the fields."""
        named = self.named
        own = named.kind == "gemini"
        self.url.setPlaceholderText("Google’s default address" if own else "https://gpu.example:8000/v1")
        self.keyed.setVisible(not own)
        self.keyed.setChecked(named.keyed)
        self.key.setVisible(named.keyed)
        self.key.show_server(self._server(), self._request("key"))
        say_in(self.known, known_of(named.kind, named.model, cloud=_is_cloud(named)))
        say_in(self.plain, PLAIN if _unencrypted(named.url) else "")
        busy = self._tester.busy
        self.test_button.setText(STOP if busy else TEST)

    def _server(self) -> str:
        """The name of the server's key; empty without an address or a key."""
        named = self.named
        if not named.keyed:
            return ""
        try:
            return named.connection(OFFLINE).key_name
        except AdstudioError:
            return ""

    def _request(self, ask: Literal["models", "key"]) -> ConnectionTest:
        named = self.named
        project, host = self._context.session.project, _plain_host(named.url)
        # Whether the open project's policy allows unencrypted traffic to this server.
        plain = project is not None and host is not None and host in project.policy.on_premises_hosts
        return ConnectionTest(ask, named.kind, named.url, named.keyed, named.authority, plain=plain)

    def _test(self) -> None:
        if self._tester.busy:
            self._tester.stop()
            return
        self.flush()
        named = self.named
        try:
            place = str(named.host)
        except AdstudioError as error:
            self._say(sentence(str(error)), good=False)
            self.url.setFocus()
            return
        if named.keyed and self.key.lacks_key:
            self._say(NO_KEY.format(place=place), good=False)
            self.key.setFocus()
            return
        self._say(TESTING.format(place=place), good=None)
        self._tester.start(f"Testing {named.name or place}", self._request("models"))
        self._renew()

    def _tested(self, answer: Answer | None) -> None:
        named = self.named
        match answer:
            case Reached(models=models):
                if not named.model and len(models) == 1:
                    self.model.setCurrentText(models[0])
                    self._changed()
                self._offer(models)
                text, good = reached(str(named.host), self.named.model, answer)
                self._say(text, good=good)
            case Failed(message):
                self._say(sentence(message), good=False)
            case None:
                self._say(STOPPED, good=None)
            case _:
                pass
        self._renew()

    def _offer(self, models: tuple[str, ...]) -> None:
        """Offer the server's models; the model in the field stays."""
        self._filling = True
        self.model.offer(models)
        self._filling = False

    def _say(self, text: str, *, good: bool | None) -> None:
        tone(self.result, good=good is True, warning=good is False, quiet=good is None)
        say_in(self.result, text)
        if text and good is not None:
            self._context.session.messages.say(text)

    def _choose(self) -> None:
        path = ask_open(self, "Certificate file", documents(), (CERTIFICATES, ALL))
        if path is not None:
            self.authority.setText(str(path))
            self._changed()


def _is_cloud(named: SavedConnection) -> bool:
    try:
        return named.cloud is not None
    except AdstudioError:
        return False


def _plain_host(url: str) -> Host | None:
    """The host of an http:// address; None for any other."""
    from adstudio.llm.policy_enforcement import host_of

    try:
        host = host_of(url) if url else None
    except AdstudioError:
        return None
    return host if host is not None and host.plain else None


def _unencrypted(url: str) -> bool:
    from adstudio.llm.policy_enforcement import is_this_machine

    host = _plain_host(url)
    return host is not None and not is_this_machine(host.name)
