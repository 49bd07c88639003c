import { defineConfig } from "vitest/config";

const source = { resolve: { conditions: ["source"] }, ssr: { resolve: { conditions: ["source"] } } };

export default defineConfig({
  ...source,
  test: {
    projects: [
      { ...source, test: { name: "unit", include: ["{libs,services}/**/src/**/*.test.ts", "examples/*.test.ts"], exclude: ["**/*.nats.test.ts"] } },
      { ...source, test: { name: "nats", include: ["{libs,services}/**/src/**/*.nats.test.ts"] } },
      { ...source, test: { name: "e2e", include: ["tests/e2e/src/**/*.e2e.test.ts"], testTimeout: 120_000, hookTimeout: 120_000 } },
      { ...source, test: { name: "house", include: ["tests/house/*.test.ts"], testTimeout: 180_000, hookTimeout: 180_000 } },
    ],
  },
});
