"""``python -m referee`` is the command line too."""

import sys

from referee.cli import main

sys.exit(main())
