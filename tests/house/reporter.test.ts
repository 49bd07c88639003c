import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { closingLine, skipBanner } from "./closing-line.ts";
import { ROOT } from "./source-files.ts";

let folder: string;

beforeEach(async () => {
  // Inside the repository, so that the tests in it find vitest.
  await mkdir(path.join(ROOT, ".cache"), { recursive: true });
  folder = await mkdtemp(path.join(ROOT, ".cache", "reporter-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Runs vitest with our reporter on these tests; `lines` are those of its output. */
async function runTests(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const config = [
    `import { ClosingLineReporter } from ${JSON.stringify(path.join(ROOT, "tests/house/reporter.ts"))};`,
    `const missing = { reason: "none found", howTo: "install one" };`,
    `export default { test: { reporters: ["default", new ClosingLineReporter(missing)], coverage: { include: ["*.js"], reporter: ["text"] } } };`,
  ];
  await writeFile(path.join(folder, "vitest.config.ts"), config.join("\n"));
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(folder, name), `import { beforeAll, describe, expect, test } from "vitest";\n${text}`);
  }
  return new Promise<{ code: number; lines: readonly string[] }>((resolve) => {
    const program = path.join(ROOT, "node_modules/vitest/vitest.mjs");
    execFile(process.execPath, [program, "run", "--root", folder, ...args], { cwd: folder, timeout: 60_000 }, (error, stdout) => {
      resolve({ code: typeof error?.code === "number" ? error.code : 0, lines: stdout.trimEnd().split("\n") });
    });
  });
}

test("the last line of a run that passed counts its tests, after the coverage", async () => {
  const { code, lines } = await runTests({ "a.test.ts": `test("a", () => {}); test("b", () => {});` }, "--coverage");
  expect(lines.join("\n")).toContain("% Lines");
  expect(lines.at(-1)).toBe("2 passed, 0 failed");
  expect(code).toBe(0);
});

test("failing tests, broken files and failing hooks count as failed, and the exit code stays", async () => {
  const { code, lines } = await runTests({
    "a.test.ts": `test("a", () => { expect(1).toBe(2); }); test("b", () => {});`,
    "b.test.ts": `throw new TypeError("does not load");`,
    "c.test.ts": `describe("c", () => { beforeAll(() => { throw new TypeError("no"); }); test("d", () => {}); });`,
  });
  expect(lines.at(-1)).toBe("1 passed, 3 failed");
  expect(code).toBe(1);
});

test("an error nobody handled counts as failed", async () => {
  const { code, lines } = await runTests({ "a.test.ts": `test("a", () => { Promise.reject(new TypeError("lost")); });` });
  expect(lines.at(-1)).toBe("1 passed, 1 failed");
  expect(code).toBe(1);
});

test("skipped tests are counted, and a banner before the last line says where, why and how to run them", async () => {
  const { code, lines } = await runTests({ "a.test.ts": `test("a", () => {}); describe.skip("s", () => { test("b", () => {}); });` });
  expect(lines.slice(-6)).toEqual([
    "!!! 1 tests were SKIPPED",
    "!!!   1 in a.test.ts",
    "!!! no NATS server: none found",
    "!!! to run them: install one",
    "",
    "1 passed, 0 failed, 1 skipped",
  ]);
  expect(code).toBe(0);
});

test("nothing is said of skipped tests when there are none", () => {
  const tally = { passed: 3, failed: 1, skipped: new Map<string, number>() };
  expect(skipBanner(tally)).toBe("");
  expect(closingLine(tally)).toBe("3 passed, 1 failed");
});
