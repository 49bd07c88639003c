import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const tsx = import.meta.resolve("tsx");

async function output(example: string): Promise<string> {
  const file = fileURLToPath(new URL(example, import.meta.url));
  const { stdout } = await run(process.execPath, ["--conditions=karst-source", "--import", tsx, file], { timeout: 60_000 });
  return stdout;
}

test(
  "01-one-agent prints the reply as it streams, the cell's output, the stop reason and the retrieved object",
  { timeout: 70_000 },
  async () => {
    const printed = await output("01-one-agent.ts");
    expect(printed).toContain("[cell printed] world");
    expect(printed).toContain("[completed after 2 steps]");
    expect(printed.trim().endsWith("world")).toBe(true);
  },
);

test("02-agents-as-objects passes a handle on, and the data goes directly", { timeout: 70_000 }, async () => {
  const printed = await output("02-agents-as-objects.ts");
  expect(printed).toContain("The reader has read the shelf.");
  expect(printed).toContain("Limestone { books: 2 }");
});
