"""Whatever is kept in PostgreSQL runs the whole contract as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from typing_extensions import override

from ethos_memory.guard import InjectionGuard
from ethos_memory.identity_map.postgres import PostgresIdentityMap
from ethos_memory.pg import Database
from ethos_memory.providers.guarded import GuardedProvider
from ethos_memory.providers.postgres import PostgresProvider
from ethos_memory.sessions.postgres import PostgresSessionStore
from ethos_memory.testing import (
    Capabilities,
    IdentityMapContract,
    ProviderContract,
    SessionStoreContract,
)
from postgres.server import SHARED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ethos_memory.identity_map import AccountMap
    from ethos_memory.provider import MemoryProvider
    from ethos_memory.sessions import SessionStore
    from postgres.server import Server

GUARD = InjectionGuard()


class TestPostgres(ProviderContract):
    """Memory in a schema."""

    @pytest.fixture(autouse=True)
    def _database(self, postgres: Server) -> Iterator[None]:
        self.database = postgres.emptied()
        self.server = postgres
        self.shared = self.database
        yield
        if self.database is not self.shared:
            self.database.close()

    def open(self) -> MemoryProvider:
        """Open the schema."""
        return PostgresProvider(self.database, kinds=self.capabilities.kinds)

    @pytest.fixture
    @override
    def provider(self) -> MemoryProvider:
        """Return an empty one."""
        return self.open()

    @override
    def reopen(self, provider: MemoryProvider) -> MemoryProvider:
        """Open the same schema again."""
        self.database = Database(self.server.dsn, schema=SHARED)
        return self.open()


class TestGuardedPostgres(TestPostgres):
    """The same behind the guard."""

    @override
    def open(self) -> MemoryProvider:
        """Open the schema behind the guard."""
        return GuardedProvider(super().open(), GUARD)


class TestPostgresTeams(TestPostgres):
    """Team memory in PostgreSQL."""

    capabilities = Capabilities(kinds=("team",))


class TestGuardedPostgresTeams(TestPostgresTeams):
    """The same behind the guard."""

    @override
    def open(self) -> MemoryProvider:
        """Open the schema's teams behind the guard."""
        return GuardedProvider(super().open(), GUARD)


class TestPostgresAccounts(IdentityMapContract):
    """Accounts in a schema."""

    @pytest.fixture(autouse=True)
    def _database(self, postgres: Server) -> Iterator[None]:
        self.server = postgres
        self.database = postgres.emptied()
        self.reopened: list[Database] = []
        yield
        for database in self.reopened:
            database.close()

    @pytest.fixture
    @override
    def identity_map(self) -> AccountMap:
        """Return an empty one."""
        return PostgresIdentityMap(self.database)

    @override
    def reopen(self, identity_map: AccountMap) -> AccountMap:
        """Open the same schema again."""
        self.reopened.append(Database(self.server.dsn, schema=SHARED))
        return PostgresIdentityMap(self.reopened[-1])


class TestPostgresSessions(SessionStoreContract):
    """Conversations in a schema."""

    can_back_up = False

    @pytest.fixture(autouse=True)
    def _database(self, postgres: Server) -> Iterator[None]:
        self.server = postgres
        self.database = postgres.emptied()
        self.reopened: list[Database] = []
        yield
        for database in self.reopened:
            database.close()

    @pytest.fixture
    @override
    def store(self) -> SessionStore:
        """Return an empty one."""
        return PostgresSessionStore(self.database)

    @override
    def reopen(self, store: SessionStore) -> SessionStore:
        """Open the same schema again."""
        self.reopened.append(Database(self.server.dsn, schema=SHARED))
        return PostgresSessionStore(self.reopened[-1])
