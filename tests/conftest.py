"""Fixtures for every test: hypothesis profiles and the folder of real VASSAL files."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick",
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("deep", max_examples=5000, deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

ROOT = Path(__file__).resolve().parent.parent


# Next to nothing of what is imported and collected goes again.
gc.disable()
# New objects between two looks of the collector: rules make many that soon go by themselves.
YOUNG = 20_000


def pytest_collection_finish() -> None:
    """What is there by now stays to the end: the collector need not look at it again and again."""
    gc.enable()
    gc.set_threshold(YOUNG)
    gc.collect()
    gc.freeze()


def corpus_folder() -> Path | None:
    """Where real files are, if anywhere: HEXMARSHAL_CORPUS, else beside the project."""
    named = os.environ.get("HEXMARSHAL_CORPUS")
    folder = Path(named) if named else ROOT.parent / "shared" / "corpus"
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def corpus() -> Path:
    folder = corpus_folder()
    if folder is None:
        pytest.skip("no corpus of real files: set HEXMARSHAL_CORPUS to a folder that holds them")
    return folder
