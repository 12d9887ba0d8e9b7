"""`python -m dracotheque` is the command `dracotheque`."""

from dracotheque.cli import main

if __name__ == "__main__":
    main()
