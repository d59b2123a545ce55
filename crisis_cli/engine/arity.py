"""With how many arguments a function of a rulebook can be called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

ANY_NUMBER = 0x04
"""The flag of code with a parameter such as `*arguments`."""


def takes(function: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with so many arguments; True for what has no code in Python."""
    code = getattr(function, "__code__", None)
    if code is None:
        return True
    most = code.co_argcount - (getattr(function, "__self__", None) is not None)
    least = most - len(getattr(function, "__defaults__", None) or ())
    return least <= count and (count <= most or bool(code.co_flags & ANY_NUMBER))
