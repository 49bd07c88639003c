import { systemClock } from "@karst/events";
import type { Clock } from "@karst/events";

/** The machine's clock, which knows how many of its timers wait: for leak checks. */
export interface CountingClock extends Clock {
  readonly waiting: number;
}

export function createCountingClock(): CountingClock {
  const waiting = new Set<object>();
  return {
    now: () => systemClock.now(),
    monotonic: () => systemClock.monotonic(),
    after(ms, then) {
      const timer = {};
      waiting.add(timer);
      const cancel = systemClock.after(ms, () => {
        waiting.delete(timer);
        then();
      });
      return () => {
        waiting.delete(timer);
        cancel();
      };
    },
    get waiting() {
      return waiting.size;
    },
  };
}
