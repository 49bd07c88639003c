import { types } from "node:util";
import { Script } from "node:vm";
import { engineRefusal } from "./cell-error.ts";
import type { CellScope } from "./cell-scope.ts";
import { cellFileName } from "./cell.ts";
import type { CellFunction, CompiledCell } from "./cell.ts";
import type { Ending } from "./results.ts";
import { runningCell } from "./running-cell.inline.ts";
import type { RunningCell } from "./running-cell.inline.ts";

/** Frames the engine keeps of an error thrown before the first `await`: the host code a cell calls into may be deeper than the default 10. */
const STACK_FRAMES = 64;

/** Nothing in code without guard reads it. */
const NO_FLAG: ArrayLike<number> = [0];

/**
 * Runs a compiled cell in this realm, as `context`. Settles when the cell has ended, its value, a native promise, included; or when `stop`
 * is aborted, which can only be while the cell waits. What an abandoned cell throws later goes to `context.stray`.
 */
export async function runCell(cell: CompiledCell, scope: CellScope, context: RunningCell, stop: AbortSignal): Promise<Ending> {
  let run: CellFunction;
  try {
    // The code is one expression, a CellFunction: that is the compiler's contract.
    run = new Script(cell.code, { filename: cellFileName(cell.cell) }).runInThisContext() as CellFunction;
  } catch (error) {
    return { type: "refused", error: engineRefusal(error, cell) };
  }
  scope.enter(cell);
  const ended = runningCell.run(context, () => start(run, scope)).then(settle, thrown);
  const stopped = whenAborted(stop);
  const ending = await Promise.race([ended, stopped.promise]);
  stopped.forget();
  if (ending.type === "abandoned")
    void ended.then((late) => {
      if (late.type === "thrown") context.stray(late.error);
    });
  return ending;
}

function start(run: CellFunction, scope: CellScope): ReturnType<CellFunction> {
  const frames = Error.stackTraceLimit;
  Error.stackTraceLimit = Math.max(frames, STACK_FRAMES);
  try {
    return run(scope.variables, scope.hooks, NO_FLAG);
  } finally {
    Error.stackTraceLimit = frames;
  }
}

/** A native promise as the value is awaited, since models forget to; any other thenable is a value. */
async function settle({ v, has, returned }: Awaited<ReturnType<CellFunction>>): Promise<Ending> {
  if (!types.isPromise(v)) return { type: "value", has, value: v, returned };
  try {
    return { type: "value", has, value: await v, returned };
  } catch (error) {
    return { type: "thrown", error };
  }
}

const thrown = (error: unknown): Ending => ({ type: "thrown", error });

function whenAborted(signal: AbortSignal): { readonly promise: Promise<Ending>; readonly forget: () => void } {
  let forget = (): void => undefined;
  const promise = new Promise<Ending>((resolve) => {
    const abandon = (): void => {
      resolve({ type: "abandoned", reason: signal.reason });
    };
    if (signal.aborted) abandon();
    else {
      signal.addEventListener("abort", abandon, { once: true });
      forget = () => {
        signal.removeEventListener("abort", abandon);
      };
    }
  });
  return { promise, forget };
}
