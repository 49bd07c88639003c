import type { CellResult } from "@karst/runtime";

/** What the model is shown of a cell: output, value, error, and names that came or went. Pure. */
export interface BigOutput {
  readonly name: string;
  readonly chars: number;
}

export const INLINE_CHARS = 5_000;
export const PREVIEW_CHARS = 2_000;

/** The first `limit` characters, cut at the last line end when that lies in the second half. */
export function preview(text: string, limit: number = PREVIEW_CHARS): string {
  if (text.length <= limit) return text;
  const end = text.lastIndexOf("\n", limit);
  return text.slice(0, end > limit / 2 ? end : limit) + "\n…";
}

/** Everything a cell printed, its late output and background errors included. */
export function cellOutput(result: CellResult): string {
  const late = result.late.map(({ cell, text }) => `[cell ${String(cell)}, later] ${text}`);
  const background = result.background.map((error) => `[cell ${String(error.cell)}, not awaited] ${error.report}`);
  const dropped = result.outputDroppedChars > 0 ? [`[${String(result.outputDroppedChars)} more characters were dropped]`] : [];
  return [result.output.trimEnd(), ...dropped, ...late, ...background].filter((part) => part !== "").join("\n");
}

/** `big` names the variable that holds the whole output when it was too long to show. `refused`: why the returned value does not do. */
export function cellText(result: CellResult, o: { readonly big?: BigOutput; readonly refused?: readonly string[] } = {}): string {
  const parts: string[] = [];
  const output = cellOutput(result);
  if (o.big !== undefined)
    parts.push(`${String(o.big.chars)} characters of output are in \`${o.big.name}\`; slice or search it. It begins:\n${preview(output)}`);
  else if (output !== "") parts.push(output);
  if (result.error !== undefined) parts.push(result.error.report);
  if (result.hasValue && result.valueText !== undefined && result.value !== undefined) parts.push(`→ ${preview(result.valueText)}`);
  const names = result.diff.added.map(({ name, type, size }) => `${name}: ${type}${size === undefined ? "" : ` (${String(size)})`}`);
  if (names.length > 0) parts.push(`New names: ${names.join(", ")}`);
  if (o.refused !== undefined) parts.push(`The returned value is refused: ${o.refused.join("; ")}`);
  return `<result>\n${parts.length === 0 ? "(no output)" : parts.join("\n")}\n</result>`;
}
