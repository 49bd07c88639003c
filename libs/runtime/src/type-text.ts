/** Pieces of TypeScript text, put together so that they read as meant. */

/** Alternatives without repeats. */
export function oneOf(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.includes("unknown")) return "unknown";
  if (distinct.includes("any")) return "any";
  return distinct.length === 0
    ? "never"
    : distinct.length === 1
      ? (distinct[0] ?? "never")
      : distinct.map((type) => (type.includes("=>") ? grouped(type) : type)).join(" | ");
}

/** `type` in parentheses where an operator could tear it apart. */
export function grouped(type: string): string {
  let nesting = 0;
  for (const char of type.replace(/"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\/\*.*?\*\//g, "_").replaceAll("=>", "|")) {
    if ("([{<".includes(char)) nesting += 1;
    else if (")]}>".includes(char)) nesting -= 1;
    else if (nesting === 0 && "|&".includes(char)) return `(${type})`;
  }
  return type.startsWith("readonly ") ? `(${type})` : type;
}

/** Text as a one-line doc comment that it cannot end. */
export function docComment(text: string): string {
  return `/** ${text.replace(/\s+/g, " ").trim().replaceAll("*/", "* /")} */`;
}
