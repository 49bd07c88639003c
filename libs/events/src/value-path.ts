/** Paths into a value, as people write them: `rows[3].onClick`, `map.get("k")`, `set[2]`. The root is "", and said as `value`. */

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Longest path shown, characters; what lies between is left out. */
const LONGEST = 300;

/** A property of what `parent` names. */
export function propertyPath(parent: string, key: string | symbol): string {
  if (typeof key === "symbol") return `${parent}[${key.toString()}]`;
  if (!IDENTIFIER.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === "" ? key : `${parent}.${key}`;
}

export const elementPath = (parent: string, index: number): string => `${parent}[${String(index)}]`;

/** A property by name, an element by index. */
export const keyPath = (parent: string, key: string | symbol | number): string =>
  typeof key === "number" ? elementPath(parent, key) : propertyPath(parent, key);

/** The value of a Map's entry: by key where the key can be written, else by the entry's number. */
export function mapValuePath(parent: string, key: unknown, index: number): string {
  const map = parent === "" ? "value" : parent;
  const text = keyText(key);
  return text === undefined ? `${map}.values()[${String(index)}]` : `${map}.get(${text})`;
}

export function mapKeyPath(parent: string, index: number): string {
  return `${parent === "" ? "value" : parent}.keys()[${String(index)}]`;
}

function keyText(key: unknown): string | undefined {
  switch (typeof key) {
    case "string": return JSON.stringify(key);
    case "bigint": return `${String(key)}n`;
    case "number": case "boolean": case "undefined": return String(key);
    default: return key === null ? "null" : undefined;
  }
}

/** The path as an error shows it. */
export function shownPath(path: string): string {
  if (path === "") return "value";
  if (path.length <= LONGEST) return path;
  return `${path.slice(0, LONGEST / 2)} … ${path.slice(-LONGEST / 2)}`;
}
