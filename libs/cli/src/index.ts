// The command line as a function
export { EXIT, runProgram } from "./program.ts";
export type { ProgramDeps } from "./program.ts";
export { readConfig } from "./config.ts";
export type { Config } from "./config.ts";
