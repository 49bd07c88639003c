import { CsvError, parse } from "csv-parse/sync";
import { checkRows, isNumeric } from "./check-rows.ts";
import { RowsFileError } from "./errors.ts";
import { FILM_COLUMNS } from "./row.ts";
import type { Film } from "./row.ts";

interface Line {
  readonly cells: readonly string[];
  /** The last text line of the record. */
  readonly line: number;
}

/**
 * The rows of a CSV text: a header with the data's column names in any order, commas, double quotes. An empty cell is null; a title is text,
 * also where it looks like a number; blank lines are skipped.
 *
 * @throws {RowsFileError} naming row, column and line of the first fault.
 */
export function rowsFromCsv(file: string, text: string): Film[] {
  const [header, ...lines] = split(file, text);
  if (header === undefined) throw new RowsFileError(file, "is empty");
  requireColumns(file, header);
  const rows = lines.map(({ cells, line }, index) => {
    const width = header.cells.length;
    if (cells.length !== width) {
      const reason = `has ${String(cells.length)} cells; the header has ${String(width)}`;
      throw new RowsFileError(file, reason, { place: { row: index + 1, line } });
    }
    return Object.fromEntries(header.cells.map((name, at) => [name, cellValue(file, name, cells[at] ?? "", { row: index + 1, line })]));
  });
  return checkRows(file, rows, (index) => lines[index]?.line);
}

function split(file: string, text: string): Line[] {
  const lines: Line[] = [];
  try {
    parse(text, {
      relax_column_count: true, // widths are checked here, where the row can be named
      skip_empty_lines: true,
      on_record: (cells: string[], { lines: line }) => {
        lines.push({ cells, line });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = error["lines"];
    throw new RowsFileError(file, QUOTE_PROBLEMS[error.code] ?? `not CSV: ${error.message}`, {
      // The header is the first record: as many records as were read is the number of the row that failed.
      place: { ...(lines.length === 0 ? {} : { row: lines.length }), ...(typeof line === "number" ? { line } : {}) },
      cause: error,
    });
  }
  return lines;
}

const QUOTE_PROBLEMS: Readonly<Partial<Record<CsvError["code"], string>>> = {
  CSV_QUOTE_NOT_CLOSED: "a quote that opens here is never closed",
  CSV_INVALID_CLOSING_QUOTE: "after a closing quote only a comma or the end of the line may stand",
  INVALID_OPENING_QUOTE: "a quote stands inside a cell that does not begin with one",
};

function requireColumns(file: string, { cells, line }: Line): void {
  const seen = new Set<string>();
  for (const name of cells) {
    const place = { columnName: name, line };
    if (!FILM_COLUMNS.includes(name))
      throw new RowsFileError(file, `unknown column; the columns are ${FILM_COLUMNS.join(", ")}`, { place });
    if (seen.has(name)) throw new RowsFileError(file, "the column stands twice in the header", { place });
    seen.add(name);
  }
  const missing = FILM_COLUMNS.find((name) => !seen.has(name));
  if (missing !== undefined) throw new RowsFileError(file, "the header lacks the column", { place: { columnName: missing, line } });
}

function cellValue(
  file: string,
  column: string,
  cell: string,
  place: { readonly row: number; readonly line: number },
): string | number | null {
  if (cell === "") return null;
  if (!isNumeric(column)) return cell;
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(cell))
    throw new RowsFileError(file, `${JSON.stringify(cell)} is no number`, { place: { ...place, columnName: column } });
  return Number(cell);
}
