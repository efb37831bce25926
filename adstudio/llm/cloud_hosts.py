"""Known cloud providers, recognised by host name suffix: their servers never count as on-premises.

Anything sent to them leaves the premises, whoever rents the server. A public host that is missing here still needs
confirmation before it counts as on-premises (`policy_enforcement.is_public`).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Cloud:
    """A provider: its name in a policy, its product and company names for people, and its host name suffixes.

    A suffix matches a host name that equals it or ends with a dot and it.
    """

    name: str
    called: str
    who: str
    ends: tuple[str, ...]

    def has(self, host: str) -> bool:
        """Whether a host belongs to it, by its normalised name."""
        return ends_with(host, self.ends)


def ends_with(host: str, ends: tuple[str, ...]) -> bool:
    """Whether a host name is one of these or ends with a dot and one of them."""
    return any(host == end or host.endswith(f".{end}") for end in ends)


def _cloud(name: str, who: str, *ends: str) -> Cloud:
    return Cloud(name, who, who, ends)


CLOUDS: tuple[Cloud, ...] = (
    # Before Google's other hosts, which share its suffix.
    Cloud("gemini", "Google’s Gemini", "Google", ("generativelanguage.googleapis.com",)),
    _cloud("alibaba", "Alibaba Cloud", "aliyuncs.com", "aliyun.com", "alibabacloud.com"),
    _cloud("amazon", "Amazon", "amazonaws.com", "amazonaws.com.cn", "api.aws", "on.aws"),
    _cloud("anthropic", "Anthropic", "anthropic.com", "claude.com"),
    _cloud("azure", "Microsoft Azure", "azure.com", "azure.net", "azure-api.net", "azurewebsites.net", "microsoft.com"),
    _cloud("baidu", "Baidu", "baidubce.com"),
    _cloud("baseten", "Baseten", "baseten.co"),
    _cloud("bytedance", "ByteDance", "volces.com", "bytepluses.com"),
    _cloud("cerebras", "Cerebras", "cerebras.ai"),
    _cloud("cloudflare", "Cloudflare", "cloudflare.com", "workers.dev", "trycloudflare.com"),
    _cloud("cohere", "Cohere", "cohere.com", "cohere.ai"),
    _cloud("databricks", "Databricks", "databricks.com", "azuredatabricks.net"),
    _cloud("deepinfra", "DeepInfra", "deepinfra.com"),
    _cloud("deepseek", "DeepSeek", "deepseek.com"),
    _cloud("fireworks", "Fireworks", "fireworks.ai"),
    _cloud("friendli", "FriendliAI", "friendli.ai"),
    _cloud("google", "Google Cloud", "googleapis.com", "google.com", "run.app", "goog"),
    _cloud("groq", "Groq", "groq.com"),
    _cloud("huggingface", "Hugging Face", "huggingface.co", "huggingface.cloud", "hf.co", "hf.space"),
    _cloud("hyperbolic", "Hyperbolic", "hyperbolic.xyz"),
    _cloud("ibm", "IBM Cloud", "ibm.com", "appdomain.cloud"),
    _cloud("lambda", "Lambda", "lambda.ai", "lambdalabs.com"),
    _cloud("minimax", "MiniMax", "minimax.io", "minimaxi.com", "minimax.chat"),
    _cloud("mistral", "Mistral", "mistral.ai"),
    _cloud("modal", "Modal", "modal.run", "modal.com"),
    _cloud("moonshot", "Moonshot AI", "moonshot.ai", "moonshot.cn"),
    _cloud("nebius", "Nebius", "nebius.com", "nebius.ai", "nebius.cloud"),
    _cloud("ngrok", "ngrok", "ngrok.io", "ngrok.app", "ngrok.dev", "ngrok-free.app", "ngrok-free.dev"),
    _cloud("novita", "Novita", "novita.ai"),
    _cloud("nvidia", "NVIDIA", "nvidia.com"),
    _cloud("openai", "OpenAI", "openai.com"),
    _cloud("openrouter", "OpenRouter", "openrouter.ai"),
    _cloud("ovh", "OVHcloud", "ovh.net", "ovhcloud.com", "ovhcloud.net"),
    _cloud("perplexity", "Perplexity", "perplexity.ai"),
    _cloud("replicate", "Replicate", "replicate.com", "replicate.delivery"),
    _cloud("runpod", "Runpod", "runpod.ai", "runpod.io", "runpod.net"),
    _cloud("sambanova", "SambaNova", "sambanova.ai"),
    _cloud("scaleway", "Scaleway", "scaleway.ai", "scaleway.com", "scw.cloud"),
    _cloud("siliconflow", "SiliconFlow", "siliconflow.com", "siliconflow.cn"),
    _cloud("tencent", "Tencent Cloud", "tencentcloudapi.com", "tencentcs.com", "myqcloud.com"),
    _cloud("together", "Together", "together.xyz", "together.ai"),
    _cloud("xai", "xAI", "x.ai"),
    _cloud("zhipu", "Zhipu", "z.ai", "bigmodel.cn"),
)

CLOUD_HOSTS: dict[str, tuple[str, ...]] = {cloud.name: cloud.ends for cloud in CLOUDS}
"""Host name suffixes of each cloud provider; only https on port 443 is used with them."""
