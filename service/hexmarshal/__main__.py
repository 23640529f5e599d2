"""`python -m hexmarshal` is the `hexmarshal` command."""

try:
    from hexmarshal.cli.main import main
except KeyboardInterrupt:
    raise SystemExit(130) from None
main()
