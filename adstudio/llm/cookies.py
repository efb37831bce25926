"""No cookies: a request says nothing of the one before it, which may have been another film's or another person's."""

from __future__ import annotations

from http.cookiejar import CookieJar, DefaultCookiePolicy


def no_cookies() -> CookieJar:
    """A jar for an HTTP client that accepts none from any server and sends none."""
    return CookieJar(DefaultCookiePolicy(allowed_domains=()))
