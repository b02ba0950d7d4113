"""The contracts, one class for each kind of thing that can be exchanged."""

from __future__ import annotations

from ethos_memory.testing.contract.identity_map import IdentityMapContract
from ethos_memory.testing.contract.provider import ProviderContract
from ethos_memory.testing.contract.session_store import SessionStoreContract

__all__ = ["IdentityMapContract", "ProviderContract", "SessionStoreContract"]
