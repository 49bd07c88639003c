import { reportError } from "./cell-error.ts";
import type { ErrorReport } from "./cell-error.ts";
import { createCellScope } from "./cell-scope.ts";
import type { CellHost, CellScope } from "./cell-scope.ts";
import { cellFileName, compileCell } from "./cell.ts";
import type { CellFunction, CellOutcome, CompiledCell, CompileOptions } from "./cell.ts";

/**
 * The least that runs compiled cells one after another, for tests of the compiler: no queue, no capture, no limits.
 * Indirect `eval` is the engine: what runs here runs wherever plain text can be evaluated.
 */
export interface CellSession {
  readonly scope: CellScope;
  readonly globals: object;
  readonly flag: Int32Array;
  /** Runs one cell. Rejects with what it threw. */
  run(source: string): Promise<CellOutcome>;
  /** Runs cells in order and gives the value of the last; a native promise is awaited, as a runtime does. */
  value(...cells: string[]): Promise<unknown>;
  /** Runs cells in order and reports what the last one threw; the name is `nothing thrown` when it did not. */
  fails(...cells: string[]): Promise<ErrorReport>;
  compiled(cell: number): CompiledCell | undefined;
}

export function createCellSession(host: Partial<CellHost> = {}, options: Omit<CompileOptions, "cell"> = {}): CellSession {
  // A null-prototype object cannot stand for the global one; Object.create is typed any.
  const globals = host.globals ?? (Object.create(globalThis) as object);
  const scope = createCellScope({ globals, import: (specifier) => import(specifier), meta: { url: "cell:" }, ...host });
  const flag = new Int32Array(1);
  const cells: CompiledCell[] = [];

  const run = async (source: string): Promise<CellOutcome> => {
    const cell = compileCell(source, { ...options, cell: cells.length + 1, consts: scope.consts() });
    cells.push(cell);
    scope.enter(cell);
    // What compileCell promises of `code`; the comment names the file, as a script's option would.
    const cellFunction = (0, eval)(`${cell.code}\n//# sourceURL=${cellFileName(cell.cell)}`) as CellFunction;
    return await cellFunction(scope.variables, scope.hooks, flag);
  };
  return {
    scope,
    globals,
    flag,
    run,
    compiled: (cell) => cells[cell - 1],
    async value(...sources) {
      let outcome: CellOutcome | undefined;
      for (const source of sources) outcome = await run(source);
      return outcome?.v instanceof Promise ? await (outcome.v as Promise<unknown>) : outcome?.v;
    },
    async fails(...sources) {
      for (const source of sources.slice(0, -1)) await run(source);
      return await run(sources.at(-1) ?? "").then(
        () => ({ name: "nothing thrown", message: "", report: "" }),
        (thrown: unknown) => reportError(thrown, (cell) => cells[cell - 1]),
      );
    },
  };
}
