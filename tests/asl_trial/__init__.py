"""A trial before Advanced Squad Leader: ten of its rules, with nothing in a position untyped."""

from asl_trial.plugin import Trial

__all__ = ["Trial"]
