"""The shape of a page, and careful changes to it. Pure: text in, values out.

A page is what people write: markdown with headings and bullets, or one-line entries
with a ``§`` between them. It is read leniently and never rewritten as a whole: what is
not removed keeps its bytes.
"""

from __future__ import annotations

from ethos_memory.page.cut import cut, cut_bytes, split_at_cap
from ethos_memory.page.entries import Entry, entries
from ethos_memory.page.opening import FrontMatter, front_matter, summary
from ethos_memory.page.outline import Fence, Heading, fences, headings
from ethos_memory.page.placeholder import find_placeholder
from ethos_memory.page.removal import Refusal, Removal, remove_entry

__all__ = [
    "Entry",
    "Fence",
    "FrontMatter",
    "Heading",
    "Refusal",
    "Removal",
    "cut",
    "cut_bytes",
    "entries",
    "fences",
    "find_placeholder",
    "front_matter",
    "headings",
    "remove_entry",
    "split_at_cap",
    "summary",
]
