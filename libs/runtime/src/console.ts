import { inspectValue } from "./inspect-value.ts";
import { errorHead } from "./inspect-head.ts";
import { dataProperty, firstMembers, valueKind } from "./reflect-value.ts";

export interface CellConsoleOptions {
  /** Where a finished piece of text goes; it ends with a line end. */
  readonly write: (text: string) => void;
  /** Monotonic ms, for `time` and `timeEnd`. */
  readonly monotonic: () => number;
  /** How a printed error starts. */
  readonly errorText?: (error: Error) => string;
  /** Most characters of one printed value that is no string. Default 20,000. */
  readonly maxValueChars?: number;
}

/**
 * The `console` of cells: the methods of the WHATWG Console Standard, each usable on its own. Strings are printed as they are, all else by
 * `inspectValue`, so that printing runs no code of the printed value. All methods print to one stream, in order.
 */
export type CellConsole = Readonly<Record<ConsoleMethod, (...data: unknown[]) => void>>;

type ConsoleMethod =
  | "log" | "info" | "debug" | "warn" | "error" | "trace" | "dir" | "dirxml" | "table" | "group" | "groupCollapsed" | "groupEnd" | "count" | "countReset"
  | "time" | "timeLog" | "timeEnd" | "assert" | "clear"; // prettier-ignore

export function createCellConsole({ write, monotonic, errorText = errorHead, maxValueChars = 20_000 }: CellConsoleOptions): CellConsole {
  let indent = "";
  const counts = new Map<string, number>();
  const startedAtMs = new Map<string, number>();
  const show = (value: unknown): string =>
    typeof value === "string" ? value : inspectValue(value, { maxChars: maxValueChars, errorText });
  const line = (text: string): void => {
    write(indent === "" ? `${text}\n` : `${indent}${text.replaceAll("\n", `\n${indent}`)}\n`);
  };
  const log = (...data: unknown[]): void => {
    line(formatLog(data, show));
  };
  const group = (...data: unknown[]): void => {
    if (data.length > 0) log(...data);
    indent += "  ";
  };
  const elapsed = (label: string): string | undefined => {
    const startMs = startedAtMs.get(label);
    return startMs === undefined ? undefined : `${label}: ${(monotonic() - startMs).toFixed(1)} ms`;
  };
  return {
    log,
    info: log,
    debug: log,
    warn: log,
    error: log,
    trace: (...data) => {
      log("Trace:", ...data);
    },
    dir: (value) => {
      line(inspectValue(value, { maxChars: maxValueChars, errorText }));
    },
    dirxml: log,
    table: (rows, columns) => {
      line(tableText(rows, columns, show));
    },
    group,
    groupCollapsed: group,
    groupEnd: () => {
      indent = indent.slice(2);
    },
    count: (label) => {
      const name = labelText(label);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      line(`${name}: ${String(counts.get(name))}`);
    },
    countReset: (label) => {
      counts.delete(labelText(label));
    },
    time: (label) => {
      startedAtMs.set(labelText(label), monotonic());
    },
    timeLog: (label, ...data) => {
      const text = elapsed(labelText(label));
      if (text !== undefined) log(text, ...data);
    },
    timeEnd: (label) => {
      const name = labelText(label);
      const text = elapsed(name);
      startedAtMs.delete(name);
      if (text !== undefined) line(text);
    },
    assert: (condition, ...data) => {
      if (condition === undefined || condition === null || condition === false || condition === 0 || condition === "")
        log("Assertion failed:", ...data);
    },
    clear: () => undefined,
  };
}

const labelText = (label: unknown): string => (typeof label === "string" ? label : "default");

/** The arguments of `console.log` as text: format specifiers of a first string are filled in, the rest is joined by spaces. */
export function formatLog(data: readonly unknown[], show: (value: unknown) => string): string {
  const [first, ...rest] = data;
  if (typeof first !== "string" || rest.length === 0 || !first.includes("%")) return data.map(show).join(" ");
  let used = 0;
  const filled = first.replace(/%[sdifjoOc%]/g, (specifier) => {
    if (specifier === "%%") return "%";
    if (used >= rest.length) return specifier;
    const value = rest[used];
    used += 1;
    return specifier === "%c" ? "" : fill(specifier, value, show);
  });
  return [filled, ...rest.slice(used).map(show)].join(" ");
}

/** One format specifier. Numbers are not made from objects: that would run their code. */
function fill(specifier: string, value: unknown, show: (value: unknown) => string): string {
  if (!"%d%i%f".includes(specifier)) return show(value);
  if (typeof value === "bigint") return `${String(value)}n`;
  if (typeof value === "symbol" || (typeof value === "object" && value !== null) || typeof value === "function") return "NaN";
  if (specifier === "%i") return String(Number.parseInt(String(value), 10));
  return String(specifier === "%d" ? Number(value) : Number.parseFloat(String(value)));
}

const MOST_ROWS = 100;

/** Rows under column names, aligned; what is no list of rows is shown as it is. */
function tableText(rows: unknown, columns: unknown, show: (value: unknown) => string): string {
  const listed = listRows(rows);
  if (listed === undefined) return show(rows);
  const wanted = Array.isArray(columns) ? columns.filter((each) => typeof each === "string") : undefined;
  const names = wanted ?? [...new Set(listed.flatMap(({ cells }) => Object.keys(cells)))];
  const grid = [["", ...names], ...listed.map(({ label, cells }) => [label, ...names.map((name) => cells[name] ?? "")])];
  const widths = grid[0]?.map((_, column) => Math.max(...grid.map((line) => line[column]?.length ?? 0))) ?? [];
  return grid
    .map((line) =>
      line
        .map((text, column) => text.padEnd(widths[column] ?? 0))
        .join(" | ")
        .trimEnd(),
    )
    .join("\n");
}

interface TableRow {
  readonly label: string;
  readonly cells: Readonly<Record<string, string>>;
}

function listRows(rows: unknown): TableRow[] | undefined {
  const kind = valueKind(rows);
  if (kind === "map" || kind === "set") {
    // valueKind says that it is an object.
    const members = firstMembers(rows as object, kind, MOST_ROWS);
    return members.map(([key, member], index) => rowOf(kind === "map" ? oneLine(key) : String(index), member));
  }
  if (kind === "array") return itemsOf(rows as readonly unknown[]).map((row, index) => rowOf(String(index), row)); // kind says so
  if (kind !== "plain") return undefined;
  return Object.entries(Object.getOwnPropertyDescriptors(rows))
    .slice(0, MOST_ROWS)
    .map(([key, descriptor]) => rowOf(key, "value" in descriptor ? descriptor.value : "[getter]"));
}

/** Read one by one: the methods of an array can be replaced by the instance. */
const itemsOf = (array: readonly unknown[]): unknown[] =>
  Array.from({ length: Math.min(array.length, MOST_ROWS) }, (_, index) => dataProperty(array, index));

function rowOf(label: string, row: unknown): TableRow {
  const kind = valueKind(row);
  if (kind !== "plain" && kind !== "instance" && kind !== "array") return { label, cells: { value: oneLine(row) } };
  const properties = Object.entries(Object.getOwnPropertyDescriptors(row as object)).filter(([, { enumerable }]) => enumerable === true); // kind says object
  return {
    label,
    cells: Object.fromEntries(properties.map(([key, descriptor]) => [key, "value" in descriptor ? oneLine(descriptor.value) : "[getter]"])),
  };
}

const oneLine = (value: unknown): string =>
  typeof value === "string" ? value.replaceAll("\n", " ") : inspectValue(value, { maxChars: 60, lineChars: Infinity, depth: 1 });
