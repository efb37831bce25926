"""The text of a file that has to be in UTF-8."""

from __future__ import annotations

from adstudio.core.control_characters import CONTROL_CHARACTER, control_characters_in
from adstudio.core.rule_findings import Findings, Rule
from adstudio.subtitles.decoding import decode
from adstudio.subtitles.formats import refuse_binary
from adstudio.subtitles.lines import split_lines

CONTROLS = Rule("text:controls", "Unicode 23.1, control codes other than tab and line ends")
_MARK = "\ufeff"


def text_lines(data: bytes, name: str, rule: Rule, findings: Findings) -> list[str]:
    """The lines of a file, without a byte-order mark; control characters are found.

    So is that it is in another encoding, in which it is then read.

    Raises:
        SubtitleError: for what is no text.
    """
    refuse_binary(data, name)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        source, _ = decode(data, name)
        line = data.count(b"\n", 0, error.start) + 1
        what = f"the file is not in UTF-8 (it may be in {source.encoding}): save it as UTF-8"
        findings.add(rule, what, line)
        text = source.clean(source.text)
    check_control_characters(text, findings)
    return split_lines(text.removeprefix(_MARK))


def check_control_characters(text: str, findings: Findings, *, advice: bool = False) -> None:
    """Find the lines that have control characters in them."""
    if CONTROL_CHARACTER.search(text) is None:
        return
    for number, line in enumerate(split_lines(text), 1):
        found = control_characters_in(line)
        if found:
            findings.add(CONTROLS, f"there are control characters ({found}): remove them", number, advice=advice)
