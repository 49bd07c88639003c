/**
 * Time as a port: what reads or waits for time takes a Clock, so that tests move it and turns can be replayed.
 */
export interface Clock {
  /** Wall clock, ms since 1970. May jump; for showing and storing. */
  now(): number;
  /** Monotonic ms from an arbitrary start; for measuring and deadlines. */
  monotonic(): number;
  /** Calls `then` once after `ms`; the returned function cancels it. Until then the system clock keeps the process alive. */
  after(ms: number, then: () => void): () => void;
}

/** The largest delay `setTimeout` takes. Longer ones are waited for in parts. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, then) {
    let timer: NodeJS.Timeout;
    let leftMs = Math.max(0, ms);
    const wait = (): void => {
      const partMs = Math.min(leftMs, LONGEST_TIMER_MS);
      leftMs -= partMs;
      timer = setTimeout(leftMs > 0 ? wait : then, partMs);
    };
    wait();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** A clock that tests move. Timers fire in order of their time, then of their making. */
export interface SimulatedClock extends Clock {
  /** Moves time by `ms` and fires what falls due, in order. */
  advance(ms: number): void;
  /** How many timers wait. */
  readonly pending: number;
}

export function createSimulatedClock(startMs = 0): SimulatedClock {
  let nowMs = startMs;
  let made = 0;
  const timers = new Map<number, { readonly dueMs: number; readonly then: () => void }>();
  const nextDue = (untilMs: number): number | undefined => {
    let best: number | undefined;
    for (const [key, timer] of timers) {
      if (timer.dueMs > untilMs) continue;
      const bestDueMs = best === undefined ? Infinity : (timers.get(best)?.dueMs ?? Infinity);
      if (timer.dueMs < bestDueMs) best = key;
    }
    return best;
  };
  return {
    now: () => nowMs,
    monotonic: () => nowMs,
    after(ms, then) {
      const key = made++;
      timers.set(key, { dueMs: nowMs + Math.max(0, ms), then });
      return () => {
        timers.delete(key);
      };
    },
    advance(ms) {
      const untilMs = nowMs + ms;
      for (let key = nextDue(untilMs); key !== undefined; key = nextDue(untilMs)) {
        const timer = timers.get(key);
        timers.delete(key);
        if (timer === undefined) continue;
        nowMs = Math.max(nowMs, timer.dueMs);
        timer.then();
      }
      nowMs = untilMs;
    },
    get pending() {
      return timers.size;
    },
  };
}
