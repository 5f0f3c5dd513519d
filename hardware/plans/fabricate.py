"""Checks a board in KiCad and writes what a maker of boards needs: run with KiCad's own Python.

``/usr/bin/python3 hardware/plans/fabricate.py BOARD.kicad_pcb FOLDER`` fills the ground areas,
runs the design rule check, and writes Gerber files, drill files and two pictures into FOLDER.
The exit status is 1 if the check finds anything.
"""

import sys
from pathlib import Path

import pcbnew

SHEETS = (
    ("F_Cu", pcbnew.F_Cu), ("B_Cu", pcbnew.B_Cu), ("F_Mask", pcbnew.F_Mask),
    ("B_Mask", pcbnew.B_Mask), ("F_Silkscreen", pcbnew.F_SilkS), ("B_Silkscreen", pcbnew.B_SilkS),
    ("F_Paste", pcbnew.F_Paste), ("B_Paste", pcbnew.B_Paste), ("Edge_Cuts", pcbnew.Edge_Cuts),
)  # fmt: skip


def main(board_file: str, folder: str) -> int:
    """Check and plot one board."""
    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    board = pcbnew.LoadBoard(board_file)
    pcbnew.ZONE_FILLER(board).Fill(board.Zones())
    board.BuildConnectivity()
    filled = out / Path(board_file).name
    pcbnew.SaveBoard(str(filled), board)
    report = out / "drc.txt"
    pcbnew.WriteDRCReport(board, str(report), pcbnew.EDA_UNITS_MILLIMETRES, True)
    plotter = pcbnew.PLOT_CONTROLLER(board)
    options = plotter.GetPlotOptions()
    options.SetOutputDirectory(str(out.resolve()))
    options.SetUseGerberProtelExtensions(True)
    options.SetSubtractMaskFromSilk(True)
    options.SetPlotFrameRef(False)
    for name, layer in SHEETS:
        plotter.SetLayer(layer)
        plotter.OpenPlotfile(name, pcbnew.PLOT_FORMAT_GERBER, name)
        plotter.PlotLayer()
    plotter.ClosePlot()
    drill = pcbnew.EXCELLON_WRITER(board)
    drill.SetOptions(False, False, pcbnew.wxPoint(0, 0), False)
    drill.SetFormat(True)
    drill.CreateDrillandMapFilesSet(str(out.resolve()), True, False)
    text = report.read_text()
    sys.stdout.write(text)
    return 0 if "** Found 0 DRC" in text and "** Found 0 unconnected" in text else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
