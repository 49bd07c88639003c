import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { promisify } from "node:util";
import { ESLint } from "eslint";
import tseslint from "typescript-eslint";
import { beforeAll, describe, expect, test } from "vitest";
import { bans, doors } from "../../eslint.rules.js";
import { loneImplementations } from "./port-twins.ts";
import { ROOT, sourceFiles } from "./source-files.ts";

const linter = new ESLint({ cwd: ROOT });
/** Without types, for rules that look at text and path alone: the file need not exist. */
const untyped = new ESLint({ cwd: ROOT, overrideConfig: [tseslint.configs.disableTypeChecked] });

async function reportedBy(by: ESLint, file: string, text: string): Promise<readonly string[]> {
  const [result] = await by.lintText(text, { filePath: path.join(ROOT, file) });
  return (result?.messages ?? []).map(({ ruleId, message }) => ruleId ?? message);
}

/** What the linter says of `text` in the place of `file`, which exists: rules with types ask for a file of a project. */
async function reported(file: string, text: string): Promise<readonly string[]> {
  expect(existsSync(path.join(ROOT, file)), `${file} is the place of a canary`).toBe(true);
  return reportedBy(linter, file, text);
}

beforeAll(async () => {
  // Without a project graph the boundary rule says nothing at all.
  await promisify(execFile)(process.execPath, [createRequire(import.meta.url).resolve("nx/bin/nx.js"), "show", "projects"], {
    cwd: ROOT,
    env: { ...process.env, NX_DAEMON: "false" },
  });
});

describe("doors of outside libraries", () => {
  /** Where each library may be imported, and where it may not; other than the door's own globs, so that a wrong glob shows. */
  const canaries: Record<string, { readonly library: string; readonly inside: string; readonly outside: string }> = {
    nats: { library: "nats", inside: "libs/cluster/src/journal.nats.ts", outside: "libs/cluster/src/journal.ts" },
    lmdb: { library: "lmdb", inside: "libs/cluster/src/journal.lmdb.ts", outside: "libs/agent/src/journal.lmdb.ts" },
    redis: { library: "redis", inside: "libs/cluster/src/blob.redis.ts", outside: "libs/cluster/src/blob.ts" },
    pino: { library: "pino", inside: "libs/cluster/src/log.pino.ts", outside: "services/agent-node/src/main.ts" },
    prom: { library: "prom-client", inside: "libs/cluster/src/metrics.prom.ts", outside: "libs/cluster/src/health.ts" },
    msgpackr: { library: "msgpackr", inside: "libs/events/src/codec.ts", outside: "libs/events/src/value.ts" },
    xstate: { library: "xstate", inside: "services/orchestrator/src/run.machine.ts", outside: "libs/agent/src/step.ts" },
    engines: { library: "node:vm", inside: "libs/runtime/src/runtime.inline.ts", outside: "libs/runtime/src/cell.ts" },
    process: { library: "node:child_process", inside: "libs/runtime/src/runtime.process.ts", outside: "libs/agent/src/host.ts" },
    parser: { library: "acorn", inside: "libs/runtime/src/cell-parse.ts", outside: "libs/runtime/src/policy.ts" },
    provider: {
      library: "@ai-sdk/openai-compatible",
      inside: "libs/model/src/model.openai-compatible.ts",
      outside: "libs/model/src/model.scripted.ts",
    },
    "provider-types": { library: "@ai-sdk/provider", inside: "libs/model/src/retry.test.ts", outside: "libs/model/src/retry.ts" },
    telemetry: {
      library: "@opentelemetry/sdk-node",
      inside: "services/agent-node/src/telemetry.ts",
      outside: "services/agent-node/src/main.ts",
    },
    commander: { library: "commander", inside: "libs/cli/src/program.ts", outside: "libs/cli/src/main.ts" },
    csv: { library: "csv-parse/sync", inside: "libs/cli/src/demo/rows-from-csv.ts", outside: "libs/cli/src/demo/row.ts" },
    mcp: { library: "@modelcontextprotocol/sdk/client", inside: "libs/agent/src/tools.mcp.ts", outside: "libs/agent/src/function.ts" },
    yaml: { library: "yaml", inside: "libs/agent/src/skills/load.ts", outside: "libs/agent/src/skills/skill.ts" },
    vitest: { library: "vitest", inside: "libs/model/src/model.contract.ts", outside: "libs/model/src/model.ts" },
    testing: {
      library: "@karst/cluster/testing",
      inside: "tests/e2e/src/drain.e2e.test.ts",
      outside: "services/agent-node/src/agent-node.ts",
    },
  };

  test("every door has a canary", () => {
    expect(Object.keys(canaries).sort()).toEqual(Object.keys(doors).sort());
  });

  test.each(Object.entries(canaries))(
    "%s is imported in its door and nowhere else, in any form",
    async (name, { library, inside, outside }) => {
      const forms = [
        `import { it } from "${library}"; it();`,
        `import type { It } from "${library}"; export type Own = It;`,
        `export { it } from "${library}";`,
        `export const it = await import("${library}");`,
        `export type It = import("${library}").It;`,
      ];
      for (const form of forms) {
        expect(await reportedBy(untyped, outside, form), form).toContain(`house/door-${name}`);
        expect(await reportedBy(untyped, inside, form), form).not.toContain(`house/door-${name}`);
      }
    },
  );
});

describe("what is said nowhere", () => {
  const canaries: Record<string, { readonly texts: readonly string[]; readonly outside: string; readonly allowed?: string }> = {
    "no-export-all": { texts: [`export * from "./ids.ts";`, `export * as ids from "./ids.ts";`], outside: "libs/events/src/index.ts" },
    "no-new-error": {
      texts: [`throw new Error("no");`, `throw Error("no");`, `export const fault = new Error("no");`],
      outside: "libs/agent/src/testing.ts",
      allowed: "libs/agent/src/agent.test.ts",
    },
    "no-process-env": {
      texts: [
        `export const home = process.env["HOME"];`,
        `const { env } = process; export const home = env["HOME"];`,
        `import { env } from "node:process"; export const home = env["HOME"];`,
      ],
      outside: "libs/cluster/src/testing/nats-server.ts",
      allowed: "services/agent-node/src/config.ts",
    },
    "no-machine-after": {
      texts: [`export const state = { after: { 100: "late" } };`, `export const state = { "after": {} };`],
      outside: "libs/agent/src/agent.machine.ts",
      allowed: "libs/agent/src/self.ts",
    },
  };

  test("every ban has a canary", () => {
    expect(Object.keys(canaries).sort()).toEqual(Object.keys(bans).sort());
  });

  test.each(Object.entries(canaries))("%s fires, and only where it should", async (name, { texts, outside, allowed }) => {
    for (const text of texts) {
      expect(await reportedBy(untyped, outside, text), text).toContain(`house/${name}`);
      if (allowed !== undefined) expect(await reportedBy(untyped, allowed, text), text).not.toContain(`house/${name}`);
    }
  });
});

test("in a machine's file, a value that is called `after` is no timer", async () => {
  const text = `export const after = (it: { after: number }) => { const { after } = it; return { after }; };`;
  expect(await reportedBy(untyped, "libs/agent/src/agent.machine.ts", text)).toEqual([]);
});

describe("boundaries between projects", () => {
  const RULE = "@nx/enforce-module-boundaries";

  test.each([
    ["a lib imports one above it", "libs/events/src/ids.ts", "@karst/agent"],
    ["siblings import each other", "libs/model/src/model.ts", "@karst/runtime"],
    ["a service imports the command line", "services/agent-node/src/main.ts", "@karst/cli"],
    ["a service imports another", "services/orchestrator/src/main.ts", "@karst/agent-node"],
    ["a layer imports a library that is not for it", "libs/agent/src/step.ts", "nats"],
    ["a project reaches into another by path", "libs/agent/src/step.ts", "../../events/src/ids.ts"],
  ])("it is reported when %s", async (_, file, from) => {
    expect(await reported(file, `import { it } from "${from}"; it();`)).toContain(RULE);
  });

  test.each([
    ["libs/agent/src/step.ts", "@karst/runtime"],
    ["libs/agent/src/agent.machine.ts", "xstate"],
    ["libs/cli/src/program.ts", "@karst/agent-node"],
    ["tests/house/rules.test.ts", "@karst/cluster/testing"],
  ])("%s may import %s", async (file, from) => {
    expect(await reported(file, `import { it } from "${from}"; it();`)).not.toContain(RULE);
  });
});

describe("rules of other makers", () => {
  const PLACE = "libs/events/src/error.ts";

  test.each([
    ["import-x/no-cycle", PLACE, `import { MalformedError } from "./errors.ts"; export const it = MalformedError;`],
    ["import-x/no-default-export", PLACE, `export default 1;`],
    ["max-lines", PLACE, Array.from({ length: 301 }, (_, line) => `export const a${String(line)} = 1;`).join("\n")],
    ["@typescript-eslint/no-floating-promises", PLACE, `Promise.resolve(1);`],
    [
      "@typescript-eslint/switch-exhaustiveness-check",
      PLACE,
      `export function f(x: "a" | "b"): number { switch (x) { case "a": return 1; } return 2; }`,
    ],
    ["@typescript-eslint/consistent-type-imports", PLACE, `import { ErrorData } from "./error-codec.ts"; export type It = ErrorData;`],
    ["@typescript-eslint/no-explicit-any", PLACE, `export const it: any = 1;`],
    ["@typescript-eslint/no-non-null-assertion", PLACE, `export const f = (x: string | undefined): string => x!;`],
    ["@typescript-eslint/no-unsafe-member-access", PLACE, `export const it = JSON.parse("{}").a;`],
  ])("%s fires", async (rule, file, text) => {
    expect(await reported(file, text)).toContain(rule);
  });

  test("a file of 300 lines of code, with comments and blank lines besides, is not too long", async () => {
    const lines = Array.from({ length: 300 }, (_, line) => `// why\n\nexport const a${String(line)} = 1;`);
    expect(await reported(PLACE, lines.join("\n"))).not.toContain("max-lines");
  });

  test("a configuration may have a default export", async () => {
    expect(await reportedBy(untyped, "vitest.config.ts", `export default {};`)).not.toContain("import-x/no-default-export");
  });

  test("a directive that silences nothing is reported", async () => {
    expect(await reported(PLACE, `// eslint-disable-next-line max-lines -- no reason\nexport const it = 1;`)).toEqual([
      expect.stringContaining("Unused eslint-disable directive"),
    ]);
  });
});

describe("ports and their files", () => {
  test("an implementation on an outside system that stands without twin and suite is found", () => {
    expect(loneImplementations(["a/lease.ts", "a/lease.nats.ts", "a/connection.nats.ts"])).toEqual([
      { file: "a/lease.nats.ts", missing: ["a/lease.memory.ts", "a/lease.contract.ts"] },
    ]);
    expect(loneImplementations(["a/blob.ts", "a/blob.lmdb.ts", "a/blob.memory.ts"])).toEqual([
      { file: "a/blob.lmdb.ts", missing: ["a/blob.contract.ts"] },
    ]);
  });

  test("every port on NATS or a disk has its twin in memory and its suite", async () => {
    const files = await sourceFiles("libs", "services");
    expect(files).toContain("libs/cluster/src/transport.nats.ts");
    expect(loneImplementations(files)).toEqual([]);
  });
});
