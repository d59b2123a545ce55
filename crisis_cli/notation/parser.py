"""Reads a line of dice notation."""

from __future__ import annotations

from ..dice import LIMITS, Limits
from ..errors import NotationError
from .grammar import Notation, Reader


def parse(text: str, limits: Limits = LIMITS) -> Notation:
    """The line as read; NotationError, which points at the character, where it cannot be."""
    try:
        return Reader(text, limits).line()
    except NotationError as error:
        error.text = text[: limits.length]
        raise
