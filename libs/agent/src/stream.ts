import { KarstError } from "@karst/events";
import type { RunFact } from "@karst/events";
import { CancelledError } from "./errors.ts";
import type { RunEvent, RunResult } from "./run.ts";

/** Events kept for a reader that is behind. */
const UNREAD = 10_000;

export interface StreamSource {
  readonly detach: boolean;
  readonly signal: AbortSignal | undefined;
  start(signal: AbortSignal, onFact: (fact: RunFact) => void): Promise<RunResult>;
}

/** What is between a run and its reader. */
class RunQueue {
  over = false;
  error: Error | undefined;
  #events: RunEvent[] = [];
  #left = false;
  #end: Extract<RunFact, { type: "run-ended" }> | undefined;
  #wake: (() => void) | undefined;

  /** False when the reader is too far behind. */
  put(fact: RunFact): boolean {
    if (this.#left) return true;
    if (fact.type === "run-ended") this.#end = fact;
    else if (this.#events.length >= UNREAD) {
      this.fail(new KarstError("StreamBroken", `the reader of ${fact.runId} is ${String(UNREAD)} events behind`));
      return false;
    } else this.#events.push(fact);
    this.#poke();
    return true;
  }

  finish(result: RunResult): void {
    if (this.#end === undefined) {
      this.fail(new KarstError("StreamBroken", `the last event of ${result.runId} did not come`));
      return;
    }
    this.#events.push({ ...this.#end, result });
    this.over = true;
    this.#poke();
  }

  fail(error: Error): void {
    this.error ??= error;
    this.over = true;
    this.#poke();
  }

  take(): RunEvent | undefined {
    return this.#events.shift();
  }

  /** The reader is gone: nothing is kept any more. */
  leave(): void {
    this.#left = true;
    this.#events = [];
  }

  changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #poke(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}

/**
 * A run as an async iterable of its events. It starts with the first event asked for.
 *
 * F1. Exactly one `run-ended`, last, with the result (G6); if the call itself fails, the iteration throws instead.
 * F2. Leaving early cancels the run, unless `detach`.
 * F3. At most `UNREAD` events wait; a reader that falls further behind gets `StreamBroken`, and the run is cancelled.
 */
export async function* streamRun(source: StreamSource): AsyncGenerator<RunEvent, void, undefined> {
  const leave = new AbortController();
  const queue = new RunQueue();
  const signal = source.signal === undefined ? leave.signal : AbortSignal.any([source.signal, leave.signal]);
  source
    .start(signal, (fact) => {
      if (!queue.put(fact)) leave.abort(new CancelledError("a run whose reader fell behind"));
    })
    .then(
      (result) => {
        queue.finish(result);
      },
      (error: unknown) => {
        queue.fail(error instanceof Error ? error : new KarstError("AppError", String(error)));
      },
    );
  try {
    for (;;) {
      const event = queue.take();
      if (event !== undefined) yield event;
      else if (queue.error !== undefined) throw queue.error;
      else if (queue.over) return;
      else await queue.changed();
    }
  } finally {
    queue.leave();
    if (!queue.over && !source.detach) leave.abort(new CancelledError("the run: its stream was left"));
  }
}
