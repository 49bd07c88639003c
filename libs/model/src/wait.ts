import type { Clock } from "@karst/events";

const nothing = (): void => undefined;

/** Settles as `promise` does, or rejects with the signal's reason as soon as that aborts; the promise's own failure is then dropped. */
export async function orAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = nothing;
  const aborted = new Promise<undefined>((resolve) => {
    abort = () => {
      resolve(undefined);
    };
  });
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    const settled = await Promise.race([aborted, promise.then((value) => ({ value }))]);
    if (settled !== undefined) return settled.value;
    signal.throwIfAborted();
    return await promise; // not reached: `aborted` settles only by an abort
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** setInterval's largest period. */
const LONGEST_MS = 2 ** 31 - 1;

/** Waits `ms`, or rejects with the signal's reason. A clock's timers let the process end; who sleeps here is in a call, so it keeps it alive. */
export async function sleep(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (ms <= 0) return;
  const alive = setInterval(nothing, LONGEST_MS);
  let cancel = nothing;
  try {
    await orAbort(
      new Promise<void>((resolve) => {
        cancel = clock.after(ms, resolve);
      }),
      signal,
    );
  } finally {
    cancel();
    clearInterval(alive);
  }
}
