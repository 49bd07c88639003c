/**
 * The house's own lint rules, as data: which files an outside library may be imported in (its door), and what is said nowhere.
 *
 * Each is an ESLint rule with an id of its own (`house/door-nats`), not an entry of `no-restricted-imports`: in a flat config a later entry
 * for a rule replaces the earlier one whole, so that opening one door would open or shut all others. A door also sees `import()` and `import("…")` types.
 */

/** Tests, suites and testing doors: what no production code imports. */
export const TEST_FILES = [
  "**/*.test.ts",
  "**/*.test-d.ts",
  "**/*.contract.ts",
  "{libs,services}/*/src/testing.ts",
  "{libs,services}/*/src/testing/**/*.ts",
  "tests/**/*.ts",
  "vitest.config.ts",
];

const ENGINE_FILES = [
  "libs/runtime/src/**/*.{inline,process,sandbox}{,.test}.ts",
  "libs/runtime/src/**/*-entry.ts",
  "libs/cluster/src/self-fence*.ts",
];

/** @param {string} glob Of a file without its ending. @returns The file and its test. */
const withTest = (glob) => `${glob}{,.test}.ts`;

/**
 * Door of each outside library. `libraries`: names of packages, with all that lies inside them, or a pattern for the whole specifier.
 * @type {Record<string, { libraries: readonly (string | RegExp)[], files: readonly string[] }>}
 */
export const doors = {
  nats: { libraries: ["nats"], files: [withTest("libs/cluster/src/**/*.nats"), "tests/e2e/**/*.ts"] },
  lmdb: { libraries: ["lmdb"], files: [withTest("libs/cluster/src/**/*.lmdb")] },
  redis: { libraries: ["redis"], files: [withTest("libs/cluster/src/**/*.redis")] },
  pino: { libraries: ["pino"], files: [withTest("libs/cluster/src/**/*.pino")] },
  prom: { libraries: ["prom-client"], files: [withTest("libs/cluster/src/**/*.prom")] },
  msgpackr: { libraries: ["msgpackr"], files: [withTest("libs/events/src/codec")] },
  xstate: { libraries: ["xstate"], files: [withTest("**/*.machine"), withTest("libs/agent/src/{activation,inspect}")] },
  engines: { libraries: ["quickjs-wasi", "node:worker_threads", "node:v8", "node:vm"], files: ENGINE_FILES },
  process: {
    libraries: ["node:child_process", "node:cluster"],
    files: [
      ...ENGINE_FILES,
      ...TEST_FILES,
      "examples/*.test.ts",
      "scripts/*.mjs",
      "libs/cluster/src/nats-server.ts",
      "libs/cli/src/find-tool.ts",
      "libs/cli/src/demo/processes.ts",
    ],
  },
  parser: { libraries: ["acorn", "@sveltejs/acorn-typescript"], files: ["libs/runtime/src/cell-parse.ts"] },
  provider: { libraries: ["@ai-sdk/openai-compatible"], files: [withTest("libs/model/src/model.openai-compatible")] },
  "provider-types": {
    libraries: ["ai", "@ai-sdk/provider"],
    files: ["libs/model/src/{model.ai-sdk,ai-sdk-*}.ts", "libs/model/src/**/*.test{,-d}.ts"],
  },
  telemetry: { libraries: [/^@opentelemetry\/(?!api$)/], files: ["services/*/src/telemetry.ts"] },
  commander: { libraries: ["commander"], files: [withTest("libs/cli/src/program")] },
  csv: { libraries: ["csv-parse"], files: [withTest("libs/cli/src/demo/rows-from-csv")] },
  mcp: { libraries: ["@modelcontextprotocol/sdk"], files: ["libs/{runtime,agent}/src/**/*.mcp{,.test}.ts"] },
  yaml: { libraries: ["yaml"], files: [withTest("libs/agent/src/skills/load")] },
  vitest: { libraries: ["vitest", "fast-check"], files: [...TEST_FILES, "examples/*.test.ts"] },
  testing: { libraries: [/^@karst\/[^/]+\/testing$/], files: [...TEST_FILES, "examples/*.test.ts"] },
};

/**
 * What is not said, as a selector; `files`: where it may be.
 * @type {Record<string, { selector: string, message: string, files: readonly string[] }>}
 */
export const bans = {
  "no-export-all": { selector: "ExportAllDeclaration", message: "Name every export: a door is a table of contents.", files: [] },
  "no-new-error": {
    selector: ":matches(NewExpression, ThrowStatement > CallExpression)[callee.name='Error']",
    message: "Throw a class of the project's errors.ts, with a code.",
    files: ["**/*.test.ts", "**/*.contract.ts"],
  },
  "no-process-env": {
    selector: [
      "MemberExpression[object.name='process'][property.name='env']",
      "VariableDeclarator[init.name='process'] > ObjectPattern > Property[key.name='env']",
      "ImportDeclaration[source.value=/^(node:)?process$/] > ImportSpecifier[imported.name='env']",
    ].join(","),
    message: "The environment is read in config.ts alone, and parsed there.",
    files: ["**/config.ts", "scripts/*.mjs", "tests/**/*.ts", "vitest.config.ts"],
  },
  "no-machine-after": {
    selector: "ObjectExpression > Property[shorthand=false]:matches([key.name='after'], [key.value='after'])",
    message: "After a restore, timers of a machine are dead: keep the deadline as data.",
    // Outside of machines the word is free: see eslint.config.js.
    files: [],
  },
};

/** @param {string} specifier @param {readonly (string | RegExp)[]} libraries */
function isOf(specifier, libraries) {
  const name = specifier.replace(/^node:/, "");
  return libraries.some((library) => {
    if (typeof library !== "string") return library.test(specifier);
    const wanted = library.replace(/^node:/, "");
    return name === wanted || name.startsWith(`${wanted}/`);
  });
}

/** @param {string} name @param {(typeof doors)[string]} door @returns {import("eslint").Rule.RuleModule} */
function doorRule(name, { libraries }) {
  const message = `This library is imported only in its door: "${name}" in eslint.rules.js`;
  return {
    create(context) {
      /** @param {any} node An import in any form; ESLint has no one type for them. */
      const check = (node) => {
        const specifier = node.source?.value;
        if (typeof specifier === "string" && isOf(specifier, libraries)) context.report({ node, message });
      };
      return {
        ImportDeclaration: check,
        ExportNamedDeclaration: check,
        ExportAllDeclaration: check,
        ImportExpression: check,
        TSImportType: check,
      };
    },
  };
}

/** @param {(typeof bans)[string]} ban @returns {import("eslint").Rule.RuleModule} */
function banRule({ selector, message }) {
  return {
    create: (context) => ({
      [selector]: (/** @type {import("eslint").Rule.Node} */ node) => {
        context.report({ node, message });
      },
    }),
  };
}

/** @type {import("eslint").ESLint.Plugin} */
export const house = {
  meta: { name: "house" },
  rules: Object.fromEntries([
    ...Object.entries(doors).map(([name, door]) => [`door-${name}`, doorRule(name, door)]),
    ...Object.entries(bans).map(([name, ban]) => [name, banRule(ban)]),
  ]),
};

/** Every house rule on, and off again where it says so: one entry a rule, so that none replaces another. */
export const houseConfig = [
  { plugins: { house }, rules: Object.fromEntries(Object.keys(house.rules ?? {}).map((name) => [`house/${name}`, "error"])) },
  ...Object.entries(doors).map(([name, { files }]) => ({ files: [...files], rules: { [`house/door-${name}`]: "off" } })),
  ...Object.entries(bans)
    .filter(([, { files }]) => files.length > 0)
    .map(([name, { files }]) => ({ files: [...files], rules: { [`house/${name}`]: "off" } })),
  { ignores: ["**/*.machine.ts"], rules: { "house/no-machine-after": "off" } },
];
