import { setImmediate } from "node:timers";
import { systemClock } from "@karst/events";
import type { Clock } from "@karst/events";
import { createBindings } from "./bindings.ts";
import { cleanMessage } from "./cell-clean.ts";
import { createCellScope } from "./cell-scope.ts";
import { compileCell } from "./cell.ts";
import type { CompiledCell } from "./cell.ts";
import { createCellConsole } from "./console.ts";
import { describeBindings } from "./describe.ts";
import { diffNames, stampNames } from "./diff.ts";
import { CellSyntaxError, InvalidRuntimeOptionError, NoSuchNameError, RuntimeStoppedError } from "./errors.ts";
import { createRuntimeGlobals } from "./globals.inline.ts";
import { createLateReports } from "./late-reports.ts";
import { resolveLimits } from "./limits.ts";
import type { RuntimeLimits } from "./limits.ts";
import { createLiveCells } from "./live-cells.inline.ts";
import type { LiveCell } from "./live-cells.inline.ts";
import { createImporter } from "./modules.inline.ts";
import type { ModuleOptions } from "./modules.inline.ts";
import { createNamespace } from "./namespace.ts";
import type { Realm } from "./namespace.ts";
import { createResults } from "./results.ts";
import type { Ending, Ran } from "./results.ts";
import { runCell } from "./run-cell.inline.ts";
import type { Binding, CellResult, Runtime } from "./runtime.ts";
import { watchStrayErrors } from "./stray-errors.inline.ts";
import { createCellTimers } from "./timers.inline.ts";
import { createTurnstile } from "./turnstile.ts";

export interface InlineRuntimeOptions extends ModuleOptions {
  /** Refused, whatever it is: without a `guard` nothing can stop a cell that does not yield. Declared so that a configuration gets that answer. */
  readonly timeoutMs?: number;
  readonly limits?: Partial<RuntimeLimits>;
  readonly clock?: Clock;
  /** How long `close()` lets a running cell go on. Default 5,000. */
  readonly closeGraceMs?: number;
}

/**
 * A runtime in the host's own realm and thread: values are the host's own objects, nothing is copied or walked. For trusted code only:
 * a cell can do what the host can, patch what all share, and hold the thread for as long as it likes.
 *
 * L1. The host's global object is not written to; what cells see as `globalThis` is their runtime's own.
 * L2. A cell can be stopped while it waits: it is abandoned. Its timers are cleared, but what it awaits may still come, and then it goes on;
 *     what it prints and throws then is late output and a background error. After `reset` it no longer reaches the names of the runtime.
 * L3. `process` is touched (stray-errors.inline.ts) from the first cell to `close()` only.
 *
 * @throws {InvalidRuntimeOptionError} for an option that cannot be kept.
 */
export function createInlineRuntime(options: InlineRuntimeOptions = {}): Runtime {
  requireNoDeadline(options.timeoutMs);
  const limits = resolveLimits(options.limits);
  const clock = options.clock ?? systemClock;

  const held = createBindings();
  const late = createLateReports({ entries: limits.strayReports, outputChars: limits.outputChars });
  const results = createResults({ late, valueChars: limits.valueChars, names: () => namespace.visible().map(([name]) => name) });
  const cells = createLiveCells({ outputChars: limits.outputChars, late, failure: results.failure });
  const timers = createCellTimers(limits.timers, cells.current);
  const console = createCellConsole({
    write: (text) => {
      cells.current().print(cleanMessage(text));
    },
    monotonic: () => clock.monotonic(),
    errorText: results.report,
  });
  const importModule = createImporter(options);
  const openRealm = (): Realm => {
    const globals = createRuntimeGlobals({ console, ...timers.functions });
    return { globals, scope: createCellScope({ globals, import: importModule, meta: META }) };
  };
  const namespace = createNamespace(openRealm, held.table);
  const turnstile = createTurnstile(limits.queuedCells);
  const wide = new WeakSet<object>();

  let cellCount = 0;
  let running: AbortController | undefined;
  let closing: Promise<void> | undefined;
  let unwatch: (() => void) | undefined;

  const requireOpen = (operation: string): void => {
    if (closing !== undefined) throw new RuntimeStoppedError(operation);
  };

  const whileOpen = async <T>(operation: string, work: () => T | Promise<T>): Promise<T> => {
    requireOpen(operation);
    return await work();
  };

  const watch = (): (() => void) =>
    watchStrayErrors({
      hasCell: results.hasCell,
      stray: (cell, error, promise) => {
        late.failed(results.failure(cell, error), promise);
      },
      handled: (promise) => {
        late.handled(promise);
      },
    });

  const compileAndRun = async (code: string, cell: LiveCell, stop: AbortSignal): Promise<Ending> => {
    let compiled: CompiledCell;
    try {
      compiled = compileCell(code, { cell: cell.cell, consts: namespace.scope.consts() });
    } catch (error) {
      if (error instanceof CellSyntaxError) return { type: "refused", error };
      throw error;
    }
    results.remember(compiled);
    return await runCell(compiled, namespace.scope, cell, stop);
  };

  const run = async (code: string, number: number, signal: AbortSignal | undefined): Promise<CellResult> => {
    const startedMs = clock.monotonic();
    unwatch ??= watch();
    const cell = cells.open(number);
    const before = stampNames(namespace.visible(), wide);
    running = new AbortController();
    const unfollow = follow(signal, running);
    const ending = await compileAndRun(code, cell, running.signal);
    unfollow();
    running = undefined;
    // So that what the cell left behind and has failed already is told with it.
    await nextTurn();
    cell.end();
    if (ending.type === "abandoned") timers.clear(cell);
    const diff = diffNames(before, stampNames(namespace.visible(), wide));
    const { text, droppedChars } = cell.output;
    return results.result(ending, {
      cell: number,
      output: text,
      outputDroppedChars: droppedChars,
      durationMs: clock.monotonic() - startedMs,
      diff,
    });
  };

  const noSuchName = (name: string): NoSuchNameError =>
    new NoSuchNameError(
      name,
      namespace.visible().map(([each]) => each),
    );

  /** What the names asked for hold now; all that was injected when none are named. */
  const describable = (names: readonly string[] | undefined): Binding[] => {
    const injected = held.bindings().map((binding) => ({ ...binding, value: namespace.valueOf(binding.name) }));
    const known = new Set(injected.map(({ name }) => name));
    const made = (names ?? []).filter((name) => !known.has(name));
    return [
      ...injected,
      ...made.map((name) => {
        if (!namespace.has(name)) throw noSuchName(name);
        return { kind: "variable", name, value: namespace.valueOf(name) } as const;
      }),
    ];
  };

  const end = async (): Promise<void> => {
    turnstile.close(new RuntimeStoppedError("a queued operation"));
    const cancelGrace = clock.after(options.closeGraceMs ?? 5_000, () => running?.abort("the runtime is closing"));
    await turnstile.idle();
    cancelGrace();
    cells.close();
    timers.clear();
    unwatch?.();
    namespace.renew([]);
  };
  const close = (): Promise<void> => (closing ??= end());

  return {
    kind: "inline",
    preemptible: false,
    inject: (given) =>
      whileOpen("inject", async () => {
        const prepared = held.prepare(given);
        const batch = prepared instanceof Promise ? await prepared : prepared;
        requireOpen("inject");
        held.table.put(batch);
        for (const binding of batch) namespace.put(binding);
      }),
    retrieve: (name) =>
      whileOpen("retrieve", () => {
        if (!namespace.has(name)) throw noSuchName(name);
        return namespace.valueOf(name);
      }),
    has(name) {
      requireOpen("has");
      return namespace.has(name);
    },
    bindUnique: (prefix, value, start = 1) =>
      whileOpen("bindUnique", () => {
        const output = { kind: "output", name: held.table.allocate(prefix, start, namespace.has), value } as const;
        held.table.put([output]);
        namespace.put(output);
        return output.name;
      }),
    execute: (code, { timeoutMs, signal } = {}) =>
      whileOpen("execute", async () => {
        requireNoDeadline(timeoutMs);
        cellCount += 1;
        const cell = cellCount;
        const passed = await turnstile.pass(() => run(code, cell, signal), signal);
        return passed.type === "done" ? passed.value : results.result({ type: "abandoned", reason: passed.reason }, { ...NEVER_RAN, cell });
      }),
    describe(o = {}) {
      requireOpen("describe");
      return describeBindings(describable(o.names), o);
    },
    interrupt: (reason = "interrupted") =>
      whileOpen("interrupt", () => {
        if (running === undefined) return "idle";
        running.abort(reason);
        return "interrupted";
      }),
    reset: () =>
      whileOpen("reset", async () => {
        await turnstile.pass(async () => {
          await nextTurn();
          timers.clear();
          held.table.retire(namespace.renew(held.table.entries()));
        });
      }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

const META = Object.freeze({ url: "karst:cell" });
const NEVER_RAN: Omit<Ran, "cell"> = { output: "", outputDroppedChars: 0, durationMs: 0, diff: { added: [], changed: [], removed: [] } };

function requireNoDeadline(timeoutMs: number | undefined): void {
  if (timeoutMs === undefined) return;
  throw new InvalidRuntimeOptionError(
    "timeoutMs",
    "a runtime of kind inline cannot keep a deadline without `guard`, which this version does not have; leave it out, or use a kind that is preemptible",
  );
}

/** Aborts `controller` when `signal` is aborted, until the returned function is called. */
function follow(signal: AbortSignal | undefined, controller: AbortController): () => void {
  const abort = (): void => {
    controller.abort(signal?.reason);
  };
  if (signal?.aborted === true) abort();
  signal?.addEventListener("abort", abort, { once: true });
  return () => {
    signal?.removeEventListener("abort", abort);
  };
}

/** After the microtasks, and after Node has told of the promises that were rejected in them. */
async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
