"""The text of a file that has to be in UTF-8."""

from __future__ import annotations

from adstudio.core.rule_findings import Rule
from adstudio.subtitles.decoding import decode
from adstudio.subtitles.formats import refuse_binary
from adstudio.subtitles.lines import split_lines
from adstudio.validation.findings import Findings

_MARK = "\ufeff"


def text_lines(data: bytes, name: str, rule: Rule, findings: Findings) -> list[str]:
    """The lines of a file, without a byte-order mark; that it is in another encoding is found, and it is read in that.

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
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        findings.add(rule, "there is a null character: remove it", line)
    return split_lines(text.removeprefix(_MARK))
