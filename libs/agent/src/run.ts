import type { EventOf, RunFact, RunSummary, StopReason, Usage } from "@karst/events";
import type { z } from "zod";

/** What a run may use. What is absent is not limited, but for `steps` (10) and `ms` (600,000). */
export interface Budget {
  /** Model calls. */
  readonly steps?: number;
  readonly ms?: number;
  readonly tokens?: { readonly input?: number; readonly output?: number; readonly total?: number };
}

export interface RunOptions<T = unknown> {
  readonly signal?: AbortSignal;
  /** Time for the whole call, waiting in the mailbox included, ms. Default: the budget's `ms`, else 600,000; for a run 5,000 more. */
  readonly deadlineMs?: number;
  readonly budget?: Budget;
  /** The same key is never run twice by one activation. */
  readonly idempotencyKey?: string;
  /** The run completes only with a value of this schema, given by a top-level `return`. */
  readonly result?: z.ZodType<T>;
  /** A name in the system's model table. */
  readonly model?: string;
}

/** What the host's `run()` returns, also for failures: `value` is there when the run completed and gave one. */
export interface RunResult<T = unknown> extends Omit<RunSummary, "stopReason" | "usage"> {
  readonly value: T | undefined;
  readonly stopReason: StopReason;
  readonly usage: Usage;
}

/** A run's event with its result in full. */
export type Streamed<E> = E extends EventOf<"run-ended"> ? Omit<E, "result"> & { readonly result: RunResult } : E;

/** An event of a run, as a stream gives it; `run-ended` is the last and carries the result. */
export type RunEvent = Streamed<RunFact>;
