import type { Position } from "./cell.ts";

/** The text that positions refer to: line ends as `\n`, a `#!` line as a comment of the same length. */
export function normaliseSource(source: string): string {
  const text = source.includes("\r") ? source.replace(/\r\n?/g, "\n") : source;
  return text.startsWith("#!") ? `//${text.slice(2)}` : text;
}

/** What ends a line for the engines: their line numbers count U+2028 and U+2029 too. */
const LINE_END = /\n|\u2028|\u2029/g;

/** The lines of a text, found by number or by offset. */
export interface Lines {
  readonly count: number;
  /** Text of line `line` (from 1), without its end; empty when there is none. */
  text(line: number): string;
  positionOf(offset: number): Position;
  /** Clamped into the text. */
  offsetOf(line: number, column: number): number;
}

export function linesOf(text: string): Lines {
  const starts = [0];
  for (const match of text.matchAll(LINE_END)) starts.push(match.index + 1);
  const startOf = (line: number): number => starts[Math.min(Math.max(line, 1), starts.length) - 1] ?? 0;
  const endOf = (line: number): number => (line < starts.length ? startOf(line + 1) - 1 : text.length);
  return {
    count: starts.length,
    text: (line) => (line < 1 || line > starts.length ? "" : text.slice(startOf(line), endOf(line))),
    positionOf(offset) {
      const index = lastAtMost(starts, offset);
      return { line: index + 1, column: offset - (starts[index] ?? 0) + 1 };
    },
    offsetOf: (line, column) => Math.min(Math.max(startOf(line) + column - 1, startOf(line)), endOf(line)),
  };
}

/** Index of the last of the rising numbers that is not above `value`; 0 when all are. */
export function lastAtMost(rising: readonly number[], value: number): number {
  let low = 0;
  let high = rising.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((rising[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The line ends of a text and nothing else: what is left of erased code, so that no line moves. */
export function lineEndsOf(text: string): string {
  return text.includes("\n") || text.includes("\u2028") || text.includes("\u2029") ? text.replace(/[^\n\u2028\u2029]+/g, "") : "";
}

/** The offset of the next token at or after `offset`: past white space and comments. */
export function skipTrivia(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
    if (text.startsWith("//", at)) {
      while (at < text.length && !/[\n\u2028\u2029]/.test(text.charAt(at))) at += 1;
    } else if (text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at + 2);
      at = end < 0 ? text.length : end + 2;
    } else return at;
  }
}
