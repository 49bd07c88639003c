import { cleanMessage } from "./cell-clean.ts";
import { reportError } from "./cell-error.ts";
import type { CompiledCell } from "./cell.ts";
import type { CellSyntaxError } from "./errors.ts";
import { inspectValue } from "./inspect-value.ts";
import type { LateReports } from "./late-reports.ts";
import type { CellError, CellResult, NamespaceDiff } from "./runtime.ts";

/** How a cell ended. */
export type Ending =
  | { readonly type: "value"; readonly has: boolean; readonly value: unknown; readonly returned: boolean }
  | { readonly type: "thrown"; readonly error: unknown }
  /** Our parser or the engine did not take the code. Nothing ran. */
  | { readonly type: "refused"; readonly error: CellSyntaxError }
  /** It was stopped while it waited, in the queue or in the middle. */
  | { readonly type: "abandoned"; readonly reason: unknown };

/** What is known of a cell besides its ending. */
export interface Ran {
  readonly cell: number;
  readonly output: string;
  readonly outputDroppedChars: number;
  readonly durationMs: number;
  readonly diff: NamespaceDiff;
}

/** Compiled cells kept to show source lines of errors in functions that old cells defined. */
const KEPT_CELLS = 1_000;

/** Makes results of endings; knows the source of the cells, and what they did late. */
export interface Results {
  readonly remember: (cell: CompiledCell) => void;
  readonly hasCell: (cell: number) => boolean;
  /** What is told of an error thrown in `cell`. */
  readonly failure: (cell: number, thrown: unknown) => CellError;
  /** The report of an error by the cells' own lines. */
  readonly report: (error: Error) => string;
  readonly result: (ending: Ending, ran: Ran) => CellResult;
}

export interface ResultsOptions {
  readonly late: LateReports;
  readonly valueChars: number;
  /** Names that a message about a missing one lists. */
  readonly names: () => readonly string[];
}

export function createResults({ late, valueChars, names }: ResultsOptions): Results {
  const cells = new Map<number, CompiledCell>();
  const sources = (cell: number): CompiledCell | undefined => cells.get(cell);

  const failure = (cell: number, thrown: unknown): CellError => {
    const { report, name, message, cell: at, line, column } = reportError(thrown, sources, { names });
    // An error in a function of another cell has no line in this one.
    const place = at === cell && line !== undefined && column !== undefined ? { line, column } : {};
    return { code: "CellFailed", name, message, cell, ...place, report, thrown };
  };

  const errorOf = (ending: Exclude<Ending, { type: "value" }>, cell: number): CellError => {
    switch (ending.type) {
      case "thrown":
        return failure(cell, ending.error);
      case "refused": {
        const { message, line, column, report } = ending.error;
        return { code: "CellSyntax", name: "SyntaxError", message, cell, line, column, report, thrown: ending.error };
      }
      case "abandoned": {
        const message = `the cell was stopped${reasonText(ending.reason)}`;
        return { code: "Cancelled", name: "Cancelled", message, cell, report: `Cancelled: ${message}` };
      }
    }
  };

  return {
    remember(cell) {
      cells.set(cell.cell, cell);
      for (const oldest of cells.keys()) {
        if (cells.size <= KEPT_CELLS) break;
        cells.delete(oldest);
      }
    },
    hasCell: (cell) => cells.has(cell),
    failure,
    report: (error) => reportError(error, sources).report,
    result(ending, ran) {
      const common = { ...ran, ...late.take() };
      if (ending.type !== "value") return { ...common, ok: false, hasValue: false, returned: false, error: errorOf(ending, ran.cell) };
      const { has, value, returned } = ending;
      return { ...common, ok: true, hasValue: has, returned, ...(has && { value, valueText: cleanMessage(valueText(value, valueChars)) }) };
    },
  };
}

/** A string as the value may fill the whole text; as a part of a value it is cut earlier. */
function valueText(value: unknown, maxChars: number): string {
  return inspectValue(value, typeof value === "string" ? { maxChars, maxStringChars: maxChars } : { maxChars });
}

function reasonText(reason: unknown): string {
  const text = typeof reason === "string" ? reason : reason instanceof Error ? reason.message : "";
  return text === "" ? "" : `: ${text}`;
}
