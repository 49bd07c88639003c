/// <reference lib="es2024.string" />
import { bytesProblem, extraBytesKey, hasExtraElements, isGetter, isLocal, isUndefinedData, kindOf } from "./value-kind.ts";

/**
 * The fast look at a value: is all of it what msgpackr carries unchanged? A no is no refusal, it only sends the value to the
 * thorough way (value-walk.ts).
 *
 * S1. It never runs a getter.
 * S2. Small flat trees are walked without a record of what was seen, which would cost a fifth of the time. The record begins
 *     with depth or number, so that cycles end and what is shared is walked at most twice.
 * S3. It goes at least as deep as msgpackr's own recursion will.
 */
const UNRECORDED_DEPTH = 6;
const UNRECORDED_CONTAINERS = 20_000;

/** msgpackr keeps its own bookkeeping under `__keys__` and renames `__proto__`. */
export const isAwkwardKey = (key: string): boolean => key === "__proto__" || key === "__keys__" || !isSafeText(key);

/** Whether UTF-8 keeps it: no lone surrogate; no leading BOM, which TextDecoder takes away. */
export const isSafeText = (text: string): boolean => text.isWellFormed() && text.charCodeAt(0) !== 0xfeff;

export interface ScanLimits {
  readonly depth: number;
  readonly nodes: number;
}

/** One look. Plain functions share it: private methods cost this code a quarter of its speed (measured, V8 11.3). */
interface Scan {
  readonly depth: number;
  /** Values that may still be looked at. */
  left: number;
  /** Containers that may still be looked at before the record begins. */
  unrecorded: number;
  seen: Set<object> | undefined;
  /** Keys of the last object, which were found safe. */
  safeKeys: readonly string[];
}

export function isPlainTree(value: unknown, { depth, nodes }: ScanLimits): boolean {
  return isPlain(value, 1, { depth, left: nodes, unrecorded: UNRECORDED_CONTAINERS, seen: undefined, safeKeys: [] });
}

function isPlain(value: unknown, depth: number, scan: Scan): boolean {
  switch (typeof value) {
    case "string": return isSafeText(value);
    case "number": return value !== 0 || 1 / value > 0; // -0 would arrive as 0
    case "object": return value === null || isPlainContainer(value, depth, scan);
    case "boolean": case "undefined": case "bigint": return true;
    default: return false;
  }
}

function isPlainContainer(value: object, depth: number, scan: Scan): boolean {
  if (scan.seen !== undefined || depth > UNRECORDED_DEPTH || --scan.unrecorded < 0) {
    scan.seen ??= new Set();
    if (scan.seen.has(value)) return true;
    if (depth > scan.depth) return false;
    scan.seen.add(value);
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype) return isPlainObject(value as Readonly<Record<string, unknown>>, depth + 1, scan); // cast: read by its own names only
  if (prototype === Array.prototype && Array.isArray(value)) return isPlainArray(value, depth + 1, scan);
  return isPlainBuiltin(value, depth + 1, scan);
}

function isPlainObject(value: Readonly<Record<string, unknown>>, depth: number, scan: Scan): boolean {
  if (Array.isArray(value) || Object.getOwnPropertySymbols(value).length > 0) return false;
  const names = Object.getOwnPropertyNames(value);
  let left = names.length;
  if (!take(left, scan) || !areSafeKeys(names, scan)) return false;
  // for-in, not the names: V8 then reads by position. A name that it skips is hidden, one that it adds is inherited.
  for (const key in value) {
    if (--left < 0 || isGetter(value, key)) return false;
    const item = value[key];
    if (!isPlain(item, depth, scan)) return false;
    if (item === undefined && !isUndefinedData(value, key)) return false;
  }
  return left === 0;
}

/** Rows of a table have the same keys: those of the object before are not looked at again. */
function areSafeKeys(names: readonly string[], scan: Scan): boolean {
  const safe = scan.safeKeys;
  let same = names.length === safe.length;
  for (let index = 0; same && index < names.length; index++) same = names[index] === safe[index];
  if (same) return true;
  scan.safeKeys = names;
  return !names.some(isAwkwardKey);
}

function isPlainArray(value: readonly unknown[], depth: number, scan: Scan): boolean {
  if (!take(value.length, scan)) return false;
  for (let index = 0; index < value.length; index++) {
    if (isGetter(value, index)) return false;
    const item = value[index];
    if (!isPlain(item, depth, scan)) return false;
    if (item === undefined && !isUndefinedData(value, index)) return false;
  }
  return !hasExtraElements(value);
}

function isPlainBuiltin(value: object, depth: number, scan: Scan): boolean {
  if (!isLocal(value)) return false;
  const kind = kindOf(value);
  if (kind === "bytes") return take(1, scan) && bytesProblem(value) === undefined && extraBytesKey(value) === undefined;
  if (Reflect.ownKeys(value).length > 0) return false;
  switch (kind) {
    case "date": return take(1, scan);
    case "map": return isPlainMap(value as ReadonlyMap<unknown, unknown>, depth, scan); // cast: the kind says so; below too
    case "set": return isPlainSet(value as ReadonlySet<unknown>, depth, scan);
    default: return false;
  }
}

function isPlainMap(value: ReadonlyMap<unknown, unknown>, depth: number, scan: Scan): boolean {
  if (!take(value.size * 2, scan)) return false;
  for (const [key, item] of value) if (!isPlain(key, depth, scan) || !isPlain(item, depth, scan)) return false;
  return true;
}

function isPlainSet(value: ReadonlySet<unknown>, depth: number, scan: Scan): boolean {
  if (!take(value.size, scan)) return false;
  for (const item of value) if (!isPlain(item, depth, scan)) return false;
  return true;
}

function take(items: number, scan: Scan): boolean {
  scan.left -= items + 1;
  return scan.left >= 0;
}
