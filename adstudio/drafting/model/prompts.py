"""The prompts: written once in `resources/prompts`, each with its version; and a project's own wordings of them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256

from adstudio.core.cast import MAX_PROMPT_LENGTH
from adstudio.core.errors import BadInputError, OutsideFailureError
from adstudio.core.prompt_titles import title_of
from adstudio.core.provenance import ModelTask
from adstudio.system.locations import resource

NAMES = ("system", "describe", "screenplay", "candidates", "repair", "weigh", "polish", "direct", "schedule")
"""All prompts; a project may have its own wording of each."""
FIXED = ("questions", "answer", "speakers")
"""Prompts that no project words otherwise: evaluations compare films, and how sure speakers are is known of ours."""
MOST_NAMED = 5
"""Names that a message lists."""
_HEAD = re.compile(r"id: ([a-z]+)\nversion: ([0-9]{1,6})\n---\n")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class PromptError(BadInputError):
    """A wording of a prompt that cannot be used."""


@dataclass(frozen=True)
class Prompt:
    """A prompt's text; `edited` says that it is the project's own in place of that version."""

    name: str
    version: int
    text: str
    edited: bool = False

    @property
    def key(self) -> str:
        """The key under which requests made with it are stored (`ModelTask.key`)."""
        return self.task.key

    @property
    def task(self) -> ModelTask:
        """What a model is asked for with it."""
        own = sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()[:8] if self.edited else ""
        return ModelTask(self.name, self.version, own)


@dataclass(frozen=True)
class Prompts:
    """All prompts that a project uses, by name."""

    system: Prompt
    describe: Prompt
    screenplay: Prompt
    candidates: Prompt
    repair: Prompt
    weigh: Prompt
    polish: Prompt
    direct: Prompt
    schedule: Prompt


def prompts(own: Mapping[str, str] | None = None) -> Prompts:
    """The prompts, with the project's own wordings by name; one that says the same as ours is not edited.

    Wordings of unknown prompts are ignored: `passed_over` names them.

    Raises:
        PromptError: for a wording that is empty, too long or no text.
        OutsideFailureError: when the installation lacks them.
    """
    given = own or {}
    return Prompts(**{name: _worded(_original(name), given.get(name)) for name in NAMES})


def fixed_prompt(name: str) -> Prompt:
    """A prompt that is the same for all projects: one of `FIXED`, or ours of another.

    Raises:
        OutsideFailureError: when the installation lacks it.
    """
    return _original(name)


def passed_over(own: Iterable[str]) -> str:
    """Of which of these names there is no prompt here, without a full stop; empty where all are known.

    A project that another version has had in hand may keep such wordings; they stay in it, and are not used.
    """
    unknown = [f"“{name[:40]}”" for name in own if name not in NAMES]
    if not unknown:
        return ""
    named = listed_names(unknown)
    are = "a prompt that this version does not know" if len(unknown) == 1 else "prompts that this version does not know"
    return f"the project keeps its own wording of {are}, {named}: it was not used"


def listed_names(names: Sequence[str]) -> str:
    """The first few of these names, and how many more there are."""
    rest = len(names) - MOST_NAMED
    return ", ".join(names[:MOST_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _worded(original: Prompt, own: str | None) -> Prompt:
    if own is None:
        return original
    text = own.replace("\r\n", "\n").strip()
    if text == original.text:
        return original
    title = title_of(original.name)
    if not text:
        raise PromptError(f"the prompt “{title}” is empty: write it, or go back to the one that was there")
    if len(text) > MAX_PROMPT_LENGTH:
        raise PromptError(f"the prompt “{title}” is longer than {MAX_PROMPT_LENGTH:,} characters: shorten it")
    if _CONTROL.search(text):
        raise PromptError(f"the prompt “{title}” contains invalid characters: type it again")
    return Prompt(original.name, original.version, text, edited=True)


@cache
def _original(name: str) -> Prompt:
    content = resource("prompts", f"{name}.txt").read_text("utf-8")
    head = _HEAD.match(content)
    if head is None or head[1] != name:
        raise OutsideFailureError(f"the file resources/prompts/{name}.txt is damaged: install again")
    return Prompt(name, int(head[2]), content[head.end() :].strip())
