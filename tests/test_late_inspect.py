"""The stand-in for `inspect` gives what the real one does, and loads it only when it has to."""

import inspect
import sys
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crisis_cli.late_inspect import NAME, LateInspect, put_off

DOC = """First line.

        Indented as in a class.
    """


@pytest.fixture
def late() -> Iterator[LateInspect]:
    """The stand-in, where a program would find it."""
    real = sys.modules.pop(NAME)
    put_off()
    stand_in = sys.modules[NAME]
    assert isinstance(stand_in, LateInspect)
    yield stand_in
    sys.modules[NAME] = real


def test_a_line_needs_no_tidying(late: LateInspect) -> None:
    assert late.cleandoc("Roll with these dice.") == "Roll with these dice."
    assert sys.modules[NAME] is late


@pytest.mark.parametrize("doc", [DOC, "\tA tab.", "  Two spaces.", "Two\nlines.", "A\ttab within.", ""])
def test_all_else_is_tidied_by_the_real_one(late: LateInspect, doc: str) -> None:
    assert late.cleandoc(doc) == inspect.cleandoc(doc)


@given(st.text())
def test_every_text_is_tidied_alike(doc: str) -> None:
    assert LateInspect(NAME).cleandoc(doc) == inspect.cleandoc(doc)


def test_what_is_asked_of_it_loads_the_real_one(late: LateInspect) -> None:
    from inspect import Parameter

    assert late.isfunction(put_off) and not late.isfunction(print)
    assert Parameter.empty is late.Parameter.empty
    assert sys.modules[NAME] is not late
    assert all(hasattr(late, name) for name in dir(sys.modules[NAME]))
    with pytest.raises(AttributeError):
        _ = late.no_such_name


def test_what_is_loaded_already_stays() -> None:
    put_off()
    assert sys.modules[NAME] is inspect
