"""Finds what is broken, missing or doubtful in modules, extensions, saves and logs."""

from hexmarshal.vassal.lint.checks import SEVERITIES, Check, Finding, Severity
from hexmarshal.vassal.lint.run import (
    MODULE_CHECKS,
    SAVE_CHECKS,
    Mended,
    check_module,
    check_save,
    fix_module,
    open_subject,
)
from hexmarshal.vassal.lint.saves import SaveSubject
from hexmarshal.vassal.lint.subject import ModuleSubject

__all__ = [
    "MODULE_CHECKS",
    "SAVE_CHECKS",
    "SEVERITIES",
    "Check",
    "Finding",
    "Mended",
    "ModuleSubject",
    "SaveSubject",
    "Severity",
    "check_module",
    "check_save",
    "fix_module",
    "open_subject",
]
