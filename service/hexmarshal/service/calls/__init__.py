"""What holds for every call: identity, deadline, statuses, pages."""
