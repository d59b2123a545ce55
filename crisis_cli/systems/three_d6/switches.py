"""The options of the command line that only `3d6` has: none."""

from __future__ import annotations

from ...engine.switch import Switch

COMMAND_OPTIONS: tuple[Switch, ...] = ()
