/**
 * The measurements of bench/, a package outside the workspaces: what it compares with is installed at the first use only. It measures what users
 * get, the built packages: running from source costs up to half of the speed, as the loader wraps each function to keep its name.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import { PROGRAMS, ROOT, runNode, runProgram } from "./child.mjs";

if (!existsSync(path.join(ROOT, "bench/node_modules"))) {
  process.stderr.write("bench: installing its own packages, once\n");
  const code = await runProgram("npm", ["ci", "--prefix", "bench", "--no-audit", "--no-fund", "--silent"]);
  if (code !== 0) process.exit(code);
}
const built = await runNode(PROGRAMS.tsc, ["-b", "bench"]);
if (built !== 0) process.exit(built);
process.exitCode = await runNode("bench/dist/main.js", process.argv.slice(2), { nodeArgs: ["--expose-gc"] });
