"""What a line would do, were it entered: nothing is thrown, written or shown."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import click

from ..cli import cli
from ..commands.odds import ACTIONS
from ..context import Desk, Sitting
from ..dice.distribution import Laws
from ..engine.action_odds import Forecast, forecast
from ..engine.scene import Intent
from ..engine.validate import prepare
from ..errors import CrisisError, Refused


class Meant(NamedTuple):
    """What a line means."""

    sitting: Sitting
    intent: Intent


class Overheard:
    """Stands where the odds of a command would be shown, and keeps what they would be of."""

    def __init__(self) -> None:
        self.meant: Meant | None = None

    def show(self, desk: Desk, sitting: Sitting, intent: Intent, options: Mapping[str, Any]) -> None:
        """Keep the intent."""
        self.meant = Meant(sitting, intent)


def meaning(desk: Desk, words: Sequence[str]) -> Meant | None:
    """The intent of a line of an action; None where it is another line, or not a whole one; Refused like the line."""
    if not words or words[0] not in ACTIONS:
        return None
    heard = Overheard()
    mute = desk.cleared()
    mute.world = desk.world._replace(out=io.StringIO(), err=io.StringIO(), interactive=False)
    mute.odds = heard
    try:
        cli.main(list(words), "crisis", standalone_mode=False, obj=mute)
    except Refused:
        raise
    except (CrisisError, click.ClickException, click.exceptions.Exit, click.Abort):
        return None
    return heard.meant


def allowed(desk: Desk, words: Sequence[str]) -> bool:
    """Whether a line would not be refused now, as far as it can be told."""
    try:
        meant = meaning(desk, words)
        if meant is not None:
            prepare(meant.sitting.system, meant.sitting.scene, meant.intent)
    except Refused:
        return False
    except CrisisError:
        return True
    return True


def weighed(desk: Desk, words: Sequence[str], laws: Laws) -> Forecast | None:
    """The exact odds of a line; None where it has none, or they take too long."""
    try:
        meant = meaning(desk, words)
        return forecast(meant.sitting.system, meant.sitting.scene, meant.intent, laws) if meant else None
    except CrisisError:
        return None
