import { createOutputCapture } from "./output.ts";
import type { OutputCapture } from "./output.ts";
import type { CellError, LateOutput } from "./runtime.ts";

export interface LateReportsOptions {
  /** Entries kept of each kind; the oldest go first. */
  readonly entries: number;
  /** Characters kept of what one cell printed late. */
  readonly outputChars: number;
}

/**
 * What cells did after they had ended, kept until the next result tells of it.
 *
 * Pure bookkeeping with a bound: whatever a forgotten timer prints or throws for hours, the memory it takes does not grow.
 */
export interface LateReports {
  printed(cell: number, text: string): void;
  failed(error: CellError, promise?: unknown): void;
  /** Forgets the failure of a promise that was awaited after all, unless it has been told already. */
  handled(promise: unknown): void;
  /** All since the last call. */
  take(): { readonly late: readonly LateOutput[]; readonly background: readonly CellError[] };
}

export function createLateReports({ entries, outputChars }: LateReportsOptions): LateReports {
  let outputs: { readonly cell: number; readonly capture: OutputCapture }[] = [];
  let failures: { readonly error: CellError; readonly promise: unknown }[] = [];
  return {
    printed(cell, text) {
      // In order of printing; a cell that goes on printing continues its entry.
      let last = outputs.at(-1);
      if (last?.cell !== cell) {
        last = { cell, capture: createOutputCapture(outputChars) };
        outputs.push(last);
        if (outputs.length > entries) outputs.shift();
      }
      last.capture.write(text);
    },
    failed(error, promise) {
      failures.push({ error, promise });
      if (failures.length > entries) failures.shift();
    },
    handled(promise) {
      failures = failures.filter((failure) => promise === undefined || failure.promise !== promise);
    },
    take() {
      const late = outputs.map(({ cell, capture }) => ({ cell, text: withDropped(capture) }));
      const background = failures.map(({ error }) => error);
      outputs = [];
      failures = [];
      return { late, background };
    },
  };
}

const withDropped = ({ text, droppedChars }: OutputCapture): string =>
  droppedChars === 0 ? text : `${text}… ${String(droppedChars)} more characters were dropped\n`;
