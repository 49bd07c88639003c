/** Host names that cells must not find: the process itself, and what a module of the host would have. */
const HIDDEN: ReadonlySet<PropertyKey> = new Set(["process", "require", "module", "exports", "__filename", "__dirname"]);

/** ECMA-262 19.2-19.4: never replaced by a host, so copied, which makes them as fast as local names. */
const FIXED = (
  "Infinity NaN undefined eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape " +
  "AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Error EvalError FinalizationRegistry Float32Array " +
  "Float64Array Function Int8Array Int16Array Int32Array Map Number Object Promise Proxy RangeError ReferenceError RegExp Set " +
  "SharedArrayBuffer String Symbol SyntaxError TypeError Uint8Array Uint8ClampedArray Uint16Array Uint32Array URIError WeakMap WeakRef " +
  "WeakSet Atomics Intl JSON Math Reflect WebAssembly"
).split(" ");

/**
 * The `globalThis` of one runtime.
 *
 * G1. What a cell sets on it is seen by the cells of this runtime only; the host's global object is never written to.
 * G2. What it lacks is looked up in the host's global object, live, except the names of `HIDDEN`.
 * G3. `given` wins over the host's names.
 */
export function createRuntimeGlobals(given: Readonly<Record<string, unknown>>): object {
  const host = globalThis;
  const visible = (key: PropertyKey): boolean => !HIDDEN.has(key) && key in host;
  const fallback = new Proxy(Object.freeze({ __proto__: null }), {
    get: (_, key): unknown => (visible(key) ? Reflect.get(host, key) : undefined),
    has: (_, key) => visible(key),
    // A write that found nothing nearer: it makes an own property, whatever the host has under that name.
    set: (_, key, value, receiver: object) =>
      Reflect.defineProperty(receiver, key, { value, writable: true, enumerable: true, configurable: true }),
  });
  const names = Object.create(fallback) as object; // an object without properties yet
  // Below the object the cells see, so that what it owns is what they set.
  const globals = Object.create(names) as object;
  const put = (name: string, value: unknown): void => {
    Object.defineProperty(names, name, { value, writable: true, enumerable: false, configurable: true });
  };
  for (const name of FIXED) if (name in host) put(name, Reflect.get(host, name));
  for (const [name, value] of Object.entries(given)) put(name, value);
  put("globalThis", globals);
  put("global", globals);
  return globals;
}
