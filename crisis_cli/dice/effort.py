"""The work and memory that exact odds may take, counted before anything is done."""

from __future__ import annotations

from ..errors import TooWide
from . import DICE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol, TypeVar

    class Sized(Protocol):
        """A distribution, as far as its size goes."""

        @property
        def ways(self) -> Mapping[Any, int]: ...

        @property
        def total(self) -> int: ...

    Found = TypeVar("Found", bound=Sized)

BUDGET = 1e9
"""Estimated nanoseconds of work after which exact odds are refused."""
LEAST = BUDGET / 100
"""What a question may take, however much others have taken that share a limit with it."""
ROOM = 120_000_000
"""Estimated bytes that all large distributions of one question may take together."""
LARGEST = 50_000_000
"""Estimated bytes of one distribution."""
SMALL = 250_000
"""Bytes below which a distribution that is soon forgotten takes no room."""
OUTCOMES = 200_000
"""Different totals of one distribution."""
OUTCOME = 130
"""Bytes of one outcome beside the bits of its ways."""
WORDS = 30
"""Bits in one digit of a large integer."""


class Effort:
    """The work and memory left for one question; every step states its estimate before it begins."""

    __slots__ = ("left", "room", "dice")

    def __init__(self, left: float = BUDGET, room: float = ROOM, dice: int = DICE):
        self.left = left
        self.room = room
        self.dice = dice
        """The most dice of one term."""

    def spend(self, nanoseconds: float) -> None:
        """Take work off what is left; TooWide where it is not enough."""
        self.left -= nanoseconds
        if self.left < 0:
            raise _too_wide("take more than two seconds")

    def fit(self, slots: int, bits: float) -> float:
        """The bytes of a distribution of `slots` outcomes of `bits` bits each; TooWide where they are too many."""
        if slots > OUTCOMES:
            raise _too_wide(f"have more than {OUTCOMES:,} outcomes")
        size = slots * (OUTCOME + bits / 8)
        if size > LARGEST:
            raise _too_wide("take more than 200 MB")
        return size

    def hold(self, slots: int, bits: float) -> None:
        """Count the bytes of a distribution against the limit, unless it is small; TooWide where they are too many."""
        size = self.fit(slots, bits)
        if size > SMALL:
            self._take(size)

    def keep(self, distribution: Found) -> Found:
        """The distribution, its bytes counted even where it is small, because it will be remembered."""
        size = len(distribution.ways) * (OUTCOME + distribution.total.bit_length() / 8)
        if size <= SMALL:
            self._take(size)
        return distribution

    def _take(self, size: float) -> None:
        self.room -= size
        if self.room < 0:
            raise _too_wide("take more than 200 MB")


def _too_wide(limit: str) -> TooWide:
    return TooWide(
        f"exact odds of this would {limit}", hint="simulate instead, or ask about fewer dice at once"
    )
