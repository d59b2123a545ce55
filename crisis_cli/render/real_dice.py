"""The lines before a roll of real dice: what the roll must show, and what that would mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import Formatter

from ..dice.table import Throw
from ..engine.geometry import distance
from ..engine.needed import DAMAGE, Felling, Needed, felling, needed, target_of_later
from ..engine.record import ATTACKS, Entry, RollRecord
from ..engine.scene import Intent, Scene
from ..engine.system import System
from ..engine.wording import measured
from .charts import signed, whole_percent
from .decision import what_is_done
from .dice_lines import dice, worded
from .reasons import in_words
from .style import Ink
from .visible import CLOCK

KEPT = re.compile(r"k([lh])1$")
KEPT_WORDS = {"l": ", the lower", "h": ", the higher"}
"""How it reads that one of two dice counts."""


def before_roll(
    intent: Intent,
    rolls: Sequence[Throw],
    choices: Sequence[str],
    scene: Scene,
    system: System,
    templates: Sequence[str],
    ink: Ink,
) -> list[str]:
    """The lines above the question for the last of the rolls of an action: what is done, where nobody was asked for one
    before; what came of the roll before it; and what this one must show."""
    *past, now = rolls
    if now.faces or intent.action in CLOCK or intent.action not in system.actions:
        return []
    whose = f"{now.who}'s {now.what}" if now.who else now.what
    if not past:
        wanted = needed(system, scene, intent, now) if templates else None
        if wanted is None:
            return []
        head = f"{what_is_done(intent, scene, system, ink)[0]}{_way(intent, scene, system)}"
        return [head, f"{whose}, {_filled(templates, wanted, now, intent)}"]
    lines = []
    if not any(roll.given for roll in past):
        lines.append(f"{what_is_done(intent, scene, system, ink)[0]}{_way(intent, scene, system)}")
    if (past[-1].given or lines) and past[-1].reckoning.get("success") is not None:
        lines.append(f"  {_meaning(past[-1], intent, scene, system, ink)}")
    fells = felling(system, scene, intent, rolls, choices)
    if fells:
        return [*lines, f"{whose}, {_fells_words(fells)}"]
    if now.who != intent.actor and now.what != DAMAGE:
        reckoning = target_of_later(system, scene, intent, rolls, choices)
        if (target := reckoning.get("target")) is not None and (
            "successes" in reckoning or reckoning.get("under")
        ):
            need = f"{target} or {'less' if reckoning.get('under') else 'more'}"
            each = "successes" in reckoning
            lines.append(f"{whose}: {f'each die of {need} counts' if each else f'{need} succeeds'}")
    return lines


def _filled(templates: Sequence[str], wanted: Needed, roll: Throw, intent: Intent) -> str:
    """The parts of a template, without those of which a value is not known."""
    values: dict[str, str | int | None] = {
        "dice": _spaced(KEPT.sub(lambda kept: KEPT_WORDS[kept[1]], roll.dice.rstrip("!"))),
        "plus": _added(wanted.plus),
        "need": wanted.number,
        "does": "hits" if intent.action in ATTACKS else "succeeds",
        "most": wanted.most,
        "faces": _faces(wanted.number, wanted.most) if wanted.each else f"{wanted.number} or more",
        "successes": wanted.successes,
        "chance": None if wanted.chance is None else whole_percent(*wanted.chance.as_integer_ratio()),
        "double": wanted.double or None,
        "complication": _faces(wanted.complication, wanted.most) if wanted.complication else None,
        "critical": in_words(wanted.most) if wanted.has_criticals else None,
    }
    return "".join(
        part.format(**values)
        for part in templates
        if all(name is None or values.get(name) is not None for _, name, _, _ in Formatter().parse(part))
    )


def _fells_words(fells: Felling) -> str:
    """The dice of damage, and the sum that would put the target out of the fight: `d6 + 1: 5 brings Drone down`."""
    rolls = [*zip(fells.dice, fells.plus, strict=True)]
    first, plus = rolls[0]
    if len(rolls) > 1 and len({*rolls}) == 1 and first.startswith("d"):
        words = f"{len(rolls)} dice {_spaced(first)}" + (f", each{_added(plus)}" if plus else "")
    else:
        words = " and ".join(f"{_spaced(spelled)}{_added(added)}" for spelled, added in rolls)
    if not fells.number:
        return words
    alone = len(rolls) == 1 and re.fullmatch(r"d\d+", first)
    return f"{words}: {fells.number} or more {'brings' if alone else 'together bring'} {fells.who} down"


def _faces(number: int, most: int) -> str:
    """The faces of a number or more, of dice of which the highest face is `most`."""
    if not most - 2 < number <= most:
        return f"{number} or more"
    return " or ".join(map(str, range(number, most + 1)))


def _added(number: int) -> str:
    """What is added to dice: ` + 3`; empty for nothing."""
    return f" {signed(number)[0]} {abs(number)}" if number else ""


def _spaced(spelled: str) -> str:
    """Dice with blanks around the signs."""
    return re.sub(r"([+-])", r" \1 ", spelled).replace("-", "−")


def _way(intent: Intent, scene: Scene, system: System) -> str:
    """How far off the target is, and the mode, where they are known: ` (8 m, semi)`."""
    apart = None
    if intent.target and intent.target != intent.actor and intent.actor in scene.fighters:
        apart = distance(system, scene, intent.actor, intent.target)
    parts = [measured(apart, system.space.unit)] if apart else []
    parts += [str(intent.get("mode"))] if intent.get("mode") else []
    return f" ({', '.join(parts)})" if parts else ""


def _meaning(roll: Throw, intent: Intent, scene: Scene, system: System, ink: Ink) -> str:
    """What came of a roll that was thrown: `[44] against 55 — a hit`."""
    record, has_won = RollRecord.of(roll), bool(roll.reckoning["success"])
    words = (
        ("miss", "hit") if intent.action in ATTACKS and roll.who == intent.actor else ("failure", "success")
    )
    word = worded(words[has_won], Entry(0, intent), record, scene, system, ink)
    return f"{dice(record, (), system)} — {word}"
