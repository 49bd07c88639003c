/**
 * The first difference between two values, as a path and what differs; undefined when they are the same in every way a program
 * can see: -0 and NaN, holes, order and kind of properties, prototypes, bytes, cycles, and which parts are one object.
 */
export function difference(actual: unknown, expected: unknown): string | undefined {
  return new Comparison().compare(actual, expected, "value");
}

class Comparison {
  readonly #pairs = new Map<object, object>();
  readonly #back = new Map<object, object>();

  compare(actual: unknown, expected: unknown, path: string): string | undefined {
    if (!isObject(actual) || !isObject(expected))
      return Object.is(actual, expected) ? undefined : `${path}: ${told(actual)} is not ${told(expected)}`;
    const paired = this.#pairs.get(expected);
    if (paired !== undefined || this.#back.has(actual))
      return paired === actual && this.#back.get(actual) === expected
        ? undefined
        : `${path}: not the same object as before, or one that should be another`;
    this.#pairs.set(expected, actual);
    this.#back.set(actual, expected);
    if (Object.getPrototypeOf(actual) !== Object.getPrototypeOf(expected)) return `${path}: another prototype`;
    return this.#inside(actual, expected, path) ?? this.#properties(actual, expected, path);
  }

  /** What is kept inside, where no property shows it. */
  #inside(actual: object, expected: object, path: string): string | undefined {
    const tag = Object.prototype.toString.call(expected);
    if (Object.prototype.toString.call(actual) !== tag) return `${path}: not ${tag}`;
    if (expected instanceof Map && actual instanceof Map) return this.#list([...actual].flat(1), [...expected].flat(1), `${path}.entries`);
    if (expected instanceof Set && actual instanceof Set) return this.#list([...actual], [...expected], `${path}.items`);
    if (expected instanceof Date && actual instanceof Date) return this.compare(actual.getTime(), expected.getTime(), `${path}.time`);
    if (expected instanceof RegExp && actual instanceof RegExp) return this.compare(actual.toString(), expected.toString(), `${path}.text`);
    if (expected instanceof URL && actual instanceof URL) return this.compare(actual.href, expected.href, `${path}.href`);
    if (expected instanceof DOMException && actual instanceof DOMException)
      return this.#list([actual.name, actual.message, actual.code], [expected.name, expected.message, expected.code], path);
    const bytes = bytesOf(expected);
    return bytes === undefined ? undefined : this.#list([...(bytesOf(actual) ?? [])], [...bytes], `${path}.bytes`);
  }

  #list(actual: readonly unknown[], expected: readonly unknown[], path: string): string | undefined {
    if (actual.length !== expected.length) return `${path}: ${String(actual.length)} instead of ${String(expected.length)}`;
    for (const [index, item] of expected.entries()) {
      const found = this.compare(actual[index], item, `${path}[${String(index)}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #properties(actual: object, expected: object, path: string): string | undefined {
    if (ArrayBuffer.isView(expected)) return undefined; // its elements are its bytes
    const keys = keysOf(expected);
    const actualKeys = keysOf(actual);
    if (keys.length !== actualKeys.length || keys.some((key, index) => key !== actualKeys[index]))
      return `${path}: keys ${actualKeys.map(String).join()} instead of ${keys.map(String).join()}`;
    for (const key of keys) {
      const [is, should] = [Object.getOwnPropertyDescriptor(actual, key), Object.getOwnPropertyDescriptor(expected, key)];
      if (is?.enumerable !== should?.enumerable) return `${path}.${String(key)}: another enumerability`;
      const found = this.compare(is?.value, should?.value, `${path}.${String(key)}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

const told = (value: unknown): string =>
  isObject(value) ? Object.prototype.toString.call(value) : Object.is(value, -0) ? "-0" : String(value);

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** In order, but for errors: theirs depends on how they were thrown. */
function keysOf(value: object): readonly (string | symbol)[] {
  const keys = Reflect.ownKeys(value);
  return value instanceof Error ? keys.sort((a, b) => (String(a) < String(b) ? -1 : 1)) : keys;
}

function bytesOf(value: object): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}
