"""On-premises servers to be ticked: those of the connections, those already allowed, and others that are typed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QWidget

from adstudio.core.errors import AdstudioError
from adstudio.core.policy import MAX_HOSTS, Host
from adstudio.ui.ai_settings.messages import OWN_IS, PLAIN_IS
from adstudio.ui.widgets.controls import Check, button, line
from adstudio.ui.widgets.form import column, row, tie
from adstudio.ui.widgets.text import note, note_text, say_in, sentence, tone, warning
from adstudio.ui.widgets.theme import UNIT

NONE = "No server yet: add one, or add a connection to one."
MOST = 40
"""Servers of connections that are offered; those that are allowed are always shown."""
TOO_MANY = f"A project allows at most {MAX_HOSTS} servers: remove one first."


class HostRow(QWidget):
    """One server: whether it may receive the film's material, and what has to be confirmed for that.

    A public name may be anybody's, and an http:// address is not encrypted: each has to be ticked as well.
    """

    changed = Signal()

    def __init__(self, host: Host, names: str, *, local: bool) -> None:
        from adstudio.llm.policy_enforcement import is_public

        super().__init__()
        self._host = host
        shown = f"{host} · {names}" if names else f"{host}"
        self.tick = Check(f"{shown} · this machine" if local else shown, lambda _: self._ticked())
        self.own = self._condition("On-premises server", f"On-premises server: {host}", OWN_IS)
        self.stranger = note_text(f"Why this asks who runs {host}", f"Its name {OWN_IS}.")
        self.plain = self._condition("Allow unencrypted", f"{host} unencrypted", PLAIN_IS)
        self.danger = note_text(f"About unencrypted access to {host}", f"Its address is {PLAIN_IS}.")
        self._conditions: list[tuple[Check, QLabel]] = []
        if is_public(host.name):
            self._conditions.append((self.own, self.stranger))
        if host.plain and not local:
            self._conditions.append((self.plain, self.danger))
        for why in (self.stranger, self.danger):
            tone(why, warning=True)
        below = column(self.stranger, self.own, self.danger, self.plain)
        below.setContentsMargins(6 * UNIT, 0, 0, UNIT)
        self.setLayout(column(self.tick, below))
        self._show_conditions()

    def _condition(self, text: str, name: str, description: str) -> Check:
        check = Check(text, lambda _: self.changed.emit())
        check.setAccessibleName(name)
        check.setAccessibleDescription(description)
        return check

    @property
    def host(self) -> Host | None:
        """The server, once it and all its conditions are ticked; else None."""
        allowed = self.tick.isChecked() and all(check.isChecked() for check, _ in self._conditions)
        return self._host if allowed else None

    @property
    def place(self) -> str:
        """Its name and port."""
        return str(self._host)

    def allow(self, host: Host | None) -> None:
        """Show whether it is allowed, and how."""
        self.tick.setChecked(host is not None)
        self.own.setChecked(host is not None)
        self.plain.setChecked(host is not None and host.plain)
        self._show_conditions()

    def offer(self) -> None:
        """Tick it; its conditions remain to be ticked."""
        self.tick.setChecked(True)
        self._show_conditions()

    def _ticked(self) -> None:
        if not self.tick.isChecked():
            self.own.setChecked(False)
            self.plain.setChecked(False)
        self._show_conditions()
        self.changed.emit()

    def _show_conditions(self) -> None:
        asked = {part for pair in self._conditions for part in pair} if self.tick.isChecked() else set[QWidget]()
        for part in (self.stranger, self.own, self.danger, self.plain):
            part.setVisible(part in asked)


class AllowedHosts(QWidget):
    """All servers, and a field for another one."""

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
        self._column = column()
        label = QLabel("An&other server")
        tie(label, self.field)
        other = row(label, self.field, self.add_button, grows=self.field)
        self.setLayout(column(self.none, self._column, other, self.problem, spacing=2 * UNIT))

    @property
    def hosts(self) -> tuple[Host, ...]:
        """Those that are ticked, in order."""
        return tuple(host for each in self.rows if (host := each.host) is not None)

    @property
    def half(self) -> tuple[str, ...]:
        """Those that are ticked while one of their conditions is not."""
        return tuple(each.place for each in self.rows if each.tick.isChecked() and each.host is None)

    def show_hosts(self, known: Iterable[tuple[Host, str]], allowed: Iterable[Host]) -> None:
        """Show the servers of connections (with their names), those allowed, and those that were typed."""
        from adstudio.llm.policy_enforcement import cloud_of

        places: dict[str, tuple[Host, list[str]]] = {}
        # One of a provider may have been allowed by an older version: it is sent nothing.
        accepted = {str(host): host for host in allowed if cloud_of(host.name) is None}
        for host, name in [*known, *((host, "") for host in (*accepted.values(), *self._typed))]:
            found, names = places.setdefault(str(host), (host, []))
            places[str(host)] = (replace(found, plain=found.plain or host.plain), names)
            if name:
                names.append(name)
        for each in self.rows:
            self._column.removeWidget(each)
            each.deleteLater()
        self.rows = []
        for number, (place, (host, names)) in enumerate(places.items()):
            if number < MOST or place in accepted:
                self._add_row(host, ", ".join(names)).allow(accepted.get(place))
        say_in(self.none, "" if self.rows else NONE)
        self._put_in_order()

    def _add_row(self, host: Host, names: str = "") -> HostRow:
        from adstudio.llm.policy_enforcement import is_this_machine

        added = HostRow(host, names, local=is_this_machine(host.name))
        added.changed.connect(self.changed)
        self._column.addWidget(added)
        self.rows.append(added)
        return added

    def _put_in_order(self) -> None:
        """Have Tab reach the servers before the field below them, whenever they were added."""
        before: QWidget | None = self.field.previousInFocusChain()
        while before is not None and before.focusPolicy() is Qt.FocusPolicy.NoFocus and before is not self.field:
            before = before.previousInFocusChain()
        for part in (part for each in self.rows for part in (each.tick, each.own, each.plain)):
            if before is not None and before is not part:
                QWidget.setTabOrder(before, part)
            before = part

    def _add(self) -> None:
        from adstudio.llm.policy_enforcement import cloud_of, host_of

        try:
            host = host_of(self.field.text())
        except AdstudioError as error:
            say_in(self.problem, sentence(str(error)))
            return
        if cloud_of(host.name) is not None:
            say_in(self.problem, f"{host.name} belongs to a cloud provider, so it is not on premises: see Cloud.")
            return
        if sum(each.tick.isChecked() for each in self.rows) >= MAX_HOSTS:
            say_in(self.problem, TOO_MANY)
            return
        say_in(self.problem, "")
        self.field.clear()
        found = next((each for each in self.rows if each.place == str(host)), None)
        if found is None:
            self._typed.append(host)
            found = self._add_row(host)
        found.offer()
        say_in(self.none, "")
        self._put_in_order()
        found.tick.setFocus()
        self.changed.emit()
