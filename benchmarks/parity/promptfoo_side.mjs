// Runs beside promptfoo's own package: its assertions on the answers of a file, as JSON lines of verdicts by rule.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(path.join(process.argv[3], "index.js"));
const { pathToFileURL } = await import("node:url");
const entry = await import(pathToFileURL(require.resolve("promptfoo")).href);
const { assertions } = entry.default ?? entry;

function rules(row) {
  if (row.kind === "choice") {
    const letter = row.golds[0];
    return { "icontains (letter)": { type: "icontains-any", value: [`(${letter})`, `answer: ${letter}`, `answer is ${letter}`] } };
  }
  return { "icontains-any": { type: "icontains-any", value: row.golds }, equals: { type: "equals", value: row.golds[0] } };
}

const out = [];
for (const line of fs.readFileSync(process.argv[2], "utf8").split("\n").filter(Boolean)) {
  const row = JSON.parse(line);
  const found = {};
  for (const [name, assertion] of Object.entries(rules(row))) {
    const result = await assertions.runAssertion({
      prompt: row.question, provider: undefined, assertion, test: { vars: {} }, providerResponse: { output: row.text },
    });
    found[name] = result.pass;
  }
  out.push(JSON.stringify(found));
}
process.stdout.write(out.join("\n") + "\n");
