"""Checking a file against the rules of DAPT."""

from __future__ import annotations

import codecs
import re

from adstudio.core.errors import BadInputError
from adstudio.core.rule_findings import RuleFinding, by_line
from adstudio.dapt import rules
from adstudio.dapt.agent_checks import check_agents
from adstudio.dapt.audio_checks import check_audio
from adstudio.dapt.content_checks import check_content
from adstudio.dapt.document import Document
from adstudio.dapt.names import TTML
from adstudio.dapt.root_checks import check_root
from adstudio.dapt.structure_checks import check_structure
from adstudio.dapt.time_checks import check_times
from adstudio.dapt.xml_tree import Element, XmlDeclaration, XmlError, XmlProblem, parse
from adstudio.subtitles.lines import quoted

_DECLARED = re.compile(rb"""\s*<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']""")
_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def check_dapt(data: bytes, name: str) -> tuple[RuleFinding, ...]:
    """What breaks a rule of DAPT in a file, in the order of its lines; advice too.

    Raises:
        BadInputError: for a document beyond the limits of depth and size.
    """
    findings = [*_encoding(data)]
    if not any(finding.rule is rules.SERIALIZATION for finding in findings):
        try:
            root, declaration = parse(data)
        except XmlError as error:
            if error.problem is XmlProblem.TOO_LARGE:
                raise BadInputError(f"{name}, line {error.line}: {error.what}; check that it is a script") from error
            return (RuleFinding(rules.SERIALIZATION, error.what, error.line),)
        findings += _declared(declaration)
        findings += check_tree(root)
    return by_line(findings)


def check_tree(root: Element) -> tuple[RuleFinding, ...]:
    """The same for a document that has been read as XML, without what is about its bytes."""
    document = Document(root)
    if root.name != (TTML, "tt"):
        where = f"in the namespace {quoted(root.namespace)}" if root.namespace else "in no namespace"
        what = f"the root element is <{root.local}> {where}: DAPT begins with <tt> in {TTML}"
        document.add(rules.NAMESPACES, what, root)
        return document.findings.by_line()
    for check in (check_root, check_agents, check_times, check_content, check_structure, check_audio):
        check(document)
    return document.findings.by_line()


def _encoding(data: bytes) -> list[RuleFinding]:
    """What is wrong with the bytes, so that they are not read any further."""
    found: list[RuleFinding] = []
    rule = rules.SERIALIZATION
    if data.startswith(_BOMS):
        found.append(RuleFinding(rule, "the file begins with a byte-order mark: save it as UTF-8 without one", 1))
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        declared = _DECLARED.match(data)
        label = f" (it declares {declared[1].decode()})" if declared else ""
        found.append(RuleFinding(rule, f"the file is not in UTF-8{label}: save it as UTF-8", line))
    return found


def _declared(declaration: XmlDeclaration) -> list[RuleFinding]:
    found: list[RuleFinding] = []
    if declaration.encoding and declaration.encoding.lower() != "utf-8":
        what = f"the file declares the encoding {quoted(declaration.encoding)}: it has to be UTF-8"
        found.append(RuleFinding(rules.SERIALIZATION, what, 1))
    if declaration.version not in ("", "1.0"):
        what = f"the file is XML {quoted(declaration.version)}: it has to be XML 1.0"
        found.append(RuleFinding(rules.SERIALIZATION, what, 1))
    return found
