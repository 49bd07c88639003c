import { KarstError } from "@karst/events";
import type { ErrorCode } from "@karst/events";

/** Where in a rows file the fault is. Rows count from 1 without the header; `line` and `column` are those of the text. */
export interface RowsFilePlace {
  readonly row?: number;
  readonly columnName?: string;
  readonly line?: number;
  readonly column?: number;
}

/** A `--rows` file that cannot be used. The message is one line that names the file and, where there is one, row and column; exit code 2. */
export class RowsFileError extends KarstError {
  constructor(
    file: string,
    reason: string,
    options: { readonly place?: RowsFilePlace; readonly code?: ErrorCode; readonly cause?: unknown } = {},
  ) {
    const place = options.place ?? {};
    const parts = [
      ...(place.row === undefined ? [] : [`row ${String(place.row)}`]),
      ...(place.columnName === undefined ? [] : [`column '${place.columnName}'`]),
      ...(place.line === undefined ? [] : [`line ${String(place.line)}`]),
      ...(place.column === undefined ? [] : [`column ${String(place.column)}`]),
    ];
    super(options.code ?? "Malformed", [file, ...(parts.length > 0 ? [parts.join(", ")] : []), reason].join(": "), {
      data: { file, reason, ...place },
      cause: options.cause,
    });
  }
}

/** A request that the demo's script has no reply for: the script and the loop around it no longer fit. */
export class ScriptMismatchError extends KarstError {
  constructor(agent: string, problem: string, data: Readonly<Record<string, unknown>> = {}) {
    super("ModelScript", `the demo's script of '${agent}' does not fit the request: ${problem}`, { data: { agent, problem, ...data } });
  }
}
