"""Work counted in lines of Python, which no load on the machine can change."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest


class Counted:
    """Counts the lines of Python run inside, and fails where they are too many."""

    def __init__(self, most: int) -> None:
        self.left = most

    def __enter__(self) -> Counted:
        self.before = sys.gettrace()
        sys.settrace(self._ran)
        return self

    def __exit__(self, *about: object) -> None:
        sys.settrace(self.before)

    def _ran(self, frame: FrameType, event: str, about: Any) -> Any:
        self.left -= 1
        if self.left < 0:
            sys.settrace(None)
            pytest.fail("more work than was estimated")
        return self._ran
