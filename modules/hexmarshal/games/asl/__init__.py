"""Advanced Squad Leader: lines of sight on VASL boards."""
