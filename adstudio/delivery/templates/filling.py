"""A script in a house's own document."""

from __future__ import annotations

from adstudio.core.errors import BadInputError, Oddity
from adstudio.delivery.columns import ScriptTable
from adstudio.delivery.document_head import DocumentHead
from adstudio.delivery.template_file import Template
from adstudio.delivery.templates.sheet_template import fill_sheet_template
from adstudio.delivery.templates.word_template import fill_word_template

_FILL = {".docx": fill_word_template, ".xlsx": fill_sheet_template}


def filled_template(
    template: Template, ending: str, table: ScriptTable, head: DocumentHead
) -> tuple[bytes, tuple[Oddity, ...]]:
    """The template filled in, as a file with this ending, and what is odd about it.

    Raises:
        BadInputError: for a template that cannot be used, or is of another format.
        TimeError: for a start timecode that is not valid at the frame rate.
    """
    if template.ending != ending:
        other = template.ending.removeprefix(".")
        raise BadInputError(f"{template.name} cannot be filled in as {ending}: choose the format {other}")
    return _FILL[ending](template, table, head)
