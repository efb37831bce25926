"""The language of a film, as it is typed."""

import pytest

from adstudio.ui.files.film_fields import FilmFields


@pytest.mark.parametrize(("typed", "tag"), [("German (de)", "de"), ("DE_at", "de-AT"), ("eng", "en"), ("bfi", "bfi")])
def test_a_language_is_read_in_its_usual_form(qtbot, typed: str, tag: str):
    fields = FilmFields()
    qtbot.addWidget(fields)
    fields.language_field.setEditText(typed)
    assert (fields.language, fields.problem) == (tag, "")


def test_what_is_no_language_is_said_with_the_nearest(qtbot):
    fields = FilmFields()
    qtbot.addWidget(fields)
    fields.language_field.setEditText("klingon")
    assert "tlh (Klingon)" in fields.problem
