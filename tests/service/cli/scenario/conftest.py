"""Modules that commands build by themselves have boards with nothing on them here."""

from __future__ import annotations

import pytest
from quick_pictures import quick_pictures

from hexmarshal.table.module_finder import own_module


@pytest.fixture(scope="package", autouse=True)
def _quick_modules():
    own_module.cache_clear()
    with quick_pictures():
        yield
    own_module.cache_clear()
