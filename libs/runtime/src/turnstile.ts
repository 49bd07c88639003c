import { RuntimeOverloadedError } from "./errors.ts";

/** What became of a job: it ran, or its signal was aborted while it waited. */
export type Passed<T> = { readonly type: "done"; readonly value: T } | { readonly type: "aborted"; readonly reason: unknown };

/**
 * Lets one job through at a time, in the order they came.
 *
 * Q1. The next job starts after the one before has settled, whichever way.
 * Q2. At most `limit` jobs wait; one more is refused at once.
 * Q3. After `close` nothing starts any more: what waits, and what comes, is rejected. The job inside is left alone.
 */
export interface Turnstile {
  /** @throws {RuntimeOverloadedError} when `limit` jobs wait already. Rejects with what the job rejects with, or with the error of `close`. */
  pass<T>(job: () => Promise<T>, signal?: AbortSignal): Promise<Passed<T>>;
  close(error: Error): void;
  /** How many jobs wait. */
  readonly waiting: number;
  /** Settles when nothing is inside. */
  idle(): Promise<void>;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: Error) => void;
}

export function createTurnstile(limit: number): Turnstile {
  const waiting: Waiting[] = [];
  let inside: Promise<unknown> | undefined;
  let closed: Error | undefined;

  const enter = <T>(job: () => Promise<T>): Promise<T> => {
    const running = job();
    const leave = (): void => {
      inside = undefined;
      waiting.shift()?.start();
    };
    inside = running.then(leave, leave);
    return running;
  };

  return {
    async pass(job, signal) {
      if (closed !== undefined) throw closed;
      if (signal?.aborted === true) return { type: "aborted", reason: signal.reason };
      if (inside === undefined) return { type: "done", value: await enter(job) };
      if (waiting.length >= limit) throw new RuntimeOverloadedError("cells waiting behind the running one", limit);
      return await new Promise((resolve, reject) => {
        const abort = (): void => {
          waiting.splice(waiting.indexOf(turn), 1);
          resolve({ type: "aborted", reason: signal?.reason });
        };
        const turn: Waiting = {
          start: () => {
            signal?.removeEventListener("abort", abort);
            enter(job).then((value) => {
              resolve({ type: "done", value });
            }, reject);
          },
          refuse: (error) => {
            signal?.removeEventListener("abort", abort);
            reject(error);
          },
        };
        waiting.push(turn);
        signal?.addEventListener("abort", abort, { once: true });
      });
    },
    get waiting() {
      return waiting.length;
    },
    close(error) {
      closed = error;
      for (const turn of waiting.splice(0)) turn.refuse(error);
    },
    async idle() {
      while (inside !== undefined) await inside;
    },
  };
}
