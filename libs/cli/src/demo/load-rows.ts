import { readFile, stat } from "node:fs/promises";
import { checkRows } from "./check-rows.ts";
import { RowsFileError } from "./errors.ts";
import { findJsonFault } from "./json-fault.ts";
import type { Film } from "./row.ts";
import { rowsFromCsv } from "./rows-from-csv.ts";

/** Larger files are refused before they are read: 64 MiB, near fifty times the demo's own. */
export const LIMIT_BYTES = 64 * 2 ** 20;

/** The demo's own data. The path leads to the source folder from `src/demo` and from `dist/demo` alike, so that a build copies nothing. */
const MOVIES_FILE = new URL("../../src/demo/movies.json", import.meta.url);

/** The 3,201 rows of `movies.json`. */
export async function loadMovies(): Promise<Film[]> {
  return rowsFromJson("movies.json", await readFile(MOVIES_FILE, "utf8"));
}

/**
 * The rows of a user's file: CSV when its name ends so, else JSON.
 *
 * @throws {RowsFileError} when it is missing, too large, empty or not rows of the demo's shape; one line that names the file and the place.
 */
export async function loadRows(file: string): Promise<Film[]> {
  const text = await readText(file);
  if (text.trim() === "") throw new RowsFileError(file, "is empty");
  return /\.csv$/i.test(file) ? rowsFromCsv(file, text) : rowsFromJson(file, text);
}

function rowsFromJson(file: string, text: string): Film[] {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch (error) {
    const fault = findJsonFault(text);
    const place = fault === undefined ? {} : { line: fault.line, column: fault.column };
    throw new RowsFileError(file, fault?.reason ?? "not JSON", { place, cause: error });
  }
  return checkRows(file, rows);
}

async function readText(file: string): Promise<string> {
  const { size, isFile } = await reading(file, async () => {
    const found = await stat(file);
    return { size: found.size, isFile: found.isFile() };
  });
  if (!isFile) throw new RowsFileError(file, "is not a file");
  if (size > LIMIT_BYTES)
    throw new RowsFileError(file, `is ${String(size)} bytes; the limit is ${String(LIMIT_BYTES)}`, { code: "TooLarge" });
  const bytes = await reading(file, () => readFile(file));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes); // also drops a byte order mark
  } catch (error) {
    throw new RowsFileError(file, "is not UTF-8 text", { cause: error });
  }
}

async function reading<T>(file: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ENOTDIR") throw new RowsFileError(file, "no such file", { code: "NotFound", cause: error });
    const reason = error instanceof Error ? error.message : String(error);
    throw new RowsFileError(file, `cannot be read: ${reason}`, { code: "Unavailable", cause: error });
  }
}
