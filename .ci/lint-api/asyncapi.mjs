// Check asyncapi.yaml with AsyncAPI's own parser. Any finding fails.
import { readFile } from "node:fs/promises";
import { Parser } from "@asyncapi/parser";

const text = await readFile(new URL("../../asyncapi.yaml", import.meta.url), "utf8");
const { document, diagnostics: found } = await new Parser().parse(text);
for (const { code, message, path, range } of found) {
  console.log(`asyncapi.yaml:${range.start.line + 1}  ${code}  ${message}  ${path.join(".")}`);
}
if (found.length > 0 || document === undefined) process.exit(1);
console.log(`asyncapi.yaml: nothing to say (${document.allMessages().length} messages).`);
