/** One frame of a cell in a stack trace, where the engine saw it: positions are those of the generated code. */
export interface StackFrame {
  /** Empty for the top level of a cell and for functions without a name. */
  readonly functionName: string;
  readonly cell: number;
  readonly line: number;
  /** 1 when the engine gives lines only. */
  readonly column: number;
}

/** The number of the cell whose file name this is, or undefined: see `cellFileName`. */
export function cellOfFileName(file: string): number | undefined {
  const digits = /^cell:(\d+)$/.exec(file)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** What engines call the top level of a script or of evaluated text, and functions without a name. */
const TOP_LEVEL: ReadonlySet<string> = new Set(["<anonymous>", "eval", "<eval>"]);

/** `at f (file:1:2)`, `at file:1:2`, `at async f (file:1:2)`: V8; QuickJS writes the same, at times without the column. */
const FRAME = /^\s*at (?:async )?(?:(.*) \((.*)\)|(.*))$/;
const PLACE = /^(.*?):(\d+)(?::(\d+))?$/;
/** The generated code starts lines of its own nowhere, so `cell:1:2` can only be line 2 without a column. */
const CELL_PLACE = /^(cell:\d+):(\d+)(?::(\d+))?$/;

/** The frames of a stack trace that `fileOf` knows as cells, innermost first. `header` is the text before the first frame: a message may look like frames. */
export function cellFrames(stack: string, header: string, fileOf: (file: string) => number | undefined): StackFrame[] {
  const traces = stack.startsWith(header) ? stack.slice(header.length) : stack;
  return traces.split("\n").flatMap((line) => {
    const [, name, inner, whole] = FRAME.exec(line) ?? [];
    const place = inner ?? whole;
    const match = place === undefined ? null : (CELL_PLACE.exec(place) ?? PLACE.exec(place));
    const cell = match?.[1] === undefined ? undefined : fileOf(match[1]);
    if (match === null || cell === undefined) return [];
    return [
      {
        functionName: name === undefined || TOP_LEVEL.has(name) ? "" : name,
        cell,
        line: Number(match[2]),
        column: Number(match[3] ?? 1),
      },
    ];
  });
}
