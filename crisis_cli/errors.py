"""The tree of refusals: what cannot be done, why, and the way on.

CrisisError
├── Usage          2   the words of the command are wrong
│   └── WrongDice  2   faces that do not fit the rolls
├── Refused        3   the rules, or the state of the crisis, forbid it
│   └── TooWide    3   exact odds would take too long
├── FileTrouble    4   a file is missing, wrong, locked or cannot be written
└── Interrupted  130   the player stopped it
"""

from __future__ import annotations


class CrisisError(Exception):
    """A refusal that the player is told about in one line, with a line on how to go on."""

    status = 1
    """The exit status of the program."""
    code = "error"
    """A stable word for scripts, used where none is given."""

    def __init__(self, message: str, *, hint: str = "", code: str = "", rule: str = "", **about: object):
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code or type(self).code
        self.rule = rule
        self.about = about
        """Further evidence for `--json`, each value fit for JSON."""


class Usage(CrisisError):
    """The words of a command, or numbers in it, cannot be read."""

    status = 2
    code = "usage"


class WrongDice(Usage):
    """Given faces are too few, too many, or not on the die."""

    code = "wrong_dice"


class Refused(CrisisError):
    """The rules do not allow it; nothing has changed."""

    status = 3
    code = "refused"


class TooWide(Refused):
    """A walk over every answer would take too long."""

    code = "too_wide"


class FileTrouble(CrisisError):
    """A sheet or a journal is not found, wrong, locked, or cannot be written."""

    status = 4
    code = "file"


class Interrupted(CrisisError):
    """The player stopped it; nothing has changed."""

    status = 130
    code = "interrupted"
