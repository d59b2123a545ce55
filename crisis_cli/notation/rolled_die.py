"""One die as rolled."""

from __future__ import annotations


class RolledDie:
    """One die after all re-rolls and explosions."""

    __slots__ = (
        "faces", "replaced", "value", "later", "exploded", "clamped",
        "kept", "success", "failure", "critical",
    )  # fmt: skip

    def __init__(self, face: int, later: int = 0):
        self.faces = [face]
        """The faces it shows: one, or several where explosions are added into the same die."""
        self.replaced: list[int] = []
        """Faces that were thrown again, in order."""
        self.value = face
        """What it adds to the row, after clamping."""
        self.later = later
        """0 for a die of the first throw, 1 for the die it set off, and so on."""
        self.exploded = False
        """Whether it set off another die, or went on itself."""
        self.clamped = False
        self.kept = True
        self.success = False
        self.failure = False
        self.critical = False

    def __repr__(self) -> str:
        marks = [
            name for name in ("exploded", "clamped", "success", "failure", "critical") if getattr(self, name)
        ]
        return f"<Die {self.value}{'' if self.kept else ' dropped'}{''.join(' ' + mark for mark in marks)}>"
