/**
 * The measurements of bench/, a package outside the workspaces: what it compares with is installed at the first use only.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { ROOT, runNode, runProgram } from "./child.mjs";

if (!existsSync(path.join(ROOT, "bench/node_modules"))) {
  process.stderr.write("bench: installing its own packages, once\n");
  const code = await runProgram("npm", ["ci", "--prefix", "bench", "--no-audit", "--no-fund"]);
  if (code !== 0) process.exit(code);
}
process.exitCode = await runNode("bench/src/main.ts", process.argv.slice(2), {
  nodeArgs: ["--conditions=karst-source", "--import", "tsx"],
});
