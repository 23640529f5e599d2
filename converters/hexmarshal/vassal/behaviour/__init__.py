"""What pieces do when a key reaches them: traced for one key, checked for a whole module."""

# The checks are run by lint, which has to be there before them.
import hexmarshal.vassal.lint  # noqa: F401
from hexmarshal.vassal.behaviour.trace import Step, Trace, trace

__all__ = ["Step", "Trace", "trace"]
