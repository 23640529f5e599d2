"""Structured logs: one JSON document a line on standard error."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

__all__ = ["LOG", "setup_logging"]

LOG = logging.getLogger("hexmarshal.service")


class JsonFormatter(logging.Formatter):
    """A record as JSON; what was passed as `extra={"fields": {...}}` stands at the top level."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        document: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        document |= getattr(record, "fields", {})
        if record.exc_info:
            document["traceback"] = self.formatException(record.exc_info)
        return json.dumps(document, ensure_ascii=False, default=str)


def setup_logging(level: str) -> None:
    """Log to standard error from now on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    LOG.handlers = [handler]
    LOG.propagate = False
    LOG.setLevel(level.upper())
