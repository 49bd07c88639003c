import { lastAtMost, lineEndsOf, linesOf } from "./cell-source.ts";
import type { Lines } from "./cell-source.ts";
import type { Position } from "./cell.ts";

/** Source text with its changes applied, and the way back from a position in it. */
export interface EditedText {
  readonly text: string;
  /** From a position in `text` to one in the source; generated text belongs to where it was put in. */
  position(line: number, column: number): Position;
}

/**
 * Changes to one text, collected in any order and applied at once.
 *
 * E1. Replaced stretches do not overlap.
 * E2. Insertions at one offset keep the order in which they were asked for. A walk that opens on entry and closes on exit therefore nests
 *     them right: closers of what ended come before openers of what starts, inner closers before outer ones.
 * E3. Erased text leaves its line ends.
 */
export interface Edits {
  insert(offset: number, text: string): void;
  replace(start: number, end: number, text: string): void;
  /** Replaces by `instead` and the line ends of what was there; by a blank when that leaves nothing, so that no two tokens grow together. */
  erase(start: number, end: number, instead?: string): void;
  /** Puts text before the first line; `origin` is the offset it belongs to. */
  head(text: string, origin?: number): void;
  apply(): EditedText;
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function createEdits(source: string, lines: Lines): Edits {
  const edits: Edit[] = [];
  const heads: { text: string; origin: number }[] = [];
  return {
    insert(offset, text) {
      if (text !== "") edits.push({ start: offset, end: offset, text });
    },
    replace: (start, end, text) => void edits.push({ start, end, text }),
    erase(start, end, instead = "") {
      if (end <= start) return;
      const text = instead + lineEndsOf(source.slice(start, end));
      edits.push({ start, end, text: text === "" ? " " : text });
    },
    head: (text, origin = 0) => void heads.push({ text, origin }),
    apply: () => applyEdits(source, lines, heads, edits),
  };
}

function applyEdits(source: string, lines: Lines, heads: readonly { text: string; origin: number }[], edits: readonly Edit[]): EditedText {
  // Stable: insertions at an offset come before the replacement that starts there, each group in the order asked for (E2).
  const sorted = [...edits].sort((a, b) => a.start - b.start || Number(a.end > a.start) - Number(b.end > b.start));
  let text = "";
  /** Stretches of the result in order: where each starts there and in the source, and whether it was copied. */
  const starts: number[] = [];
  const pieces: { from: number; copied: boolean }[] = [];
  const add = (piece: string, from: number, copied: boolean): void => {
    if (piece === "") return;
    starts.push(text.length);
    pieces.push({ from, copied });
    text += piece;
  };
  for (const head of heads) add(head.text, head.origin, false);
  let offset = 0;
  for (const edit of sorted) {
    add(source.slice(offset, edit.start), offset, true);
    add(edit.text, edit.start, false);
    offset = Math.max(offset, edit.end);
  }
  add(source.slice(offset), offset, true);
  let resultLines: Lines | undefined;
  return {
    text,
    position(line, column) {
      resultLines ??= linesOf(text);
      const at = resultLines.offsetOf(line, column);
      const index = lastAtMost(starts, at);
      const { from, copied } = pieces[index] ?? { from: 0, copied: false };
      return lines.positionOf(copied ? from + at - (starts[index] ?? 0) : from);
    },
  };
}
