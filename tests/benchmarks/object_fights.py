"""Fights as one would first write them: an object for each fighter, a call for each die, a loop over turns.

The rules are those of 3d6 for fights hand to hand without positions (3D6-6 to 3D6-28), played as the plain policy does:
everyone attacks the first foe who stands, as long as AP last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any


class Fighter:
    """Someone who fights, with the numbers of a sheet."""

    def __init__(self, side: str, sheet: Mapping[str, Any], random: Random):
        abilities, skills, armour = sheet["abilities"], sheet["skills"], sheet["armour"]
        weapon = next(iter(sheet["weapons"].values()))
        self.side = side
        self.random = random
        self.melee = skills.get("melee", 0)
        self.might = abilities["might"]
        self.intelligence, self.speed = abilities["intelligence"], abilities["speed"]
        self.damage, self.crit = weapon["damage"], weapon["crit"]
        self.armour_defence, self.dr = armour["defence"], armour["dr"]
        self.durability = armour["durability"]
        self.endurance = 50 + 10 * self.might
        self.health = 25 + 5 * self.might
        self.ap = 0

    @property
    def is_alive(self) -> bool:
        """Whether any Health is left (3D6-27)."""
        return self.health > 0

    def roll(self) -> list[int]:
        """Three dice."""
        return [self.random.randint(1, 6) for _ in range(3)]

    def initiative(self) -> tuple[int, int, int, float]:
        """What decides the turn order, ties included (3D6-6, 3D6-7)."""
        return (
            sum(self.roll()) + self.intelligence + self.speed,
            self.intelligence,
            self.speed,
            self.random.random(),
        )

    def begin_round(self) -> None:
        """Gain AP (3D6-10, 3D6-13)."""
        self.ap = min(6, self.ap + (4 if self.endurance else 2))

    @property
    def defence(self) -> int:
        """What an attack has to reach (3D6-19)."""
        return 10 + self.melee + self.might + self.armour_defence

    def attack(self, target: Fighter) -> None:
        """Attack hand to hand, for 2 AP (3D6-18, 3D6-24, 3D6-28)."""
        self.ap -= 2
        dice = self.roll()
        if sum(dice) + self.melee + self.might >= target.defence:
            target.suffer(self.damage + self.might, self.crit * dice.count(6))

    def suffer(self, damage: int, critical: int) -> None:
        """Take a hit, armour first (3D6-25, 3D6-26, 3D6-28)."""
        if self.durability:
            damage = max(0, damage - self.dr)
            self.durability = max(0, self.durability - (2 if critical else 1))
            critical = max(0, critical - self.dr)
        if self.endurance:
            self.endurance = max(0, self.endurance - damage)
        else:
            critical += damage
        self.health = max(0, self.health - critical)


class Fight:
    """One fight between two sides."""

    def __init__(self, sides: Mapping[str, Sequence[Mapping[str, Any]]], random: Random):
        self.fighters = [Fighter(side, sheet, random) for side, sheets in sides.items() for sheet in sheets]

    def foe_of(self, fighter: Fighter) -> Fighter | None:
        """The first foe who stands."""
        return next((one for one in self.fighters if one.side != fighter.side and one.is_alive), None)

    @property
    def is_over(self) -> bool:
        """Whether only one side still stands."""
        return len({one.side for one in self.fighters if one.is_alive}) < 2

    def play(self, rounds: int = 200) -> str | None:
        """The side that wins; None after so many rounds."""
        order = sorted(self.fighters, key=lambda one: one.initiative(), reverse=True)
        for _ in range(rounds):
            for fighter in self.fighters:
                fighter.begin_round()
            for fighter in order:
                while fighter.is_alive and fighter.ap >= 2:
                    target = self.foe_of(fighter)
                    if target is None:
                        return fighter.side
                    fighter.attack(target)
                    if self.is_over:
                        return fighter.side
        return None
