"""Modifiers: the lines that add up to one number of a roll, each with name, value, source and rule (ALL-6)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..engine.record import Modifier
from ..engine.scene import OF_THE_PLACE, Fighter, Intent, Scene, slug
from ..engine.system import refuse


class Modifiers:
    """The modifiers of one roll, defence or damage. Methods add lines and return the object, so that calls can be
    chained."""

    __slots__ = ("about", "advantages", "lines", "roll", "rule")

    def __init__(self, roll: str, rule: str, against: str = "", shot: int = 0, pool: str = ""):
        self.roll = roll
        """What the lines belong to: `attack`, `defence`, `damage`."""
        self.rule = rule
        """The rule of lines that name none of their own."""
        self.about = (against, shot, pool)
        """The target, the number of the shot, and the pool that the roll is for, if there are several."""
        self.lines: list[Modifier] = []
        """The lines, in the order in which they were added."""
        self.advantages = 0
        """How many advantages more than disadvantages the roll has."""

    def __iter__(self) -> Iterator[Modifier]:
        return iter(self.lines)

    @property
    def total(self) -> int:
        """The sum of all lines."""
        return sum(line.value for line in self.lines)

    def base(self, name: str, value: int, rule: str = "", source: str = "") -> Modifiers:
        """Add a line, even if its value is 0; True counts 1."""
        self.lines.append(Modifier(self.roll, name, int(value), rule or self.rule, source, *self.about))
        return self

    def add(self, name: str, value: int, rule: str = "", source: str = "") -> Modifiers:
        """Add a line, unless its value is 0."""
        return self.base(name, value, rule, source) if value else self

    def situational(self, fighter: Fighter, *names: str, sign: int = 1) -> Modifiers:
        """Add the situational modifiers that the sheet or the encounter lists under these names, each once (ALL-6).

        `sign` is -1 if a bonus makes the number smaller.
        """
        worth: Mapping[str, int] = fighter.sheet["circumstance"]
        for name in dict.fromkeys(names) if worth else ():
            self.add(f"circumstance ({name})", sign * worth.get(name, 0), "ALL-6", "sheet")
        place = {title: value for roll, title, value in fighter.sheet.get(OF_THE_PLACE, ()) if roll in names}
        for title, value in place.items():
            self.add(title, sign * value, "ALL-6", "encounter")
        return self

    def asked(self, intent: Intent, option: str = "mod", sign: int = 1) -> Modifiers:
        """Add the modifier of the command line: `--mod N`, or that of another option (ALL-6). `sign` is -1 if a bonus
        makes the number smaller."""
        source = intent.get("why", "--" + option.replace("_", "-"))
        return self.add("circumstance", sign * intent.get(option, 0), "ALL-6", source)

    def cover(self, intent: Intent, target: str, worth: Mapping[str, int], level: str, *of: str) -> Modifiers:
        """Add what the target's cover is worth, `worth[level]`, with the rule and the source `of` it; Refused for
        total cover."""
        if level == "total":
            place = f"crisis set {slug(target)} cover:{slug(intent.actor)} heavy"
            hint = f"move to where the cover does not count, or change it: {place}"
            what = f"{target} is in total cover and cannot be hit"
            refuse(intent, what, of[0] or self.rule, hint, final=True, code="total_cover")
        return self.add(f"{level} cover", worth[level], *of)

    def shelter(self, scene: Scene, intent: Intent, target: str, level: str) -> Modifiers:
        """Add a line without a number for cover that has a roll of its own, if the map gives the target this level."""
        found = scene.cover_between(target, intent.actor)
        is_from_map = found.source != "cover" and intent.get("cover") is None and found.level == level
        return self.base(f"{level} cover", 0, source=found.source) if is_from_map else self

    def advantage(self, name: str, sign: int, rule: str = "", source: str = "") -> Modifiers:
        """Add a line without a number: an advantage of the roll (`sign` 1), such as the lower of two dice, or a
        disadvantage (`sign` -1); 0 gives no line."""
        self.advantages += sign
        return self.base(name, 0, rule, source) if sign else self

    @property
    def net_advantage(self) -> int:
        """1 for an advantage, -1 for a disadvantage, 0 if they cancel or there is none."""
        return (self.advantages > 0) - (self.advantages < 0)

    def extend(self, lines: Iterable[Modifier]) -> Modifiers:
        """Add the lines of another roll to this one."""
        if isinstance(lines, Modifiers):
            self.advantages += lines.advantages
            lines = lines.lines
        if lines:
            against, shot, pool = self.about
            self.lines += (
                line._replace(roll=self.roll, against=against, shot=shot, pool=pool) for line in lines
            )
        return self

    @staticmethod
    def lines_of(*rolls: Iterable[Modifier]) -> tuple[Modifier, ...]:
        """The lines of several rolls in one tuple, for `Setup.modifiers`."""
        return tuple(line for roll in rolls for line in roll)

    def at_least(self, lowest: int, name: str, rule: str = "") -> Modifiers:
        """If the total is below `lowest`, add a line that raises the total to it."""
        return self.add(name, max(0, lowest - self.total), rule)
