"""What may leave the machine, in the editor’s words; those to confirm are in `connections.consent_texts`."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QDateTime, QLocale

from adstudio.connections.consent_texts import KINDS, PROVIDERS
from adstudio.core.policy import Host, Policy, PolicyChange, Sent

SHORT: dict[Sent, str] = {"clips": "scenes’ pictures", "pictures": "faces with names", "text": "words"}
WHY_KINDS = (
    "Without words no model can be asked at all. Without the scenes’ pictures no scene can be drafted, but lines can "
    "still be reworded."
)
OFFLINE_IS = (
    "Nothing of this film leaves this machine: no connection is opened, whatever is asked. All that works without a "
    "model goes on working."
)
PREMISES_IS = (
    "Only the machines that are ticked may be sent the film’s material: its scenes’ pictures, faces with names, and "
    "words. Tick none that is not the house’s own."
)
OWN_IS = "is known to the internet, so that it may be anybody’s: tick it where you know that the house runs it"
PLAIN_IS = "unencrypted (http): whoever is on the network between can read and change all of it"
AT_ONCE = (
    "A change holds at once, for the film that the project has now: of another video nothing leaves until that is "
    "allowed too. It is noted below for good, and Undo does not take it back: no Ctrl+Z ever lets a film out that was "
    "not allowed to leave."
)


def in_force(policy: Policy) -> str:
    """What holds, as a heading."""
    return f"In force: {summary(policy)}"


def lapsed(given: Policy) -> str:
    """That what was allowed last is of another film, and how it is allowed for this one."""
    when = "for another film" if given.film else "when this project had no video"
    text = summary(given)
    return (
        f"{text[:1].upper()}{text[1:]} That was allowed {when}, so nothing of it holds for this one. It stands below as"
        " it was: look whether it may hold here too, and allow it again."
    )


def summary(policy: Policy) -> str:
    """A policy in a few words."""
    on_premises_hosts = ", ".join(map(_host, policy.on_premises_hosts))
    if policy.rule == "offline":
        return "offline. Nothing leaves."
    if policy.rule == "on premises":
        return f"on premises. {on_premises_hosts or 'No machine is named, so nothing leaves'}."
    if policy.consent is None:
        return "cloud, but nothing was confirmed, so nothing leaves there."
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
