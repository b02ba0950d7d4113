"""How a person is learned: the profile's rules, with a provider and a clock."""

from __future__ import annotations

from ethos_memory.learning.asking import ANSWER_SECONDS, asked
from ethos_memory.learning.learner import Draft, Learner
from ethos_memory.learning.page import IDENTITY_KEY, OBSERVATIONS_KEY
from ethos_memory.learning.said import SaidMessage

__all__ = [
    "ANSWER_SECONDS",
    "IDENTITY_KEY",
    "OBSERVATIONS_KEY",
    "Draft",
    "Learner",
    "SaidMessage",
    "asked",
]
