"""Rolls as text: the faces, the modifiers, the target, the result."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any

from ..engine.record import Entry, Modifier, RollRecord
from ..engine.scene import Scene
from ..engine.system import System
from ..engine.wording import measured
from .messages import counted, outcome_word
from .sides import bearing
from .style import Ink

if TYPE_CHECKING:
    from ..dice.table import Throw


def rolled(entry: Entry, rolls: Iterable[RollRecord], system: System) -> list[str]:
    """A line for each roll, with its fighter and name in front; consecutive rolls of the same name share a line."""
    return [
        f"  {name}: {' · '.join(dice(one, entry.modifiers, system) + _aside(one, system) for one in same)}"
        for name, same in groupby(rolls, key=lambda one: roll_name(one, entry, system))
    ]


def volley(entry: Entry, what: str, scene: Scene, system: System, ink: Ink) -> Iterator[str]:
    """Several rolls of one action, each with its own verdict, and under it the dice that follow from it; the damage of
    hits that count together is last."""
    shots = [*takewhile(lambda roll: roll.what != "damage" or roll.about.get("shot"), entry.rolls)]
    if any(one.what == what for one in entry.rolls[len(shots) :]):
        # An older journal, whose damage does not say of which shot it is, and stands behind its own.
        shots = [*entry.rolls]
    one_target = len({one.about.get("against") for one in entry.rolls if one.what == what}) == 1
    for one in shots:
        if one.what == what:
            at = f"shot {one.about['shot']}" if one_target else f"at {one.about['against']}"
            word = "hit" if one.reckoning.get("success") else "miss"
            yield f"  {at}: {dice(one, entry.modifiers, system)} — {worded(word, entry, one, scene, system, ink)}."
        else:
            yield f"    {roll_name(one, entry, system)}: {dice(one, entry.modifiers, system)}{_aside(one, system)}"
    yield from rolled(entry, entry.rolls[len(shots) :], system)


def _aside(roll: RollRecord, system: System) -> str:
    """The result of a further roll, if it is not shown elsewhere."""
    said, reckoning = system.says.rolls.get(roll.what), roll.reckoning
    words = said and (said.success if reckoning.get("success") else said.failure)
    if said and said.stops and "stopped" in reckoning:
        words = f"{_number(reckoning['stopped'], said.unit)} {said.stops}, {reckoning['left'] or 'none'} left"
    elif "success" not in reckoning:
        return ""
    return f" — {words}" if words else ""


def _number(count: int, unit: str) -> str:
    """So many of a unit: "no hits", "1 hit", "2 hits"."""
    return measured(count, unit) if count else f"no {unit}"


def worded(word: str, entry: Entry, roll: RollRecord | None, scene: Scene, system: System, ink: Ink) -> str:
    """An outcome with what it earned, in the style of what is good or bad for the player's side."""
    reckoning = roll.reckoning if roll else {}
    style = _style(word, entry, roll, scene, system)
    if word == "hit" and "normal" in entry.outcome:
        return ink(style, struck(entry.outcome["normal"], entry.outcome["criticals"]))
    said = outcome_word("critical_failure" if reckoning.get("critical_failure") else word, system).text
    for key in counted(system):
        count = reckoning.get(key) or entry.outcome.get(key, 0)
        said += f", {measured(count, key)}" if count else ""
    return ink(style, said)


def _style(word: str, entry: Entry, roll: RollRecord | None, scene: Scene, system: System) -> str:
    """The style of an outcome: a hit is bad for its target, anything else that succeeds is good for the actor."""
    is_good = outcome_word(word, system).good
    if is_good is None:
        return "dim"
    if word in ("hit", "miss"):
        target = str(roll.about.get("against", "")) if roll else ""
        style = bearing(not is_good, target or entry.intent.target, scene)
    else:
        style = bearing(is_good, entry.intent.actor, scene)
    # A failure does no harm to those who fail, unless it is a critical one.
    is_critical = roll is not None and roll.reckoning.get("critical_failure")
    return "dim" if style == "bad" and not is_good and not is_critical else style


def struck(normal: int, critical: int) -> str:
    """The number of hits, with the critical ones counted separately."""
    kinds = (("normal hit" if critical else "hit", normal), ("critical hit", critical))
    return " and ".join(f"a {kind}" if count == 1 else f"{count} {kind}s" for kind, count in kinds if count)


def dice(roll: RollRecord, modifiers: Iterable[Modifier], system: System) -> str:
    """A roll as text: faces and what they count, modifiers, and the target it is compared with."""
    if "successes" in roll.reckoning:
        return _counted(roll)
    if "cards" in roll.reckoning:
        return f"[{', '.join(roll.reckoning['cards'])}]"
    reckoning = roll.reckoning
    added = sum(one.value for one in modifiers if roll.takes(one)) + reckoning.get("added", 0)
    # To roll under a target is to have the modifiers in the target.
    changed = 0 if reckoning.get("under") else added
    sum_up = f" {'+' if changed > 0 else '−'} {abs(changed)}" if changed else ""
    faces = [face for _, face in roll.faces]
    replaced = reckoning.get("replaced", ())
    shown = system.says.face_words(roll.dice, faces)
    # Combat dice count otherwise than by their faces.
    adds_up = "total" in reckoning and "C" not in roll.dice and not replaced and [*shown] == faces
    left = reckoning["total"] - changed if adds_up else None
    words = f"[{faces_text(shown, replaced) if left is None else counting(faces, left)}]{sum_up}"
    # A combat die does not show what it counts.
    odd = "C" in roll.dice and [reckoning.get("total")] != [face for _, face in roll.faces]
    if "total" in reckoning and (len(roll.faces) > 1 or sum_up or odd):
        words += f" = {reckoning['total']}"
    if reckoning.get("target") is not None:
        words += f" against {reckoning['target']}"
    if reckoning.get("effects"):
        words += f", {measured(reckoning['effects'], 'effects')}"
    spot = f", {reckoning['spot']}" if "spot" in reckoning else ""
    return words.replace("-", "−") + spot


def _counted(roll: RollRecord) -> str:
    """Exploding dice compared with the target one by one, each with its further rolls."""
    reckoning = roll.reckoning
    whole = {"faces": [face for _, face in roll.faces], **roll.about, **reckoning}
    words = " · ".join(_measured(part) for part in reckoning.get("parts", (whole,)))
    if "difficulty" in reckoning or ("values" not in reckoning and "part" not in roll.about):
        # The values of the dice do not show how many count, or how many are needed.
        words += f": {measured(reckoning['successes'], 'successes')}"
        words += f" of {reckoning['difficulty']} needed" if "difficulty" in reckoning else ""
    return words


def _measured(part: Mapping[str, Any]) -> str:
    """The dice of a roll, or of a part of it, with the target they are compared with."""
    name = part.get("part", "pool")
    each = faces_text(part.get("values", part["faces"]), part.get("replaced", ()))
    return f"{'' if name == 'pool' else f'{name} '}[{each}] against {part['target']}"


def faces_text(faces: Sequence[int | str], replaced: Sequence[int]) -> str:
    """The faces of a roll: `19→4 7` where the first die was re-rolled; `replaced` are the places of those that were,
    whose new faces stand last."""
    first = len(faces) - len(replaced)
    words = [str(face) for face in faces[:first]]
    for place, face in zip(replaced, faces[first:], strict=True):
        words[place] = f"{words[place].partition('=')[0]}→{face}"
    return " ".join(words)


def counting(faces: Sequence[int], total: int) -> str:
    """The faces of a roll, in brackets those that its total leaves out: `1 (6)` of 1, `(3) 12` of 12.

    The total is that of all, of the first ones, or of one; where it is none of these, no face is set apart.
    """
    firsts = (range(many) for many in range(len(faces), 0, -1))
    alone = (range(at, at + 1) for at in range(len(faces)))
    counted = next((some for some in (*firsts, *alone) if sum(faces[at] for at in some) == total), None)
    return " ".join(
        str(face) if counted is None or at in counted else f"({face})" for at, face in enumerate(faces)
    )


def so_far(throws: Iterable[Throw], modifiers: Iterable[Modifier], system: System) -> list[str]:
    """The rolls so far, shown before a player decides something, with what makes a difficulty."""
    rolls = [RollRecord.of(throw) for throw in throws if throw.reckoning]
    hard = [f"{one.name} {one.value}" for one in modifiers if one.roll == "difficulty" and one.value]
    why = f" ({' + '.join(hard)})".replace("+ -", "− ").replace(" -", " −") if hard else ""
    return [
        f"{one.who}'s {one.what}: {dice(one, (), system)}{why if 'difficulty' in one.reckoning else ''}"
        for one in rolls
    ]


def roll_name(roll: RollRecord, entry: Entry, system: System) -> str:
    """Whose roll it is and what for, the actor left out, unless it is the actor who is struck."""
    said, cause = system.says.rolls.get(roll.what), roll.about.get("cause")
    if said and said.title and cause:
        # The record of `d100` has a typographic apostrophe; screens have one kind.
        return said.title.format(who=roll.who, cause=cause.replace("’", "'"))
    hurt = {one.about.get("against") for one in entry.rolls if one.what == "damage"}
    if roll.what == "damage" and (len(hurt) > 1 or not hurt <= {None, *entry.intent.targets[:1]}):
        return f"damage to {roll.about['against']}"
    own = roll.who == entry.intent.actor and roll.about.get("against") != roll.who
    if roll.who and (not own or entry.intent.action == "next"):
        return f"{roll.who}'s {roll.what}"
    return roll.what
