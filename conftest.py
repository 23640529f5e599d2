"""Examples in documents run in a folder of their own, so that what they write is gone after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from _pytest.doctest import DoctestItem

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def _scratch_folder_for_examples(request: pytest.FixtureRequest) -> None:
    if isinstance(request.node, DoctestItem):  # the others need no folder for that
        folder: Path = request.getfixturevalue("tmp_path")
        (folder / "docs").symlink_to(request.config.rootpath / "docs")
        request.getfixturevalue("monkeypatch").chdir(folder)
