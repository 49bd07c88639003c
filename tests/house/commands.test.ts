import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ROOT } from "./source-files.ts";

/**
 * The test command on a small project of its own: the real scripts and configuration, three test files, and no nats-server.
 */

const FILES: Readonly<Record<string, string>> = {
  "libs/a/src/good.test.ts": `test("good", () => { console.log("nightly " + process.env.KARST_NIGHTLY); });`,
  "libs/a/src/bad.test.ts": `test("bad", () => { expect(1).toBe(2); });`,
  "libs/a/src/lease.nats.test.ts": `test.skipIf(process.env.NATS_SERVER === undefined)("on NATS", () => {});`,
  "libs/a/src/endless.test.ts": [
    `import { spawn } from "node:child_process"; import { writeFileSync } from "node:fs";`,
    `test("endless", async () => {`,
    `  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);`,
    `  writeFileSync("pids", [process.pid, child.pid].join(" "));`,
    `  await new Promise(() => {});`,
    `}, 120_000);`,
  ].join("\n"),
};

let project: string;

beforeEach(async () => {
  // Inside the repository, so that the scripts find their packages; with a cache of tools of its own, which is empty.
  await mkdir(path.join(ROOT, ".cache"), { recursive: true });
  project = await mkdtemp(path.join(ROOT, ".cache", "commands-"));
  for (const part of ["scripts", "vitest.config.ts", "tests/house/reporter.ts", "tests/house/closing-line.ts"]) {
    await cp(path.join(ROOT, part), path.join(project, part), { recursive: true });
  }
  await symlink(path.join(ROOT, "node_modules"), path.join(project, "node_modules"));
  for (const [file, text] of Object.entries(FILES)) {
    await mkdir(path.join(project, path.dirname(file)), { recursive: true });
    await writeFile(path.join(project, file), `import { expect, test } from "vitest";\n${text}`);
  }
});

afterEach(async () => {
  await rm(project, { recursive: true, force: true });
});

/** Starts the test command where no nats-server can be found. */
function startTests(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ["scripts/test.mjs", ...args], {
    cwd: project,
    env: { HOME: project, PATH: path.join(project, "bin"), NO_FETCH: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<{ code: number | null; lines: readonly string[]; errors: string }>((resolve) => {
    child.once("close", (code) => {
      resolve({ code, lines: output.trimEnd().split("\n"), errors });
    });
  });
  return { child, ended };
}

test("without a server its tests are skipped loudly, and the run passes", async () => {
  const { code, lines, errors } = await startTests(["good", "lease"]).ended;
  expect(errors).toContain("its tests will be SKIPPED");
  expect(lines.join("\n")).toMatch(/!!! no NATS server: .*\n!!! to run them: /);
  expect(lines.at(-1)).toBe("1 passed, 0 failed, 1 skipped");
  expect(code).toBe(0);
});

test.each([{ CI: "true" }, { REQUIRE_NATS: "1" }])("without a server the run fails and says how to get one, with %o", async (env) => {
  const { code, lines, errors } = await startTests(["good"], env).ended;
  expect(errors).toMatch(/A nats-server is required here\..*\n {2}try: /);
  expect(lines).toEqual([""]);
  expect(code).toBe(1);
});

test("a part of a name narrows the run, and a failing test fails it", async () => {
  const { code, lines } = await startTests(["bad"]).ended;
  expect(lines.at(-1)).toBe("0 passed, 1 failed");
  expect(code).toBe(1);
});

test("a nightly run tells the tests so", async () => {
  const nightly = await startTests(["--nightly", "good"]).ended;
  expect(nightly.lines.join("\n")).toContain("nightly 1");
  const usual = await startTests(["good"]).ended;
  expect(usual.lines.join("\n")).toContain("nightly undefined");
});

test("a whole run in CI measures the lines that tests reach", async () => {
  await mkdir(path.join(project, "bin"));
  const server = path.join(project, "bin", "nats-server");
  await writeFile(server, `#!${process.execPath}\nconsole.log("nats-server: v2.10.99");`, { mode: 0o755 });
  await rm(path.join(project, "libs/a/src/bad.test.ts"));
  await rm(path.join(project, "libs/a/src/endless.test.ts"));
  const { code, lines } = await startTests([], { CI: "true" }).ended;
  expect(lines.join("\n")).toContain("Coverage summary");
  expect(lines.at(-1)).toBe("2 passed, 0 failed");
  expect(code).toBe(0);
});

test("ctrl-C ends the run and every process that a test has started", async () => {
  const { child, ended } = startTests(["endless"]);
  const pids = await vi.waitFor(
    async () => {
      const text = await readFile(path.join(project, "pids"), "utf8");
      expect(text).toMatch(/^\d+ \d+$/);
      return text.split(" ").map(Number);
    },
    { timeout: 30_000, interval: 50 },
  );
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
  for (const pid of pids)
    await vi.waitFor(
      () => {
        expect(() => process.kill(pid, 0)).toThrow("ESRCH");
      },
      { timeout: 5_000 },
    );
});
