"""What people call the prompts, wherever they are told of one: a page, a refusal, the undo list."""

from __future__ import annotations

TITLES: dict[str, str] = {
    "system": "In all",
    "describe": "Describing",
    "screenplay": "With a screenplay",
    "candidates": "Elements",
    "repair": "Mending",
    "polish": "Polish",
    "direct": "Direct",
    "schedule": "Planning",
    "weigh": "Salience",
}
"""By the name that files know them by."""


def title_of(prompt: str) -> str:
    """What a prompt is called; one that is not known goes by its own name."""
    return TITLES.get(prompt, prompt.capitalize())
