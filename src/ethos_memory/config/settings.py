"""What an operator decided, as a value."""

from __future__ import annotations

import os
import re
from contextlib import closing
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ethos_memory.config.reader import Backend, read_fields
from ethos_memory.disk import Root
from ethos_memory.errors import CorruptFileError, PageTooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Self

__all__ = ["CONFIG_NAME", "MAX_CONFIG_BYTES", "Config", "parse_config"]

#: Ethos's name for it, in the root.
CONFIG_NAME: Final = "config.yaml"

#: Far more than people write by hand; a larger file is something else.
MAX_CONFIG_BYTES: Final = 256 * 1024

_NAME: Final = r"[A-Za-z_][A-Za-z0-9_]*"
_VARIABLE: Final = re.compile(rf"\$\{{({_NAME})\}}|env:({_NAME})|({_NAME})")


def _kept(values: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(dict(values))


@frozen(kw_only=True)
class Config:
    """What ``config.yaml`` says; without one, the defaults.

    Attributes:
        owners: The owner's account id on each platform; ``""`` matches nobody.
        private_chats: The rooms on each platform that count as private.
        memory: Which provider keeps the memory.
        vault_path: The vault of `memory` ``"vault"``.
        vault_agent_dir: The agent's folder in the vault.
        vector_embedder: The entry point of the embedder, for ``"vector"``.
        postgres_dsn: As written, see `resolve_postgres_dsn`. Private: in no `repr`.
        guard: Arguments for a `GuardPolicy`: ``accepted`` and thresholds.
    """

    owners: Mapping[str, str] = field(factory=dict, converter=_kept, repr=False)
    private_chats: Mapping[str, tuple[str, ...]] = field(
        factory=dict, converter=_kept, repr=False
    )
    memory: Backend = "markdown"
    vault_path: str | None = None
    vault_agent_dir: str = "Ethos"
    vector_embedder: str | None = None
    postgres_dsn: str | None = field(default=None, repr=False)
    guard: Mapping[str, Any] = field(factory=dict, converter=_kept, repr=False)

    @classmethod
    def load(
        cls,
        root: str | os.PathLike[str] | Root,
        *,
        trusted_links: Iterable[str | os.PathLike[str]] = (),
    ) -> Self:
        """Read the config of a home. Nothing is created.

        Args:
            root: The home, as a path or already open. ``~`` is not expanded.
            trusted_links: Folders that a linked ``config.yaml`` may lead into, when
                `root` is a path.

        Returns:
            The defaults when there is no file.

        Raises:
            CorruptFileError: When the file cannot be read or understood; names the
                file and the line, never what stands there.
            UnsupportedError: On Windows.
        """
        if isinstance(root, Root):
            return cls._read(root)
        with closing(Root(root, trusted_links=trusted_links)) as opened:
            return cls._read(opened)

    @classmethod
    def _read(cls, root: Root) -> Self:
        file = str(root.path / CONFIG_NAME)
        stored, reason = None, ""
        try:
            with root.folder() as folder:
                if folder is not None:
                    stored = folder.read(CONFIG_NAME, max_bytes=MAX_CONFIG_BYTES)
        except PageTooLargeError:
            reason = f"larger than {MAX_CONFIG_BYTES} bytes"
        except OSError as error:
            reason = getattr(error, "reason", None) or error.strerror or "unreadable"
        if reason:
            raise CorruptFileError(file, reason)
        return cls(**read_fields(stored.data if stored else b"", file))

    def resolve_postgres_dsn(
        self, environ: Mapping[str, str] | None = None
    ) -> str | None:
        """Return the connection string, from the environment when it is named there.

        ``${NAME}``, ``env:NAME`` and a bare ``NAME`` name a variable: no connection
        string is one word.

        Args:
            environ: `os.environ` by default.

        Returns:
            `None` when none is set.

        Raises:
            CorruptFileError: When it names a variable that is missing or empty.
        """
        named = _VARIABLE.fullmatch(self.postgres_dsn or "")
        if named is None:
            return self.postgres_dsn
        variables = os.environ if environ is None else environ
        dsn = variables.get(named[1] or named[2] or named[3], "")
        if not dsn:
            raise CorruptFileError(
                CONFIG_NAME, "memoryPostgres.dsn names a variable that is not set"
            )
        return dsn


def parse_config(text: str | bytes, *, file: str = CONFIG_NAME) -> Config:
    """Read the text of a config.

    Args:
        text: All of it; bytes must be UTF-8.
        file: Its name, for the errors.

    Returns:
        What it says. Keys that are not ours are not looked at.

    Raises:
        CorruptFileError: When it cannot be understood; names the line, never what
            stands there.
    """
    return Config(**read_fields(text, file))
