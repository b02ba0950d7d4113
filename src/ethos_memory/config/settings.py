"""What an operator decided, as a value."""

from __future__ import annotations

from contextlib import closing
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from ethos_memory.config.choice import AGENT_DIR, BUILT_IN, ProviderChoice
from ethos_memory.config.reader import read_fields
from ethos_memory.disk import Root
from ethos_memory.errors import CorruptFileError, PageTooLargeError

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping
    from typing import Self

    from ethos_memory.disk import Folder

__all__ = ["CONFIG_NAME", "MAX_CONFIG_BYTES", "Config", "parse_config", "read_config"]

#: Ethos's name for it, in the root.
CONFIG_NAME: Final = "config.yaml"

#: Far more than people write by hand; a larger file is something else.
MAX_CONFIG_BYTES: Final = 256 * 1024


def _kept(values: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(dict(values))


@frozen(kw_only=True)
class Config:
    """What ``config.yaml`` says; without one, the defaults.

    Attributes:
        owners: The owner's account id on each platform; ``""`` matches nobody.
        private_chats: The rooms on each platform that count as private.
        memory: Which provider keeps the memory: one of ours, or the name that an
            installed package registered.
        options: For a package's provider. Private: in no `repr`.
        vault_path: The vault of `memory` ``"vault"``.
        vault_agent_dir: The agent's folder in the vault.
        vector_embedder: The entry point of the embedder, for ``"vector"``.
        postgres_dsn: As written, see `resolve_postgres_dsn`. Private: in no `repr`.
        guard: Arguments for a `GuardPolicy`: ``accepted`` and thresholds.
        file: Where it was read, for errors.
        lines: Where each setting stands, counted from 1; for errors.
    """

    owners: Mapping[str, str] = field(factory=dict, converter=_kept, repr=False)
    private_chats: Mapping[str, tuple[str, ...]] = field(
        factory=dict, converter=_kept, repr=False
    )
    memory: str = "markdown"
    options: Mapping[str, str] = field(factory=dict, converter=_kept, repr=False)
    vault_path: str | None = None
    vault_agent_dir: str = AGENT_DIR
    vector_embedder: str | None = None
    postgres_dsn: str | None = field(default=None, repr=False)
    guard: Mapping[str, Any] = field(factory=dict, converter=_kept, repr=False)
    file: str = field(default=CONFIG_NAME, eq=False, repr=False)
    lines: Mapping[str, int] = field(
        factory=dict, converter=_kept, eq=False, repr=False
    )

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
        data, reason = b"", ""
        try:
            with root.folder() as folder:
                data = b"" if folder is None else read_config(folder)
        except OSError as error:
            reason = _reason(error)
        if reason:
            raise CorruptFileError(file, reason)
        return cls(**read_fields(data, file))

    @property
    def choice(self) -> ProviderChoice:
        """The provider that keeps the memory, with its settings."""
        block, options = "memoryOptions", dict(self.options)
        if self.memory in BUILT_IN:
            block = f"memory{self.memory.title()}"
            options = self._built_in_options()
        lines = {one: self.lines.get(f"{block}.{one}", 0) for one in options}
        return ProviderChoice(
            self.memory,
            options,
            file=self.file,
            block=block,
            lines={**lines, "": self.lines.get("memory", 0)},
        )

    def _built_in_options(self) -> dict[str, str]:
        values = {
            "embedder": self.vector_embedder,
            "path": self.vault_path,
            "agentDir": self.vault_agent_dir,
            "dsn": self.postgres_dsn,
        }
        named = {option: values[option] for option in BUILT_IN[self.memory]}
        # As if it had not been written: a personality's choice may be the same one.
        if named.get("agentDir") == AGENT_DIR:
            del named["agentDir"]
        return {option: value for option, value in named.items() if value}

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
        if not self.postgres_dsn:
            return None
        choice = ProviderChoice(
            "postgres",
            {"dsn": self.postgres_dsn},
            file=self.file,
            block="memoryPostgres",
            lines={"dsn": self.lines.get("memoryPostgres.dsn", 0)},
        )
        return choice.resolve("dsn", may_be_bare=True, environ=environ)


def _reason(error: OSError) -> str:
    return getattr(error, "reason", None) or error.strerror or "unreadable"


def read_config(folder: Folder) -> bytes:
    """Read the config in a folder, whole.

    Args:
        folder: The home's, or a personality's.

    Returns:
        Nothing when there is none.

    Raises:
        CorruptFileError: When it cannot be read; it never counts as an absent one.
    """
    stored, reason = None, ""
    try:
        stored = folder.read(CONFIG_NAME, max_bytes=MAX_CONFIG_BYTES)
    except PageTooLargeError:
        reason = f"larger than {MAX_CONFIG_BYTES} bytes"
    except OSError as error:
        reason = _reason(error)
    if reason:
        raise CorruptFileError(folder.label_of(CONFIG_NAME), reason)
    return b"" if stored is None else stored.data


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
