"""Asks a host's model, and waits no longer than is fair."""

from __future__ import annotations

import contextvars
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["ANSWER_SECONDS", "asked"]

#: How long a host's model may take. A run that hangs must end, and a minute is more
#: than a page of 1,000 characters takes.
ANSWER_SECONDS: Final = 60.0


def asked(ask: Callable[..., object], *given: object, seconds: float) -> object:
    """Call a host's function in a thread, and wait for it.

    It is left to itself when the time is over: what it answers then reaches nobody.

    Args:
        ask: An extractor or synthesizer.
        given: Its arguments.
        seconds: How long to wait.

    Returns:
        What it returned.

    Raises:
        TimeoutError: When it did not answer in time.
        BaseException: Whatever it raised.
    """
    answers: list[object] = []
    faults: list[BaseException] = []
    context = contextvars.copy_context()

    def run() -> None:
        try:
            answers.append(context.run(ask, *given))
        # Raised again below, in the caller's thread.
        except BaseException as fault:  # noqa: BLE001
            faults.append(fault)

    worker = threading.Thread(target=run, name="ethos-memory-model", daemon=True)
    worker.start()
    worker.join(seconds)
    if faults:
        raise faults[0]
    if not answers:
        msg = f"the host's model did not answer within {seconds:g} s"
        raise TimeoutError(msg)
    return answers[0]
