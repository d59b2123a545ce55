"""What bare `crisis` prints where nothing is open: the commands to begin with."""

from __future__ import annotations

FIRST_SCREEN = """\
crisis: tabletop fights at the command line. Five rule systems, exact odds,
and every roll can be undone.

  Watch one    crisis play bus --auto      a whole fight, forty lines
  Play one     crisis play bus             you decide; foes play themselves
  Roll         crisis roll 4d6kh3          one attack: crisis attack ines looter
  Your own     crisis character new        then: crisis campaign new NAME WHO

Your first evening, step by step: crisis help tutorial
All commands: crisis help"""
