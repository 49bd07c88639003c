import { cleanMessage } from "./cell-clean.ts";
import { placeName, sourceLine } from "./cell-place.ts";
import { linesOf } from "./cell-source.ts";
import { cellFrames, cellOfFileName } from "./cell-stack.ts";
import type { StackFrame } from "./cell-stack.ts";
import { isError, nameOf, read, textOf } from "./cell-thrown.ts";
import type { CompiledCell } from "./cell.ts";
import { CellSyntaxError } from "./errors.ts";
import { inspectValue } from "./inspect-value.ts";

/** What is told of something that a cell threw. */
export interface ErrorReport {
  /** Name of the class thrown; `Uncaught` for what is no error. */
  readonly name: string;
  readonly message: string;
  /** Cell, line and column of the innermost frame in a cell, when there is one. */
  readonly cell?: number;
  readonly line?: number;
  readonly column?: number;
  /** Message, cell frames with their source lines, causes and collected errors. Bounded. */
  readonly report: string;
}

export interface ReportOptions {
  /** Which cell a file name of a stack frame belongs to. Default: by `cellFileName`. */
  readonly fileOf?: (file: string) => number | undefined;
  /** Names to offer when a name was not found. Asked for only then. */
  readonly names?: () => readonly string[];
}

/** Frames shown of one error; the engine collects 10 unless told otherwise. */
const SHOWN_FRAMES = 12;
/** Errors shown below one another, and errors shown of one collection. */
const SHOWN_DEPTH = 5;
const SHOWN_ERRORS = 5;
const SHOWN_MESSAGE_CHARS = 2_000;
const SHOWN_NAMES = 40;
/** The longest cycle of frames that is folded: direct recursion is 1, two functions that call each other 2. */
const FOLDED_CYCLE = 3;

/**
 * Reports what a cell threw, by the cells' own frames and lines. Pure; never throws, whatever the error's properties do.
 * `sources` gives the cells by number: a frame of one that is gone shows its line number alone.
 */
export function reportError(
  thrown: unknown,
  sources: (cell: number) => CompiledCell | undefined,
  options: ReportOptions = {},
): ErrorReport {
  const described = describe(thrown, sources, options.fileOf ?? cellOfFileName);
  const [top] = described.frames;
  const lines = reportLines(described, sources, options, new Set(), 0);
  return {
    name: described.name,
    message: described.message,
    ...(top !== undefined && { cell: top.cell, line: top.line, column: top.column }),
    report: lines.join("\n"),
  };
}

/**
 * The error for a cell that our parser took and the engine did not: `thrown` came from evaluating `cell.code`.
 * Names `using` when that is the likely reason.
 */
export function engineRefusal(thrown: unknown, cell: CompiledCell): CellSyntaxError {
  const lines = linesOf(cell.source);
  const reason = cleanMessage(textOf(thrown, "message") ?? inspectValue(thrown, { maxChars: SHOWN_MESSAGE_CHARS }));
  const message =
    cell.usingAt === undefined
      ? `this engine refuses the code: ${reason}`
      : "`using` needs an engine with explicit resource management (Node 24 or newer); release the resource in a finally block";
  // Engines name the file and line of a syntax error at the start of its stack.
  const line = /cell:\d+:(\d+)/.exec(textOf(thrown, "stack") ?? "")?.[1];
  const place = cell.usingAt ?? { line: line === undefined ? 1 : Math.min(Number(line), lines.count), column: 1 };
  const shown = `  at ${placeName(cell.cell, place)}\n      ${sourceLine(lines, place).text}`;
  return new CellSyntaxError(message, { cell: cell.cell, ...place, report: `SyntaxError: ${message}\n${shown}` });
}

interface Described {
  readonly thrown: unknown;
  readonly name: string;
  readonly message: string;
  readonly frames: readonly StackFrame[];
}

/** Name, message and frames, read once; frames are at source positions. */
function describe(
  thrown: unknown,
  sources: (cell: number) => CompiledCell | undefined,
  fileOf: (file: string) => number | undefined,
): Described {
  if (!isError(thrown))
    return { thrown, name: "Uncaught", message: inspectValue(thrown, { maxChars: SHOWN_MESSAGE_CHARS, lineChars: Infinity }), frames: [] };
  const raw = textOf(thrown, "message") ?? "";
  const name = bounded(nameOf(thrown));
  const stack = textOf(thrown, "stack") ?? "";
  const header = raw === "" ? "" : stack.slice(0, Math.max(0, stack.indexOf(raw)) + raw.length);
  const frames = cellFrames(stack, header, fileOf).map((frame) => ({
    ...frame,
    functionName: cleanMessage(frame.functionName),
    ...sources(frame.cell)?.position(frame.line, frame.column),
  }));
  return { thrown, name, message: bounded(cleanMessage(raw)), frames };
}

function reportLines(
  described: Described,
  sources: (cell: number) => CompiledCell | undefined,
  options: ReportOptions,
  seen: Set<unknown>,
  depth: number,
): string[] {
  const { thrown, name, message } = described;
  seen.add(thrown);
  const lines = [
    message === "" ? name : `${name}: ${message}`.replace(/^Uncaught: /, "Uncaught "),
    ...hint(described, options),
    ...frameLines(described.frames, sources),
  ];
  const inner = (value: unknown, label: string, indent: string): string[] => {
    const [first = "", ...rest] = reportLines(
      describe(value, sources, options.fileOf ?? cellOfFileName),
      sources,
      options,
      seen,
      depth + 1,
    );
    return [`${label}${first}`, ...rest].map((line) => indent + line);
  };
  const cause = read(thrown, "cause");
  if (cause !== undefined) lines.push(...(unshown(cause, seen, depth) ?? inner(cause, "Caused by: ", "")));
  const errors = read(thrown, "errors");
  if (isError(thrown) && Array.isArray(errors)) {
    for (const [index, error] of errors.slice(0, SHOWN_ERRORS).entries()) {
      const label = `[${String(index + 1)} of ${String(errors.length)}] `;
      lines.push(...(unshown(error, seen, depth) ?? inner(error, label, "  ")));
    }
    if (errors.length > SHOWN_ERRORS) lines.push(`  … ${String(errors.length - SHOWN_ERRORS)} more errors`);
  }
  return lines;
}

/** The line that stands for an error which is not shown again or not any more, or undefined when it is to be shown. */
function unshown(error: unknown, seen: ReadonlySet<unknown>, depth: number): string[] | undefined {
  if (seen.has(error)) return [`Caused by: [${nameOf(error)} above]`];
  return depth >= SHOWN_DEPTH ? ["Caused by: …"] : undefined;
}

function hint({ name, message }: Described, { names }: ReportOptions): string[] {
  const missing = name === "ReferenceError" ? /^(\S+) is not defined$/.exec(message)?.[1] : undefined;
  if (missing === undefined || names === undefined) return [];
  const all = names();
  if (all.length === 0) return ["  no names are defined here yet"];
  const more = all.length > SHOWN_NAMES ? `, and ${String(all.length - SHOWN_NAMES)} more` : "";
  return [`  defined here: ${all.slice(0, SHOWN_NAMES).join(", ")}${more}`];
}

function frameLines(frames: readonly StackFrame[], sources: (cell: number) => CompiledCell | undefined): string[] {
  const lines: string[] = [];
  let shown = 0;
  for (let at = 0; at < frames.length && shown < SHOWN_FRAMES;) {
    const { length, times } = repetition(frames, at);
    for (const frame of frames.slice(at, at + length)) {
      lines.push(...oneFrame(frame, sources));
      shown += 1;
    }
    if (times > 1)
      lines.push(
        `  … ${length === 1 ? "the frame above" : `the ${String(length)} frames above`} ${String(times - 1)} more ${times === 2 ? "time" : "times"}`,
      );
    at += length * times;
    if (shown >= SHOWN_FRAMES && at < frames.length) lines.push(`  … ${String(frames.length - at)} more frames`);
  }
  return lines;
}

/** How many frames from `at` on repeat, and how many times they stand there. */
function repetition(frames: readonly StackFrame[], at: number): { length: number; times: number } {
  for (let length = 1; length <= FOLDED_CYCLE; length += 1) {
    let times = 1;
    const isAgain = (start: number): boolean => Array.from({ length }, (_, i) => i).every((i) => isSame(frames[at + i], frames[start + i]));
    while (isAgain(at + length * times)) times += 1;
    if (times > 1) return { length, times };
  }
  return { length: 1, times: 1 };
}

function isSame(a: StackFrame | undefined, b: StackFrame | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.cell === b.cell &&
    a.line === b.line &&
    a.column === b.column &&
    a.functionName === b.functionName
  );
}

function oneFrame(frame: StackFrame, sources: (cell: number) => CompiledCell | undefined): string[] {
  const source = sources(frame.cell)?.source;
  if (source === undefined)
    return [`  at ${frame.functionName === "" ? "" : `${frame.functionName} `}(cell ${String(frame.cell)}, line ${String(frame.line)})`];
  const { text } = sourceLine(linesOf(source), frame);
  return [`  at ${placeName(frame.cell, frame, frame.functionName)}`, ...(text === "" ? [] : [`      ${text}`])];
}

function bounded(text: string): string {
  return text.length <= SHOWN_MESSAGE_CHARS
    ? text
    : `${text.slice(0, SHOWN_MESSAGE_CHARS)} … ${String(text.length - SHOWN_MESSAGE_CHARS)} more characters`;
}
