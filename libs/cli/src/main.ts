#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { processConfig } from "./config.ts";
import { EXIT, runProgram } from "./program.ts";

/** The `karst` command. The first ctrl-C ends what runs and cleans up; the second ends the process. */
const interrupt = new AbortController();
const onSignal = (): void => {
  if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
  interrupt.abort();
};
process.on("SIGINT", onSignal);
process.on("SIGTERM", onSignal);

// a reader that has enough, such as `head`, ends the command quietly
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit(EXIT.ok);
});

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { readonly version: string }; // our own package.json

process.exitCode = await runProgram(process.argv.slice(2), {
  readConfig: () => processConfig(process.cwd()),
  terminal: { isTty: process.stdout.isTTY, columns: process.stdout.columns },
  write: (text) => {
    process.stdout.write(text);
  },
  writeError: (text) => {
    process.stderr.write(text);
  },
  signal: interrupt.signal,
  version,
});
process.off("SIGINT", onSignal);
process.off("SIGTERM", onSignal);
