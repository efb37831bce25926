"""A model that a project may ask, as settings say it, and the provider made of that: policy, log, patience and all."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from adstudio.core.errors import BadInputError
from adstudio.core.policy import Consent, Host, Policy
from adstudio.llm.provider import Provider

if TYPE_CHECKING:
    from adstudio.llm.capabilities import Capabilities

Kind = Literal["vllm", "openai", "gemini"]
KINDS: tuple[Kind, ...] = ("vllm", "openai", "gemini")
TEST = "a test of the connection"
"""What stands for the project in the log of what was sent."""
LONGEST_TEST_S = 30.0
"""Seconds after which a server that has not told its models is given up."""


@dataclass(frozen=True)
class Connection:
    """Which model, where, and what the project allows.

    `url` ends in `/v1`, and is empty for Gemini's own. Everything that is sent is noted in `log`. `authority` is a file
    of certificates in place of the system's; `salt` keeps a server's cache of one project to itself; `keyed` says that
    it wants a key (Gemini always does). The key is no part of it: it stays in the keyring. `identity` tells the project
    from another that is called `project` too, in the log.
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
    identity: str = ""

    @property
    def host(self) -> Host:
        """The machine that it leads to.

        Raises:
            BadInputError: for an address that is none.
        """
        from adstudio.llm.policy_enforcement import CLOUD_HOSTS, host_of

        return host_of(self.url or (f"https://{CLOUD_HOSTS[self.kind][0]}" if self.kind == "gemini" else ""))

    @property
    def cloud(self) -> str | None:
        """The cloud provider whose machine that is, None for one of the house; raises as `host`."""
        from adstudio.llm.policy_enforcement import cloud_of

        return cloud_of(self.host.name)

    @property
    def key_name(self) -> str:
        """What its key is called in the keyring: `gemini` for Google's own, else the machine and port.

        Raises as `host`. A key is shown to its own server alone: a gateway of the house that speaks Gemini is never
        sent Google's.
        """
        return self.kind if self.kind == "gemini" == self.cloud else str(self.host)

    def alone(self, *, plain: bool = True) -> Connection:
        """The same for a test: under a policy that names its one machine and confirms nothing of any film.

        `plain` lets it be asked unencrypted where its address says so; raises as `host`.
        """
        host, cloud = self.host, self.cloud
        if cloud is None:
            policy = Policy("on premises", (replace(host, plain=host.plain and plain),))
        else:
            from adstudio.llm.traffic_log import now

            policy = Policy("cloud", (), Consent(cloud, frozenset(), now()))
        return replace(self, policy=policy, project=TEST, identity="")

    def require_allowed(self) -> None:
        """Check that the policy names the server.

        Raises:
            BadInputError: for an address that is none.
            NotAllowedError: where it does not.
        """
        from adstudio.llm.policy_enforcement import permit

        host = self.host
        permit(self.policy, "http" if host.plain else "https", host.name, host.port)


def provider_of(connection: Connection, *, embeds: bool = False) -> Provider:
    """The provider of a connection; nothing is opened yet.

    `embeds`: it is asked for embeddings, Gemini for those of texts alone.

    Raises:
        BadInputError: for an address that is none, or a model without a name.
        OutsideFailureError: where the keyring does not give the key; where the policy does not name the server it is
            not asked, as it may lie behind a socket itself.
    """
    from adstudio.llm.faults import KeyMissingError
    from adstudio.llm.keys import Secret, key_of
    from adstudio.llm.retry import Retrying
    from adstudio.llm.traffic_log import TrafficLog
    from adstudio.llm.transport import Transport

    if not connection.model.strip():
        raise BadInputError("no model is named: name the one that the server is to use")
    log = TrafficLog(connection.log or _own_log(), connection.project, connection.identity)
    transport = Transport(connection.policy, log, authority=connection.authority)
    key: Secret | None = None
    if connection.keyed or connection.kind == "gemini":
        connection.require_allowed()
        key = key_of(connection.key_name)
    if connection.kind == "gemini":
        from adstudio.llm.gemini import Account, GeminiProvider
        from adstudio.llm.gemini_embeddings import GeminiEmbeddings

        if key is None:
            raise KeyMissingError("there is no key for Gemini: give one under Connections")
        account = Account(connection.model, key, connection.url) if connection.url else Account(connection.model, key)
        google = GeminiEmbeddings if embeds else GeminiProvider
        return Retrying(google(account, connection.policy, transport))
    from adstudio.llm.openai_embeddings import OpenAIEmbeddings
    from adstudio.llm.openai_protocol import OpenAIProvider, Server

    protocol = OpenAIEmbeddings if embeds else OpenAIProvider
    server = Server(connection.url, connection.model, connection.kind == "vllm", connection.salt, key)
    return Retrying(protocol(server, connection.policy, transport))


async def models_of(connection: Connection) -> tuple[tuple[str, ...], Capabilities]:
    """Which models the server has, and what is known of the connection's own: a test of it; nothing else is sent.

    Raises:
        BadInputError: as `provider_of`.
        OutsideFailureError: as `provider_of`, and where the server cannot be asked, or takes too long.
    """
    import asyncio

    from adstudio.llm.faults import SilentError

    provider = provider_of(connection)
    try:
        async with asyncio.timeout(LONGEST_TEST_S):
            return await provider.models(), provider.capabilities
    except TimeoutError:
        raise SilentError(
            f"{connection.host} took the connection but did not tell its models within {LONGEST_TEST_S:.0f} seconds: "
            "look whether it is still loading one"
        ) from None
    finally:
        await provider.aclose()


def default_log() -> Path:
    """Where it is noted what was sent, unless somebody says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("adstudio", appauthor=False) / "sent.jsonl"


def _own_log() -> Path:
    """That, in a folder that nobody else may look into; where it cannot be made, writing to it fails and says so."""
    import contextlib

    from adstudio.system.private_files import private_folder

    log = default_log()
    with contextlib.suppress(OSError):
        private_folder(log.parent, below=False)
    return log
