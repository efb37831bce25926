"""Privacy: what of the open project may leave this machine, and where to; every change is recorded permanently."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QListWidget, QWidget

from adstudio.connections.saved_connections import read_connections
from adstudio.core.errors import AdstudioError
from adstudio.core.policy import OFFLINE, RULES, Host, Policy, film_identity
from adstudio.ui.ai_settings.allowed_hosts import AllowedHosts
from adstudio.ui.ai_settings.messages import (
    AT_ONCE,
    NONE_OPEN,
    OFFLINE_IS,
    PREMISES_IS,
    READ_ONLY,
    change_words,
    changes_shown,
    in_force,
    lapsed,
)
from adstudio.ui.ai_settings.page import SettingsPage
from adstudio.ui.ai_settings.provider_consent import ProviderConsent
from adstudio.ui.session.context import Context
from adstudio.ui.widgets.controls import Choice, button
from adstudio.ui.widgets.form import column, scrolled
from adstudio.ui.widgets.text import Label, heading, note, note_text, say_in, warning
from adstudio.ui.widgets.theme import UNIT

CHOICES = (
    ("Offline", "Nothing leaves this computer"),
    ("On premises", "To listed servers on premises"),
    ("Cloud", "To one provider"),
)
BEFORE = "Before that: offline, the default for every project."
NEVER = "Never changed: offline, the default for every project."


class PolicyPage(SettingsPage):
    """Looking at a rule changes nothing; each has its own button that does."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._shown: tuple[object, ...] = ()
        self.hindrance = note("Why nothing can be changed")
        self.in_force = Label()
        self.in_force.setAccessibleName("Current policy")
        self.in_force.setWordWrap(True)
        self.in_force.setTextFormat(Qt.TextFormat.PlainText)
        font = self.in_force.font()
        font.setBold(True)
        self.in_force.setFont(font)
        self.lapse = warning("Why the permission no longer applies")
        self.choice = Choice("Privacy", CHOICES)
        self.choice.chosen.connect(self._look_at)
        # The rule that is looked at is not the one in force, so it is not filled when it has the focus.
        for each in self.choice.group.buttons():
            each.setProperty("choice", "look")
        self.offline_button = button("Share &nothing", "Share nothing: offline", lambda: self._set(OFFLINE))
        self.servers = AllowedHosts()
        self.servers.changed.connect(self._renew_buttons)
        self.premises_button = button(
            "A&llow these servers",
            "Allow these servers",
            lambda: self._set(Policy("on premises", self.servers.hosts)),
        )
        self.premises_note = note("Effect of allowing these servers")
        self.cloud = ProviderConsent(self._set)
        premises = (self.servers, self.premises_note, self.premises_button)
        self.panes = (
            _pane(note_text("About offline", OFFLINE_IS), self.offline_button),
            _pane(note_text("About on-premises servers", PREMISES_IS), *premises),
            self.cloud,
        )
        self.history = QListWidget()
        self.history.setAccessibleName("Policy changes, newest first")
        self.history.setFrameShape(QFrame.Shape.StyledPanel)
        self.history.setMinimumHeight(20 * UNIT)
        self.history.setWordWrap(True)
        self.history.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.work = QWidget()
        inside = column(
            self.in_force,
            self.lapse,
            self.choice,
            *self.panes,
            note_text("When changes take effect", AT_ONCE),
            heading("Changes"),
            self.history,
            spacing=3 * UNIT,
        )
        inside.setContentsMargins(0, 0, 2 * UNIT, 0)
        self.work.setLayout(inside)
        area = scrolled("Privacy", self.work)
        self._lay_out("Privacy: what may leave this computer", self.hindrance, area, grows=area)
        self.setFocusProxy(self.choice.group.button(0))

    def renew(self) -> None:
        """Show the open project's policy and its changes."""
        project = self._context.session.project
        film = film_identity(self._context.session.script.film)
        policy = OFFLINE if project is None else project.policy
        state = (
            project,
            project and project.policies,
            film,
            project and project.read_only,
            self._known(),
            policy.lapse,
        )
        if state == self._shown:
            return
        other = not self._shown or self._shown[:3] != state[:3]
        self._shown = state
        self.work.setVisible(project is not None)
        read_only = project is not None and project.read_only
        say_in(self.hindrance, NONE_OPEN if project is None else READ_ONLY if read_only else "")
        self.history.clear()
        if project is not None:
            changes = [change_words(change, film) for change in reversed(changes_shown(project.policies))]
            self.history.addItems([*changes, BEFORE] if changes else [NEVER])
        given = project.policies[-1].policy if project is not None and policy.lapsed else policy
        self.in_force.setText(in_force(policy))
        say_in(self.lapse, "" if policy.lapse is None else lapsed(given, policy.lapse))
        self.servers.show_hosts(self._known(), given.on_premises_hosts)
        self.cloud.show_policy(policy)
        for pane in self.panes:
            pane.setEnabled(not read_only)
        if other:
            self._look_at(RULES.index(given.rule))
        self._renew_buttons()

    def flush(self) -> None:
        """Discard what was typed to confirm: only a button changes the policy."""
        self.cloud.give_up()

    @property
    def _policy(self) -> Policy:
        project = self._context.session.project
        return OFFLINE if project is None else project.policy

    def _known(self) -> tuple[tuple[Host, str], ...]:
        """The servers of the connections, except providers, each with the connection's name."""
        try:
            return tuple((each.host, each.name) for each in read_connections() if each.cloud is None)
        except AdstudioError:
            return ()

    def _look_at(self, place: int) -> None:
        self.choice.show_choice(place)
        self.setFocusProxy(self.choice.group.button(place))
        for number, pane in enumerate(self.panes):
            pane.setVisible(number == place)

    def _renew_buttons(self) -> None:
        policy, hosts, half = self._policy, self.servers.hosts, self.servers.half
        self.offline_button.setEnabled(policy.rule != "offline" or policy.lapsed)
        self.premises_button.setEnabled(bool(hosts) and (policy.rule, policy.hosts) != ("on premises", hosts))
        said = ""
        if half:
            said = f"{', '.join(half)} is left out until the boxes below it are ticked too."
        elif policy.rule == "cloud" and hosts:
            said = "This withdraws the permission for the cloud."
        elif policy.rule == "on premises" and policy.hosts == hosts:
            said = f"In force: {', '.join(map(str, hosts))}."
        say_in(self.premises_note, said)

    def _set(self, policy: Policy) -> None:
        if self._context.session.storage.set_policy(policy):
            self._context.session.messages.say(in_force(self._policy))
            self.renew()
            self.choice.group.button(RULES.index(policy.rule)).setFocus()


def _pane(*parts: QWidget) -> QWidget:
    pane = QWidget()
    layout = column(*parts, spacing=2 * UNIT)
    layout.setAlignment(parts[-1], Qt.AlignmentFlag.AlignLeft)
    pane.setLayout(layout)
    return pane
