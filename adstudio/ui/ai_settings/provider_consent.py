"""What a provider would be sent, and what it does with that; confirmed by typing the provider's name."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from adstudio.connections.consent_texts import KINDS, PROVIDERS, WHO, provider_terms
from adstudio.core.policy import SENT, Consent, Host, Policy, Sent
from adstudio.ui.ai_settings.messages import WHY_KINDS
from adstudio.ui.widgets.controls import Check, Picker, button, line
from adstudio.ui.widgets.form import add_row, column, form
from adstudio.ui.widgets.text import heading, note, note_text, say_in, warning
from adstudio.ui.widgets.theme import UNIT

TO = "To {who}, over the internet: {hosts}, encrypted."
ALSO = "The on-premises servers allowed now stay allowed: {hosts}."
AGAIN = "The on-premises servers allowed before are allowed again: {hosts}."
WRONG = "That is not “{provider}”: nothing was changed."
IN_FORCE = "This is already in force."


class ProviderConsent(QWidget):
    """Nothing is allowed until the name has been typed; `allow` gets the policy."""

    def __init__(self, allow: Callable[[Policy], object]) -> None:
        super().__init__()
        self._allow_it = allow
        self._policy = Policy()
        self.provider = Picker("Provider")
        for name, shown in PROVIDERS.items():
            self.provider.addItem(shown, name)
        self.provider.activated.connect(lambda _: self._renew())
        self.kinds: dict[Sent, Check] = {}
        for kind, words in KINDS.items():
            check = Check(words, lambda _: self._renew())
            check.setChecked(True)
            self.kinds[kind] = check
        self.kinds["text"].setEnabled(False)
        self.to = note("Recipient")
        self.terms = note("What the recipient does with it")
        self.also = note("What remains allowed")
        self.field = line("Type the provider’s name to confirm")
        self.field.textEdited.connect(lambda _: self._renew())
        self.field.returnPressed.connect(self.confirm)
        self.allow_button = button("&Allow it", "Allow it", self.confirm)
        self.problem = warning("Why it was not allowed")
        choose = form(24 * UNIT)
        add_row(choose, "&Provider", self.provider)
        confirm = form(24 * UNIT)
        add_row(confirm, "To con&firm", self.field, self.allow_button)
        shared = (heading("What is shared"), *self.kinds.values(), note_text("What can be excluded", WHY_KINDS))
        use = (heading("Recipient and use"), self.to, self.terms, self.also)
        parts = (choose, UNIT, *shared, UNIT, *use, UNIT, confirm, self.problem)
        self.setLayout(column(*parts, spacing=2 * UNIT))
        self._renew()

    @property
    def chosen(self) -> str:
        """The name of the provider in a policy."""
        return str(self.provider.currentData())

    @property
    def sends(self) -> frozenset[Sent]:
        """What is ticked."""
        return frozenset(kind for kind in SENT if self.kinds[kind].isChecked())

    def show_policy(self, policy: Policy) -> None:
        """Show the current policy; a lapsed one is offered to be confirmed again."""
        self._policy = policy
        consent = policy.consent if policy.lapsed else policy.confirmed
        if consent is not None:
            self.provider.setCurrentIndex(max(0, self.provider.findData(consent.provider)))
            for kind, check in self.kinds.items():
                check.setChecked(kind in consent.sends or kind == "text")
        self.give_up()

    def give_up(self) -> None:
        """Discard what was typed to confirm."""
        self.field.clear()
        say_in(self.problem, "")
        self._renew()

    def confirm(self) -> None:
        """Allow it, if the provider's name was typed."""
        from adstudio.llm.traffic_log import now

        if self._in_force:
            return
        if not self._name_typed:
            say_in(self.problem, WRONG.format(provider=self.chosen))
            self.field.setFocus()
            self.field.selectAll()
            return
        self._allow_it(Policy("cloud", self._on_premises, Consent(self.chosen, self.sends, now())))

    @property
    def _on_premises(self) -> tuple[Host, ...]:
        """The on-premises servers that are allowed now, or were and can be again."""
        return self._policy.hosts if self._policy.lapsed else self._policy.on_premises_hosts

    @property
    def _name_typed(self) -> bool:
        return self.field.text().strip().casefold() == self.chosen

    @property
    def _in_force(self) -> bool:
        consent = self._policy.confirmed
        return consent is not None and (consent.provider, consent.sends) == (self.chosen, self.sends)

    def _renew(self) -> None:
        from adstudio.llm.cloud_hosts import CLOUD_HOSTS

        name = self.chosen
        self.to.setText(TO.format(who=WHO[name], hosts=", ".join(CLOUD_HOSTS[name])))
        self.terms.setText(provider_terms(name))
        also = AGAIN if self._policy.lapsed else ALSO
        say_in(self.also, also.format(hosts=", ".join(map(str, self._on_premises))) if self._on_premises else "")
        self.field.setPlaceholderText(IN_FORCE if self._in_force else f"Type {name}")
        self.field.setEnabled(not self._in_force)
        self.allow_button.setEnabled(not self._in_force and self._name_typed)
        if self._name_typed:
            say_in(self.problem, "")
