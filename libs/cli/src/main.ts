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
process.on("SIGHUP", onSignal);

// a reader that has enough, such as `head`, ends the command quietly, and what it started with it
const reader = { gone: false };
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  reader.gone = true;
  interrupt.abort();
});

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { readonly version: string }; // our own package.json

const exitCode = await runProgram(process.argv.slice(2), {
  readConfig: () => processConfig(process.cwd()),
  terminal: { isTty: process.stdout.isTTY, columns: process.stdout.columns },
  write: (text) => {
    if (!reader.gone) process.stdout.write(text);
  },
  writeError: (text) => {
    if (!reader.gone) process.stderr.write(text);
  },
  signal: interrupt.signal,
  version,
});
process.off("SIGINT", onSignal);
process.off("SIGTERM", onSignal);
process.off("SIGHUP", onSignal);
process.exitCode = reader.gone ? EXIT.ok : exitCode;
