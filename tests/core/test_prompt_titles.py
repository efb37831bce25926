"""What people call the prompts."""

from __future__ import annotations

import pytest

from adstudio.core.prompt_titles import TITLES, title_of
from adstudio.drafting.model.prompts import NAMES, PromptError, prompts


def test_every_prompt_has_a_title_of_its_own_which_refusals_use():
    assert set(NAMES) <= set(TITLES)
    assert len(set(TITLES.values())) == len(TITLES)
    for name in NAMES:
        with pytest.raises(PromptError, match=f"the prompt “{TITLES[name]}” is empty"):
            prompts({name: " "})
    assert title_of("unheard") == "Unheard"
