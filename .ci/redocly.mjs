// Prints what redocly has found in a document; fails if that is anything.

import { readFileSync } from "node:fs";

const { problems, totals } = JSON.parse(readFileSync(process.argv[2], "utf8"));
for (const { ruleId, severity, message, location } of problems) {
  console.log(`${severity} ${ruleId}: ${message} (${location?.[0]?.pointer ?? ""})`);
}
console.log(`redocly: ${totals.errors} errors, ${totals.warnings} warnings`);
process.exit(totals.errors + totals.warnings > 0 ? 1 : 0);
