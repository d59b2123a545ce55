"""`python -m crisis_cli`."""

from .door import main

if __name__ == "__main__":
    main()
