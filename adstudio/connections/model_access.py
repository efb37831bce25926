"""Connections to models, and the providers made from them: policy, log, retries and key included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from adstudio.core.errors import BadInputError
from adstudio.core.policy import Consent, Host, Policy
from adstudio.llm.provider import Provider
from adstudio.system.locations import user_data

if TYPE_CHECKING:
    from adstudio.llm.capabilities import Capabilities

Kind = Literal["vllm", "openai", "gemini"]
KINDS: tuple[Kind, ...] = ("vllm", "openai", "gemini")
TEST = "a test of the connection"
"""In place of the project's name in the traffic log."""
LONGEST_TEST_S = 30.0
"""Seconds within which a server must list its models."""


@dataclass(frozen=True)
class Connection:
    """Which model, where, and what the project permits.

    `url` ends in `/v1` and is "" for Gemini's own. All traffic is logged in `log`. `authority` is a certificate file in
    place of the system's; `salt` isolates the project's entries in the server's cache; `keyed`: it needs a key (Gemini
    always does), which stays in the keyring. `identity` distinguishes the project from others of the same name in the
    log.
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
        """The server's host; raises BadInputError for an invalid address."""
        from adstudio.llm.cloud_hosts import CLOUD_HOSTS
        from adstudio.llm.policy_enforcement import host_of

        return host_of(self.url or (f"https://{CLOUD_HOSTS[self.kind][0]}" if self.kind == "gemini" else ""))

    @property
    def cloud(self) -> str | None:
        """The cloud provider that the host belongs to, None if on-premises; raises as `host`."""
        from adstudio.llm.policy_enforcement import cloud_of

        return cloud_of(self.host.name)

    @property
    def key_name(self) -> str:
        """Its key's name in the keyring: `gemini` for Google's own, otherwise host and port; raises as `host`.

        Keys are per server: an on-premises gateway that speaks Gemini's protocol never gets Google's key.
        """
        return self.kind if self.kind == "gemini" == self.cloud else str(self.host)

    def for_test(self, *, plain: bool = True) -> Connection:
        """The same for a test, under a policy that permits this host only and no film data.

        `plain` permits an unencrypted connection if its address is http; raises as `host`.
        """
        host, cloud = self.host, self.cloud
        if cloud is None:
            policy = Policy("on premises", (replace(host, plain=host.plain and plain),))
        else:
            from adstudio.llm.traffic_log import now

            policy = Policy("cloud", (), Consent(cloud, frozenset(), now()))
        return replace(self, policy=policy, project=TEST, identity="")

    def require_allowed(self) -> None:
        """Check that the policy permits the server.

        Raises:
            BadInputError: for an invalid address.
            NotAllowedError: if it does not.
        """
        from adstudio.llm.policy_enforcement import permit

        host = self.host
        permit(self.policy, "http" if host.plain else "https", host.name, host.port)


OpenProvider = Callable[[Connection], Provider]
"""Creates the provider of a connection, in its event loop."""


def provider_of(connection: Connection, *, embeds: bool = False) -> Provider:
    """The provider for a connection; nothing is opened yet.

    `embeds`: for embeddings (with Gemini, of text only).

    Raises:
        BadInputError: for an invalid address or a missing model name.
        OutsideFailureError: if the keyring does not release the key, or the policy does not permit the server, in which
            case the keyring is not accessed, since it may be behind a socket itself.
    """
    from adstudio.llm.faults import KeyMissingError
    from adstudio.llm.keys import Secret, key_of
    from adstudio.llm.retry import Retrying
    from adstudio.llm.traffic_log import TrafficLog
    from adstudio.llm.transport import Transport

    if not connection.model.strip():
        raise BadInputError("no model name is given: enter the name of a model on the server")
    log = TrafficLog(connection.log or _own_log(), connection.project, connection.identity)
    transport = Transport(connection.policy, log, authority=connection.authority)
    key: Secret | None = None
    if connection.keyed or connection.kind == "gemini":
        connection.require_allowed()
        key = key_of(connection.key_name)
    if connection.kind == "gemini":
        from adstudio.llm.gemini import Account, GeminiEmbeddings, GeminiProvider

        if key is None:
            raise KeyMissingError("there is no key for Gemini: enter one under Connections")
        account = Account(connection.model, key, connection.url) if connection.url else Account(connection.model, key)
        google = GeminiEmbeddings if embeds else GeminiProvider
        return Retrying(google(account, connection.policy, transport))
    from adstudio.llm.openai_protocol import OpenAIEmbeddings, OpenAIProvider, Server

    protocol = OpenAIEmbeddings if embeds else OpenAIProvider
    server = Server(connection.url, connection.model, connection.kind == "vllm", connection.salt, key)
    return Retrying(protocol(server, connection.policy, transport))


async def models_of(connection: Connection) -> tuple[tuple[str, ...], Capabilities]:
    """The server's models and the capabilities of the connection's own: a test of the connection; sends nothing else.

    Raises:
        BadInputError: as `provider_of`.
        OutsideFailureError: as `provider_of`, and if the server cannot be reached or takes too long.
    """
    import asyncio

    from adstudio.llm.faults import SilentError

    provider = provider_of(connection)
    try:
        async with asyncio.timeout(LONGEST_TEST_S):
            return await provider.models(), provider.capabilities
    except TimeoutError:
        raise SilentError(
            f"{connection.host} accepted the connection but did not list its models within {LONGEST_TEST_S:.0f} s: "
            "check whether it is still loading one"
        ) from None
    finally:
        await provider.aclose()


def default_log() -> Path:
    """The default path of the traffic log."""
    return user_data("sent.jsonl")


def _own_log() -> Path:
    """The default log, in a private folder; if that cannot be created, writing to the log fails with a message."""
    import contextlib

    from adstudio.system.private_files import private_folder

    log = default_log()
    with contextlib.suppress(OSError):
        private_folder(log.parent, below=False)
    return log
