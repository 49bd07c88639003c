import { inferType } from "./infer-type.ts";
import { ACCESSOR, dataProperty, firstMembers, sizeOf, someKeys, valueKind } from "./reflect-value.ts";
import type { NameInfo, NamespaceDiff } from "./runtime.ts";

/**
 * What a cell changed, from a cheap stamp of each name before and after it.
 *
 * D1. A name is changed when its value is another one, or when its stamp differs: size, and the identity of some members two levels
 *     down (first, last and two between of an array, the first members of a map or set, the first 16 properties of an object).
 *     A change that the stamp does not see, such as one field of a row in the middle, is not reported.
 * D2. The cost of a stamp has a bound that does not depend on the size of the data. The one exception, counting the keys of an object,
 *     is paid once: objects with more than `WIDE_KEYS` are remembered in `wide` and afterwards told apart by identity alone.
 * D3. Runs no code of a value.
 */
export interface NamespaceStamp {
  readonly values: ReadonlyMap<string, unknown>;
  readonly stamps: ReadonlyMap<string, Stamp>;
}

/** Identities and sizes, compared one by one. Undefined for what cannot change in place. */
type Stamp = readonly unknown[] | undefined;

/** Above this many keys an object is not enumerated a second time. */
const WIDE_KEYS = 2_000;
const PROPERTIES = 16;
const MEMBERS = 4;

/** Stamps every name. `wide` belongs to the runtime and lives as long. */
export function stampNames(names: Iterable<readonly [name: string, value: unknown]>, wide: WeakSet<object>): NamespaceStamp {
  const values = new Map<string, unknown>();
  const stamps = new Map<string, Stamp>();
  for (const [name, value] of names) {
    values.set(name, value);
    stamps.set(name, stampOf(value, wide));
  }
  return { values, stamps };
}

/** Names added, changed and removed between two stamps of one namespace, with the type and size they have after. */
export function diffNames(before: NamespaceStamp, after: NamespaceStamp): NamespaceDiff {
  const added: NameInfo[] = [];
  const changed: NameInfo[] = [];
  for (const [name, value] of after.values) {
    if (!before.values.has(name)) added.push(describeName(name, value));
    else if (!Object.is(before.values.get(name), value) || !sameStamp(before.stamps.get(name), after.stamps.get(name)))
      changed.push(describeName(name, value));
  }
  const removed = [...before.values.keys()].filter((name) => !after.values.has(name));
  return { added, changed, removed };
}

/** A longer type says less in a line of changes than its outline. */
const LONGEST_TYPE_CHARS = 80;

/** Type and size of one name, short. */
export function describeName(name: string, value: unknown): NameInfo {
  for (const depth of [2, 1]) {
    const inferred = inferType(value, { depth, maxKeys: 8 });
    if (inferred.type.length <= LONGEST_TYPE_CHARS) return { name, ...inferred };
  }
  return { name, ...inferType(value, { depth: 0 }) };
}

function stampOf(value: unknown, wide: WeakSet<object>): Stamp {
  if (typeof value !== "object" || value === null) return undefined;
  const stamp: unknown[] = [];
  stampMembers(value, wide, 2, stamp);
  return stamp;
}

function stampMembers(value: object, wide: WeakSet<object>, depth: number, stamp: unknown[]): void {
  for (const member of membersOf(value, wide, stamp)) {
    stamp.push(member);
    if (depth > 1 && typeof member === "object" && member !== null) stampMembers(member, wide, depth - 1, stamp);
  }
}

/** Some members of an object, its size pushed on `stamp` first. */
function membersOf(value: object, wide: WeakSet<object>, stamp: unknown[]): readonly unknown[] {
  const kind = valueKind(value);
  switch (kind) {
    case "array":
    case "typed-array": {
      const length = sizeOf(value) ?? 0;
      stamp.push(length);
      return spread(length).map((index) => dataProperty(value, index));
    }
    case "map":
    case "set":
      stamp.push(sizeOf(value));
      return firstMembers(value, kind, 2 * MEMBERS).flat();
    case "date":
      return [Date.prototype.getTime.call(value as Date)]; // valueKind saw its internal slot
    case "plain":
    case "instance":
    case "error":
      return propertiesOf(value, wide, stamp);
    default:
      return [];
  }
}

/** First, last and two between. */
function spread(length: number): readonly number[] {
  if (length <= MEMBERS) return Array.from({ length }, (_, index) => index);
  return [0, Math.floor(length / 3), Math.floor((2 * length) / 3), length - 1];
}

function propertiesOf(value: object, wide: WeakSet<object>, stamp: unknown[]): readonly unknown[] {
  if (wide.has(value)) return [];
  const { keys, total } = someKeys(value, PROPERTIES);
  if (total > WIDE_KEYS) {
    wide.add(value);
    return [];
  }
  stamp.push(total);
  const members: unknown[] = [];
  for (const key of keys) {
    const member = dataProperty(value, key);
    members.push(key, member === ACCESSOR ? undefined : member);
  }
  return members;
}

function sameStamp(before: Stamp, after: Stamp): boolean {
  if (before === undefined || after === undefined) return before === after;
  return before.length === after.length && before.every((part, index) => Object.is(part, after[index]));
}
