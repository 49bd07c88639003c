import { isReferable } from "./handle.ts";

/**
 * What a value is to a boundary, told by its prototype and never by running its code (a proxy's traps excepted).
 * Subclasses of builtins are class instances: their methods would be lost by value. Errors are the exception, because what
 * counts in them is data. Objects of another realm (a vm context) count as what they are there.
 */
export type ValueKind =
  /** By value: plain object, object without prototype, array, Map, Set, Date. */
  | "object"
  | "bare"
  | "array"
  | "map"
  | "set"
  | "date"
  /** By value: ArrayBuffer, DataView, typed array; Node's Buffer. */
  | "bytes"
  | "buffer"
  /** By value. */
  | "error"
  | "regexp"
  | "url"
  /** By reference. */
  | "function"
  | "iterable"
  | "instance"
  | "referable";

/** Why a value can cross in no way. */
export interface Refusal {
  readonly refused: string;
}

export const typedArrayClasses = [
  Int8Array,
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
] as const;

/** Absent in browsers, where a Buffer arrives as Uint8Array. */
export const nodeBuffer = (globalThis as { readonly Buffer?: typeof Buffer }).Buffer;

const builtins: readonly (readonly [{ readonly name: string; readonly prototype: object }, ValueKind])[] = [
  [Object, "object"],
  [Array, "array"],
  [Map, "map"],
  [Set, "set"],
  [Date, "date"],
  [RegExp, "regexp"],
  [URL, "url"],
  [ArrayBuffer, "bytes"],
  [DataView, "bytes"],
  ...typedArrayClasses.map((of) => [of, "bytes"] as const),
  ...(nodeBuffer === undefined ? [] : [[nodeBuffer, "buffer"] as const]),
];
const kindOfPrototype: ReadonlyMap<object, ValueKind> = new Map(builtins.map(([of, kind]) => [of.prototype, kind]));
const kindOfName: ReadonlyMap<string, ValueKind> = new Map(builtins.map(([of, kind]) => [of.name, kind]));

const iteratorPrototype: object = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()) as object) as object; // every builtin iterator and generator has it

const refusedClasses: readonly (readonly [{ readonly name: string; readonly prototype: object }, string])[] = [
  [Promise, "a promise; await it first"],
  [WeakMap, "a WeakMap"],
  [WeakSet, "a WeakSet"],
  [WeakRef, "a WeakRef"],
  [FinalizationRegistry, "a FinalizationRegistry"],
  ...(typeof SharedArrayBuffer === "undefined" ? [] : [[SharedArrayBuffer, "a SharedArrayBuffer"] as const]), // absent in pages that are not cross-origin isolated
  [Number, "a boxed number"],
  [String, "a boxed string"],
  [Boolean, "a boxed boolean"],
  [BigInt, "a boxed bigint"],
  [Symbol, "a symbol"],
];

/** The name of the builtin class of another realm whose prototype this is. */
function foreignBuiltin(prototype: object): string | undefined {
  const of: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  if (typeof of !== "function" || of.prototype !== prototype) return undefined;
  return Function.prototype.toString.call(of) === `function ${of.name}() { [native code] }` ? of.name : undefined;
}

/** The text that says what an object is inside, whatever its prototype. */
const tagOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);

function isAsyncIterable(value: object): boolean {
  return typeof Reflect.get(value, Symbol.asyncIterator) === "function";
}

/** An async iterable written as a literal has no prototype of its own; an accessor there is left for the walker to refuse. */
function isAsyncIterableLiteral(value: object): boolean {
  return typeof Object.getOwnPropertyDescriptor(value, Symbol.asyncIterator)?.value === "function";
}

/** What throws when `value` lacks the inside that its prototype promises, such as `Object.create(Map.prototype)`. */
const insides: Partial<Record<ValueKind, (value: object) => unknown>> = {
  map: (value) => Map.prototype.has.call(value as Map<unknown, unknown>, 0), // casts: the call is the check
  set: (value) => Set.prototype.has.call(value as Set<unknown>, 0),
  date: (value) => Date.prototype.getTime.call(value as Date),
  url: (value) => Reflect.get(URL.prototype, "href", value),
  bytes: (value) => ArrayBuffer.isView(value) || ArrayBuffer.prototype.slice.call(value as ArrayBuffer, 0, 0),
};

function hasInside(kind: ValueKind, value: object): boolean {
  if (kind === "array" || kind === "object" || kind === "bare") return Array.isArray(value) === (kind === "array");
  if (kind === "buffer") return ArrayBuffer.isView(value);
  if (kind === "regexp") return Object.hasOwn(value, "lastIndex");
  try {
    insides[kind]?.(value);
    return true;
  } catch {
    return false;
  }
}

function liveKind(value: object): ValueKind | Refusal {
  for (const [of, refused] of refusedClasses) if (of.prototype.isPrototypeOf(value)) return { refused };
  if (isAsyncIterable(value)) return "iterable";
  if (iteratorPrototype.isPrototypeOf(value)) return { refused: "an iterator; spread it into an array first" };
  return "instance";
}

function foreignKind(value: object, prototype: object): ValueKind | Refusal {
  const name = foreignBuiltin(prototype);
  if (name === undefined) return liveKind(value);
  if (tagOf(value) === "Error") return "error";
  const kind = kindOfName.get(name);
  if (kind !== undefined && hasInside(kind, value)) return kind;
  const refused = refusedClasses.find(([of]) => of.name === name);
  return refused === undefined ? liveKind(value) : { refused: refused[1] };
}

/** @throws what a proxy's trap throws. */
export function kindOf(value: object): ValueKind | Refusal {
  if (isReferable(value)) return "referable";
  if (typeof value === "function") return "function";
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null || prototype === Object.prototype) {
    if (isAsyncIterableLiteral(value)) return "iterable";
    const kind = prototype === null ? "bare" : "object";
    return hasInside(kind, value) ? kind : "instance";
  }
  const kind = kindOfPrototype.get(prototype);
  if (kind !== undefined) return hasInside(kind, value) ? kind : "instance";
  if (value instanceof Error) return "error";
  return foreignKind(value, prototype);
}

/** Whether `value` has exactly the prototype of a builtin of this realm. */
export const isLocal = (value: object): boolean => kindOfPrototype.has(Object.getPrototypeOf(value) as object);

/** Arrays and byte arrays up to this length are searched for hidden extra properties, which takes time by length. */
export const EXACT_LENGTH = 1024;

/** `__lookupGetter__`, which looks at an element five times as fast (12 ns) as its descriptor is made. */
const lookupGetter = Reflect.get(Object.prototype, "__lookupGetter__") as ((this: object, key: PropertyKey) => unknown) | undefined; // standard (annex B) but untyped; hardened realms delete it

/** Whether reading an own property runs code. */
export function isGetter(value: object, key: PropertyKey): boolean {
  if (lookupGetter !== undefined) return lookupGetter.call(value, key) !== undefined;
  return Object.getOwnPropertyDescriptor(value, key)?.get !== undefined;
}

/** Whether an undefined is stored there: a hole and an accessor without a getter read as undefined too. */
export function isUndefinedData(value: object, key: PropertyKey): boolean {
  const property = Object.getOwnPropertyDescriptor(value, key);
  return property !== undefined && "value" in property;
}

/** Whether a dense array has more properties than its elements. Hidden ones are seen up to `EXACT_LENGTH`. */
export function hasExtraElements(value: readonly unknown[]): boolean {
  if (Object.getOwnPropertySymbols(value).length > 0) return true;
  if (value.length <= EXACT_LENGTH) return Object.getOwnPropertyNames(value).length > value.length + 1;
  return Object.values(value).length > value.length;
}

/** Whether an array has all its elements, none of them an accessor, and nothing else. */
export function isDense(value: readonly unknown[]): boolean {
  for (let index = 0; index < value.length; index++) {
    if (isGetter(value, index)) return false;
    if (value[index] === undefined && !isUndefinedData(value, index)) return false;
  }
  return !hasExtraElements(value);
}

/** Why bytes cannot cross, if so. */
export function bytesProblem(value: object): string | undefined {
  const buffer: unknown = ArrayBuffer.isView(value) ? value.buffer : value;
  if (tagOf(buffer as object) !== "ArrayBuffer") return "a view of a SharedArrayBuffer"; // cast: a view's buffer and `value` are objects
  const { byteLength, resizable } = buffer as ArrayBuffer & { readonly resizable?: boolean }; // cast: by its tag; `resizable` is ES2024
  if (resizable === true) return "a resizable ArrayBuffer";
  if (byteLength > 0) return undefined;
  try {
    new Uint8Array(buffer as ArrayBuffer);
    return undefined;
  } catch {
    return "a detached ArrayBuffer";
  }
}

/** The first own property of bytes that is no element, if it has one; above `EXACT_LENGTH` elements only symbols are looked for. */
export function extraBytesKey(value: object): string | symbol | undefined {
  const [symbol] = Object.getOwnPropertySymbols(value);
  if (symbol !== undefined) return symbol;
  const length = ArrayBuffer.isView(value) && "length" in value ? Number(value.length) : 0;
  return length > EXACT_LENGTH ? undefined : Object.getOwnPropertyNames(value)[length];
}

/** The bytes that an ArrayBuffer holds or a view shows, over the same memory. */
export function shownBytes(value: object): Uint8Array {
  return ArrayBuffer.isView(value)
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array(value as ArrayBuffer); // cast: bytes that are no view
}

/** The same bytes as an object of this realm. */
export function localBytes(value: object): object {
  if (isLocal(value)) return value;
  const { buffer } = shownBytes(value).slice();
  const tag = tagOf(value);
  if (tag === "DataView") return new DataView(buffer);
  const of = typedArrayClasses.find(({ name }) => name === tag);
  return of === undefined ? buffer : new of(buffer);
}
