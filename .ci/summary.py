"""Tell in at most 30 lines how ``.ci/run`` ended: ``python .ci/summary.py FOLDER``.

The folder holds ``steps`` (a line ``NAME SECONDS CODE`` each) and, from pytest's ``--outcome``,
``test.json`` and ``live.json``.
"""

import importlib.metadata
import json
import os
import platform
import re
import sys
from pathlib import Path

MOST_TESTS = 7
LOCK = Path(__file__).parents[1] / "requirements-dev.txt"


def processor() -> str:
    """Name the processor, as Linux does, and what it computes with."""
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.processor() or platform.machine()
    name = re.search(r"model name\s*: (.*)", told)
    wide = [flag for flag in ("avx2", "avx512f") if re.search(rf"\b{flag}\b", told)]
    return ", ".join([name[1] if name else platform.machine(), *wide])


def differing() -> list[str]:
    """Return the packages whose installed version is none that the lock names."""
    locked: dict[str, set[str]] = {}
    for name, version in re.findall(
        r"^([\w.-]+)==([^\s;\\]+)", LOCK.read_text("utf-8"), re.MULTILINE
    ):
        locked.setdefault(name, set()).add(version)
    differ = []
    for name, versions in locked.items():
        try:
            here = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # for another system or Python
        if here not in versions:
            differ.append(f"{name} {here} ({' or '.join(sorted(versions))})")
    return differ


def cut(names: list[str]) -> list[str]:
    """Return the first of them, and how many are left."""
    more = [f"… and {len(names) - MOST_TESTS} more"] if len(names) > MOST_TESTS else []
    return names[:MOST_TESTS] + more


def summary(folder: Path) -> list[str]:
    """Return the lines."""
    lines = ["== summary", f"{'step':<10}{'seconds':>9}{'exit':>6}"]
    for step in (folder / "steps").read_text("utf-8").splitlines():
        name, seconds, code = step.split()
        lines.append(f"{name:<10}{seconds:>9}{code:>6}")
    load = " ".join(f"{average:.1f}" for average in os.getloadavg())
    lines.append(
        f"{os.cpu_count()} cores, load {load}; {processor()}; Python {platform.python_version()}"
    )
    differ = differing()
    lines.append(f"Packages that differ from the lock: {', '.join(differ) or 'none'}"[:300])
    totals = {"passed": 0, "failed": 0, "skipped": 0}
    failed: list[str] = []
    again: list[str] = []
    for file in sorted(folder.glob("*.json")):
        outcome = json.loads(file.read_text("utf-8"))
        for kind in totals:
            totals[kind] += outcome[kind]
        failed += [f"FAILED {test}: {why}"[:200] for test, why in outcome["failures"]]
        again += [
            f"NEEDED A SECOND TRY: {test}: {why}"[:200] for test, why in outcome["second_tries"]
        ]
    lines += cut(failed) + cut(again)
    lines.append(", ".join(f"{count} {kind}" for kind, count in totals.items()))
    return lines


if __name__ == "__main__":
    sys.stdout.write("\n".join(summary(Path(sys.argv[1]))) + "\n")
