import { writeSync } from "node:fs";
import path from "node:path";
import type { Reporter, SerializedError, TestModule } from "vitest/node";
import { closingLine, skipBanner } from "./closing-line.ts";
import type { Tally } from "./closing-line.ts";

/**
 * Ends a run with the line that CI reads, alone and after everything else, coverage too; before it a banner when tests were skipped.
 * Says nothing about the exit code, which stays vitest's.
 */
export class ClosingLineReporter implements Reporter {
  #tally: Tally | undefined;
  readonly #missing: { readonly reason: string; readonly howTo: string } | undefined;

  /** @param missing What the test command found out about the server that tests need; undefined when there is one. */
  constructor(missing?: { readonly reason: string; readonly howTo: string }) {
    this.#missing = missing;
  }

  onInit(): void {
    process.once("exit", () => {
      if (this.#tally === undefined) return;
      // On the way out only what is written at once is written.
      writeSync(1, `${skipBanner(this.#tally, this.#missing)}\n${closingLine(this.#tally)}\n`);
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    const skipped = new Map<string, number>();
    for (const module of modules) {
      let failedHere = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") passed += 1;
        else if (state === "failed") failedHere += 1;
        else if (state === "skipped" && module.ok()) {
          const file = path.relative(process.cwd(), module.moduleId);
          skipped.set(file, (skipped.get(file) ?? 0) + 1);
        }
      }
      // A file that does not load, or a hook that fails, has no failing test of its own.
      failed += failedHere === 0 && !module.ok() ? 1 : failedHere;
    }
    this.#tally = { passed, failed, skipped };
  }
}
