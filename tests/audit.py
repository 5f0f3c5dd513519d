"""``python -m tests.audit``: known vulnerabilities of the image, and its Dockerfile.

pip-audit asks an advisory service about ``requirements.txt``, which the image installs; hadolint
reads the Dockerfile. A service that cannot be reached is reported and does not fail the audit.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SECONDS = 300


def tool(name: str) -> str | None:
    """Find a program in this environment or on the system."""
    beside = Path(sys.executable).with_name(name)
    return str(beside) if beside.exists() else shutil.which(name)


def audit(requirements: Path) -> tuple[int, str]:
    """Look up known vulnerabilities; return 1 if there are any, and a message."""
    program = tool("pip-audit")
    if program is None:
        return 0, f"NOT AUDITED: {requirements.name}: pip-audit is not installed."
    flags = ["--format", "json", "--progress-spinner", "off", "--disable-pip", "--no-deps"]
    try:
        done = subprocess.run(
            [program, *flags, "--requirement", str(requirements)],
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return 0, f"NOT AUDITED: {requirements.name}: the advisory service does not answer."
    return judged(requirements.name, done.stdout, done.stderr)


def judged(name: str, out: str, complaints: str) -> tuple[int, str]:
    """Interpret pip-audit's output."""
    try:
        packages = json.loads(out)["dependencies"]
    except (ValueError, KeyError, TypeError):
        reason = (complaints.strip().splitlines() or ["no reason given"])[-1]
        return 0, f"NOT AUDITED: {name}: the advisory service was not reached ({reason[:200]})."
    faults = [
        f"  {package['name']} {package['version']}: {fault['id']}, mended in "
        f"{', '.join(fault['fix_versions']) or 'no version yet'}"
        for package in packages
        for fault in package.get("vulns", ())
    ]
    skipped = [package["name"] for package in packages if "skip_reason" in package]
    said = f"{name}: {len(packages) - len(skipped)} packages looked up, {len(faults)} known faults."
    if skipped:
        said += f"\nNOT AUDITED: the advisory service knew nothing of {len(skipped)} packages"
        said += f" ({', '.join(skipped[:5])}{', …' if len(skipped) > 5 else ''})."
    return int(bool(faults)), "\n".join([said, *faults])


def lint(dockerfile: Path) -> tuple[int, str]:
    """Run hadolint over the Dockerfile; return 1 if it complains, and its output."""
    program = tool("hadolint")
    if program is None:
        return 0, f"NOT LINTED: {dockerfile.name}: hadolint is not installed."
    done = subprocess.run([program, str(dockerfile)], capture_output=True, text=True, check=False)
    said = (done.stdout + done.stderr).strip()
    return int(done.returncode != 0), said or f"{dockerfile.name}: nothing to say against it."


def main() -> int:
    """Audit everything; return 1 if something was found."""
    found = [audit(ROOT / "requirements.txt"), lint(ROOT / "Dockerfile")]
    for _, said in found:
        print(said)  # noqa: T201
    return max(status for status, _ in found)


if __name__ == "__main__":
    sys.exit(main())
