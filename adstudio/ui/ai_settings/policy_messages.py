"""The sharing policy in words; what is to be confirmed is in `connections.consent_texts`."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QDateTime, QLocale

from adstudio.connections.consent_texts import KINDS, PROVIDERS
from adstudio.core.policy import Host, Policy, PolicyChange, Sent

SHORT: dict[Sent, str] = {"clips": "pictures of scenes", "pictures": "face pictures with names", "text": "words"}
WHY_KINDS = (
    "Without words no model can be used at all. Without pictures of scenes none can be drafted, but lines can still be "
    "polished."
)
OFFLINE_IS = (
    "Nothing of this film leaves this computer: no connection is opened, whatever is requested. Everything that does "
    "not need a model still works."
)
PREMISES_IS = (
    "Only the ticked servers may receive the film’s material: pictures of scenes, face pictures with names, and words. "
    "Tick only on-premises servers."
)
OWN_IS = "is a public address, so it may belong to anyone: tick it only if you know it is an on-premises server"
PLAIN_IS = "unencrypted (http): anyone on the network in between can read and change everything"
AT_ONCE = (
    "Changes take effect at once, for the current video only: nothing of another video is shared until you allow that "
    "too. They are recorded below permanently and cannot be undone, so that no Ctrl+Z ever shares a film that you did "
    "not allow."
)


def in_force(policy: Policy) -> str:
    """The current policy, as a heading."""
    return f"In force: {summary(policy)}"


def lapsed(given: Policy) -> str:
    """That what was allowed last is of another film, and how it is allowed for this one."""
    when = "for another film" if given.film else "when the project had no video"
    text = summary(given)
    return (
        f"{text[:1].upper()}{text[1:]} It was allowed {when}, so it does not apply to this one. Check whether it should"
        " apply here too, and allow it again."
    )


def summary(policy: Policy) -> str:
    """A policy in a few words."""
    on_premises_hosts = ", ".join(map(_host, policy.on_premises_hosts))
    if policy.rule == "offline":
        return "offline. Nothing is shared."
    if policy.rule == "on premises":
        return f"on premises. {on_premises_hosts or 'No server is listed, so nothing is shared'}."
    if policy.consent is None:
        return "cloud, but nothing was confirmed, so nothing is shared."
    kinds = ", ".join(SHORT[kind] for kind in KINDS if kind in policy.consent.sends) or "nothing"
    beside = f" Also {on_premises_hosts}." if on_premises_hosts else ""
    return f"cloud. {PROVIDERS.get(policy.consent.provider, policy.consent.provider)} may be sent {kinds}.{beside}"


def change_words(change: PolicyChange, film: str) -> str:
    """A change with its time, and where it was of another film than this one, that it was."""
    at = QDateTime.fromMSecsSinceEpoch(change.at)
    text = summary(change.policy)
    given = change.policy.film
    of = "" if given in (None, film) else " For another film." if given else " Without a video."
    return f"{QLocale().toString(at, QLocale.FormatType.ShortFormat)}  {text[:1].upper()}{text[1:]}{of}"


def names_of_machines(hosts: Iterable[Host]) -> str:
    """The names of machines, as a list."""
    return ", ".join(map(str, hosts))


def _host(host: Host) -> str:
    return f"{host} (unencrypted)" if host.plain else str(host)
