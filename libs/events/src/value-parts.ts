/** What an object or an array holds, read through descriptors so that no getter runs. */
export interface Parts<Key extends string | number> {
  readonly keys: readonly Key[];
  readonly items: readonly unknown[];
}

/** The first property of a container that may not cross. */
export interface Problem {
  readonly key: string | symbol | number;
  readonly problem: string;
}

/** The properties of a plain object. */
export function propertiesOf(value: object): Parts<string> | Problem {
  const [symbol] = Object.getOwnPropertySymbols(value);
  if (symbol !== undefined) return { key: symbol, problem: "a symbol-keyed property" };
  const keys = Object.getOwnPropertyNames(value);
  const items: unknown[] = [];
  for (const key of keys) {
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (property === undefined || !("value" in property)) return { key, problem: "an accessor" };
    if (property.enumerable !== true) return { key, problem: "a hidden (non-enumerable) property" };
    items.push(property.value);
  }
  return { keys, items };
}

/** The elements that an array with holes has, or one with something put on it. */
export function elementsOf(value: readonly unknown[]): Parts<number> | Problem {
  const keys: number[] = [];
  const items: unknown[] = [];
  for (const key of Reflect.ownKeys(value)) {
    if (key === "length") continue;
    const index = typeof key === "string" ? Number(key) : NaN;
    if (!(index < value.length) || String(index) !== key) return { key, problem: "a property put on an array" };
    const property = Object.getOwnPropertyDescriptor(value, key);
    if (property === undefined || !("value" in property)) return { key: index, problem: "an accessor" };
    keys.push(index);
    items.push(property.value);
  }
  return { keys, items };
}
