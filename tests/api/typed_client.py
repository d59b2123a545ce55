"""A program that uses every public name, for mypy and to be run: it fights, asks, draws and measures in a folder."""

from __future__ import annotations

import sys

import crisis_cli as crisis


def told(warning: crisis.Warning) -> None:
    """Print what the library warns of."""
    print(warning.message, file=sys.stderr)


def decide(
    fight: crisis.Fight, request: crisis.Act | crisis.Choose | crisis.Respond | crisis.Faces
) -> crisis.Intent | str | int | None:
    """The answer of a simple player."""
    if isinstance(request, crisis.Act):
        rows: list[crisis.Legal] = fight.legal()
        return rows[0].intent
    if isinstance(request, crisis.Choose):
        option: crisis.Option = request.options[0]
        return option.name
    if isinstance(request, crisis.Respond):
        response: crisis.Response | None = request.usual
        return crisis.PASS if response is None else None
    return request.sides


def expressions() -> None:
    """Roll, and compare."""
    rolled: crisis.Roll = crisis.roll("3d6+2", seed=1)
    odds: crisis.Odds = crisis.odds("3d6")
    comparison: crisis.Comparison = crisis.compare("3d6", "2d10")
    try:
        crisis.roll("3d")
    except crisis.NotationError as error:
        caught: crisis.CrisisError = error
        print(caught.code, int(rolled), odds.to_dict()["v"], comparison.to_dict()["v"])


def a_fight(library: crisis.Library) -> None:
    """Play a fight to its end, and read what became of it."""
    fight = library.begin("jack", vs="drone", seed=3, file="crisis.jsonl", apart=0)
    fight.dice = crisis.Dice(mine=True)
    results: list[crisis.Result] = [*fight.play(lambda request: decide(fight, request))]
    state: crisis.State = fight.state
    fighters: list[crisis.Fighter] = [*state.fighters.values()]
    goals: list[crisis.GoalProgress] = fight.goals
    coming: list[crisis.Approach] = [one for goal in goals for one in goal.who]
    barred: list[crisis.Barred] = fight.barred()
    explained: crisis.Explained = fight.explain(1)
    modifiers: list[crisis.Modifier] = [*results[0].entry.modifiers]
    differences: list[crisis.Difference] = fight.verify()
    recap: crisis.Recap = fight.recap()
    ended: crisis.Ended = fight.end(save=False)
    archive: crisis.Journal = library.journal(str(ended.archive))
    print(len(fighters), len(coming), len(barred), explained, modifiers, differences, recap, len(archive.log))


def what_is_refused(library: crisis.Library) -> None:
    """Meet the errors of a fight and of files."""
    try:
        library.resume("nothing.jsonl")
    except (crisis.FileError, crisis.Refused, crisis.Usage) as error:
        print(error.code, error.hint)


def measured(library: crisis.Library) -> None:
    """Find the odds of actions, fights and foes."""
    chances: crisis.Chances = library.chances("attack", "jack", "drone")
    success: crisis.Chance | None = chances.success
    ranked: list[crisis.Ranked] = library.begin("jack", vs="drone", seed=1, apart=0).ranking("jack")
    duel: crisis.Duel = library.duel("jack", "drone")
    fights: crisis.Simulated = library.simulate("jack", vs="drone", fights=20, seed=1)
    share: crisis.Share = fights.wins()["players"]
    foe: crisis.Foe = library.foe(against=("jack",), system="3d6", fights=20, seed=1)
    print(success, len(ranked), duel, share, foe)


def in_this_folder() -> None:
    """Use the methods that need no library."""
    done: list[crisis.Result] = [
        crisis.attack("jack", "drone", seed=1),
        crisis.heal("jack", seed=1),
        crisis.check("jack", "melee", difficulty=9, seed=1),
        crisis.do("attack", "jack", "drone", seed=1),
        crisis.ask("Is it dark?", seed=1),
        *crisis.draw("events", seed=1),
    ]
    print(len(done), crisis.chances("attack", "jack", "drone"), crisis.duel("jack", "drone"))
    try:
        crisis.throw("jack", "drone", seed=1)
    except crisis.CrisisError as error:
        print(error.code)
    fight = crisis.begin("jack", vs="drone", seed=1, file="again.jsonl", plays="none")
    crisis.resume("again.jsonl")
    crisis.journal("again.jsonl")
    print(crisis.simulate("jack", vs="drone", fights=10, seed=1), fight, crisis.foe)


def main() -> None:
    """Do all of it in the working folder."""
    library = crisis.Library(on_warning=told)
    sheets: crisis.Shelf[object] = library.tables
    story: crisis.Story | None = library.story
    spoils: crisis.Spoils | None = story.spoils if story else None
    print(sheets.names(), story, spoils, crisis.__version__)
    expressions()
    a_fight(library)
    what_is_refused(library)
    measured(library)
    in_this_folder()


if __name__ == "__main__":
    main()
