/**
 * What one cell prints, in order, bounded while it is printed.
 *
 * O1. Never holds more than `limitChars`, however much is written; the first characters stay.
 * O2. `droppedChars` counts every character that was written and not kept.
 * O3. The text is well-formed Unicode: a lone surrogate becomes U+FFFD, and the cut is never inside a pair.
 */
export interface OutputCapture {
  write(text: string): void;
  readonly text: string;
  readonly droppedChars: number;
}

/** Starts an empty capture that keeps at most `limitChars`. */
export function createOutputCapture(limitChars: number): OutputCapture {
  const parts: string[] = [];
  let keptChars = 0;
  let droppedChars = 0;
  let joined: string | undefined;
  return {
    write(text) {
      if (text === "") return;
      const kept = cutChars(text, droppedChars > 0 ? 0 : limitChars - keptChars);
      droppedChars += text.length - kept.length;
      if (kept === "") return;
      keptChars += kept.length;
      parts.push(kept.length < text.length ? detached(kept) : kept);
      joined = undefined;
    },
    get text() {
      joined ??= toWellFormed(parts.join(""));
      return joined;
    },
    get droppedChars() {
      return droppedChars;
    },
  };
}

/** The first `limitChars` of `text`, one less where the cut would split a surrogate pair. */
export function cutChars(text: string, limitChars: number): string {
  if (text.length <= limitChars) return text;
  if (limitChars <= 0) return "";
  const last = text.charCodeAt(limitChars - 1);
  const splits = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splits ? limitChars - 1 : limitChars);
}

/** `text` with U+FFFD for each lone surrogate, so that it can be encoded as UTF-8 and JSON. */
export function toWellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

/** A copy: an engine may keep the whole of a long string alive for the sake of a slice of it. */
function detached(slice: string): string {
  return ` ${slice}`.slice(1);
}
