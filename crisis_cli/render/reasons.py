"""The reasons of automatic fighters in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

WHY = {
    "attacks": "{chance} % to hit",
    "treats": "{chance} % to treat the wounds",
    "readies": "better armed: {was} → {now} % harm per attack",
    "covers": "safer: {was} → {now} % expected harm",
    "moves": "a better position",
    "better-place": "a better position to attack from: {was} → {now} % harm per attack",
    "shuns": "out of harm’s way: {was} → {now} % expected harm",
    "closes-in": "closes in",
    "keeps-off": "keeps its distance",
    "stays-with": "stays with its ward",
    "flees": "{cause}: it runs",
    "leaves": "{cause}: it leaves the field",
    "surrenders": "{cause}: it gives up",
    "gets-up": "{cause}: up, and away",
    "cornered": "{cause}: nowhere to run",
    "spent": "no attack left this turn",
    "nothing-better": "no action is worth its cost",
    "nothing": "no action is possible",
    "alone": "no opponent is left",
}
"""The reason by its key."""
TACIT = ("spent", "alone")
"""Reasons for doing nothing that go without saying."""
CAUSES = {
    "hurt": "{number} % of its health is lost",
    "fallen": "{number} % of its side is out of the fight",
    "outnumbered": "{number} to one",
}
"""Why the morale of a fighter breaks."""


def reason(said: Mapping[str, Any]) -> str:
    """The reason of a decision in words; incomplete records give as much as they can."""
    about = {key: value for key, value in said.items() if isinstance(value, (int, str))}
    cause = _filled(CAUSES.get(str(about.get("cause")), ""), about)
    words = _filled(WHY.get(str(about.get("key")), str(about.get("key", ""))), {**about, "cause": cause})
    parts = [words]
    if about.get("down"):
        parts.append(f"{about['down']} % to bring it down")
    if "instead" in about:
        parts.insert(0, f"{about['instead']} % to hit from here")
    return f"{about.get('doctrine', '')}: {', '.join(filter(None, parts))}"


def _filled(template: str, about: Mapping[str, Any]) -> str:
    try:
        return template.format(**about)
    except (KeyError, IndexError, ValueError):
        return ""
