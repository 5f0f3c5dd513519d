"""``python -m hardware`` is ``referee-table``."""

import sys

from hardware.cli import main

if __name__ == "__main__":
    sys.exit(main())
