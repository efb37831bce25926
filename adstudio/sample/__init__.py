"""The sample film: a drama of under three minutes, made by code from what people wrote in `resources/sample`."""

from __future__ import annotations

from adstudio.sample.make import SampleFilm, make_sample

__all__ = ["SampleFilm", "make_sample"]
