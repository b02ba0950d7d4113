"""From settings to the fields of a `Config`, each checked where it stands."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from attrs import define, field

from ethos_memory.config.choice import BUILT_IN, OPTION, PROVIDER_NAME
from ethos_memory.config.lines import read_settings, refused, scalar
from ethos_memory.errors import InvalidAccountError
from ethos_memory.turn import Account

if TYPE_CHECKING:
    from ethos_memory.config.lines import Setting
    from ethos_memory.errors import CorruptFileError

__all__ = ["decoded", "folded", "read_fields"]

_OWNER: Final = re.compile(r"channel_filter\.(.+)\.ownerUserId")
_CHATS: Final = re.compile(r"gateway\.private_chats\.(.+)")
_OPTIONS: Final = re.compile(r"memoryOptions\.(.+)")

#: Settings that take one text, and the field each fills.
_TEXTS: Final = MappingProxyType(
    {
        "memoryVault.path": "vault_path",
        "memoryVault.agentDir": "vault_agent_dir",
        "memoryVector.embedder": "vector_embedder",
        "memoryPostgres.dsn": "postgres_dsn",
    }
)

#: Thresholds of the guard, and the argument of `GuardPolicy` each fills.
_THRESHOLDS: Final = MappingProxyType(
    {
        "memoryGuard.flagAt": "flag_at",
        "memoryGuard.withholdAt": "withhold_at",
        "memoryGuard.userFlagAt": "user_flag_at",
        "memoryGuard.userWithholdAt": "user_withhold_at",
    }
)

#: As `GuardPolicy` has it.
_HIGHEST_THRESHOLD: Final = 100
_NUMBER: Final = re.compile(r"[0-9]{1,3}")
_FINGERPRINT: Final = re.compile(r"[0-9a-f]{64}")

_NAMES: Final = ("memory", "memoryGuard.accepted", *_TEXTS, *_THRESHOLDS)


#: Blocks that Ethos does not know: what stands below is a setting of ours or a mistake.
_OURS_ALONE: Final = re.compile(r"memory(?:Guard|Vector|Postgres|Options)(?:\..*)?")

#: A personality's settings, which do nothing in the home's own config.
_PERSONALITY: Final = re.compile(r"memory\.(?:provider|options(?:\..*)?)")


def folded(path: str) -> str:
    """Return a key without what people get wrong in it: case, dashes, underscores."""
    return path.lower().replace("_", "").replace("-", "")


#: The settings without case and dashes, to find one that is misspelled, and how they
#: are spelled.
_SPELLINGS: Final = (
    (
        re.compile(r"channelfilter\.(.+)\.owneruserid"),
        _OWNER,
        "channel_filter.<platform>.ownerUserId",
    ),
    (
        re.compile(r"gateway\.privatechats\.(.+)"),
        _CHATS,
        "gateway.private_chats.<platform>",
    ),
    (
        re.compile(r"memoryoptions(?:\..+)?"),
        re.compile(r"memoryOptions(?:\..+)?"),
        "memoryOptions.<option>",
    ),
    *(
        (re.compile(re.escape(folded(name))), re.compile(re.escape(name)), name)
        for name in _NAMES
    ),
)
_FIRST_PARTS: Final = frozenset(
    {
        "channelfilter",
        "memoryoptions",
        *(folded(name).partition(".")[0] for name in _NAMES),
    }
)

#: ``channel_filter`` and a platform in it hold settings; text there may be an owner
#: that was put in the wrong place.
_FILTERS: Final = re.compile(r"channel_filter(?:\.[^.]+)?")


def _is_ours(key: str) -> bool:
    first, *more = folded(key).split(".")
    if first == "gateway":
        return more[:1] in ([], ["privatechats"])
    return first in _FIRST_PARTS


def _is_text(path: str) -> bool:
    forms = (_OWNER, _CHATS, _OPTIONS)
    return path in _NAMES or any(form.fullmatch(path) for form in forms)


@define
class _Reader:
    """Takes settings one by one and keeps what they say."""

    file: str
    fields: dict[str, Any] = field(
        factory=lambda: {"owners": {}, "private_chats": {}, "guard": {}, "options": {}}
    )
    seen: dict[str, int] = field(factory=dict)

    def take(self, setting: Setting) -> None:
        path = setting.path
        self._check_spelling(setting)
        if owner := _OWNER.fullmatch(path):
            self._take_owner(owner[1], setting)
        elif chats := _CHATS.fullmatch(path):
            self._take_chats(chats[1], setting)
        elif path in _NAMES:
            self._once(path, setting)
            self._take_named(setting)
        elif option := _OPTIONS.fullmatch(path):
            self._take_option(option[1], setting)
        elif _OURS_ALONE.fullmatch(path):
            self._check_block(setting)
        elif _PERSONALITY.fullmatch(path):
            reason = "of a personality; a home has 'memory: <name>' and memoryOptions"
            raise self._refused(setting, reason)
        elif _FILTERS.fullmatch(path) and setting.value not in {None, ""}:
            raise self._refused(setting, "settings of a platform stand below this key")

    def _check_block(self, setting: Setting) -> None:
        """Refuse what a block holds that is no setting, so that none is overlooked."""
        block, dot, _ = setting.path.partition(".")
        if not dot and not setting.value:
            return
        known = (name for name in (*_NAMES, "memoryOptions.<option>") if "." in name)
        here = ", ".join(name for name in known if name.startswith(f"{block}."))
        raise self._refused(setting, f"no setting; there are {here}")

    def _refused(self, setting: Setting, reason: str) -> CorruptFileError:
        return refused(self.file, setting.line, reason)

    def _check_spelling(self, setting: Setting) -> None:
        """Refuse a name that a person would read as a setting, and a machine would not."""
        plain = folded(setting.path)
        for near, exact, spelling in _SPELLINGS:
            if near.fullmatch(plain) and not exact.fullmatch(setting.path):
                raise self._refused(setting, f"misspelled: it is {spelling}")

    def _once(self, name: str, setting: Setting) -> None:
        if name in self.seen:
            raise self._refused(setting, f"set before, on line {self.seen[name]}")
        self.seen[name] = setting.line

    def _text(self, setting: Setting) -> str:
        if not isinstance(setting.value, str):
            raise self._refused(setting, "this setting takes one value")
        return setting.value

    def _texts(self, setting: Setting) -> list[str]:
        """Return the values of a list, or of a text with commas; blank ones are none."""
        values = setting.value
        if values is None:
            raise self._refused(setting, "this setting takes one value, or a list")
        if isinstance(values, str):
            if values.startswith("[") and values.endswith("]"):
                values = values[1:-1]
            read = [scalar(part) for part in values.split(",")]
            if None in read:
                raise self._refused(setting, "the quotes are not closed")
            return [value for value in read if value]
        return [value for value in values if value]

    def _account(self, platform: str, id: str, setting: Setting) -> Account:
        reason = ""
        try:
            return Account(platform, id)
        except InvalidAccountError as error:
            reason = error.reason
        # Outside of the handler: the error above holds the account.
        raise self._refused(setting, reason)

    def _take_owner(self, platform: str, setting: Setting) -> None:
        owner = self._text(setting)
        account = self._account(platform, owner or "nobody", setting)
        self._once(f"owner of {account.platform}", setting)
        self.fields["owners"][account.platform] = account.account_id if owner else ""

    def _take_chats(self, platform: str, setting: Setting) -> None:
        name = self._account(platform, "any", setting).platform
        self._once(f"chats of {name}", setting)
        self.fields["private_chats"][name] = tuple(
            self._account(name, chat, setting).account_id
            for chat in self._texts(setting)
        )

    def _take_named(self, setting: Setting) -> None:
        if setting.path == "memory":
            self._take_memory(setting)
        elif setting.path == "memoryGuard.accepted":
            self._take_accepted(setting)
        elif setting.path in _THRESHOLDS:
            self._take_threshold(setting)
        elif text := self._text(setting):
            self.fields[_TEXTS[setting.path]] = text

    def _take_memory(self, setting: Setting) -> None:
        value = setting.value
        if not isinstance(value, str) or not PROVIDER_NAME.fullmatch(value):
            known = ", ".join(BUILT_IN)
            reason = f"memory is one of {known}, or a name that a package registered"
            raise self._refused(setting, reason)
        self.fields["memory"] = value

    def _take_option(self, option: str, setting: Setting) -> None:
        if not OPTION.fullmatch(option):
            raise self._refused(setting, "an option is a word with one text")
        self._once(setting.path, setting)
        self.fields["options"][option] = self._text(setting)

    def finish(self) -> dict[str, Any]:
        """Return the fields, when they go together."""
        name = self.fields.get("memory", "markdown")
        if name in BUILT_IN and self.fields["options"]:
            line = min(
                self.seen[f"memoryOptions.{one}"] for one in self.fields["options"]
            )
            reason = f"memory: {name} takes no memoryOptions; they are for a package's"
            raise refused(self.file, line, reason)
        return {**self.fields, "file": self.file, "lines": self.seen}

    def _take_accepted(self, setting: Setting) -> None:
        accepted = tuple(text.lower() for text in self._texts(setting))
        if not all(map(_FINGERPRINT.fullmatch, accepted)):
            raise self._refused(setting, "a fingerprint is 64 of 0-9 a-f")
        self.fields["guard"]["accepted"] = accepted

    def _take_threshold(self, setting: Setting) -> None:
        text = self._text(setting)
        value = int(text) if _NUMBER.fullmatch(text) else 0
        if not 0 < value <= _HIGHEST_THRESHOLD:
            raise self._refused(
                setting, f"a threshold is a whole number from 1 to {_HIGHEST_THRESHOLD}"
            )
        self.fields["guard"][_THRESHOLDS[setting.path]] = value


def decoded(text: str | bytes, file: str) -> str:
    """Return the text of a config.

    Raises:
        CorruptFileError: When the bytes are not UTF-8; names the line.
    """
    if isinstance(text, str):
        return text
    line = 0
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
    # Outside of the handler: the error above holds the whole file.
    raise refused(file, line, "not UTF-8 text")


def read_fields(text: str | bytes, file: str) -> dict[str, Any]:
    """Read the text of a config.

    Args:
        text: All of it.
        file: Its name, for the errors.

    Returns:
        Arguments for a `Config`.

    Raises:
        CorruptFileError: When it cannot be understood.
    """
    reader = _Reader(file)
    for setting in read_settings(
        decoded(text, file), file=file, is_ours=_is_ours, is_text=_is_text
    ):
        reader.take(setting)
    return reader.finish()
