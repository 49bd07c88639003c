import { types } from "node:util";

/**
 * Looks at a value without running any code of it: no getter, no proxy trap, no iterator, no method.
 * All that shows values to the model (inference, inspection, diff, describe) sees them through here.
 */
export type ValueKind =
  | "undefined"
  | "null"
  | "boolean"
  | "number"
  | "bigint"
  | "string"
  | "symbol"
  | "function"
  | "class"
  | "proxy"
  | "array"
  | "map"
  | "set"
  | "typed-array"
  | "buffer"
  | "date"
  | "regexp"
  | "error"
  | "promise"
  | "boxed"
  | "plain"
  | "instance";

/** What `value` is. `plain`: an object whose prototype is `Object.prototype` of any realm, or null. `instance`: one of any other class. */
export function valueKind(value: unknown): ValueKind {
  switch (typeof value) {
    case "object":
      return value === null ? "null" : objectKind(value);
    case "function":
      return types.isProxy(value) ? "proxy" : isClass(value) ? "class" : "function";
    case "undefined":
      return "undefined";
    case "boolean":
      return "boolean";
    case "number":
      return "number";
    case "bigint":
      return "bigint";
    case "string":
      return "string";
    case "symbol":
      return "symbol";
  }
}

function objectKind(value: object): ValueKind {
  if (types.isProxy(value)) return "proxy";
  if (Array.isArray(value)) return "array";
  if (types.isMap(value)) return "map";
  if (types.isSet(value)) return "set";
  if (types.isTypedArray(value)) return "typed-array";
  if (types.isAnyArrayBuffer(value) || types.isDataView(value)) return "buffer";
  if (types.isDate(value)) return "date";
  if (types.isRegExp(value)) return "regexp";
  if (types.isNativeError(value) || value instanceof Error) return "error";
  if (types.isPromise(value)) return "promise";
  if (types.isBoxedPrimitive(value)) return "boxed";
  return isPlain(value) ? "plain" : "instance";
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  // Another realm's Object.prototype is the only object with a null prototype that owns this method.
  return (
    typeof prototype === "object" &&
    !types.isProxy(prototype) &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, "isPrototypeOf")
  );
}

/** A built-in method as it is now, to be called on any value, whatever that value or later code puts in its place. */
export function builtInMethod(prototype: object, key: PropertyKey): (this: unknown) => unknown {
  // What is asked for is a method in ECMA-262.
  return Object.getOwnPropertyDescriptor(prototype, key)?.value as (this: unknown) => unknown;
}

const functionText = builtInMethod(Function.prototype, "toString");

/** Whether `value` was written with `class`; built-in constructors were not. */
export function isClass(value: object): boolean {
  return typeof value === "function" && !types.isProxy(value) && sourceText(value).startsWith("class");
}

/** The source of a function, also when it has a `toString` of its own. */
export function sourceText(value: object): string {
  return String(functionText.call(value));
}

/** The constructor of an object by the data properties of its prototypes, or undefined where there is none. */
export function constructorOf(value: object): object | undefined {
  if (types.isProxy(value)) return undefined;
  for (
    let at: unknown = Object.getPrototypeOf(value);
    typeof at === "object" && at !== null && !types.isProxy(at);
    at = Object.getPrototypeOf(at)
  ) {
    const constructor = dataProperty(at, "constructor");
    if (typeof constructor === "function") return types.isProxy(constructor) ? undefined : constructor;
  }
  return undefined;
}

/** The name of a function or class, or undefined when it has none or hides it behind code. */
export function functionName(value: object): string | undefined {
  const name = dataProperty(value, "name");
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** The name of the class of `value`, such as `Light`. */
export function className(value: object): string | undefined {
  const constructor = constructorOf(value);
  return constructor === undefined ? undefined : functionName(constructor);
}

/** Stands for a property that only code could tell: an accessor. */
export const ACCESSOR: unique symbol = Symbol("accessor");

/** An own property that holds data; `ACCESSOR` for one behind a getter or setter; undefined when it is not there. `object` must be no proxy. */
export function dataProperty(object: object, key: PropertyKey): unknown {
  const descriptor = Object.getOwnPropertyDescriptor(object, key);
  if (descriptor === undefined) return undefined;
  return "value" in descriptor ? (descriptor.value as unknown) : ACCESSOR;
}

/** A data property of `object` or of its prototypes, the nearest; undefined when it is behind an accessor or not there. */
export function inheritedData(object: object, key: PropertyKey): unknown {
  for (let at: unknown = object; typeof at === "object" && at !== null && !types.isProxy(at); at = Object.getPrototypeOf(at)) {
    if (!Object.hasOwn(at, key)) continue;
    const value = dataProperty(at, key);
    return value === ACCESSOR ? undefined : value;
  }
  return undefined;
}

/** A built-in accessor, likewise. */
function getter(prototype: object, key: PropertyKey): (this: unknown) => unknown {
  // All asked for below are accessors in ECMA-262 or in Node; one that an older engine lacks reads as undefined.
  const descriptor: { readonly get?: unknown } | undefined = Object.getOwnPropertyDescriptor(prototype, key);
  return (descriptor?.get as ((this: unknown) => unknown) | undefined) ?? (() => undefined);
}

const mapEntries = builtInMethod(Map.prototype, "entries");
const setEntries = builtInMethod(Set.prototype, "entries");
const mapSize = getter(Map.prototype, "size");
const setSize = getter(Set.prototype, "size");
const arrayLength = getter(Object.getPrototypeOf(Uint8Array.prototype) as object, "length"); // %TypedArray%.prototype is an object: ECMA-262 23.2.3
const byteLengths = [
  getter(ArrayBuffer.prototype, "byteLength"),
  getter(SharedArrayBuffer.prototype, "byteLength"),
  getter(DataView.prototype, "byteLength"),
];
const urlHref = getter(URL.prototype, "href");
const regexpSource = getter(RegExp.prototype, "source");
const regexpFlags = (
  [
    ["hasIndices", "d"],
    ["global", "g"],
    ["ignoreCase", "i"],
    ["multiline", "m"],
    ["dotAll", "s"],
    ["unicode", "u"],
    ["unicodeSets", "v"],
    ["sticky", "y"],
  ] as const
).map(([key, flag]) => ({ get: getter(RegExp.prototype, key), flag }));

/** Length, size or count of bytes of a value that has one at no cost; own overrides are not asked. */
export function sizeOf(value: unknown): number | undefined {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || types.isProxy(value)) return undefined;
  if (Array.isArray(value)) return value.length;
  if (types.isMap(value)) return asNumber(mapSize.call(value));
  if (types.isSet(value)) return asNumber(setSize.call(value));
  if (types.isTypedArray(value)) return asNumber(arrayLength.call(value));
  if (types.isAnyArrayBuffer(value) || types.isDataView(value)) return byteLength(value);
  return undefined;
}

function byteLength(value: object): number | undefined {
  for (const get of byteLengths) {
    const bytes = attempt(() => get.call(value));
    if (typeof bytes === "number") return bytes;
  }
  return undefined;
}

const asNumber = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

/** `/source/flags` of a regular expression. */
export function regexpText(value: RegExp): string {
  return `/${String(regexpSource.call(value))}/${regexpFlags.map(({ get, flag }) => (get.call(value) === true ? flag : "")).join("")}`;
}

/** The address of a URL object, or undefined for anything else. */
export function urlText(value: object): string | undefined {
  const href = attempt(() => urlHref.call(value));
  return typeof href === "string" ? href : undefined;
}

/** The result of a built-in accessor, undefined when `value` lacks the slot it reads. */
function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Up to `limit` own enumerable string keys, in order. For an array-like the caller knows better. `object` must be no proxy. */
export function someKeys(object: object, limit: number): { readonly keys: readonly string[]; readonly total: number } {
  const keys = Object.keys(object);
  return { keys: keys.length > limit ? keys.slice(0, limit) : keys, total: keys.length };
}

/** The first `limit` members of a map or set as [key, member], by the built-in iterator: an instance can replace its own. */
export function firstMembers(value: object, kind: "map" | "set", limit: number): [key: unknown, member: unknown][] {
  const members: [unknown, unknown][] = [];
  // ECMA-262 24.1.3.4 and 24.2.3.5: both give an iterator of pairs.
  const iterator = (kind === "map" ? mapEntries : setEntries).call(value) as Iterator<[unknown, unknown]>;
  for (let step = iterator.next(); step.done !== true && members.length < limit; step = iterator.next()) members.push(step.value);
  return members;
}
