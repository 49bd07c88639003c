import { RuntimeOverloadedError } from "./errors.ts";
import type { RunningCell } from "./running-cell.inline.ts";

export interface CellTimers {
  /** The timer functions that cells see. */
  readonly functions: Readonly<Record<string, (...parameters: never[]) => unknown>>;
  /** Clears the waiting timers that `of` started; without `of` all of them. */
  clear(of?: RunningCell): void;
  /** How many timers wait. */
  readonly waiting: number;
}

type Callback = (...parameters: unknown[]) => unknown;

/**
 * The host's timers, as the cells of one runtime get them.
 *
 * M1. What a callback throws goes to the cell that set the timer, never to the process.
 * M2. At most `limit` timers wait; one more is `RuntimeOverloadedError`, thrown in the cell.
 * M3. A timer that was cleared with `clear` does not call back.
 */
export function createCellTimers(limit: number, current: () => RunningCell): CellTimers {
  const live = new Map<object, { readonly setBy: RunningCell; readonly stop: () => void }>();

  const call = (setBy: RunningCell, self: unknown, callback: Callback, parameters: readonly unknown[]): void => {
    try {
      Reflect.apply(callback, self, parameters);
    } catch (error) {
      setBy.stray(error);
    }
  };

  const start = <T extends object>(
    callback: unknown,
    once: boolean,
    arm: (fire: () => void) => T,
    stop: (timer: T) => void,
    parameters: readonly unknown[],
  ): T => {
    if (typeof callback !== "function") throw new TypeError("The first argument of a timer must be a function");
    if (live.size >= limit) throw new RuntimeOverloadedError("timers of one runtime", limit);
    const setBy = current();
    const timer = arm(() => {
      if (!live.has(timer)) return;
      if (once) live.delete(timer);
      call(setBy, timer, callback as Callback, parameters); // tested above
    });
    live.set(timer, {
      setBy,
      stop: () => {
        stop(timer);
      },
    });
    return timer;
  };

  /** By the timer or by its number, as the host's functions take it. */
  const cancel = (timer: unknown): void => {
    const number = typeof timer === "number" || typeof timer === "string" ? Number(timer) : NaN;
    const key = typeof timer === "object" ? timer : [...live.keys()].find((each) => Number(each) === number);
    if (key === undefined || key === null) return;
    live.get(key)?.stop();
    live.delete(key);
  };

  return {
    functions: {
      setTimeout: (callback: unknown, ms?: number, ...parameters: unknown[]) =>
        start<NodeJS.Timeout>(callback, true, (fire) => setTimeout(fire, ms), clearTimeout, parameters),
      setInterval: (callback: unknown, ms?: number, ...parameters: unknown[]) =>
        start<NodeJS.Timeout>(callback, false, (fire) => setInterval(fire, ms), clearInterval, parameters),
      setImmediate: (callback: unknown, ...parameters: unknown[]) =>
        start<NodeJS.Immediate>(callback, true, (fire) => setImmediate(fire), clearImmediate, parameters),
      clearTimeout: cancel,
      clearInterval: cancel,
      clearImmediate: cancel,
      queueMicrotask: (callback: unknown) => {
        if (typeof callback !== "function") throw new TypeError("The argument of queueMicrotask must be a function");
        const setBy = current();
        queueMicrotask(() => {
          call(setBy, undefined, callback as Callback, []); // tested above
        });
      },
    },
    clear(of) {
      for (const [timer, { setBy, stop }] of live) {
        if (of !== undefined && setBy !== of) continue;
        stop();
        live.delete(timer);
      }
    },
    get waiting() {
      return live.size;
    },
  };
}
