import { z } from "zod";
import { RowsFileError } from "./errors.ts";
import type { RowsFilePlace } from "./errors.ts";
import { Film } from "./row.ts";

const Films = z.array(Film);

/**
 * The rows of `file`, checked; `lineOf` gives the text line of a row, where there is one.
 *
 * @throws {RowsFileError} naming the first row and column that is not of the shape, or that there are no rows.
 */
export function checkRows(file: string, rows: unknown, lineOf: (index: number) => number | undefined = () => undefined): Film[] {
  if (!Array.isArray(rows)) throw new RowsFileError(file, `holds ${kindOf(rows)}, not an array of rows`);
  if (rows.length === 0) throw new RowsFileError(file, "holds no rows");
  const parsed = Films.safeParse(rows);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  if (issue === undefined) throw new RowsFileError(file, "is not of the shape", { cause: parsed.error });
  const [index, column] = issue.path;
  const at = Number(index);
  const row: unknown = rows[at];
  const line = lineOf(at);
  const name = typeof column === "string" ? column : issue.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const place: RowsFilePlace = {
    row: at + 1,
    ...(name === undefined ? {} : { columnName: name }),
    ...(line === undefined ? {} : { line }),
  };
  throw new RowsFileError(file, problem(issue, row, name), { place });
}

function problem(issue: z.core.$ZodIssue, row: unknown, column: string | undefined): string {
  if (issue.code === "unrecognized_keys") return `unknown column; the columns are ${Object.keys(Film.shape).join(", ")}`;
  if (column === undefined) return `a row is an object, this is ${kindOf(row)}`;
  // An issue with a column lies in an object: zod has looked inside it.
  const cells = row as Readonly<Record<string, unknown>>;
  if (!(column in cells)) return "the column is missing";
  return `${shown(cells[column])} is not allowed: ${wanted(column)} is expected`;
}

/** What a column takes, in words. */
function wanted(column: string): string {
  if (column === "Title") return "text, a number or null";
  if (column === "Release Date") return "a day such as 'Jun 12 1998'";
  if (column === "Rotten Tomatoes Rating") return "a number from 0 to 100 or null";
  if (column === "IMDB Rating") return "a number from 0 to 10 or null";
  return isNumeric(column) ? "a whole number from 0 up or null" : "text or null";
}

/** Columns that hold numbers only. */
export function isNumeric(column: string): boolean {
  return /Gross|Sales|Budget|min$|Rating$|Votes/.test(column) && column !== "MPAA Rating";
}

function shown(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
