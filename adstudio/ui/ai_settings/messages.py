"""The texts of the pages about AI services: connections, sharing policy and prompts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from PySide6.QtCore import QDateTime, QLocale

from adstudio.connections.connection_test import Reached
from adstudio.connections.consent_texts import PROVIDERS
from adstudio.connections.model_access import Kind
from adstudio.core.policy import SENT_NAMES, Host, Lapse, Policy, PolicyChange, sent_names
from adstudio.llm.capabilities import Capabilities, capabilities_of

OF_ALL = "For all projects on this computer."
READ_ONLY = "This project is read-only: save it under another name to change anything here."
NONE_OPEN = "Open a project first."
KIND_NAMES: dict[Kind, str] = {
    "vllm": "vLLM server (on premises)",
    "openai": "Other server (OpenAI protocol)",
    "gemini": "Google Gemini",
}
SHOWN_MODELS = 4
WHY_KINDS = (
    "Without text no model can be used at all. Without video frames no scene can be drafted, but lines can still be "
    "polished."
)
OFFLINE_IS = (
    "Nothing of this film leaves this computer: no connection is opened, whatever is requested. Everything that does "
    "not need a model still works."
)
PREMISES_IS = (
    f"Only the ticked servers may receive the film’s material: {sent_names(SENT_NAMES)}. Tick only on-premises servers."
)
OWN_IS = "is a public address, so it may belong to anyone: tick it only if you know it is an on-premises server"
PLAIN_IS = "unencrypted (http): anyone on the network in between can read and change everything"
AT_ONCE = (
    "Changes take effect at once, for the current video only: nothing of another video is shared until you allow that "
    "too. They are recorded below permanently and cannot be undone, so that no Ctrl+Z ever shares a film that you did "
    "not allow."
)
PURPOSES = {
    "system": "Instructions that precede every request.",
    "describe": "Asks for a prose description of a scene; clip, faces and dialogue come before it.",
    "screenplay": "Added when the screenplay’s text of the scene is included.",
    "candidates": "Asks for times, wordings and salience of each item in the description.",
    "repair": "Asks again for wordings that are too long, too short or otherwise unsuitable.",
    "polish": "Asks for the plan’s fragments as fluent lines within their time.",
    "direct": "Asks for timed lines directly, from film, dialogue and gaps (draft --direct).",
    "schedule": "Asks a model to plan (solve --backend llm).",
    "weigh": "Asks what the story would lose without each line.",
}
"""What each prompt is for."""
_PIECES = re.compile(r"\n|[^\S\n]+|[^\s]+")
_MOST_PAIRS = 500_000
"""Pieces of one text times those of the other beyond which they are not compared, which would take too long."""
How = Literal["same", "gone", "new"]


def known_of(kind: Kind, model: str, *, cloud: bool = False) -> str:
    """What is known of a model: what it accepts and costs. `cloud`: it runs at a provider."""
    if not model.strip():
        return ""
    found = capabilities_of(kind, model.strip(), cloud=cloud)
    tokens, photos = map(QLocale().toString, (found.tokens_in, found.images))
    takes = f"{tokens} tokens and {photos} photos of people per request"
    if found.known:
        return f"Takes {takes}. {_price(found)}"
    return f"Not a known model, so cautious limits apply: {takes}. {_price(found)}"


def reached(place: str, model: str, answer: Reached) -> tuple[str, bool]:
    """The result of a test that reached its server, and whether all is well."""
    if not answer.models:
        return f"{place} responds, but has no model: load one there.", False
    model = model.strip()
    if not model:
        return f"{place} responds. Choose a model; it has {_some(answer.models)}.", False
    if model not in answer.models:
        return f"{place} responds, but has no model “{model}”. It has {_some(answer.models)}: choose one.", False
    return f"{place} responds, and has {model}.", True


def _some(models: tuple[str, ...]) -> str:
    shown = ", ".join(models[:SHOWN_MODELS])
    return f"{shown} and {len(models) - SHOWN_MODELS} more" if len(models) > SHOWN_MODELS else shown


def _price(found: Capabilities) -> str:
    if found.usd_in is None or found.usd_out is None:
        return "Its price is unknown, so the cost of a film cannot be estimated."
    if not found.usd_in and not found.usd_out:
        return "Tokens cost nothing."
    money = QLocale()
    into, out = (money.toString(price, "f", 2) for price in (found.usd_in, found.usd_out))
    return f"Price for a million tokens: {into} US dollars in, {out} out."


def in_force(policy: Policy) -> str:
    """The current policy, as a heading."""
    return f"In force: {summary(policy)}"


_LAPSED = {
    Lapse.OTHER_FILM: "It was allowed for another film, so it does not apply to this one. Check whether it should apply"
    " here too, and allow it again.",
    Lapse.FIRST_FILM: "It was allowed when the project had no video, so it does not apply to this one. Check whether it"
    " should apply here too, and allow it again.",
    Lapse.CHANGED_FILM: "It was allowed for another video of the same size, so it does not apply to this one. Check"
    " whether this is the right film, and allow it again.",
    Lapse.OTHER_USER: "It was allowed by somebody else or in an earlier version of adstudio, so it does not apply to"
    " you. Check whether it should, and allow it again.",
    Lapse.NO_KEYRING: "The system’s keyring is locked, so it cannot be checked who allowed it. Unlock it and open the"
    " project again, or allow it again.",
}


def lapsed(given: Policy, lapse: Lapse) -> str:
    """What the latest permission was, why it does not apply, and how to give it again."""
    text = summary(given)
    return f"{text[:1].upper()}{text[1:]} {_LAPSED[lapse]}"


def summary(policy: Policy) -> str:
    """A policy in a few words."""
    on_premises_hosts = ", ".join(map(_host, policy.on_premises_hosts))
    if policy.rule == "offline":
        return "offline. Nothing is shared."
    if policy.rule == "on premises":
        return f"on premises. {on_premises_hosts or 'No server is listed, so nothing is shared'}."
    if policy.consent is None:
        return "cloud, but nothing was confirmed, so nothing is shared."
    kinds = sent_names(policy.consent.sends) or "nothing"
    also = f" Also {on_premises_hosts}." if on_premises_hosts else ""
    return f"cloud. {PROVIDERS.get(policy.consent.provider, policy.consent.provider)} may be sent {kinds}.{also}"


def changes_shown(changes: Sequence[PolicyChange]) -> tuple[PolicyChange, ...]:
    """The changes that a person made: not those that only name more of the film that a permission was given for."""
    before = (None, *(change.policy for change in changes))
    return tuple(
        change
        for earlier, change in zip(before, changes, strict=False)
        if earlier is None or (earlier, earlier.film, earlier.content) != (change.policy, change.policy.film, "")
    )


def change_words(change: PolicyChange, film: str) -> str:
    """A change with its time, marked if it was made for another film than this one."""
    at = QDateTime.fromMSecsSinceEpoch(change.at)
    text = summary(change.policy)
    given = change.policy.film
    of = "" if given in (None, film) else " For another film." if given else " Without a video."
    return f"{QLocale().toString(at, QLocale.FormatType.ShortFormat)}  {text[:1].upper()}{text[1:]}{of}"


def _host(host: Host) -> str:
    return f"{host} (unencrypted)" if host.plain else str(host)


@dataclass(frozen=True)
class Piece:
    """A piece of text that both wordings have, or only one of them."""

    how: How
    text: str


def differences(ours: str, theirs: str) -> tuple[Piece, ...]:
    """Both wordings merged, word by word; if too much differs, one after the other."""
    one, other = _PIECES.findall(ours), _PIECES.findall(theirs)
    head = _common(one, other)
    tail = _common(one[head:][::-1], other[head:][::-1])
    gone, new = one[head : len(one) - tail], other[head : len(other) - tail]
    found = [Piece("same", "".join(one[:head]))]
    if len(gone) * len(new) > _MOST_PAIRS:
        found += [Piece("gone", "".join(gone)), Piece("new", "".join(new))]
    else:
        for tag, a, b, c, d in SequenceMatcher(None, gone, new, autojunk=False).get_opcodes():
            if tag == "equal":
                found.append(Piece("same", "".join(gone[a:b])))
            else:
                found += [Piece("gone", "".join(gone[a:b])), Piece("new", "".join(new[c:d]))]
    found.append(Piece("same", "".join(one[len(one) - tail :])))
    return tuple(piece for piece in found if piece.text)


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many pieces both begin with."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def counted_words(pieces: tuple[Piece, ...], how: How) -> int:
    """How many words are gone, or new."""
    return sum(len(piece.text.split()) for piece in pieces if piece.how == how)
