import { configDefaults, defineConfig } from "vitest/config";
import { ClosingLineReporter } from "./tests/house/reporter.ts";

const source = { resolve: { conditions: ["karst-source"] }, ssr: { resolve: { conditions: ["karst-source"] } } };

/** What the test command found out: see scripts/test.mjs. */
const { KARST_NATS_MISSING: reason, KARST_NATS_HOW_TO: howTo, KARST_NIGHTLY: nightly } = process.env;

/** A property at full volume takes twenty times as long. */
const testTimeout = nightly === "1" ? 600_000 : 20_000;

/** Share of lines, in per cent, that tests have to reach in each of the core libs. */
const CORE_LINES = 90;
const CORE_LIBS = ["events", "runtime", "model", "cluster", "agent"];

export default defineConfig({
  ...source,
  test: {
    reporters: ["default", new ClosingLineReporter(reason === undefined || howTo === undefined ? undefined : { reason, howTo })],
    coverage: {
      provider: "v8",
      include: ["{libs,services}/*/src/**/*.ts"],
      // Suites and testing kits are run by tests, and measured by what they find.
      exclude: [...configDefaults.exclude, "**/*.test.ts", "**/*.test-d.ts", "**/*.contract.ts", "**/src/testing.ts", "**/src/testing/**"],
      reporter: ["text-summary", "json-summary", "html"],
      thresholds: Object.fromEntries(CORE_LIBS.map((name) => [`libs/${name}/src/**`, { lines: CORE_LINES }])),
    },
    projects: [
      {
        ...source,
        test: {
          name: "unit",
          testTimeout,
          include: ["{libs,services}/**/src/**/*.test.ts", "examples/*.test.ts"],
          exclude: ["**/*.nats.test.ts", ...configDefaults.exclude],
        },
      },
      { ...source, test: { name: "nats", testTimeout, include: ["{libs,services}/**/src/**/*.nats.test.ts"] } },
      { ...source, test: { name: "e2e", include: ["tests/e2e/src/**/*.e2e.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 } },
      { ...source, test: { name: "house", include: ["tests/house/*.test.ts"], testTimeout: 180_000, hookTimeout: 180_000 } },
    ],
  },
});
