/** Paths into a value, as people write them: `rows[3].onClick`, `map.get("k")`, `set[2]`. The root is "", and said as `value`. */

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** Longest path and longest key shown, characters. */
const LONGEST = 300;
const LONGEST_KEY = 60;

/** Bigints from here on are not written out: their digits take time by the square of their number. */
const SAID_BIGINT = 10n ** 30n;

const quoted = (key: string): string =>
  key.length <= LONGEST_KEY ? JSON.stringify(key) : `${JSON.stringify(key.slice(0, LONGEST_KEY)).slice(0, -1)}…"`;

/** A property of what `parent` names. */
export function propertyPath(parent: string, key: string | symbol): string {
  if (typeof key === "symbol") return `${parent}[${key.toString()}]`;
  if (key.length > LONGEST_KEY || !IDENTIFIER.test(key)) return `${parent}[${quoted(key)}]`;
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
    case "string":
      return quoted(key);
    case "bigint":
      return key > -SAID_BIGINT && key < SAID_BIGINT ? `${String(key)}n` : undefined;
    case "number":
    case "boolean":
    case "undefined":
      return String(key);
    default:
      return key === null ? "null" : undefined;
  }
}

/** The path as an error shows it. */
export function shownPath(path: string): string {
  if (path === "") return "value";
  if (path.length <= LONGEST) return path;
  return `${path.slice(0, LONGEST / 2)} … ${path.slice(-LONGEST / 2)}`;
}
