import type { Clock } from "@karst/events";

/** What expires unless it is removed before. `dueMs` belongs to the `Deadlines` it was added to. */
export interface Expiring {
  dueMs: number;
  /** Called once. Must not throw. */
  expire(): void;
}

/**
 * Many deadlines on one timer.
 *
 * D1. At most one timer of the clock waits, however many deadlines there are; none after `close()`.
 * D2. An entry expires once, never early, and late by at most 1/128 of its time (1 ms for short ones), beside what the clock is late.
 * D3. To add or remove costs the same however many wait.
 */
export interface Deadlines {
  add(entry: Expiring, timeoutMs: number): void;
  /** Nothing happens when it has expired or was never added. */
  remove(entry: Expiring): void;
  /** How many wait. */
  readonly pending: number;
  /** Drops all without expiring them. */
  close(): void;
}

const LONGEST_MS = 2 ** 31 - 1;

/** To what a time is rounded up, so that deadlines of about the same time share a bucket: a power of two, at most 1/128 of the time. */
const grainMs = (timeoutMs: number): number => 1 << Math.max(0, 24 - Math.clz32(Math.min(timeoutMs, LONGEST_MS)));

export function createDeadlines(clock: Clock): Deadlines {
  const buckets = new Map<number, Set<Expiring>>();
  let armedForMs = Infinity;
  let disarm = (): void => undefined;

  const arm = (dueMs: number): void => {
    if (dueMs >= armedForMs) return;
    disarm();
    armedForMs = dueMs;
    disarm = clock.after(dueMs - clock.monotonic(), fire);
  };

  const fire = (): void => {
    armedForMs = Infinity;
    const nowMs = clock.monotonic();
    const due = [...buckets.keys()].filter((dueMs) => dueMs <= nowMs).sort((a, b) => a - b);
    for (const dueMs of due) {
      const entries = buckets.get(dueMs) ?? [];
      buckets.delete(dueMs);
      for (const entry of entries) {
        entry.dueMs = -1;
        entry.expire();
      }
    }
    // Math.min over no keys is Infinity: then nothing is armed.
    arm(Math.min(...buckets.keys()));
  };

  return {
    add(entry, timeoutMs) {
      const grain = grainMs(timeoutMs);
      const dueMs = Math.ceil((clock.monotonic() + timeoutMs) / grain) * grain;
      entry.dueMs = dueMs;
      const bucket = buckets.get(dueMs);
      if (bucket === undefined) buckets.set(dueMs, new Set([entry]));
      else bucket.add(entry);
      arm(dueMs);
    },
    remove(entry) {
      const bucket = buckets.get(entry.dueMs);
      if (bucket?.delete(entry) !== true) return;
      if (bucket.size === 0) buckets.delete(entry.dueMs);
      entry.dueMs = -1;
    },
    get pending() {
      let count = 0;
      for (const bucket of buckets.values()) count += bucket.size;
      return count;
    },
    close() {
      disarm();
      armedForMs = Infinity;
      buckets.clear();
    },
  };
}
