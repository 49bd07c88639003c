import type { OutputCapture } from "./output.ts";
import { createOutputCapture } from "./output.ts";
import type { LateReports } from "./late-reports.ts";
import { runningCell } from "./running-cell.inline.ts";
import type { RunningCell } from "./running-cell.inline.ts";
import type { CellError } from "./runtime.ts";

/** A cell that this runtime runs or ran. */
export interface LiveCell extends RunningCell {
  readonly output: OutputCapture;
  /** From now on what it prints is late. */
  end(): void;
}

export interface LiveCells {
  open(cell: number): LiveCell;
  /** The cell that the code running now belongs to; for code the host calls from a context of its own, the cell that ran last. */
  readonly current: () => RunningCell;
  /** From now on nothing is kept of what cells print and throw. */
  close(): void;
}

export interface LiveCellsOptions {
  readonly outputChars: number;
  readonly late: LateReports;
  readonly failure: (cell: number, thrown: unknown) => CellError;
}

/** Tells which cell prints and fails, while it runs and after. */
export function createLiveCells({ outputChars, late, failure }: LiveCellsOptions): LiveCells {
  const runtime = {};
  let closed = false;

  const open = (cell: number): LiveCell => {
    const output = createOutputCapture(outputChars);
    let ended = false;
    return {
      cell,
      runtime,
      output,
      print(text) {
        if (!ended) output.write(text);
        else if (!closed) late.printed(cell, text);
      },
      stray(error, promise) {
        if (!closed) late.failed(failure(cell, error), promise);
      },
      end() {
        ended = true;
      },
    };
  };

  let last: RunningCell = open(0);
  return {
    open(cell) {
      const live = open(cell);
      last = live;
      return live;
    },
    current() {
      const store = runningCell.getStore();
      return store?.runtime === runtime ? store : last;
    },
    close() {
      closed = true;
    },
  };
}
