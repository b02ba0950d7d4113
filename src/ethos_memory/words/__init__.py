"""What a person types, as search terms, in any script.

Nothing a person types is query syntax, and nothing raises. `terms` is the one way in
which text is cut up, for the pages here and for a full-text table elsewhere alike:
two texts that share a run of characters share a run of terms.
"""

from __future__ import annotations

from ethos_memory.words.index import Index, Match
from ethos_memory.words.query import Query, parse_query, parts
from ethos_memory.words.snippet import snippet
from ethos_memory.words.stem import stem
from ethos_memory.words.terms import Term, terms

__all__ = [
    "Index",
    "Match",
    "Query",
    "Term",
    "parse_query",
    "parts",
    "snippet",
    "stem",
    "terms",
]
