import vm from "node:vm";
import { reportError } from "./cell-error.ts";
import type { ErrorReport } from "./cell-error.ts";
import { createCellScope } from "./cell-scope.ts";
import type { CellHost, CellScope } from "./cell-scope.ts";
import { cellFileName, compileCell } from "./cell.ts";
import type { CellFunction, CellOutcome, CompiledCell, CompileOptions } from "./cell.ts";

/** The least that runs compiled cells one after another, for tests of the compiler: no queue, no capture, no limits. */
export interface CellSession {
  readonly scope: CellScope;
  readonly globals: object;
  readonly flag: Int32Array;
  /** Runs one cell. Rejects with what it threw. */
  run(source: string): Promise<CellOutcome>;
  /** Runs cells in order and gives the value of the last; a native promise is awaited, as a runtime does. */
  value(...cells: string[]): Promise<unknown>;
  /** Runs cells in order; the last must throw. Gives the report of it. */
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
    const script = new vm.Script(cell.code, { filename: cellFileName(cell.cell) });
    // What compileCell promises of `code`.
    const cellFunction = script.runInThisContext() as CellFunction;
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
      const last = sources.at(-1) ?? "";
      return await run(last).then(
        (outcome) => {
          throw new Error(`the cell did not throw; its value is ${String(outcome.v)}`);
        },
        (thrown: unknown) => reportError(thrown, (cell) => cells[cell - 1]),
      );
    },
  };
}
