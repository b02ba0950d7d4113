from __future__ import annotations

from importlib.metadata import version as version_of

project = "ethos-memory"
author = "The ethos-memory authors"
copyright = "2026, the ethos-memory authors"
release = version = version_of("ethos-memory")

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "ethos-memory"

autodoc_typehints = "description"
autodoc_member_order = "bysource"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True

# No address outside the pages is asked while building.
nitpick_ignore_regex = [("py:.*", r".*")]
