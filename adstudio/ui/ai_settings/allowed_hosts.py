"""Machines of the house, to be ticked: those of the connections, those that are allowed, and others that are typed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from adstudio.core.errors import AdstudioError
from adstudio.core.policy import MAX_HOSTS, Host
from adstudio.ui.ai_settings.messages import OWN_IS, PLAIN_IS
from adstudio.ui.widgets.controls import Check, button, line
from adstudio.ui.widgets.text import note, say_in, sentence, tone, warning
from adstudio.ui.widgets.theme import UNIT

NONE = "No server yet: add one, or add a connection to one."
MOST = 40
"""Machines of connections that are offered; those that are allowed are always shown."""
TOO_MANY = f"A project allows at most {MAX_HOSTS} servers: remove one first."


class HostRow(QWidget):
    """One machine: whether it may be sent the film's material, and whether unencrypted where its address says so.

    One that the internet knows by its name is asked about once more: it may be anybody's.
    """

    changed = Signal()

    def __init__(self, host: Host, names: str, *, local: bool) -> None:
        from adstudio.llm.policy_enforcement import is_public

        super().__init__()
        self._host = host
        self._asks_plain = host.plain and not local
        self._asks_own = is_public(host.name)
        shown = f"{host} · {names}" if names else f"{host}"
        self.tick = Check(f"{shown} · this machine" if local else shown, lambda _: self._ticked())
        self.own = Check("On-premises server", lambda _: self.changed.emit())
        self.own.setAccessibleName(f"On-premises server: {host}")
        self.own.setAccessibleDescription(OWN_IS)
        self.stranger = note(f"Why this asks who runs {host}")
        self.stranger.setText(f"Its name {OWN_IS}.")
        tone(self.stranger, warning=True)
        self.plain = Check("Allow unencrypted", lambda _: self.changed.emit())
        self.plain.setAccessibleName(f"{host} unencrypted")
        self.plain.setAccessibleDescription(PLAIN_IS)
        self.danger = note(f"About unencrypted access to {host}")
        self.danger.setText(f"Its address is {PLAIN_IS}.")
        tone(self.danger, warning=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(UNIT)
        layout.addWidget(self.tick)
        below = QVBoxLayout()
        below.setContentsMargins(6 * UNIT, 0, 0, UNIT)
        below.setSpacing(UNIT)
        for part in (self.stranger, self.own, self.danger, self.plain):
            below.addWidget(part)
        layout.addLayout(below)
        self._suit()

    @property
    def host(self) -> Host | None:
        """The machine as it is allowed; None where it is not."""
        if not self.tick.isChecked() or (self._asks_plain and not self.plain.isChecked()):
            return None
        return None if self._asks_own and not self.own.isChecked() else self._host

    @property
    def place(self) -> str:
        """Its name and port."""
        return str(self._host)

    def allow(self, host: Host | None) -> None:
        """Show that it is allowed so, or not."""
        self.tick.setChecked(host is not None)
        self.own.setChecked(host is not None)
        self.plain.setChecked(host is not None and host.plain)
        self._suit()

    def offer(self) -> None:
        """Show that it is wanted; what is asked of it is not answered yet."""
        self.tick.setChecked(True)
        self._suit()

    def _ticked(self) -> None:
        if not self.tick.isChecked():
            self.own.setChecked(False)
            self.plain.setChecked(False)
        self._suit()
        self.changed.emit()

    def _suit(self) -> None:
        wanted = self.tick.isChecked()
        for part in (self.stranger, self.own):
            part.setVisible(self._asks_own and wanted)
        for part in (self.danger, self.plain):
            part.setVisible(self._asks_plain and wanted)


class AllowedHosts(QWidget):
    """All of them, and a field for another one."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[HostRow] = []
        self._typed: list[Host] = []
        self.none = note("No servers")
        self.field = line("Address of another server", "https://gpu.example:8000")
        self.field.returnPressed.connect(self._add)
        self.add_button = button("Add", "Add server", self._add)
        self.problem = warning("Problem with the address")
        self._column = QVBoxLayout()
        self._column.setSpacing(UNIT)
        label = QLabel("An&other server")
        label.setBuddy(self.field)
        other = QHBoxLayout()
        other.setSpacing(2 * UNIT)
        other.addWidget(label)
        other.addWidget(self.field, 1)
        other.addWidget(self.add_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2 * UNIT)
        layout.addWidget(self.none)
        layout.addLayout(self._column)
        layout.addLayout(other)
        layout.addWidget(self.problem)

    @property
    def hosts(self) -> tuple[Host, ...]:
        """Those that are ticked, in their order."""
        return tuple(host for row in self.rows if (host := row.host) is not None)

    @property
    def half(self) -> tuple[str, ...]:
        """Those that are ticked, but something is asked of them that is not ticked yet."""
        return tuple(row.place for row in self.rows if row.tick.isChecked() and row.host is None)

    def show_hosts(self, known: Iterable[tuple[Host, str]], allowed: Iterable[Host]) -> None:
        """Show the machines of connections (with their names), those allowed, and those that were typed."""
        from adstudio.llm.policy_enforcement import cloud_of, is_this_machine

        places: dict[str, tuple[Host, list[str]]] = {}
        # One of a provider may have been allowed by an older version: it is sent nothing.
        accepted = {str(host): host for host in allowed if cloud_of(host.name) is None}
        for host, name in [
            *known,
            *((host, "") for host in accepted.values()),
            *((host, "") for host in self._typed),
        ]:
            found, names = places.setdefault(str(host), (host, []))
            places[str(host)] = (replace(found, plain=found.plain or host.plain), names)
            if name:
                names.append(name)
        for row in self.rows:
            self._column.removeWidget(row)
            row.deleteLater()
        self.rows = []
        shown = [each for number, each in enumerate(places.items()) if number < MOST or each[0] in accepted]
        for place, (host, names) in shown:
            row = HostRow(host, ", ".join(names), local=is_this_machine(host.name))
            row.allow(accepted.get(place))
            row.changed.connect(self.changed)
            self._column.addWidget(row)
            self.rows.append(row)
        say_in(self.none, "" if self.rows else NONE)
        self._put_in_order()

    def _put_in_order(self) -> None:
        """The Tab key comes to the machines before the field below them, whenever they were made."""
        before: QWidget | None = self.field.previousInFocusChain()
        while before is not None and before.focusPolicy() is Qt.FocusPolicy.NoFocus and before is not self.field:
            before = before.previousInFocusChain()
        for part in (part for row in self.rows for part in (row.tick, row.own, row.plain)):
            if before is not None and before is not part:
                QWidget.setTabOrder(before, part)
            before = part

    def _add(self) -> None:
        from adstudio.llm.policy_enforcement import cloud_of, host_of, is_this_machine

        try:
            host = host_of(self.field.text())
        except AdstudioError as error:
            say_in(self.problem, sentence(str(error)))
            return
        if cloud_of(host.name) is not None:
            say_in(self.problem, f"{host.name} belongs to a cloud provider, so it is not on premises: see Cloud.")
            return
        if sum(row.tick.isChecked() for row in self.rows) >= MAX_HOSTS:
            say_in(self.problem, TOO_MANY)
            return
        say_in(self.problem, "")
        self.field.clear()
        row = next((row for row in self.rows if row.place == str(host)), None)
        if row is None:
            self._typed.append(host)
            row = HostRow(host, "", local=is_this_machine(host.name))
            row.changed.connect(self.changed)
            self._column.addWidget(row)
            self.rows.append(row)
        row.offer()
        say_in(self.none, "")
        self._put_in_order()
        row.tick.setFocus()
        self.changed.emit()
