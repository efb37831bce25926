"""The language-model servers that this workplace knows: settings, tests, consent, and what was sent to them."""
