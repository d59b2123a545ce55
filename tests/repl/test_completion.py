"""What may be typed next: what is legal now, with what it would come to."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import pytest
from conftest import Player
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from crisis_cli.cli import cli
from crisis_cli.commands.parse_line import parse_line
from crisis_cli.context import context_of
from crisis_cli.dice.distribution import OddsTable
from crisis_cli.engine.action_odds import action_odds
from crisis_cli.engine.scene import Intent
from crisis_cli.preview import parse_intent
from crisis_cli.render.command_text import quote
from crisis_cli.repl.completer import Completions, chances_text
from crisis_cli.repl.suggestions import LineOdds, Suggestions
from crisis_cli.verbs import VERBS

Offered = Callable[[str], dict[str, str]]


class Known(Suggestions):
    """Suggestions that know the odds of every line that they are asked for, as a patient player sees them."""

    def of(self, words: Sequence[str]) -> LineOdds | None:
        """The odds of a line, once they are known."""
        until = time.monotonic() + 60
        while super().of(words) is None and tuple(words) not in self.found:
            assert time.monotonic() < until, words
            time.sleep(0.002)
        return self.found[tuple(words)]


@pytest.fixture
def offered(fight: Player) -> Offered:
    """What is offered behind a line: words, and what is said beside each once it is known."""

    def report(line: str) -> dict[str, str]:
        context = context_of(fight.environment())
        session = context.desk.open_session()
        suggestions = Known(lambda: None)
        completions = Completions(lambda: context, lambda: session.scene, suggestions)
        suggestions.set_scene(context, session.scene)
        suggestions.start()
        found = completions.get_completions(Document(line), CompleteEvent())
        return {one.text: one.display_meta_text for one in found}

    return report


def test_the_first_word_is_what_can_be_done_now_and_then_the_verbs(offered: Offered) -> None:
    words = list(offered(""))
    assert words[0] == "attack"
    assert "stand-up" not in words, "no fighter is prone"
    assert "reload" not in words, "a baton takes no rounds"
    assert {"next", "undo", "odds", "note", "map"} <= set(words)
    assert "play" not in words and "init" not in words
    assert words.index("attack") < words.index("next")


def test_what_has_become_legal_is_offered(fight: Player, offered: Offered) -> None:
    fight.ok("act drop-prone")
    words = offered("st")
    assert "stand-up" in words and "AP" in words["stand-up"]
    assert "attack" not in offered("a"), "prone, and a baton in hand"


def test_targets_are_foes_with_the_chance_and_the_harm_beside_them(fight: Player, offered: Offered) -> None:
    said = offered("attack ")
    assert list(said) == ["drone"]
    context = context_of(fight.environment())
    session = context.desk.open_session()
    report = action_odds(session.system, session.scene, Intent("attack", "Jack", ("Drone",)), OddsTable())
    assert report.success is not None
    assert said["drone"].startswith(f"{100 * report.success[0] / report.success[1]:.2f} %")
    assert "harm" in said["drone"]


def test_the_name_of_the_program_may_stand_first(offered: Offered) -> None:
    # The words behind a name depend on how much time there is to weigh plans.
    assert offered("crisis attack ").keys() == offered("attack ").keys()
    assert "attack" in offered("crisis ") and "odds" in offered("crisis o")


def test_where_the_configuration_cannot_be_read_nothing_is_offered(fight: Player, offered: Offered) -> None:
    fight.env["CRISIS_CONFIG"] = str(fight.here)
    (fight.here / "config.toml").write_text("[aliases")
    assert offered("foo bar ") == {}


def test_options_already_said_count(offered: Offered) -> None:
    plain = offered("attack ")["drone"]
    helped = offered("attack --mod 4 ")["drone"]
    assert float(helped.split(" %")[0]) > float(plain.split(" %")[0])


def test_options_of_other_systems_are_not_offered(offered: Offered) -> None:
    options = offered("attack drone --")
    assert "--weapon" in options and "--penetrable" in options
    assert "--shots" not in options and "--stable" not in options


def test_nothing_is_done_by_completing(fight: Player, offered: Offered) -> None:
    before = fight.files()
    for line in ("", "attack ", "undo ", "next ", "act draw ", "heal ", "set drone ", "set drone health 1"):
        offered(line)
    assert fight.files() == before


def test_an_action_completes_as_behind_act(offered: Offered) -> None:
    assert offered("heal ") == offered("heal ")
    assert set(offered("use-item ")) == set(offered("act use-item "))


@pytest.mark.parametrize("word", ["drone-1", "Doc Moss", "it's", "a,b", "x=1,2", ""])
def test_what_is_completed_reads_back_as_the_word(word: str) -> None:
    assert parse_line(f"attack {quote(word)}", VERBS, ()) == ["attack", word]


def test_only_lines_of_actions_have_a_meaning(fight: Player) -> None:
    context = context_of(fight.environment())
    before = fight.files()
    assert parse_intent(cli, context, ["attack", "drone"]) is not None
    for line in (["undo"], ["next"], ["end"], ["set", "drone", "health", "1"], []):
        assert parse_intent(cli, context, line) is None
    assert fight.files() == before


def test_no_chances_are_no_words() -> None:
    assert chances_text(None) == ""


def test_the_ways_to_move_are_offered_with_the_chances_from_there(fight: Player, offered: Offered) -> None:
    fight.ok("set jack at 0,0")
    fight.ok("set drone at 6,0")
    assert {"toward", "away", "beside"} <= set(offered("move "))
    report = offered("move toward ")
    assert report["drone"].startswith("then Drone: ") and "harm" in report["drone"]


def test_opponents_stand_first_where_one_moves_toward_somebody(fight: Player, offered: Offered) -> None:
    fight.ok("join ada --dice 1,1,1")
    fight.ok("set jack at 0,0")
    fight.ok("set ada at 0,3")
    fight.ok("set drone at 9,0")
    ways = offered("move toward ")
    assert next(iter(ways)) == "drone" and "ada" in ways


def test_places_of_the_map_are_offered_after_fighters(fight: Player, offered: Offered) -> None:
    fight.ok("end --no-save --yes")
    fight.ok("init --encounter bridge --seed 1")
    ways = [*offered("move toward ")]
    assert ways[-2:] == ["near-bank", "far-bank"] and "jack" in ways[:-2]
    assert "far-bank" not in offered("move beside ")


def test_what_begins_the_best_plan_comes_first_with_what_the_plan_is_worth(
    fight: Player, offered: Offered
) -> None:
    """The same plans, with the same numbers, as `odds` shows."""
    records = fight.ok("odds --json").records
    worth = {one["action"]: one["plan_worth"] for one in records if "plan" in one}
    fight.ok("act drop-prone")
    lying = {one["action"]: one["plan_worth"] for one in fight.ok("odds --json").records if "plan" in one}
    assert max(lying, key=lying.__getitem__) == "stand-up" != max(worth, key=worth.__getitem__)
    words = offered("")
    assert next(iter(words)) == "stand-up"
    assert words["stand-up"].endswith(f"plan {lying['stand-up']:+}".replace("-", "−"))
