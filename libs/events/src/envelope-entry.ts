import { defineValue } from "./define-value.ts";
import { isErrorCode } from "./error.ts";
import { MalformedError } from "./errors.ts";
import { Escape, LONGEST_SPARSE } from "./envelope.ts";
import { isErrorClassName, makeError } from "./error-class.ts";
import { nodeBuffer } from "./value-kind.ts";

/**
 * Makes the values that the entries of an envelope stand for. Nothing in an entry is trusted: it comes from outside.
 *
 * N1. Properties are defined, never assigned, so that no setter hears of them.
 * N2. What is made is bounded by the message's length: msgpackr's references let a few bytes name a long list again and again,
 *     so each part of an entry serves once.
 */

/** A value of an entry; one with parts is filled with them later, so that cycles close. */
export interface Made {
  readonly value: unknown;
  readonly parts?: Parts;
}

export interface Parts {
  readonly items: readonly unknown[];
  /** Where each item stands, by name or index. */
  readonly keys: readonly (string | number)[];
  readonly put: (index: number, item: unknown) => void;
  /** Called after the last. */
  readonly end?: () => void;
}

/** The entries, and which parts of them have served. */
export interface Table {
  readonly entries: readonly unknown[];
  readonly served: Set<object>;
  readonly texts: Map<unknown, string>;
}

export const tableOf = (entries: readonly unknown[]): Table => ({ entries, served: new Set(), texts: new Map() });

/** @throws {MalformedError} when `part` is used a second time. */
export function serveOnce<T extends object>(table: Table, part: T): T {
  if (table.served.has(part)) malformed("a part of an entry that is used twice");
  table.served.add(part);
  return part;
}

export function malformed(reason: string): never {
  throw new MalformedError("value", reason);
}

/** The value of any entry but a reference. @throws {MalformedError} */
export function makeEntry(table: Table, kind: unknown, parts: readonly unknown[]): Made {
  switch (kind) {
    case "text":
      return { value: textOf(table, parts[0]) };
    case "object":
      return makeObject(table, {}, parts);
    case "bare":
      return makeObject(table, Object.create(null) as object, parts);
    case "sparse":
      return makeSparse(table, parts);
    case "error":
      return makeErrorEntry(table, parts);
    case "regexp":
      return { value: makeRegExp(table, parts) };
    case "url":
      return { value: attempt("a URL", () => new URL(stringOf(table, parts[0]))) };
    case "buffer":
      return { value: makeBuffer(parts[0]) };
    default:
      return malformed("an entry of unknown kind");
  }
}

function attempt<T>(what: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new MalformedError("value", `${what} that is none`, error);
  }
}

function textOf(table: Table, units: unknown): string {
  const made = table.texts.get(units);
  if (made !== undefined) return made;
  if (!(units instanceof Uint16Array)) return malformed("a text without code units");
  let text = "";
  for (let start = 0; start < units.length; start += 8192) text += String.fromCharCode(...units.subarray(start, start + 8192));
  table.texts.set(units, text);
  return text;
}

/** A string in an entry, which may be an Escape of a text. */
function stringOf(table: Table, value: unknown): string {
  if (typeof value === "string") return value;
  const entry = typeof value === "object" && value !== null && Escape.is(value) ? table.entries[value.index] : undefined;
  return Array.isArray(entry) && entry[0] === "text" ? textOf(table, entry[1]) : malformed("an entry without its text");
}

function listOf(table: Table, value: unknown): readonly unknown[] {
  return Array.isArray(value) ? serveOnce(table, value) : malformed("an entry without its list");
}

/** Keys and values of equal number. */
function pairsOf(
  table: Table,
  keyList: unknown,
  valueList: unknown,
): { readonly keys: readonly string[]; readonly values: readonly unknown[] } {
  const keys = listOf(table, keyList).map((key) => stringOf(table, key));
  const values = listOf(table, valueList);
  return keys.length === values.length ? { keys, values } : malformed("an entry with more keys than values, or fewer");
}

function makeObject(table: Table, object: object, [keyList, valueList]: readonly unknown[]): Made {
  const { keys, values } = pairsOf(table, keyList, valueList);
  return {
    value: object,
    parts: {
      items: values,
      keys,
      put: (index, item) => {
        defineValue(object, keys[index] ?? "", item, true);
      },
    },
  };
}

function makeSparse(table: Table, [length, indexList, valueList]: readonly unknown[]): Made {
  const indexes = listOf(table, indexList);
  const values = listOf(table, valueList);
  const isIndex = (value: unknown, below: number): value is number =>
    typeof value === "number" && Number.isInteger(value) && value >= 0 && value < below;
  if (!isIndex(length, LONGEST_SPARSE + 1)) return malformed("an array with holes that has no length, or too much");
  const keys = indexes.filter((index) => isIndex(index, length));
  if (keys.length !== indexes.length || keys.length !== values.length) return malformed("an array with holes that do not fit");
  const array: unknown[] = [];
  if (length > 0) {
    defineValue(array, String(length - 1), undefined, false); // a hidden element makes V8 keep a table of what is there, and no room for the rest
    Reflect.deleteProperty(array, length - 1);
  }
  return {
    value: array,
    parts: {
      items: values,
      keys,
      put: (index, item) => {
        array[keys[index] ?? 0] = item;
      },
    },
  };
}

function makeErrorEntry(table: Table, [className, keyList, valueList, hiddenKeyList, hiddenValueList]: readonly unknown[]): Made {
  if (!isErrorClassName(className)) return malformed("an error of unknown class");
  const shown = pairsOf(table, keyList, valueList);
  const hidden = pairsOf(table, hiddenKeyList, hiddenValueList);
  const keys = [...shown.keys, ...hidden.keys];
  const items = [...shown.values, ...hidden.values];
  const isDom = className === "DOMException";
  const given = (key: string): string => (isDom && keys.includes(key) ? stringOf(table, items[keys.indexOf(key)]) : "");
  const error = makeError(className, given("message"), given("name"));
  for (const key of Reflect.ownKeys(error)) Reflect.deleteProperty(error, key);
  const put = (index: number, item: unknown): void => {
    const key = keys[index] ?? "";
    if (isDom && (key === "message" || key === "name")) return; // kept inside, and set already
    defineValue(error, key, item, index < shown.keys.length);
  };
  return {
    value: error,
    parts: {
      items,
      keys,
      put,
      end: () => {
        if (className === "KarstError") completeKarstError(error);
      },
    },
  };
}

/** What every KarstError has, whoever sent it. A code that this version does not know becomes `AppError`, and the code is data. */
function completeKarstError(error: Error): void {
  const { code, data, retryable } = error as { code?: unknown; data?: unknown; retryable?: unknown }; // cast: read as what may be missing
  const isKnown = isErrorCode(code);
  const kept = typeof data === "object" && data !== null ? data : {};
  if (!isKnown) defineValue(error, "code", "AppError", true);
  if (!isKnown || kept !== data) defineValue(error, "data", isKnown ? kept : { ...kept, code }, true);
  if (typeof retryable !== "boolean") defineValue(error, "retryable", false, true);
}

function makeRegExp(table: Table, [source, flags, lastIndex]: readonly unknown[]): RegExp {
  if (typeof flags !== "string" || typeof lastIndex !== "number") return malformed("a RegExp without its flags");
  const pattern = attempt("a RegExp", () => new RegExp(stringOf(table, source), flags));
  pattern.lastIndex = lastIndex;
  return pattern;
}

function makeBuffer(bytes: unknown): Uint8Array {
  if (!(bytes instanceof Uint8Array)) return malformed("a Buffer without bytes");
  return nodeBuffer === undefined ? bytes : nodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
