import { stripVTControlCharacters } from "node:util";

/**
 * Text by the cells of a terminal that it takes: combining marks none, East Asian wide characters and emoji two, others one.
 * Source: Unicode TR11 (wide and fullwidth) and TR51 (emoji presentation), by whole blocks; a rare character may be off by one.
 */
const WIDE =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

function clusterWidth(cluster: string): number {
  if (/^[\p{Mark}\p{Format}]/u.test(cluster)) return 0;
  return WIDE.test(cluster) || cluster.includes("\ufe0f") ? 2 : 1;
}

/** Text that a terminal shows as it is: escape sequences dropped, other control characters and line ends as one blank. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(/[\p{Control}\u2028\u2029]+/gu, " ");
}

/** Cells that `text` takes; escape sequences take none. */
export function displayWidth(text: string): number {
  const shown = stripVTControlCharacters(text);
  if (/^[ -~]*$/.test(shown)) return shown.length;
  let width = 0;
  for (const { segment } of graphemes.segment(shown)) width += clusterWidth(segment);
  return width;
}

/** `text` without escape sequences, cut to `width` cells; what was cut is marked with `…`. */
export function fit(text: string, width: number): string {
  const shown = stripVTControlCharacters(text);
  if (displayWidth(shown) <= width) return shown;
  if (width < 1) return "";
  let kept = "";
  let used = 1; // the mark
  for (const { segment } of graphemes.segment(shown)) {
    used += clusterWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** `text` with blanks to `width` cells; longer text stays as it is. */
export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const blanks = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "left" ? text + blanks : blanks + text;
}
