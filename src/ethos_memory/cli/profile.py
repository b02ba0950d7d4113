"""``profile``: what was learned about a person, and the document it became."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ethos_memory.cli.command import FINE, Refused
from ethos_memory.cli.console import counted, paint
from ethos_memory.cli.home import opened
from ethos_memory.entry import trim
from ethos_memory.learning import IDENTITY_KEY, OBSERVATIONS_KEY

if TYPE_CHECKING:
    from ethos_memory.cli.command import Call
    from ethos_memory.profile import Observation

__all__ = ["forget_profile", "show_observations", "show_profile", "synthesize_profile"]


def show_profile(call: Call) -> int:
    """Print the identity document of a scope, as it is.

    Raises:
        Refused: When there is none yet.
    """
    scope = call.options.scope
    with opened(call) as memory:
        entry = memory.provider.unsafe_read(scope, IDENTITY_KEY)
    if entry is None or not trim(entry.content):
        raise Refused(f"{scope} has no identity document yet")
    if call.is_json:
        call.console.json(
            {"document": entry.content, "updated_at": entry.updated_at.isoformat()}
        )
        return FINE
    call.console.page(entry.content)
    return FINE


def show_observations(call: Call) -> int:
    """Print what waits to be merged into the document, oldest first.

    Returns:
        `FINE`; whether a synthesis is due is said on standard error.
    """
    scope = call.options.scope
    with opened(call) as memory:
        waiting = memory.learner.observations(scope)
        is_due = memory.learner.is_due(scope)
    if call.is_json:
        call.console.json([_observation_json(one) for one in waiting])
        return FINE
    for one in waiting:
        call.console.line(f"- {one.text}", paint("dim", f"  {one.section}"))
    due = "a synthesis is due" if is_due else "no synthesis is due yet"
    call.console.note(f"{counted(len(waiting), 'observation')}; {due}")
    return FINE


def synthesize_profile(call: Call) -> int:
    """Merge what waits into the document, by the built-in rules, and print it.

    Raises:
        Refused: When it is not due.
        GuardRefusedError: When the result is refused; nothing was changed.
    """
    scope = call.options.scope
    with opened(call) as memory:
        document = memory.synthesize(scope)
    if document is None:
        raise Refused(f"nothing to do: no synthesis of {scope} is due")
    if call.is_json:
        call.console.json({"document": document})
        return FINE
    call.console.page(document)
    return FINE


def forget_profile(call: Call) -> int:
    """Delete the document and what waits for it. Earlier states stay in the history.

    Returns:
        `FINE`, also when there was nothing.
    """
    scope = call.options.scope
    with opened(call) as memory:
        known = {ref.key for ref in memory.provider.list(scope)}
        gone = [key for key in (IDENTITY_KEY, OBSERVATIONS_KEY) if key in known]
        memory.learner.forget(scope)
    if call.is_json:
        call.console.json({"deleted": gone})
        return FINE
    call.console.line(f"deleted {', '.join(gone)}" if gone else "nothing to delete")
    if gone:
        call.console.note("earlier states stay in the history; see users forget")
    return FINE


def _observation_json(one: Observation) -> dict[str, object]:
    return {
        "text": one.text,
        "kind": one.kind,
        "section": one.section,
        "at": one.at.isoformat(),
        "seen": one.seen,
    }
