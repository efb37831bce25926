"""The rules of DAPT that are checked, each with where the specification has it.

Rules of DAPT itself are named after the extensions of its profile (`#represents` is `dapt:represents`), those of TTML2
that it narrows after TTML2's features (`#timeContainer` is `ttml:timeContainer`).
"""

from __future__ import annotations

from adstudio.core.rule_findings import Rule

SERIALIZATION = Rule("dapt:serialization", "DAPT, Document Encoding, #serialization")
NAMESPACES = Rule("dapt:namespaces", "DAPT, Namespaces")
CONTENT_PROFILES = Rule("dapt:contentProfiles-root", "DAPT, ttp:contentProfiles, #contentProfiles-root")
PROFILE = Rule("dapt:profile-root", "DAPT, ttp:profile, #profile-root")
PROCESSOR_PROFILES = Rule("dapt:processorProfiles", "DAPT, ttp:processorProfiles")
ROOT_LANGUAGE = Rule("dapt:xmlLang-root", "DAPT 4.1.2 Default Language, #xmlLang-root")
SCRIPT_TYPE = Rule("dapt:scriptType-root", "DAPT 4.1.3 Script Type, #scriptType-root")
SCRIPT_REPRESENTS = Rule("dapt:scriptRepresents-root", "DAPT 4.1.1 Script Represents, #scriptRepresents-root")
REPRESENTS = Rule("dapt:represents", "DAPT, Represents, #represents")
AGENT = Rule("dapt:agent", "DAPT 4.2 Character, #agent")
ORIGIN_TIMECODE = Rule("dapt:daptOriginTimecode", "DAPT, Timecode, #daptOriginTimecode")
SCRIPT_EVENT = Rule("dapt:scriptEvent", "DAPT 4.3 Script Event")
EVENT_MAPPING = Rule("dapt:scriptEventMapping", "DAPT 6.3 Handling <div> and <p> elements, #scriptEventMapping")
ON_SCREEN = Rule("dapt:onScreen", "DAPT, On Screen, #onScreen")
DESCRIPTION_TYPE = Rule("dapt:descType", "DAPT, Script Event Description, #descType")
LANGUAGE_SOURCE = Rule("dapt:textLanguageSource", "DAPT, Text Language Source, #textLanguageSource")
AUDIO = Rule("dapt:audio", "DAPT, Audio Recording")
SOURCE_DATA = Rule("dapt:source-data", "DAPT, Audio Recording, #source-data")
AUDIO_LANGUAGE = Rule("dapt:xmlLang-audio-nonMatching", "DAPT, Audio Recording, #xmlLang-audio-nonMatching")
SYNTHESIZED = Rule("dapt:synthesizedAudio", "DAPT, Synthesized Audio")
MIXING = Rule("dapt:mixingInstruction", "DAPT, Mixing Instruction")

TIME_BASE = Rule("ttml:timeBase", "DAPT, ttp:timeBase")
TIME_CONTAINER = Rule("ttml:timeContainer", "DAPT, timeContainer, #timeContainer prohibited")
FRAME_RATE = Rule("ttml:frameRate", "DAPT, ttp:frameRate; TTML2 7.2.5")
TICK_RATE = Rule("ttml:tickRate", "DAPT, ttp:tickRate; TTML2 7.2.10")
PROHIBITED_PARAMETER = Rule("ttml:prohibited-parameter", "DAPT, Disposition of Features, prohibited")
TIME_EXPRESSION = Rule("ttml:time-expression", "DAPT, Time expressions; TTML2 12.3.1")
CLOCK_FRAMES = Rule("ttml:time-clock-with-frames", "DAPT, Disposition of Features, #time-clock-with-frames prohibited")
ANIMATION = Rule("ttml:animation-out-of-line", "DAPT, Mixing Instruction, #animation-out-of-line prohibited")
LANGUAGE = Rule("xml:lang", "XML 1.0 section 2.12 (BCP 47)")
IDENTIFIER = Rule("xml:id", "xml:id 1.0 section 4")
REFERENCE = Rule("ttml:reference", "TTML2 (references by xml:id)")
STRUCTURE = Rule("ttml:structure", "TTML2 section 8 (content) and 5.3 (vocabulary)")
