import nx from "@nx/eslint-plugin";
import { createTypeScriptImportResolver } from "eslint-import-resolver-typescript";
import { importX } from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";
import { houseConfig } from "./eslint.rules.js";

/** What every project's tests may import besides. */
const TEST_LIBRARIES = ["vitest", "fast-check"];
const CORE_LIBRARIES = [
  ...["zod", "nats", "lmdb", "redis", "pino", "prom-client", "acorn", "@sveltejs/acorn-typescript", "quickjs-wasi"],
  ...["@ai-sdk/*", "ai", "@modelcontextprotocol/sdk", "@opentelemetry/api"],
];

/** @param {string} name @param {readonly string[]} below @param {readonly string[]} libraries */
const layer = (name, below, libraries) => ({
  sourceTag: `layer:${name}`,
  onlyDependOnLibsWithTags: below.map((other) => `layer:${other}`),
  allowedExternalImports: [...libraries, ...(name === "ui" ? [] : TEST_LIBRARIES)].flatMap((library) => [library, `${library}/*`]),
});

const boundaries = {
  allow: ["../../eslint.rules.js"],
  depConstraints: [
    layer("words", [], ["zod", "msgpackr"]),
    layer("core", ["words"], CORE_LIBRARIES),
    layer("actor", ["words", "core"], ["xstate", "zod", "yaml", "@opentelemetry/api", "@modelcontextprotocol/sdk"]),
    layer("service", ["words", "core", "actor"], ["xstate", "zod", "@opentelemetry/*"]),
    layer("cli", ["words", "core", "actor", "service"], ["commander", "tsx", "zod", "csv-parse"]),
    layer("ui", ["words"], ["preact", "@preact/signals", "dagre", "uPlot"]),
    { sourceTag: "layer:test", onlyDependOnLibsWithTags: ["*"] },
  ],
};

export default tseslint.config(
  { ignores: ["**/dist/**", "**/node_modules/**", ".nx/**", ".cache/**", "coverage/**", "bench/**", "**/fixtures/**"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  ...tseslint.configs.strictTypeChecked,
  { languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } } },
  {
    plugins: { "@nx": nx, "import-x": importX },
    settings: {
      "import-x/extensions": [".ts", ".tsx", ".js", ".mjs"],
      "import-x/parsers": { "@typescript-eslint/parser": [".ts", ".tsx"] },
      "import-x/resolver-next": [
        createTypeScriptImportResolver({ conditionNames: ["karst-source", "import", "node", "default"], noWarnOnMultipleProjects: true }),
      ],
    },
    rules: {
      "@nx/enforce-module-boundaries": ["error", boundaries],
      "import-x/no-cycle": "error",
      "import-x/no-default-export": "error",
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "@typescript-eslint/no-floating-promises": "error",
      // A written `default` answers for the rest; without one every member is named.
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      // A class without members can be a mark, or a value to test with.
      "@typescript-eslint/no-extraneous-class": ["error", { allowEmpty: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true, ignoreUsingDeclarations: true }],
    },
  },
  // A suite is read test by test; it may be longer than code.
  { files: ["**/*.test.ts"], rules: { "max-lines": ["error", { max: 450, skipBlankLines: true, skipComments: true }] } },
  { files: ["*.config.{js,ts}", "services/console/vite.config.ts"], rules: { "import-x/no-default-export": "off" } },
  ...houseConfig,
  // Scripts and configurations belong to no project; `tsc -p scripts` checks their types.
  { files: ["**/*.{js,mjs}", "vitest.config.ts"], ...tseslint.configs.disableTypeChecked },
);
