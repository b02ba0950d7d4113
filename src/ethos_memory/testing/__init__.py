"""The contracts as tests: for anybody's provider, session store or identity map.

Subclass a contract in your own tests, override its one fixture, and run pytest::

    class TestMyProvider(ProviderContract):
        capabilities = Capabilities(history=False, erase=False, durable=False)

        @pytest.fixture
        def provider(self) -> MemoryProvider:
            return MyProvider()

Needs the extra ``testing``. Nothing here is loaded by pytest on its own.
"""

from __future__ import annotations

import pytest

# Before the contracts are imported: else a failed assert would show no values.
pytest.register_assert_rewrite(
    "ethos_memory.testing.contract", "ethos_memory.testing.state_machine"
)

from ethos_memory.testing.capabilities import Capabilities  # noqa: E402 - see above
from ethos_memory.testing.contract import (  # noqa: E402 - see above
    IdentityMapContract,
    ProviderContract,
    SessionStoreContract,
)
from ethos_memory.testing.fakes import (  # noqa: E402 - see above
    FailingSynthesizer,
    FakeClock,
    HashEmbedder,
)
from ethos_memory.testing.hostile import (  # noqa: E402 - see above
    HOSTILE_IDS,
    HOSTILE_KEYS,
    HOSTILE_QUERIES,
    HOSTILE_SCOPES,
    HOSTILE_TEXTS,
)
from ethos_memory.testing.state_machine import (  # noqa: E402 - see above
    ProviderStateMachine,
    provider_state_machine,
)
from ethos_memory.testing.strategies import (  # noqa: E402 - see above
    hostile_ids,
    hostile_keys,
    hostile_text,
    page_text,
    updates,
)

__all__ = [
    "HOSTILE_IDS",
    "HOSTILE_KEYS",
    "HOSTILE_QUERIES",
    "HOSTILE_SCOPES",
    "HOSTILE_TEXTS",
    "Capabilities",
    "FailingSynthesizer",
    "FakeClock",
    "HashEmbedder",
    "IdentityMapContract",
    "ProviderContract",
    "ProviderStateMachine",
    "SessionStoreContract",
    "hostile_ids",
    "hostile_keys",
    "hostile_text",
    "page_text",
    "provider_state_machine",
    "updates",
]
