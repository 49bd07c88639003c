import type { Clock } from "@karst/events";
import { CancelledError } from "./errors.ts";

/** Waits `ms`. @throws {CancelledError} when `signal` aborts before. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(new CancelledError("the wait", signal.reason));
      return;
    }
    const stop = (): void => {
      disarm();
      reject(new CancelledError("the wait", signal?.reason));
    };
    const disarm = clock.after(ms, () => {
      signal?.removeEventListener("abort", stop);
      resolve();
    });
    signal?.addEventListener("abort", stop, { once: true });
  });
}
