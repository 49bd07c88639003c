import { AsyncLocalStorage } from "node:async_hooks";

/** A cell as what it started sees it: where its output and its forgotten errors go, also long after it ended. */
export interface RunningCell {
  readonly cell: number;
  /** The runtime it belongs to, for comparison only. */
  readonly runtime: object;
  print(text: string): void;
  /** Takes an error that no code awaited; `promise` is the one that was rejected. */
  stray(error: unknown, promise?: unknown): void;
}

/**
 * Which cell the code that runs now was started by, over awaits, timers and events. One for all runtimes of a process: when a cell of one
 * runtime leads to a cell of another, the inner one is meant. Node keeps the value per asynchronous context; this holds none itself.
 */
export const runningCell = new AsyncLocalStorage<RunningCell>();
