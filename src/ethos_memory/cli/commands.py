"""The commands and their arguments: a further command is one function, and one line."""

from __future__ import annotations

import argparse
from typing import Final

from ethos_memory.cli.accounts import link_account, unlink_account
from ethos_memory.cli.command import Command, argument
from ethos_memory.cli.copying import copy_home
from ethos_memory.cli.doctor import doctor
from ethos_memory.cli.history import show_difference, show_history, undo_change
from ethos_memory.cli.pages import search, show, write
from ethos_memory.cli.person import export_user, forget_user, merge_users
from ethos_memory.cli.profile import (
    forget_profile,
    show_observations,
    show_profile,
    synthesize_profile,
)
from ethos_memory.cli.removal import remove
from ethos_memory.cli.scan import scan
from ethos_memory.cli.sessions import (
    export_sessions,
    list_sessions,
    search_sessions,
    show_session,
)
from ethos_memory.cli.tour import tour
from ethos_memory.cli.users import list_users

__all__ = ["COMMANDS"]


def _number(text: str) -> int:
    """Read a number of things; argparse says what is wrong with any other text."""
    if not text.isascii() or not text.isdecimal():
        raise argparse.ArgumentTypeError("not a whole number from 0 up")
    return int(text)


_SCOPE: Final = argument("scope", metavar="SCOPE", help="user:ID or personality:ID")
_KEY: Final = argument("key", metavar="KEY", help="a page, such as MEMORY.md")
_ANY_KEY: Final = argument("key", metavar="KEY", nargs="?", help="a page; else all")
_RAW: Final = argument("--raw", action="store_true", help="as it is, unscreened")
_ADD: Final = argument("--add", action="store_true", help="add to the page (default)")
_REPLACE: Final = argument(
    "--replace", action="store_true", help="put the text in place of the page"
)
_IF_REVISION: Final = argument(
    "--if-revision",
    metavar="REV",
    help="replace only the page at this revision; '' is no page",
)
_FORCE: Final = argument(
    "--force", action="store_true", help="replace by a text that looks cut or empty"
)
_ENTRY: Final = argument(
    "text", metavar="TEXT", help="the entry, or text that occurs in one entry only"
)
_UNDER: Final = argument(
    "--under", metavar="HEADING", help="where it stands, when it occurs twice"
)
_QUERY: Final = argument("query", metavar="QUERY", help="what to look for; any text")
_LIMIT: Final = argument(
    "--limit", metavar="N", type=_number, default=10, help="the most pages (10)"
)
_FILES: Final = argument("files", metavar="FILE", nargs="+", help="'-' is the input")
_AS_SCOPE: Final = argument(
    "--scope", metavar="SCOPE", help="judge as text of this scope; users' more strictly"
)

_MOST: Final = argument(
    "--limit", metavar="N", type=_number, help="the most states; else all"
)
_OLD: Final = argument(
    "old", metavar="FROM", nargs="?", help="a revision, or 'none'; else the newest"
)
_NEW: Final = argument(
    "new", metavar="TO", nargs="?", help="a revision; else what FROM itself did"
)
_TO: Final = argument(
    "--to", metavar="REV", help="go back to this state instead; 'none' is no page"
)
_PLATFORM: Final = argument("platform", metavar="PLATFORM", help="such as telegram")
_ACCOUNT: Final = argument("account", metavar="ACCOUNT", help="the platform's own id")
_USER: Final = argument("user", metavar="USER", help="an id that `users list` shows")
_KEEP: Final = argument("keep", metavar="KEEP", help="the user id to keep")
_DROP: Final = argument("drop", metavar="DROP", help="the user id to give up")
_FOLDER: Final = argument(
    "destination", metavar="FOLDER", help="a new folder, outside of the home"
)
_DRY_RUN: Final = argument(
    "--dry-run", action="store_true", help="say what would be done, and do nothing"
)

_TO_POSTGRES: Final = argument(
    "--to-postgres",
    action="store_true",
    required=True,
    help="into the database that memoryPostgres.dsn names",
)

_CONVERSATION: Final = argument("id", metavar="ID", help="a conversation's id")
_ANY_CONVERSATION: Final = argument(
    "id", metavar="ID", nargs="?", help="a conversation; else all"
)
_ANY_QUERY: Final = argument("query", metavar="QUERY", nargs="?", help="any text")
_OWNER: Final = argument(
    "--owner", metavar="OWNER", help="only user:ID's, or a room's (PLATFORM:CHAT)"
)
_IN_SESSION: Final = argument("--session", metavar="ID", help="in this one only")
_SESSIONS: Final = argument(
    "--limit", metavar="N", type=_number, default=50, help="the most to list (50)"
)
_HITS: Final = argument(
    "--limit", metavar="N", type=_number, default=20, help="the most messages (20)"
)

#: In the order of ``--help``.
COMMANDS: Final = (
    Command("tour", tour, "see the whole turn on real files"),
    Command("show", show, "show pages as a model reads them", (_SCOPE, _ANY_KEY, _RAW)),
    Command(
        "write",
        write,
        "write a page from standard input",
        (_SCOPE, _KEY, _ADD, _REPLACE, _IF_REVISION, _FORCE),
    ),
    Command(
        "remove",
        remove,
        "take one entry out of a page",
        (_SCOPE, _KEY, _ENTRY, _UNDER),
    ),
    Command("search", search, "search the pages of a scope", (_SCOPE, _QUERY, _LIMIT)),
    Command(
        "history", show_history, "show what pages used to be", (_SCOPE, _ANY_KEY, _MOST)
    ),
    Command(
        "diff", show_difference, "show what a change did", (_SCOPE, _KEY, _OLD, _NEW)
    ),
    Command("undo", undo_change, "take back a page's change", (_SCOPE, _KEY, _TO)),
    Command("users list", list_users, "list who is known"),
    Command(
        "users link",
        link_account,
        "say whose an account is",
        (_PLATFORM, _ACCOUNT, _USER, _DRY_RUN),
    ),
    Command(
        "users unlink",
        unlink_account,
        "give an account an id of its own",
        (_PLATFORM, _ACCOUNT, _DRY_RUN),
    ),
    Command(
        "users merge",
        merge_users,
        "say that two ids are one person",
        (_KEEP, _DROP, _DRY_RUN),
    ),
    Command("users forget", forget_user, "erase a person for good", (_USER, _DRY_RUN)),
    Command(
        "users export",
        export_user,
        "write all that is held of a person into files",
        (_USER, _FOLDER, _DRY_RUN),
    ),
    Command("profile show", show_profile, "show the identity document", (_SCOPE,)),
    Command(
        "profile observations",
        show_observations,
        "list what was observed since",
        (_SCOPE,),
    ),
    Command(
        "profile synthesize",
        synthesize_profile,
        "merge what was observed into the document",
        (_SCOPE,),
    ),
    Command(
        "profile forget",
        forget_profile,
        "delete the document and what was observed",
        (_SCOPE,),
    ),
    Command(
        "sessions list",
        list_sessions,
        "list conversations, or those that answer a query",
        (_ANY_QUERY, _OWNER, _SESSIONS),
    ),
    Command(
        "sessions show", show_session, "show a conversation", (_CONVERSATION, _OWNER)
    ),
    Command(
        "sessions search",
        search_sessions,
        "search what was said",
        (_QUERY, _OWNER, _IN_SESSION, _HITS),
    ),
    Command(
        "sessions export",
        export_sessions,
        "write conversations as lines of JSON",
        (_ANY_CONVERSATION, _OWNER),
    ),
    Command(
        "copy",
        copy_home,
        "copy a home in files into PostgreSQL; the home stays",
        (_TO_POSTGRES, _DRY_RUN),
    ),
    Command("scan", scan, "say what the guard finds in files", (_FILES, _AS_SCOPE)),
    Command("doctor", doctor, "say what is wrong with a home; changes nothing"),
)
