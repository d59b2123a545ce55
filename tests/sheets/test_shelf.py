"""The shelves of sheets, encounters, tables and doctrines: each finds, reads, checks, copies and makes its files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import JACK

from crisis_cli.ai.doctrine_store import DoctrineStore
from crisis_cli.errors import FileError, Usage
from crisis_cli.play.caches import Caches
from crisis_cli.play.places import Places
from crisis_cli.play.shelves import Shelves
from crisis_cli.sheets.shelf import Shelf

SHIPPED = {"characters": "drone", "encounters": "bridge", "tables": "twists", "doctrines": "careful"}
"""The name of a file that comes with the program, by the folder of its kind."""
VALUES: dict[str, dict[str, Any]] = {
    "characters": {"system": "3d6", "abilities": {"might": 2}},
    "encounters": {"system": "3d6", "about": "a cellar"},
    "tables": {"about": "a cellar", "rows": ["a rat", "a barrel"]},
    "doctrines": {"about": "stays away", "range": "far"},
}
"""Values of a new file of each kind."""
WRONG = {
    "characters": JACK.replace("might = 1", "migth = 1"),
    "encounters": 'system = "3d6"\nmigth = 1\n[[fighter]]\nsheet = "drone"\n',
    "tables": 'migth = 1\nrows = ["a"]\n',
    "doctrines": 'about = "x"\nmigth = 1\n',
}
"""Files with one fault."""
LINES = {"characters": 6, "encounters": 2, "tables": 1, "doctrines": 2}
Make = Callable[[str], Shelf[Any]]


@pytest.fixture
def shelf(tmp_path: Path) -> Make:
    """The shelf of the files of a folder, made anew."""

    def make(folder: str) -> Shelf[Any]:
        shelves = Shelves(Places(str(tmp_path), str(tmp_path / "no-data")), Caches())
        made: Shelf[Any] = getattr(shelves, folder)()
        return made

    return make


@pytest.mark.parametrize("folder", SHIPPED)
class TestEveryShelf:
    """What all shelves do."""

    def test_it_finds_and_reads_what_it_names(self, shelf: Make, folder: str) -> None:
        files = shelf(folder)
        assert SHIPPED[folder] in files.names()
        assert Path(files.find(SHIPPED[folder].upper())).stem == SHIPPED[folder]
        assert files.read(SHIPPED[folder]) and files.check(SHIPPED[folder]) == []
        with pytest.raises(FileError, match="nobody"):
            files.read("nobody")

    def test_a_copy_stands_in_the_nearest_folder_and_is_found_there(
        self, shelf: Make, folder: str, tmp_path: Path
    ) -> None:
        assert shelf(folder).copy(SHIPPED[folder]) == str(tmp_path / folder / f"{SHIPPED[folder]}.toml")
        with pytest.raises(FileError, match="exists already"):
            shelf(folder).copy(SHIPPED[folder])
        path = shelf(folder).copy(SHIPPED[folder], "My Own")
        assert path == str(tmp_path / folder / "my-own.toml") == shelf(folder).find("my-own")
        assert shelf(folder).check("my-own") == []

    def test_a_new_file_has_its_values_and_no_fault(self, shelf: Make, folder: str) -> None:
        path = shelf(folder).new("Old Cellar", VALUES[folder])
        assert shelf(folder).check(path) == shelf(folder).check("old-cellar") == []
        text = Path(path).read_text(encoding="utf-8")
        assert text.startswith("# Old Cellar, a")
        for value in ("might = 2",) if folder == "characters" else (f'"{VALUES[folder]["about"]}"',):
            assert value in text
        with pytest.raises(FileError, match="exists already"):
            shelf(folder).new("Old Cellar", VALUES[folder])

    def test_an_example_has_no_fault(self, shelf: Make, folder: str) -> None:
        system = {"system": "3d6"} if "system" in VALUES[folder] else {}
        assert shelf(folder).check(shelf(folder).new("cellar", system)) == []

    def test_a_file_needs_a_name(self, shelf: Make, folder: str, tmp_path: Path) -> None:
        with pytest.raises((Usage, FileError)):
            shelf(folder).new("…", VALUES[folder])
        assert not (tmp_path / folder).exists()

    def test_a_fault_has_its_line_and_key(self, shelf: Make, folder: str, tmp_path: Path) -> None:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bad.toml").write_text(WRONG[folder], encoding="utf-8")
        (fault,) = shelf(folder).check("bad")
        assert (fault["file"], fault["line"]) == (f"{folder}/bad.toml", LINES[folder])
        assert str(fault["key"]).endswith("migth")
        assert shelf(folder).check(f"{folder}/bad.toml") == [fault]

    def test_its_schema_has_the_keys_of_a_file(self, shelf: Make, folder: str) -> None:
        schema = shelf(folder).schema("3d6")
        assert schema["$schema"] and schema["title"] and VALUES[folder].keys() <= schema["properties"].keys()

    def test_a_new_file_hides_that_of_a_farther_folder(self, shelf: Make, folder: str) -> None:
        path = shelf(folder).new(SHIPPED[folder], VALUES[folder])
        assert "shipped" in shelf(folder).hidden_by(path)
        assert not shelf(folder).hidden_by(shelf(folder).new("Old Cellar", VALUES[folder]))


@pytest.mark.parametrize("folder", SHIPPED)
def test_values_that_toml_cannot_say_are_refused(shelf: Make, folder: str, tmp_path: Path) -> None:
    with pytest.raises(Usage, match="cannot be written"):
        shelf(folder).new("x", {**VALUES[folder], "about": None})
    assert not (tmp_path / folder).exists()


def test_a_doctrine_is_read_once() -> None:
    doctrines = DoctrineStore()
    assert doctrines.named("careful") is doctrines.named("careful")
