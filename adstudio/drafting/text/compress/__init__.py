"""Compression of a description's sentences by their grammar, and the checklist that the result must pass."""

from adstudio.drafting.text.compress.checklist import faults
from adstudio.drafting.text.compress.shorten import Compression, compressions

__all__ = ["Compression", "compressions", "faults"]
