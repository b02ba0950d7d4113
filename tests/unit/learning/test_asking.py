from __future__ import annotations

import contextvars
import threading

import pytest

from ethos_memory.learning import asked


def test_what_the_host_returns_is_returned() -> None:
    assert asked(lambda a, b: (a, b), 1, 2, seconds=5) == (1, 2)
    assert asked(lambda: None, seconds=5) is None


@pytest.mark.parametrize("fault", [TimeoutError("theirs"), KeyboardInterrupt()])
def test_what_the_host_raises_is_raised(fault: BaseException) -> None:
    def ask() -> object:
        raise fault

    with pytest.raises(type(fault)) as caught:
        asked(ask, seconds=5)
    assert caught.value is fault


def test_one_that_hangs_is_left_to_itself() -> None:
    gate = threading.Event()
    with pytest.raises(TimeoutError, match=r"within 0\.01 s"):
        asked(lambda: gate.wait(5), seconds=0.01)
    gate.set()


def test_the_hosts_context_comes_along() -> None:
    """A tracing library of the host sees its own request."""
    request = contextvars.ContextVar("request", default="none")
    request.set("r7")
    assert asked(request.get, seconds=5) == "r7"
