"""`python -m hexmarshal.cli` is the `hexmarshal` command."""

from hexmarshal.cli.main import main

main()
