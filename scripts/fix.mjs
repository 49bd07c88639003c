/**
 * Mends what a tool can mend: lint, format, the API reports.
 */
import { PROGRAMS, runNode } from "./child.mjs";

// The boundary rule needs the project graph, which nx makes.
const codes = [
  await runNode(PROGRAMS.nx, ["show", "projects"]),
  await runNode(PROGRAMS.eslint, ["--fix", "."]),
  await runNode(PROGRAMS.prettier, ["--write", "--log-level", "warn", "."]),
  await runNode(PROGRAMS.tsc, ["-b"]),
  await runNode("scripts/api.mjs", ["--write"]),
];
process.exitCode = Math.max(...codes);
