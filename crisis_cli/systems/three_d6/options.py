"""The options of the command line that only `3d6` has: none."""

from __future__ import annotations

from ...rules import CommandOption

COMMAND_OPTIONS: tuple[CommandOption, ...] = ()
