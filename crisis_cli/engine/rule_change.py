"""Rules that have changed since a format of the journal: so that `verify` can name them."""

from __future__ import annotations

from collections.abc import Callable

from ..values import NamedTuple
from .record import Entry


class RuleChange(NamedTuple):
    """A rule that gives something else than it gave when older journals were written."""

    rule: str
    """Its id, or the action it is about where it has none."""
    since: int
    """The first format of the journal whose entries follow the rule as it is now."""
    says: str
    """What holds now, in one sentence without a capital and a full stop."""
    actions: tuple[str, ...] = ()
    """The actions whose entries it can be about; none: any."""
    touches: Callable[[Entry, Entry | None], bool] = lambda was, now: True
    """Given an entry as it was recorded, and as the current rules make it (None if they refuse it): whether this rule
    may be why they differ."""

    def explains(self, was: Entry, now: Entry | None) -> bool:
        """Whether this rule may be why an entry, as it was recorded, is not as the current rules make it."""
        return (not self.actions or was.intent.action in self.actions) and self.touches(was, now)
