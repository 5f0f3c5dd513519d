"""``python -m hardware.gateway`` is ``referee-table``."""

import sys

from hardware.gateway.cli import main

if __name__ == "__main__":
    sys.exit(main())
