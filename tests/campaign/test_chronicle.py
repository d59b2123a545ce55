"""The chronicle of a campaign, its totals, and what is said at the start of an evening."""

from __future__ import annotations

import json
import re
import shutil
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from conftest import Sheets

from campaign.test_campaign import Table, campaign, fight
from crisis_cli.story.luck import of_hits

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """Two evenings with nights, notes, tables and the oracle between them, to be left as they are."""
    return two_evenings(tmp_path_factory.mktemp("evenings"))


@pytest.fixture
def saga(evenings: Table, tmp_path: Path) -> Table:
    """The same two evenings in a folder of its own."""
    table = Table(Path(shutil.copytree(evenings.here, tmp_path / "saltmarch")))
    table.minutes = evenings.minutes
    return table


def two_evenings(tmp_path: Path) -> Table:
    """A campaign of two evenings."""
    table = campaign(tmp_path, "step")
    fight(table, "step", 1, "The bridge")
    table.ok("note --thread 'Who <paid> the *warden*?'")
    table.ok("oracle 'Is it quiet?'")
    table.ok("tables twists")
    table.said("rest --days 2 --care doctor")
    fight(table, "step", 2, "The gate")
    table.ok("note The end # of it.")
    return table


FORMS = (
    *("", "--full", "--recap", "--recap --json", "--json", "--markdown", "--markdown --full"),
    *("--lonelog", "--html", "--html --full"),
)


def test_the_same_campaign_gives_the_same_bytes(evenings: Table, tmp_path: Path) -> None:
    texts = []
    for table in (evenings, two_evenings(tmp_path)):
        before = table.files()
        texts.append([table.ok(f"chronicle {form}").out for form in FORMS])
        assert table.files() == before, "reading writes nothing"
    assert texts[0] == texts[1]
    assert all(texts[0])


def test_all_of_it_is_shown_in_order(saga: Table) -> None:
    records = saga.ok("chronicle --json").records
    assert [record["day"] for record in records] == sorted(record["day"] for record in records)
    fights = [record["fight"] for record in records if record["fight"]]
    assert set(fights) == {1, 2} and fights == sorted(fights)
    between = [record["action"] for record in records if record["fight"] is None]
    assert between == ["note", "oracle", "tables", "downtime", "downtime", "note"]
    for number, name in enumerate(saga.journals, start=1):
        log = saga.ok("log", f"journals/{name}", "--json").records
        own = [record for record in records if record["fight"] == number]
        assert [one["action"] for one in own] == [one["action"] for one in log]
    text = saga.ok("chronicle").out
    order = [
        "Day 1",
        "1. The bridge",
        "Who <paid>",
        "Is it quiet?",
        "Days 1–2: 2 nights.",
        "Day 3",
        "2. The gate",
    ]
    assert [text.index(words) for words in order] == sorted(text.index(words) for words in order)
    later = saga.ok("chronicle --since 3").out
    assert "The gate" in later and "The bridge" not in later


def test_turning_points_stand_in_order_with_what_came_of_them(saga: Table) -> None:
    for text in saga.ok("chronicle").out.split(". The gate: "):
        told = [line for line in map(str.strip, text.splitlines()) if line.startswith("Rd")]
        rounds = [int(line[2:].partition(":")[0]) for line in told]
        assert rounds and rounds == sorted(rounds) and len(told) == len({*told})
        assert any(re.search(r": a hit \(\d+ %\)\.", line) for line in told)


def test_everything_noted_and_answered_is_told_once_and_nights_in_one_line(saga: Table) -> None:
    saga.ok("undo")
    saga.said("undo")
    saga.ok("note Vera swears.")
    saga.ok("oracle 'Do they run?' --odds likely")
    saga.said("end --yes --name 'The gate'")
    saga.ok("note --close 1 'Nobody did.'")
    saga.said("rest --days 60")
    records = saga.ok("chronicle --json").records
    texts = [one["text"] for one in records if one["action"] == "note"]
    texts += [f"{one['question']} ({one['likely']})" for one in records if one["action"] == "oracle"]
    assert {"Vera swears.", "Do they run? (likely, 75 %)"} < {*texts}
    for form in ("", "--markdown", "--html", "--full", "--markdown --full", "--html --full"):
        shown = unescape(saga.ok(f"chronicle {form}").out).replace("\\", "")
        for text in texts:
            # A question that is closed stands there again.
            times = 2 if text.startswith("Who ") else 1
            assert shown.lower().count(text.lower()) == times, (form, text)
        nights = [line for line in shown.splitlines() if "night" in line]
        assert "full" in form or ("Days 3–62: 60 nights." in nights[-1] and len(nights) == 2)
    told = saga.ok("chronicle").lines
    assert max(map(len, told)) <= 80
    at = next(at for at, line in enumerate(told) if "Vera swears." in line)
    gate = next(at for at, line in enumerate(told) if "2. The gate" in line)
    assert gate < at < next(at for at, line in enumerate(told) if "60 nights" in line)
    assert not re.search(r"\[\d", "\n".join(told)), "no dice"


def test_markdown_in_full_holds_every_fight_whole(saga: Table) -> None:
    parser = pytest.importorskip("markdown_it", reason="the CommonMark parser is not installed")
    text = saga.ok("chronicle --markdown --full").out
    kinds = [token.type for token in parser.MarkdownIt("commonmark").enable("table").parse(text)]
    assert "html_block" not in kinds and kinds.count("table_open") == 3
    for name in saga.journals:
        alone = saga.ok("log", f"journals/{name}", "--markdown").out
        rounds = alone[alone.index("### Round 1") :].replace("### ", "#### ")
        assert rounds in text
    assert r"Who \<paid\> the \*warden\*?" in text


def test_the_page_loads_nothing_and_escapes(saga: Table) -> None:
    page = saga.ok("chronicle --html").out
    assert "<script" not in page and "http" not in page.replace("http-equiv", "")
    assert "Who &lt;paid&gt; the *warden*?" in page
    assert "The bridge" in page and page.count("<h3>") == 2
    saga.refused(2, "chronicle --html", terminal=True)
    saga.ok("chronicle --html --to all.html")
    assert (saga.here / "all.html").read_text("utf-8") == page
    saga.refused(4, "chronicle --html --to all.html")


def test_lonelog_is_a_document_with_the_logs_of_the_fights(saga: Table) -> None:
    text = saga.ok("chronicle --lonelog").out
    assert text.startswith('---\ntitle: "Saltmarch"\nruleset: step\n---\n')
    assert [line for line in text.splitlines() if line.startswith("## ")] == ["## Session 1", "## Session 2"]
    assert text.count("```") % 2 == 0
    for name in saga.journals:
        assert saga.ok("log", f"journals/{name}", "--lonelog").out in text


def test_totals_add_up_and_luck_is_exact_over_all_evenings(saga: Table) -> None:
    found = saga.ok("chronicle --recap --json").record["recap"]
    alone = [
        saga.ok("log", f"journals/{name}", "--recap", "--json").record["recap"] for name in saga.journals
    ]

    def of(recap: dict[str, Any]) -> dict[str, Any]:
        return next(one for one in recap["fighters"] if one["name"] == "Vera")

    total, parts = of(found), [of(one) for one in alone]
    for key in ("attacks", "hits", "taken", "healed"):
        assert total[key] == sum(one[key] for one in parts)
    assert total["fights"] == 2 and total["nights"] == 2
    assert total["downed"] == [name for one in parts for name in one["downed"]]
    assert total["expected"] == pytest.approx(sum(one.get("expected", 0) for one in parts))
    assert total["exact"] is True
    chances = chances_of(saga)
    luck = of_hits(chances, total["hits"])
    assert total["percentile"] == pytest.approx(luck.percentile)
    assert "Vera" in saga.ok("chronicle --recap").out


def chances_of(table: Table) -> list[float]:
    """The chance of each attack of Vera, from each journal alone."""
    from crisis_cli.engine.journal import folded_lines
    from crisis_cli.story.recap import recap
    from crisis_cli.systems import load

    found = []
    for name in table.journals:
        lines = (table.here / "journals" / name).read_text("utf-8").splitlines()
        crisis = folded_lines(lines, load)
        attacks = recap(crisis, load(crisis.scene.system)).attacks
        found += [one.odds.hit for one in attacks if one.who == "Vera" and one.odds]
    return found


def test_what_was_undone_is_left_out(saga: Table) -> None:
    saga.ok("undo")
    assert "The end" not in saga.ok("chronicle").out
    saga.said("undo")
    assert "2. Vera against Raider: open, in round" in saga.ok("chronicle").out


def test_a_fight_whose_journal_is_gone_is_shown_from_the_story(saga: Table) -> None:
    (saga.here / "journals" / saga.journals[0]).unlink()
    for form in FORMS:
        shown = saga(f"chronicle {form}")
        assert shown.status == 0 and "shown without its journal" in shown.err
        assert "The bridge" in shown.out or "--recap" in form


def test_an_empty_campaign_has_a_chronicle(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    for form in FORMS:
        shown = table.ok(f"chronicle {form}")
        assert "Saltmarch" in shown.out or shown.record == {"v": 1, "action": "chronicle", "entries": 0}
    table.refused(2, "chronicle --markdown --html")
    table.refused(2, "chronicle --markdown --json")
    table.refused(2, "chronicle --overwrite")


def test_an_evening_begins_with_what_happened_before(saga: Table) -> None:
    sheets = Sheets(saga.here / "characters")
    assert "health" in saga.state("vera") or "durability" in saga.state("vera"), sheets.text("vera")
    shown = saga("play --vs raider --auto --seed 5 --rounds 1 --full")
    before = shown.out.split("Turn order")[0].splitlines()
    assert before[0].startswith("Previously in Saltmarch (day 3)") and 2 < len(before) <= 6
    assert before[1].startswith("  The gate: ")
    assert "  Still hurt: Vera." in before and "  Open: Who <paid> the *warden*?" in before
    assert saga("play --vs raider --auto --seed 5 --rounds 1 --quiet").out.count("\n") == 1
    records = [
        json.loads(line)
        for line in saga("play --vs raider --auto --seed 5 --rounds 1 --json").out.splitlines()
    ]
    assert records[0]["action"] == "init"


def test_many_threads_fit_into_six_lines(saga: Table) -> None:
    for number in range(9):
        saga.ok(f"note --thread 'Question {number}?'")
    before = (
        saga("play --vs raider --auto --seed 5 --rounds 1 --full").out.split("Turn order")[0].splitlines()
    )
    assert len(before) == 6 and "more" in before[-1]


def test_who_dies_at_rest_is_told_and_so_is_a_reset(tmp_path: Path) -> None:
    table = campaign(tmp_path, "step")
    table.said("init vera --vs raider --open --seed 1")
    table.said("end --yes")
    sheet = table.here / "characters" / "vera.toml"
    state = '\n[state]\nhealth = -9\nconditions = ["stable"]\n'
    sheet.write_text(sheet.read_text("utf-8").partition("\n[state]")[0] + state, "utf-8")
    table.said("rest --dice 1,1")
    for form in ("", "--html", "--markdown", "--full"):
        assert "dead" in table.ok(f"chronicle {form}").out, form
    told = table.ok("chronicle").lines
    assert {"  Vera joins.", "  1. Vera against Raider: undecided after 1 round"} <= {*told}
    assert "    A night. Vera Health −9 → −10, dead." in told
    again = table("play moss --vs raider --auto --seed 5 --rounds 1 --full").out
    assert "  Dead: Vera." in again and "undecided" in again
    table.said("character copy moss")
    table.said("rest moss --days 2")
    table.said("character reset vera")
    table.said("rest vera moss")
    told = table.ok("chronicle").lines
    order = ["    Days 2–3: 2 nights.", "", "Day 4", "  Vera is alive again, by a reset.", "  A night."]
    assert told[-5:] == order, "what is new stands on its own day"


def test_how_a_goal_was_won_and_what_was_taken_later_are_told(tmp_path: Path) -> None:
    table = campaign(tmp_path, "3d6")
    goal = 'last-stand = false\n[[event]]\nafter = 1\nwins = "players"\n'
    text = f'name = "Yard"\nsystem = "3d6"\nreward = ["a key", "a map"]\n{goal}[[fighter]]\nsheet = "drone"\n'
    (table.here / "encounters" / "yard.toml").write_text(text, "utf-8")
    table.said("character copy ada")
    table.said("init jack ada --encounter yard --seed 1")
    table.said("set ada health 0")
    for line in ("next", "next", "next", "end --yes"):
        table.said(line)
    table.said("rest jack ada")
    totals = table.ok("chronicle --recap --json").records[0]["recap"]["fighters"]
    assert {one["name"]: one["nights"] for one in totals} == {"Jack": 1, "Ada": 0}, "the dead do not rest"
    table.said("take 2")
    assert "Left behind" not in table.ok("chronicle").out
    table.said("init jack --vs drone --open --seed 1")
    told = table.ok("chronicle").lines
    assert "    Won: round 1 is over. At the end Ada is dead." in told
    at = told.index("  1. Yard: won in 1 round")
    assert told[at + 1 : at + 4] == [
        "    Jack and Ada against Drone.",
        "    You win when round 1 is over.",
        "    You lose when all of you are down.",
    ]
    for form in ("--full", "--markdown --full", "--html"):
        assert "You win when round 1 is over." in table.ok(f"chronicle {form}").out
    table.said("end --yes")
    table.said("take 1")
    text = table.ok("chronicle").out
    assert "Left behind" not in text
    assert text.index("Jack against Drone") < text.index("Jack takes a key.")
