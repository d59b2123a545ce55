"""The pictures of the README show what the program shows."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

pytest.importorskip("pty", reason="no pseudo-terminals here")
pytestmark = pytest.mark.slow

TOP = Path(__file__).parent.parent


def test_the_pictures_are_the_screens_of_the_program() -> None:
    spec = importlib.util.spec_from_file_location("draw", TOP / "pictures" / "draw.py")
    assert spec and spec.loader
    draw = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(draw)

    def stale() -> set[str]:
        return {path.name for path, svg in draw.pictures() if path.read_text(encoding="utf-8") != svg}

    # On a busy machine a screen may be read before it is whole: what is stale is so each time.
    found = stale()
    assert not (found and found & stale()), "draw them again: python pictures/draw.py"


def test_the_readme_shows_every_picture_light_and_dark() -> None:
    readme = (TOP / "README.md").read_text(encoding="utf-8")
    shown = set(re.findall(r'"(pictures/[^"]+\.svg)"', readme))

    assert shown == {f"pictures/{path.name}" for path in (TOP / "pictures").glob("*.svg")}
    for path in shown:
        picture = ElementTree.parse(TOP / path).getroot()
        title = picture.find("{http://www.w3.org/2000/svg}title")
        assert title is not None and title.text
        words = {one.text for one in picture.iter("{http://www.w3.org/2000/svg}text")}
        assert len(words) > 20, "its text is text"
