"""A desk with the actions for versions, in a window that is never shown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desks import desk_on


@pytest.fixture
def context(qapp, tmp_path: Path) -> Iterator[object]:
    with desk_on(tmp_path) as desk:
        yield desk


@pytest.fixture
def versions(context):
    from adstudio.ui.versions.versions import Versions

    return Versions(context, context.session.parent())
