import { InvalidRuntimeOptionError } from "./errors.ts";

/** What a runtime may use. Each is a whole number ≥ 1. */
export interface RuntimeLimits {
  /** Characters of output kept of one cell; what comes after is counted and dropped as it is printed. */
  readonly outputChars: number;
  /** Characters of a cell's value as text. */
  readonly valueChars: number;
  /** Cells that may wait behind the running one; the next is `Overloaded`. */
  readonly queuedCells: number;
  /** Late outputs and background errors kept until the next result reports them; older ones go first. */
  readonly strayReports: number;
  /** Timers that the cells of one runtime may have waiting. */
  readonly timers: number;
  /** Calls to the host under way at once. For kinds whose calls cross a boundary. */
  readonly callsInFlight: number;
  /** Memory of the realm. For kinds that have one of their own. */
  readonly memoryBytes: number;
}

/**
 * `outputChars` is forty times what a model is shown of one output; the rest of it lies in a variable. `valueChars` is what fits
 * a prompt. `queuedCells` and `callsInFlight` follow the mailbox of an agent, 256. `memoryBytes` is that of the API example.
 */
export const DEFAULT_LIMITS: RuntimeLimits = {
  outputChars: 200_000,
  valueChars: 5_000,
  queuedCells: 256,
  strayReports: 100,
  timers: 10_000,
  callsInFlight: 256,
  memoryBytes: 64 * 2 ** 20,
};

/** The defaults with `given` over them. @throws {InvalidRuntimeOptionError} for what is no whole number ≥ 1. */
export function resolveLimits(given: Partial<RuntimeLimits> = {}): RuntimeLimits {
  for (const [name, limit] of Object.entries(given)) {
    if (!(name in DEFAULT_LIMITS))
      throw new InvalidRuntimeOptionError(`limits.${name}`, `there is no such limit; there is ${Object.keys(DEFAULT_LIMITS).join(", ")}`);
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new InvalidRuntimeOptionError(`limits.${name}`, `${String(limit)} is no whole number ≥ 1`);
  }
  return { ...DEFAULT_LIMITS, ...given };
}
