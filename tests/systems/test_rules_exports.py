"""What a rulebook imports: each name is what it says, and none is a module that hides it."""

from __future__ import annotations

from types import ModuleType

import pytest

from crisis_cli import rules


@pytest.mark.parametrize("name", rules.__all__)
def test_what_is_exported_is_no_module_of_the_same_name(name: str) -> None:
    assert not isinstance(getattr(rules, name), ModuleType)
