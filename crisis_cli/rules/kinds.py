"""For value types of a rulebook's own on sheets: the position of an error, its report."""

from ..engine.kinds import Path, wrong

__all__ = ["Path", "wrong"]
