import type { Lines } from "./cell-source.ts";
import type { Position } from "./cell.ts";

/** The most of a source line that is shown: minified code would fill the report. */
const SHOWN_CHARS = 160;

/** `(cell 1, line 5, col 41)`, with a function's name before it when there is one. */
export function placeName(cell: number, { line, column }: Position, inFunction = ""): string {
  return `${inFunction === "" ? "" : `${inFunction} `}(cell ${String(cell)}, line ${String(line)}, col ${String(column)})`;
}

/** The source line at a place, cut around the column when it is long, and the column where it is then. */
export function sourceLine(lines: Lines, { line, column }: Position): { text: string; column: number } {
  const full = lines.text(line);
  const indent = full.length - full.trimStart().length;
  const from = full.length - indent <= SHOWN_CHARS ? indent : Math.max(indent, column - 1 - SHOWN_CHARS / 2);
  const text = full.slice(from, from + SHOWN_CHARS);
  const before = from > indent ? "… " : "";
  return {
    text: `${before}${text}${from + SHOWN_CHARS < full.length ? " …" : ""}`.trimEnd(),
    column: Math.max(1, column - from) + before.length,
  };
}

/** A place of the cell with its line and a caret under the column. */
export function showPlace(lines: Lines, cell: number, position: Position): string {
  const { text, column } = sourceLine(lines, position);
  const caret = `${text.slice(0, column - 1).replace(/[^\t]/g, " ")}${" ".repeat(Math.max(0, column - 1 - text.length))}^`;
  return `  at ${placeName(cell, position)}\n      ${text}\n      ${caret}`;
}
