"""The prompts' names on screen: in settings, refusals and the undo list."""

from __future__ import annotations

TITLES: dict[str, str] = {
    "system": "General",
    "describe": "Describe",
    "screenplay": "With a screenplay",
    "candidates": "Elements",
    "repair": "Repair",
    "polish": "Polish",
    "direct": "Direct",
    "schedule": "Planning",
    "weigh": "Salience",
}
"""By the name used in files."""


def title_of(prompt: str) -> str:
    """A prompt's name on screen; an unknown one keeps its own."""
    return TITLES.get(prompt, prompt.capitalize())
