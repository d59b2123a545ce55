"""Spells (D20-15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from crisis_cli.rules import Changes, Cost, Fighter, Intent, Modifiers, RuleTable, Scene, Setup, refuse

from .checks import SavingThrow, saves, saving_throw
from .conditions import is_dead
from .harm import Part, flat_damage, harm_of, hurt, inflict, parts_of, rolled
from .sheet import is_limited


class Victim(NamedTuple):
    """Somebody a spell reaches."""

    save: SavingThrow
    parts: tuple[Part, ...]

    @property
    def name(self) -> str:
        """Its name."""
        return self.save.roll.who


class SpellSetup(NamedTuple):
    """What the dice of a spell depend on."""

    who: str
    dice: tuple[Part, ...]
    victims: tuple[Victim, ...]


class SpellResult(NamedTuple):
    """What a spell came to."""

    damage: tuple[int, ...]
    """By type, before saves and resistance."""
    saved: tuple[bool | None, ...]
    """For each victim; None for those whose dice odds leave out."""


def spell_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-15: a spell on a target, or on everyone near a point; refused out of range."""
    fighter = scene.fighters[intent.actor]
    spells: Mapping[str, Any] = fighter.sheet["spells"]
    name = intent.get("thing") or next(iter(spells), "")
    if name not in spells:
        refuse(intent, f"{fighter.name} knows no spell", "D20-15", final=True)
    spell = spells[name]
    hit = reached(scene, intent, spell, name)
    difficulty = difficulty_of(fighter, name, spell)
    first = next(iter(spell["damage"]), "no")
    damage = Modifiers(f"{first} damage", "D20-15").asked(intent, "mod_damage")
    found, victims = [difficulty, damage, *flat_damage(spell["damage"], "D20-15", f"spells.{name}")], []
    for one in hit:
        save, lines = saving_throw(one, spell["save"], difficulty.total, "D20-15")
        victims.append(Victim(save, parts_of(spell["damage"], one, damage.total)))
        found.append(lines)
    dice = parts_of(spell["damage"], fighter, damage.total)
    whole = SpellSetup(fighter.name, dice, tuple(victims))
    slots = (Cost("slots", spell["slots"], rule="D20-15"),) if spell["slots"] else ()
    charge = (Cost(f"charge:{name}", rule="D20-23"),) if is_limited(spell) else ()
    return Setup(whole, Modifiers.lines_of(*found), (*slots, *charge), name, spell)


def difficulty_of(fighter: Fighter, name: str, spell: Mapping[str, Any]) -> Modifiers:
    """D20-15: what a saving throw against a spell must reach; D20-23: unless the spell says so itself."""
    if "difficulty" in spell:
        return Modifiers("difficulty", "D20-23").base(name, spell["difficulty"], source=f"spells.{name}")
    found = Modifiers("difficulty", "D20-15").base("base", 8).add("proficiency", fighter.sheet["proficiency"])
    return found.add(fighter.sheet["casting"], fighter.sheet["abilities"][fighter.sheet["casting"]], source="ability")


def reached(scene: Scene, intent: Intent, spell: Mapping[str, Any], name: str) -> tuple[Fighter, ...]:
    """D20-15: all living creatures that a spell reaches."""
    at, here = intent.get("at"), scene.fighters[intent.actor].at
    point = tuple(at) if at else scene.fighters[intent.target].at
    gap = intent.get("range", Scene.between(here, point) if here and point else None)
    if gap is not None and gap > spell["range"]:
        refuse(intent, f"that is {gap} ft away; {name} reaches {spell['range']} ft", "D20-15")
    if not spell["radius"] and (at or len(intent.targets) > 1):
        refuse(intent, f"{name} takes one target", "D20-15", final=True)
    named = dict.fromkeys(intent.targets)
    return tuple(
        one
        for one in scene.fighters.values()
        if not one.gone
        and not is_dead(one)
        and (
            one.name in named
            or (spell["radius"] and one.at and point and Scene.between(one.at, point) <= spell["radius"])
        )
    )


def cast(table: RuleTable, setup: SpellSetup) -> SpellResult:
    """D20-15: the damage once, then everyone's saving throw."""
    damage = rolled(table, setup.who, setup.dice)
    return SpellResult(damage, tuple(table.ask(saves, one.save) for one in setup.victims))


def cast_at(table: RuleTable, setup: SpellSetup, who: str, lives: bool) -> SpellResult:
    """For odds: the damage, and the saving throw of one victim alone."""
    damage = rolled(table, setup.who, setup.dice)
    saved = (table.ask(saves, one.save) if one.name == who else None for one in setup.victims)
    return SpellResult(damage, tuple(saved))


def befell(changes: Changes, intent: Intent, setup: Setup, result: SpellResult) -> None:
    """D20-15: the whole damage, or half of it, or none."""
    changes.end(intent.actor, "invisible", "D20-17")
    for one, saved in zip(setup.dice.victims, result.saved, strict=True):
        if saved is None:
            continue
        if not saved or setup.carried["half"]:
            hurt(changes, one.name, harm_of(changes, one.parts, result.damage, 1 + saved))
        if not saved:
            inflict(changes, one.name, setup.carried.get("inflicts", ""))


def every_spell(scene: Scene, who: str) -> Iterator[Intent]:
    """Every spell on every enemy."""
    for name in scene.fighters[who].sheet["spells"]:
        yield from (Intent("cast", who, (foe.name,), {"thing": name}) for foe in scene.foes(who))
