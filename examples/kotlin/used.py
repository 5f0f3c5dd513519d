"""Print the generated files that sources need, and write the jar that names the plugin."""

import re
import sys
import zipfile
from pathlib import Path

IMPORT = re.compile(r"^import referee\.models\.(\w+)", re.MULTILINE)
SERVICE = "META-INF/services/org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar"
PLUGIN = "org.jetbrains.kotlinx.serialization.compiler.extensions.SerializationComponentRegistrar"

ALIAS = re.compile(r"^typealias (\w+)", re.MULTILINE)

sources, models, jar = map(Path, sys.argv[1:])
waiting, used = list(sources.glob("*.kt")), set()
ours = {name for file in waiting for name in ALIAS.findall(file.read_text(encoding="utf-8"))}
while waiting:
    for name in IMPORT.findall(waiting.pop().read_text(encoding="utf-8")):
        file = models / f"{name}.kt"
        if name not in ours and file not in used and file.exists():
            used.add(file)
            waiting.append(file)
print(*sorted(used))
with zipfile.ZipFile(jar, "w") as archive:
    archive.writestr(SERVICE, PLUGIN + "\n")
