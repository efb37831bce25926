"""What the tests of the window about characters share."""

from __future__ import annotations

import pytest
from desks import desk_on


@pytest.fixture
def context(qtbot, tmp_path):
    """A context with a small film open."""
    with desk_on(tmp_path) as made:
        yield made


@pytest.fixture
def said(context):
    """All that is said."""
    sentences = []
    context.session.messages.said.connect(sentences.append)
    return sentences
