"""The word that the describer means when asking for its pronunciation."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QWidget

from adstudio.spelling.names import project_names
from adstudio.ui.session.context import Context
from adstudio.ui.voice.word_choice import likely_name, selected_word, word_at


def asked_word(context: Context) -> str:
    """The selected word, the one at the text cursor, else the selected line's first unknown name; empty for none."""
    return _in_text(QApplication.focusWidget()) or _in_line(context)


def _in_text(field: QWidget | None) -> str:
    match field:
        case QPlainTextEdit():
            cursor, text = field.textCursor(), field.toPlainText()
            selection = cursor.selectedText()
            if selection:
                return "" if len(selection) == len(text) and " " in text else selected_word(selection)
            # Qt counts in units of UTF-16.
            before = text.encode("utf-16-le")[: 2 * cursor.position()].decode("utf-16-le", "ignore")
            return word_at(text, len(before))
        case QLineEdit():
            return selected_word(field.selectedText())
        case _:
            return ""


def _in_line(context: Context) -> str:
    session = context.session
    line = session.cursor.line
    if line is None:
        return ""
    delivery = session.plan.by_line.get(line.id)
    text = line.variants[0 if delivery is None else delivery.variant].text
    words = (entry.word for entry in session.script.lexicon)
    return likely_name(text, context.spelling.spans(text), project_names(session.script), words)
