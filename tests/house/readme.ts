/** A fenced block of a Markdown text. */
export interface Fence {
  readonly language: string;
  readonly text: string;
}

/** The text under the heading `title` up to the next heading of its rank or above; undefined when there is none. */
export function sectionOf(markdown: string, title: string): string | undefined {
  const lines = markdown.split("\n");
  const fenced = fencedLines(lines);
  const rank = (index: number): number => (fenced.has(index) ? 0 : (/^(#+) /.exec(lines[index] ?? "")?.[1]?.length ?? 0));
  const start = lines.findIndex((line, index) => rank(index) > 0 && line.replace(/^#+ /, "").trim() === title);
  if (start === -1) return undefined;
  const end = lines.findIndex((_, index) => index > start && rank(index) > 0 && rank(index) <= rank(start));
  return lines.slice(start + 1, end === -1 ? undefined : end).join("\n");
}

/** The fenced blocks of a text, in order. */
export function fencesOf(markdown: string): readonly Fence[] {
  const blocks = markdown.matchAll(/^```(?<language>\S*)[^\n]*\n(?<text>.*?)^```$/gms);
  return [...blocks].map(({ groups }) => ({ language: groups?.["language"] ?? "", text: groups?.["text"] ?? "" }));
}

/** Numbers of the lines inside fences: a `#` there is no heading. */
function fencedLines(lines: readonly string[]): ReadonlySet<number> {
  const inside = new Set<number>();
  let open = false;
  for (const [index, line] of lines.entries()) {
    if (line.startsWith("```")) open = !open;
    if (open) inside.add(index);
  }
  return inside;
}
