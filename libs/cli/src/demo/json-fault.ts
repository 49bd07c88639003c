/**
 * Where a text stops being JSON. `JSON.parse` decides whether it is; Node 20 does not say where it is not.
 */
export interface JsonFault {
  /** From 1; columns count UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR =
  /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\d.eE+-])|(?:true|false|null)(?!\w)/y;
const CLOSER = { "{": "}", "[": "]" } as const;
type Opener = keyof typeof CLOSER;

type Wanted = "value" | "value or ]" | "key" | "key or }" | "colon" | "comma or end" | "nothing";

/** The first fault of `text`, or undefined when it is JSON. Linear in its length, no recursion. */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: Opener[] = [];
  let at = 0;
  let wanted: Wanted = "value";
  const skip = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? "";
    at += found.length;
    return found;
  };
  const afterValue = (): Wanted => (open.length === 0 ? "nothing" : "comma or end");
  const takes = (char: string): boolean => {
    if (text[at] !== char) return false;
    at += 1;
    return true;
  };
  const close = (): Wanted => {
    open.pop();
    return afterValue();
  };

  for (;;) {
    skip(SPACE);
    if (wanted === "nothing") return at === text.length ? undefined : place(text, at, "nothing more");
    const inside = open.at(-1);
    switch (wanted) {
      case "value":
      case "value or ]":
        if (wanted === "value or ]" && takes("]")) wanted = close();
        else if (takes("{")) {
          open.push("{");
          wanted = "key or }";
        } else if (takes("[")) {
          open.push("[");
          wanted = "value or ]";
        } else if (skip(SCALAR) !== "") wanted = afterValue();
        else return place(text, at, "a value");
        break;
      case "key":
      case "key or }":
        if (wanted === "key or }" && takes("}")) wanted = close();
        else if (text[at] === '"' && skip(SCALAR) !== "") wanted = "colon";
        else return place(text, at, wanted === "key" ? "a key in double quotes" : "a key in double quotes or '}'");
        break;
      case "colon":
        if (!takes(":")) return place(text, at, "':'");
        wanted = "value";
        break;
      case "comma or end":
        if (takes(",")) wanted = inside === "{" ? "key" : "value";
        else if (inside !== undefined && takes(CLOSER[inside])) wanted = close();
        else return place(text, at, inside === "{" ? "',' or '}'" : "',' or ']'");
        break;
    }
  }
}

function place(text: string, at: number, expected: string): JsonFault {
  const before = text.slice(0, at);
  const line = before.split("\n").length;
  const found = at >= text.length ? "the end of the file" : JSON.stringify(text.slice(at, at + 12).split(/[\n\r]/, 1)[0] ?? "");
  return { line, column: at - before.lastIndexOf("\n"), reason: `not JSON: ${expected} is expected, ${found} is there` };
}
