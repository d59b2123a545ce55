"""The options of the command line that only `tiny` has: none."""

from __future__ import annotations

from ..switch import Switch

SWITCHES: tuple[Switch, ...] = ()
