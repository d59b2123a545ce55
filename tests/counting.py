"""Work counted in lines of Python, which no load on the machine can change."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest


class Counted:
    """Counts the lines of Python run inside, and fails where they are too many."""

    def __init__(self, most: int) -> None:
        self.most = most

    def __enter__(self) -> Counted:
        self.before = sys.gettrace()
        left = self.most

        # A function with a number of its own is called for every line: nothing is looked up in it.
        def ran(frame: FrameType, event: str, about: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                sys.settrace(None)
                pytest.fail("more work than was estimated")
            return ran

        sys.settrace(ran)
        return self

    def __exit__(self, *about: object) -> None:
        sys.settrace(self.before)
