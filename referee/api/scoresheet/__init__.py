"""The score sheet as CSV for spreadsheets, and as a picture to share."""

from referee.api.scoresheet.picture import draw_sheet
from referee.api.scoresheet.table import write_lines, write_sheet

__all__ = ["draw_sheet", "write_lines", "write_sheet"]
