import { KarstError } from "@karst/events";
import type { RunFact } from "@karst/events";
import { CancelledError } from "./errors.ts";
import type { RunEvent, RunResult } from "./run.ts";

/**
 * A run as an async iterable of its events.
 *
 * F1. Exactly one `run-ended`, last, with the result (G6); if the call itself fails, the iteration throws instead.
 * F2. Leaving early cancels the run, unless `detach`.
 * F3. At most `UNREAD` events wait; a reader that falls further behind gets `StreamBroken`, and the run is cancelled.
 */
const UNREAD = 10_000;

export interface StreamSource {
  readonly detach: boolean;
  readonly signal: AbortSignal | undefined;
  start(signal: AbortSignal, onFact: (fact: RunFact) => void): Promise<RunResult>;
}

export async function* streamRun(source: StreamSource): AsyncGenerator<RunEvent, void, undefined> {
  const leave = new AbortController();
  const queue: RunEvent[] = [];
  let wake: (() => void) | undefined;
  let ended: RunFact & { readonly type: "run-ended" } | undefined;
  let broken: unknown;
  let over = false;
  const poke = (): void => { wake?.(); wake = undefined; };
  const fail = (error: unknown): void => { broken = error; over = true; poke(); };
  const signal = source.signal === undefined ? leave.signal : AbortSignal.any([source.signal, leave.signal]);
  source
    .start(signal, (fact) => {
      if (fact.type === "run-ended") { ended = fact; return; }
      if (queue.length >= UNREAD) {
        fail(new KarstError("StreamBroken", `the reader of ${fact.runId} is ${String(UNREAD)} events behind`));
        leave.abort(new CancelledError("a run whose reader fell behind"));
        return;
      }
      queue.push(fact);
      poke();
    })
    .then((result) => {
      if (ended === undefined) { fail(new KarstError("StreamBroken", `the last event of ${result.runId} did not come`)); return; }
      queue.push({ ...ended, result });
      over = true;
      poke();
    }, fail);
  try {
    for (;;) {
      const event = queue.shift();
      if (event !== undefined) yield event;
      else if (broken !== undefined) throw broken;
      else if (over) return;
      else await new Promise<void>((resolve) => { wake = resolve; });
    }
  } finally {
    if (!over && !source.detach) leave.abort(new CancelledError("the run: its stream was left"));
  }
}
