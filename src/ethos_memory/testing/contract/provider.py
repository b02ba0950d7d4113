"""The whole contract of a `MemoryProvider`."""

from __future__ import annotations

from ethos_memory.testing.contract.durability import DurabilityContract
from ethos_memory.testing.contract.history import HistoryContract
from ethos_memory.testing.contract.isolation import IsolationContract
from ethos_memory.testing.contract.listing import ListingContract
from ethos_memory.testing.contract.names import NamesContract
from ethos_memory.testing.contract.revisions import RevisionsContract
from ethos_memory.testing.contract.searching import SearchingContract
from ethos_memory.testing.contract.updating import UpdatingContract

__all__ = ["ProviderContract"]


class ProviderContract(
    NamesContract,
    UpdatingContract,
    RevisionsContract,
    IsolationContract,
    ListingContract,
    SearchingContract,
    HistoryContract,
    DurabilityContract,
):
    """Everything that a provider promises, as tests.

    Subclass it, override the fixture `provider` with one that returns a fresh and
    empty provider, and `reopen` when memory outlives the object. What a backend cannot
    do is declined in `capabilities`; no test can be overridden.

    Attributes:
        capabilities: What the provider declines; everything is promised by default.
    """
