/**
 * All that CI checks, in one command; every step runs, and the end names the ones that failed.
 */
import { execFileSync } from "node:child_process";
import { PROGRAMS, ROOT, runNode } from "./child.mjs";

const HELP = `Usage: npm run verify [-- --skip-test]

Format, types, lint, tests with coverage, dead code, API reports, and a working tree that is as it was.

  --skip-test   leaves the tests out, for one who has just run them
`;

/** @typedef {{ readonly name: string, readonly runs: readonly (() => Promise<number>)[] }} Step */

/** @param {boolean} skipTest @returns {readonly Step[]} */
function steps(skipTest) {
  const test = { name: "test", runs: [() => runNode("scripts/test.mjs", ["--coverage"])] };
  return [
    { name: "format", runs: [() => runNode(PROGRAMS.prettier, ["--check", "--log-level", "warn", "."])] },
    { name: "types", runs: [() => runNode(PROGRAMS.tsc, ["-b"]), () => runNode(PROGRAMS.tsc, ["-p", "scripts"])] },
    {
      name: "lint",
      // The boundary rule is silent without the project graph, which nx makes. One linter for all: a third of the time of one a project.
      runs: [() => runNode(PROGRAMS.nx, ["show", "projects"]), () => runNode(PROGRAMS.eslint, ["--max-warnings=0", "."])],
    },
    ...(skipTest ? [] : [test]),
    { name: "dead code", runs: [() => runNode(PROGRAMS.knip, ["--no-config-hints"])] },
    { name: "api reports", runs: [() => runNode("scripts/api.mjs", [])] },
  ];
}

const tree = () => execFileSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" });

/** @param {readonly string[]} args @returns {Promise<number>} The exit code. */
async function main(args) {
  if (args.some((arg) => arg !== "--skip-test")) {
    process.stderr.write(HELP);
    return args.includes("--help") ? 0 : 2;
  }
  const before = tree();
  /** @type {string[]} */
  const failed = [];
  for (const { name, runs } of steps(args.includes("--skip-test"))) {
    const startedAt = performance.now();
    process.stdout.write(`\n── ${name}\n`);
    for (const run of runs) {
      const code = await run();
      if (code > 128) return code;
      if (code !== 0 && !failed.includes(name)) failed.push(name);
    }
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
    process.stdout.write(`── ${name}: ${failed.includes(name) ? "FAILED" : "ok"} (${seconds} s)\n`);
  }
  const after = tree();
  if (after !== before) {
    failed.push("unchanged tree");
    process.stdout.write(`\nThe checks changed the working tree. Before:\n${before}After:\n${after}`);
  }
  process.stdout.write(failed.length === 0 ? "\nverify: all is well\n" : `\nverify: FAILED: ${failed.join(", ")}\n`);
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
