"""The documentation site: its pages are made the same each time, its links hold, and its examples are true."""

import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from conftest import PROGRAM, ROOT, needs_program, program_env
from markdown_it import MarkdownIt
from story.browser import browser

from crisis_cli.manual import pages

COOKBOOK = ROOT / "crisis_cli" / "manual" / "text" / "cookbook.md"
RECIPES = re.findall(r"^## (.+?)\n(.*?)(?=^#)", COOKBOOK.read_text(encoding="utf-8"), re.M | re.S)
PRINTING = {"index.md", "manual/crisis-cookbook.7.md", "manual/crisis-notation.7.md"}
"""Pages whose sessions of the shell are run by tests: those of the README, of the cookbook and of notation."""


def built() -> ModuleType:
    """The program that builds the site, as a module."""
    spec = importlib.util.spec_from_file_location("build_site", ROOT / "docs" / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.md")
    }


def refuse_dead_links(folder: Path) -> None:
    """Fail if a link or a picture of a page leads to no file."""
    parser, count = MarkdownIt(), 0
    for name, text in texts(folder).items():
        tokens = [child for token in parser.parse(text) for child in token.children or ()]
        for href in (str(token.attrs["href"]) for token in tokens if token.type == "link_open"):
            assert href.startswith("https://") or (folder / name).parent.joinpath(href).is_file(), (
                name,
                href,
            )
            count += 1
        for source in re.findall(r'(?:src|srcset)="(.*?)"', text):
            assert (folder / name).parent.joinpath(source).is_file(), (name, source)
    assert count > 600


def test_pages_of_the_manual_are_the_same_each_time() -> None:
    assert pages.as_markdown() == pages.as_markdown()


def sessions(text: str) -> list[tuple[str, str]]:
    """The commands of a text, each with what it prints."""
    lines = [line[4:] for line in text.split("\n") if line.startswith("    ")]
    found: list[tuple[str, str]] = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif line.startswith("> ") and not found[-1][1]:
            found[-1] = (f"{found[-1][0]}\n{line[2:]}", "")
        else:
            found[-1] = (found[-1][0], f"{found[-1][1]}{line}\n")
    return found


def test_the_cookbook_has_twenty_recipes() -> None:
    assert len(RECIPES) == len({title for title, _ in RECIPES}) == 20


@pytest.mark.slow
@pytest.mark.parametrize(("title", "text"), RECIPES, ids=[title for title, _ in RECIPES])
def test_a_recipe_prints_what_it_shows(title: str, text: str, tmp_path: Path) -> None:
    if "jq " in text:
        needs_program("jq")
    (tmp_path / "bin").mkdir()
    (tmp_path / "empty").mkdir()
    starter = tmp_path / "bin" / "crisis"
    starter.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m crisis_cli "$@"\n')
    starter.chmod(0o755)
    env = {**program_env(tmp_path), "LC_ALL": "C.UTF-8"}
    env["PATH"] = f"{starter.parent}{os.pathsep}{env['PATH']}"
    commands = sessions(text)
    script = "".join(f"{command}\nprintf '%s\\n' '---'\n" for command, _ in commands)
    bash = needs_program("bash")
    done = subprocess.run(
        [bash, "-c", script],
        cwd=tmp_path / "empty",
        env=env,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert done.stdout.split("---\n")[:-1] == [printed for _, printed in commands], done.stderr


def test_the_mistake_in_the_manual_of_notation_prints_what_it_shows(tmp_path: Path) -> None:
    text = COOKBOOK.with_name("notation.md").read_text(encoding="utf-8")
    ((command, printed),) = sessions(text.partition("# Mistakes")[2])
    words = shlex.split(command.removeprefix("crisis "))
    env = program_env(tmp_path)
    done = subprocess.run([*PROGRAM, *words], cwd=tmp_path, env=env, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", printed)


def refuse_faulty_site(site: Path, browser_folder: Path) -> None:
    """Fail if a link of a built page is dead, or a page loads something from elsewhere, or logs an error."""
    for page in site.rglob("*.html"):
        for target in re.findall(r'(?:href|src)="([^"#:]+)(?:#[^"]*)?"', page.read_text(encoding="utf-8")):
            assert page.name == "404.html" or (page.parent / target).exists(), (page, target)
    with browser(browser_folder) as window:
        window.begin()
        for name in ("index.html", "manual/crisis-rules-step.7.html", "manual/crisis-rules-api.7.html"):
            window.open(site / name)
            assert window.value("document.querySelector('h1').innerText")
            requests = window.said("Network.requestWillBeSent")
            urls = [event["params"]["request"]["url"] for event in requests]
            assert urls and all(url.startswith((site.as_uri(), "data:", "blob:")) for url in urls), urls
            assert not window.said("Runtime.exceptionThrown", "Log.entryAdded")


@pytest.mark.slow
def test_pages_lead_to_each_other_and_the_site_loads_nothing_from_elsewhere(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """A fight stands on the page of each system: it is printed as the pages are made."""
    program, folder = built(), tmp_path / "build" / "pages"
    program.write_pages(folder)
    listed = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    assert sorted(listed) == sorted(texts(folder))
    refuse_dead_links(folder)
    fights = {f"manual/crisis-rules-{system}.7.md" for system in program.FIGHTS}
    printing = {name for name, text in texts(folder).items() if re.search(r"^(?: *)```console", text, re.M)}
    assert printing == PRINTING | fights, "a session of the shell that no test runs"
    pytest.importorskip("zensical", reason="not installed: pip install '.[docs]'")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    program.build_site(tmp_path)
    assert "No issues found" in capfd.readouterr().err
    refuse_faulty_site(tmp_path / "build" / "site", tmp_path)
