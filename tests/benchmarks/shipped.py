"""Shipped heroes against shipped opponents, as the sheets suggest: how often the players win, and how long it takes.

PYTHONPATH=tests/ai python tests/benchmarks/shipped.py --fights 60
PYTHONPATH=tests/ai python tests/benchmarks/shipped.py --system step --apart 4 --foes brute=1 raider=3 --fights 16
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from bouts import Bout, by_doctrine, fought, roster

from crisis_cli.engine.scene import Scene
from crisis_cli.engine.sides import standing
from crisis_cli.sheets.fighters import fighter
from crisis_cli.systems import SYSTEMS, load

ROUNDS = 40
"""Rounds after which nobody has won."""
DECIDED = 20
"""Rounds within which nearly all fights shall be decided."""


class Pairing(NamedTuple):
    """A hero against so many of one opponent, so far apart."""

    system: str
    hero: str
    foe: str
    count: int
    apart: int


class Result(NamedTuple):
    """How the fights of a pairing went."""

    won: int
    rounds: tuple[int, ...]
    undecided: int

    @property
    def share(self) -> float:
        """The share of the fights that the players have won."""
        return self.won / len(self.rounds)

    def __str__(self) -> str:
        middle = sorted(self.rounds)[len(self.rounds) // 2]
        return f"{self.share:4.0%} of {len(self.rounds)}, {middle} rounds, {self.undecided} undecided after {DECIDED}"


def suggested(systems: Iterable[str]) -> Iterator[Pairing]:
    """Every pairing that the sheet of a hero suggests."""
    for system in systems:
        for sheet in roster(system):
            fight = sheet.values.get("fight") or {}
            if sheet.values["player"]:
                for foe, count in fight.get("foes", {}).items():
                    yield Pairing(system, sheet.path.stem, foe, count, fight["apart"])


def scene_of(one: Pairing) -> Scene:
    """The fighters of a pairing, each side on a line of its own."""
    system = load(one.system)
    sheets: dict[str, Any] = {sheet.path.stem: sheet for sheet in roster(one.system)}
    hero = fighter(system, sheets[one.hero], side="players")._replace(at=(0.0, 0.0), player=False)
    foes = [
        fighter(
            system,
            sheets[one.foe],
            name=f"{sheets[one.foe].values['name']} {at + 1}",
            side="opponents",
            player=False,
        )._replace(at=(float(one.apart), float(at)))
        for at in range(one.count)
    ]
    return Scene(system.name, {each.name: each for each in (hero, *foes)}, open=True)


def fight(one: Pairing, seed: int) -> tuple[bool, Bout]:
    """Whether the players win a fight, and the fight."""
    system = load(one.system)
    bout = fought(system, scene_of(one), seed, by_doctrine(system), rounds=ROUNDS)
    return list(standing(system, bout.end)) == ["players"], bout


def score(one: Pairing, fights: int) -> Result:
    """So many fights of a pairing."""
    played = [fight(one, seed) for seed in range(fights)]
    rounds = tuple(bout.end.round for _, bout in played)
    return Result(sum(won for won, _ in played), rounds, sum(count > DECIDED for count in rounds))


def main() -> None:
    """Print the result of every pairing, then of all."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fights", type=int, default=60)
    parser.add_argument("--system", nargs="*", default=list(SYSTEMS))
    parser.add_argument("--apart", type=int, nargs="*", help="instead of what the sheets say")
    parser.add_argument("--foes", nargs="*", help="FOE=COUNT, instead of what the sheets say")
    given = parser.parse_args()
    pairings = list(suggested(given.system))
    if given.foes:
        heroes = [
            (name, sheet.path.stem)
            for name in given.system
            for sheet in roster(name)
            if sheet.values["player"]
        ]
        wanted = [word.split("=") for word in given.foes]
        pairings = [
            Pairing(system, hero, foe, int(count), apart)
            for system, hero in heroes
            for foe, count in wanted
            for apart in given.apart
            if any(sheet.path.stem == foe for sheet in roster(system))
        ]
    shares = []
    for one in pairings:
        found = score(one, given.fights)
        shares.append(found.share)
        print(
            f"{one.system:7}{one.hero:8}against {one.count} {one.foe:9}{one.apart:3} apart  {found}",
            flush=True,
        )
    print(f"over all {sum(shares) / len(shares):.0%}")


if __name__ == "__main__":
    main()
