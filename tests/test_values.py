"""The named tuples and frozen records of `values` behave as those of `typing` and `dataclasses`."""

from __future__ import annotations

import copy
import inspect
import pickle
import pydoc
import subprocess
import sys
import threading
import typing

import pytest

from crisis_cli.values import FEW, FrozenRecord, NamedTuple


class Cheap(NamedTuple):
    """A point."""

    x: int
    y: int = 2
    """The second."""

    @property
    def total(self) -> int:
        """Both."""
        return self.x + self.y


class Usual(typing.NamedTuple):
    """A point."""

    x: int
    y: int = 2
    """The second."""

    @property
    def total(self) -> int:
        """Both."""
        return self.x + self.y


Kind = typing.TypeVar("Kind")


class Paired(NamedTuple, typing.Generic[Kind]):
    """Two of a kind."""

    one: Kind
    other: Kind


class Cup(FrozenRecord):
    """A cup."""

    size: int
    """How much it holds,
    in litres."""
    full: bool = False

    def __post_init__(self) -> None:
        vars(self)["size"] = self.size * 10


def test_a_named_tuple_is_that_of_typing() -> None:
    for kind in (Cheap, Usual):
        assert kind._fields == ("x", "y") and kind._field_defaults == {"y": 2}
        assert (kind.__name__, kind.__module__) == (kind.__qualname__, __name__)
        assert (kind.__doc__ or "").startswith("A point.")
        assert kind(1) == (1, 2) and kind(1).total == 3 and kind(1)._replace(y=5).total == 6
        assert repr(kind(1)) == f"{kind.__name__}(x=1, y=2)"
        assert pickle.loads(pickle.dumps(kind(1))) == kind(1)
        with pytest.raises(TypeError, match="missing 1 required positional argument: 'x'"):
            kind()  # type: ignore[call-arg]
        assert pickle.loads(pickle.dumps(kind)) is kind and copy.deepcopy(kind(1)) == kind(x=1)
        assert kind(1)._asdict() == {"x": 1, "y": 2} and kind._make([3, 4]) == kind(y=4, x=3)
        assert kind.__match_args__ == ("x", "y") and not hasattr(kind(1), "__dict__")
        with pytest.raises(AttributeError):
            kind(1).x = 3  # type: ignore[misc]
        with pytest.raises(TypeError, match="takes from 2 to 3 positional arguments but 4 were given"):
            kind(1, 2, 3)  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="got an unexpected keyword argument 'z'"):
            kind(1, z=3)  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="Expected 2 arguments, got 3"):
            kind._make([1, 2, 3])
        with pytest.raises((TypeError, ValueError), match="unexpected field names"):
            kind(1)._replace(z=3)  # type: ignore[call-arg]


def test_a_class_below_a_named_tuple_is_one_of_its_own() -> None:
    class Far(Cheap):
        """A point far off."""

        def doubled(self) -> int:
            return 2 * self.x

    for _ in range(2):
        assert type(Far(1)) is Far and Far(3).doubled() == 6 and repr(Far(1)) == "Far(x=1, y=2)"
        assert type(Far(1)._replace(x=2)) is Far and type(Cheap(1)) is Cheap


def test_many_values_are_made_as_the_first_few_are() -> None:
    class Spot(NamedTuple):
        x: int
        y: int = 2
        z: int = 3

    for _ in range(2):
        assert (Spot(1), Spot(1, z=5), Spot(y=4, x=1)) == ((1, 2, 3), (1, 2, 5), (1, 4, 3))
        with pytest.raises(TypeError, match="got multiple values for argument 'x'"):
            Spot(1, x=1)  # type: ignore[misc]
        assert [Spot(at, 0, 0)[0] for at in range(FEW)] == list(range(FEW))


def test_a_named_tuple_may_have_no_fields() -> None:
    class Empty(NamedTuple):
        """Nothing."""

    assert Empty() == () and repr(Empty()) == "Empty()"


def test_a_named_tuple_takes_types_in_brackets() -> None:
    assert Paired[int](1, 2) == (1, 2) and type(Paired[int](1, 2)) is Paired


def test_a_frozen_record_takes_its_fields_by_keyword_and_keeps_them() -> None:
    cup = Cup(size=3)
    assert vars(cup) == {"size": 30, "full": False}
    with pytest.raises(AttributeError, match="full of Cup cannot be changed"):
        cup.full = True  # type: ignore[misc]
    with pytest.raises(TypeError, match="Cup lacks required keyword arguments: 'size'"):
        Cup(full=True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="Cup has no keyword argument 'handle'"):
        Cup(size=1, handle=True)  # type: ignore[call-arg]


def test_signatures_show_fields_types_and_defaults() -> None:
    assert str(inspect.signature(Cheap)) == "(x: 'int', y: 'int' = 2)"
    assert str(inspect.signature(Paired)) == "(one: 'Kind', other: 'Kind')"
    assert str(inspect.signature(Cup)) == "(*, size: 'int', full: 'bool' = False)"
    assert inspect.signature(Cup).bind(size=3) and inspect.signature(Cheap).bind(1, y=2)


def test_docstrings_list_the_fields_with_the_strings_below_them() -> None:
    assert Cheap.__doc__ == "A point.\n\nFields:\n    x: int\n    y: int = 2\n        The second."
    fields = "    size: int\n        How much it holds,\n        in litres.\n    full: bool = False"
    assert Cup.__doc__ == f"A cup.\n\nFields:\n{fields}"
    assert Cheap(1).__doc__ == Cheap.__doc__ and Cup(size=1).__doc__ == Cup.__doc__
    shown = pydoc.render_doc(Cheap, renderer=pydoc.plaintext)
    assert "Cheap(x: 'int', y: 'int' = 2)" in shown and "The second." in shown


def test_a_class_without_source_keeps_its_docstring() -> None:
    names: dict[str, typing.Any] = {"__name__": "nowhere", "NamedTuple": NamedTuple}
    exec('class Lost(NamedTuple):\n    """A loss."""\n    much: int = 1', names)
    assert names["Lost"].__doc__ == "A loss."
    assert list(inspect.signature(names["Lost"]).parameters) == ["much"]


def test_a_class_below_another_has_its_own_docstring_and_the_signature_of_the_fields() -> None:
    class Farther(Cheap):
        """A point farther off."""

    class Bowl(Cup):
        pass

    assert Farther.__doc__ == "A point farther off."
    assert inspect.signature(Farther) == inspect.signature(Cheap) and Bowl.__doc__ is None


def test_no_source_is_read_until_somebody_asks() -> None:
    code = "import sys, crisis_cli.rules; print({'ast', 'inspect', 'crisis_cli.field_docs'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.slow
def test_two_threads_may_make_the_first_values_of_a_class() -> None:
    """What is compiled for a class is whole before another thread can call it."""
    before, wrong = sys.getswitchinterval(), []
    sys.setswitchinterval(1e-6)

    def make(kind: typing.Any) -> None:
        try:
            for _ in range(100):
                assert kind(1).later == 2
        except TypeError as failure:
            wrong.append(failure)

    try:
        for _ in range(1_000):

            class Kind(NamedTuple):
                first: int
                later: int = 2

            threads = [threading.Thread(target=make, args=(Kind,)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(before)
    assert not wrong
