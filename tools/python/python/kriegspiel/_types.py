"""Types that annotations name."""

from typing import Any

#: One thing heard, in the form of docs/json.md: `{"kind": "moved", "by": "white", "attempt": "e2e4"}`.
Heard = dict[str, Any]
