"""A law is broken by a counterexample, and not by a busy machine.

Under load one example may take longer than Hypothesis allows, the first above all, which
reads its table of characters and compiles the guard's rules.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "law", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("law")
