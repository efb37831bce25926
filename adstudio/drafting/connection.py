"""A model that a project may ask, as settings say it, and the provider made of that: policy, log, patience and all."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from adstudio.candidates.provider.model import Provider
from adstudio.core.errors import BadInputError
from adstudio.core.policy import Policy

Kind = Literal["vllm", "openai", "gemini"]
KINDS: tuple[Kind, ...] = ("vllm", "openai", "gemini")


@dataclass(frozen=True)
class Connection:
    """Which model, where, and what the project allows.

    `url` ends in `/v1`, and is empty for Gemini's own. Everything that is sent is noted in `log`. `authority` is a file
    of certificates in place of the system's; `salt` keeps a server's cache of one project to itself; `keyed` says that
    it wants a key (Gemini always does). The key is no part of it: it stays in the keyring.
    """

    kind: Kind
    model: str
    url: str = ""
    policy: Policy = field(default_factory=Policy)
    log: Path | None = None
    project: str = ""
    authority: Path | None = None
    salt: str = ""
    keyed: bool = False

    @property
    def key_name(self) -> str:
        """What its key is called in the keyring: `gemini`, or the machine and port."""
        from adstudio.candidates.provider.policy import host_of

        return self.kind if self.kind == "gemini" else str(host_of(self.url))

    def require_allowed(self) -> None:
        """Check that the policy names the server.

        Raises:
            BadInputError: for an address that is none.
            NotAllowedError: where it does not.
        """
        from adstudio.candidates.provider.policy import CLOUD_HOSTS, host_of, permit

        host = host_of(self.url or (f"https://{CLOUD_HOSTS[self.kind][0]}" if self.kind in CLOUD_HOSTS else ""))
        permit(self.policy, "http" if host.plain else "https", host.name, host.port)


def provider_of(connection: Connection, *, embeds: bool = False) -> Provider:
    """The provider of a connection; nothing is opened yet.

    `embeds`: it is asked for embeddings, Gemini for those of texts alone.

    Raises:
        BadInputError: for an address that is none, or a model without a name.
        OutsideFailureError: where the keyring does not give the key; where the policy does not name the server it is
            not asked, as it may lie behind a socket itself.
    """
    from adstudio.candidates.provider.faults import KeyMissingError
    from adstudio.candidates.provider.keys import Secret, key_of
    from adstudio.candidates.provider.retry import Retrying
    from adstudio.candidates.provider.traffic import TrafficLog
    from adstudio.candidates.provider.transport import Transport

    if not connection.model.strip():
        raise BadInputError("no model is named: name the one that the server is to use")
    log = TrafficLog(connection.log or default_log(), connection.project)
    transport = Transport(connection.policy, log, authority=connection.authority)
    key: Secret | None = None
    if connection.keyed or connection.kind == "gemini":
        connection.require_allowed()
        key = key_of(connection.key_name)
    if connection.kind == "gemini":
        from adstudio.candidates.provider.gemini import Account, GeminiProvider
        from adstudio.candidates.provider.gemini_embeddings import GeminiEmbeddings

        if key is None:
            raise KeyMissingError("there is no key for Gemini: give one under Connections")
        account = Account(connection.model, key, connection.url) if connection.url else Account(connection.model, key)
        google = GeminiEmbeddings if embeds else GeminiProvider
        return Retrying(google(account, connection.policy, transport))
    from adstudio.candidates.provider.openai_embeddings import OpenAIEmbeddings
    from adstudio.candidates.provider.openai_protocol import OpenAIProvider, Server

    protocol = OpenAIEmbeddings if embeds else OpenAIProvider
    server = Server(connection.url, connection.model, connection.kind == "vllm", connection.salt, key)
    return Retrying(protocol(server, connection.policy, transport))


def default_log() -> Path:
    """Where it is noted what was sent, unless somebody says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("adstudio", appauthor=False) / "sent.jsonl"
