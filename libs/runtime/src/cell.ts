import type { CellHooks } from "./cell-hooks.ts";
import { rewriteCell } from "./cell-rewrite.ts";

export interface CompileOptions {
  /** Number of the cell in its runtime; the script must be given `cellFileName(cell)` as file name. */
  readonly cell: number;
  /** Inserts the checks of the interrupt flag at loop bodies, function entries and catch entries, and `await` through `hooks.a`. Default false. */
  readonly guard?: boolean;
  /**
   * Names that hold a constant now. Assigning to one throws with or without this set (the scope object refuses);
   * with it the message is the same on every engine.
   */
  readonly consts?: ReadonlySet<string>;
}

/** How a cell ended that did not throw. Never the bare value: returned from an async function, a thenable would be adopted. */
export interface CellOutcome {
  /** The value; a native promise is left for the runtime to await, other thenables are values. */
  readonly v?: unknown;
  /** Whether there is a value: a last expression statement, or a `return` with an argument. */
  readonly has: boolean;
  /** Whether a top-level `return` ended the cell. */
  readonly returned: boolean;
}

/** What `CompiledCell.code` evaluates to. `flag[0]` other than 0 asks guarded code to call `hooks.k()`; unguarded code never reads it. */
export type CellFunction = (scope: object, hooks: CellHooks, flag: ArrayLike<number>) => Promise<CellOutcome>;

export interface Position {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/**
 * One cell, ready to run in any engine.
 *
 * To run it: call `scope.enter(cell)` (cell-scope.ts), or do in the guest what that does with `declared`, `hoistedVars` and `names`; evaluate
 * `code` with the file name `cellFileName(cell)` and **no** column offset; call the function with the scope object, the hooks and the flag.
 */
export interface CompiledCell {
  readonly cell: number;
  /** The cell as positions refer to it: line ends are `\n`, a `#!` line is a comment. */
  readonly source: string;
  /** One JavaScript expression, a `CellFunction`; it has exactly the lines of `source`. Names nothing but what the cell, the engine and its parameters define. */
  readonly code: string;
  /** Names the cell declares at its top level, each once, in order of appearance. */
  readonly declared: readonly string[];
  /** Those of `declared` that are constants: `const` and imports. */
  readonly consts: readonly string[];
  /** Those of `declared` that are `var`: they are `undefined`, not missing, before the cell defines them. */
  readonly hoistedVars: readonly string[];
  /** Module specifiers of static imports, each once; dynamic ones are not known before they run. */
  readonly imports: readonly string[];
  /** Names the cell reads or assigns without declaring them: variables of earlier cells, injected names, globals, or nothing. */
  readonly freeNames: readonly string[];
  /** Every name the code looks up on the scope object: `declared` and `freeNames`. */
  readonly names: readonly string[];
  /** Where `using` stands at top level or deeper, when it does: engines without it refuse the code. */
  readonly usingAt?: Position;
  /** From a position in `code` to the one in `source`. */
  position(line: number, column: number): Position;
}

/** File name of a cell in stack traces. */
export function cellFileName(cell: number): string {
  return `cell:${String(cell)}`;
}

/**
 * Makes one cell of JavaScript or TypeScript runnable: types erased, top-level names put on a scope object, the last expression made the value.
 * Pure; a cell of 10 lines takes about a millisecond.
 *
 * @throws {CellSyntaxError} with line, column and a report that shows the place.
 */
export function compileCell(source: string, options: CompileOptions): CompiledCell {
  return rewriteCell(source, options);
}
