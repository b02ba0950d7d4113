"""What an agent calls: names, JSON schemas, and functions bound to a turn.

A tool knows whose memory it is about from the turn; a model never names a scope. What
a turn may not see has no tool, and a call that comes anyway is refused.
"""

from __future__ import annotations

from ethos_memory.tools.answer import ErrorCode, Tool, ToolAnswer
from ethos_memory.tools.files import Files
from ethos_memory.tools.offer import tools_for

__all__ = ["ErrorCode", "Files", "Tool", "ToolAnswer", "tools_for"]
