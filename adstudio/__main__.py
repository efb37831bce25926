"""`python -m adstudio`: the same as `adstudio`."""

from adstudio.cli.main import main

if __name__ == "__main__":
    main()
