"""Intents as command lines: the words to type for an action."""

from __future__ import annotations

from ..engine.scene import Intent, Scene
from ..engine.scene import slug as slug

VERBS = ("attack", "throw", "heal", "next")
"""Actions that are verbs of their own; all others are typed after `act`."""
BARE = ("thing", "deed")
"""Options that are typed as words behind the action."""


def typed(scene: Scene, intent: Intent, lead: bool = True) -> str:
    """The words behind `crisis` that would carry an intent out in this scene; `lead`: the action itself too."""
    verb = intent.action in VERBS
    words = [intent.action] if verb else ["act", intent.action]
    fighter = scene.fighters.get(intent.actor)
    in_hand = fighter.held[0] if fighter and fighter.held else ""
    bare = [key for key in intent.options if key in BARE or (key == "item" and not verb)]
    words += [slug(str(intent.options[key])) for key in bare]
    # A fighter who treats itself is not named.
    words += [slug(name) for name in intent.targets if name != intent.actor]
    for key, value in intent.options.items():
        if key in bare or (key == "weapon" and value == in_hand):
            continue
        words += _option(key, value)
    if scene.open and intent.actor and intent.actor != scene.turn:
        words += ["--by", slug(intent.actor)]
    return " ".join(words if lead else words[1 if verb else 2 :])


def at_prompt(text: str) -> str:
    """A hint as it holds at the prompt: commands without the program's name and without `act`, help by its verb."""
    import re

    text = re.sub(r"\bcrisis ((?:[a-z-]+ )?)--help", lambda found: f"help {found[1]}".rstrip(), text)
    text = re.sub(r"\bcrisis act ((?:[a-z0-9-]+ )?)--list", lambda found: f"? {found[1]}".rstrip(), text)
    return re.sub(r"(^|: |; |, |\bor |\()crisis (?:act (?=[a-z]))?", r"\1", text)


def quote(word: str) -> str:
    """A word quoted as it must be typed."""
    if word and all(sign.isalnum() or sign in "-_:,.=+/@%" for sign in word):
        return word
    import shlex

    return shlex.quote(word)


def _option(key: str, value: object) -> list[str]:
    option = f"--{key.replace('_', '-')}"
    if value is True:
        return [option]
    if isinstance(value, (list, tuple)):
        return [option, ",".join(f"{part:g}" if isinstance(part, float) else str(part) for part in value)]
    return [option, slug(str(value)) if key in ("weapon", "item") else str(value)]
