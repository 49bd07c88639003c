import { InvalidNameError } from "@karst/events";
import { InvalidRuntimeOptionError, NameTakenError } from "./errors.ts";
import type { BindingKind } from "./runtime.ts";

/** What may hold a name in a runtime: a binding, or an output that was too big to show. */
export type NameKind = BindingKind | "output";

export interface NamedEntry {
  readonly name: string;
  readonly kind: NameKind;
}

/**
 * The one name table of a runtime. Pure: it knows who holds a name, not where the value lives.
 *
 * N1. Every name has at most one owner, over all kinds and reservations.
 * N2. A batch is put in whole or not at all.
 * N3. A name that `allocate` gave is never given again, also after it was released.
 * N4. Entries keep the order in which their names were first put in.
 */
export interface NameTable<E extends NamedEntry> {
  /**
   * Puts a batch in. An entry of a kind in `UPDATABLE_KINDS` may be put over one of the same kind; a reserved name takes an `output` only.
   * @throws {NameTakenError} naming both owners. @throws {InvalidNameError} naming the rule.
   */
  put(batch: readonly E[]): void;
  /** What `put` would throw, without putting. */
  check(batch: readonly NamedEntry[]): void;
  get(name: string): E | undefined;
  entries(): readonly E[];
  /**
   * Reserves `<prefix>_<n>` for an output, with the first n ≥ `start` that was never used: not by this table, not in `isUsed`, not retired.
   * @throws {InvalidNameError} when the name so made is none. @throws {InvalidRuntimeOptionError} when `start` is no whole number ≥ 1.
   */
  allocate(prefix: string, start: number, isUsed: (name: string) => boolean): string;
  /** Gives up a reservation whose output never came. */
  release(name: string): void;
  /** Remembers names that were in use and are gone, so that `allocate` leaves them out. */
  retire(names: Iterable<string>): void;
}

/** Kinds that may be injected again under their own name: that updates them. */
export const UPDATABLE_KINDS: ReadonlySet<NameKind> = new Set<NameKind>(["variable", "handle", "hidden"]);

export function createNameTable<E extends NamedEntry>(): NameTable<E> {
  const owned = new Map<string, E>();
  const reserved = new Set<string>();
  const retired = new Set<string>();
  /** For each prefix the lowest number that may still be free: numbers only ever get used up. */
  const lowestFree = new Map<string, number>();

  const check = (batch: readonly NamedEntry[]): void => {
    const inBatch = new Map<string, NameKind>();
    for (const { name, kind } of batch) {
      requireBindable(name);
      const twin = inBatch.get(name);
      if (twin !== undefined) throw new NameTakenError(name, `${twin} of the same batch`, kind);
      inBatch.set(name, kind);
      if (reserved.has(name) && kind !== "output") throw new NameTakenError(name, "reservation", kind);
      const owner = owned.get(name)?.kind;
      if (owner !== undefined && !(owner === kind && UPDATABLE_KINDS.has(kind))) throw new NameTakenError(name, owner, kind);
    }
  };

  return {
    check,
    put(batch) {
      check(batch);
      for (const entry of batch) {
        owned.set(entry.name, entry);
        reserved.delete(entry.name);
      }
    },
    get: (name) => owned.get(name),
    entries: () => [...owned.values()],
    allocate(prefix, start, isUsed) {
      if (!Number.isSafeInteger(start) || start < 1)
        throw new InvalidRuntimeOptionError("start", `${String(start)} is no whole number ≥ 1`);
      requireBindable(`${prefix}_${String(start)}`);
      const taken = (n: number): boolean => {
        const name = `${prefix}_${String(n)}`;
        return owned.has(name) || reserved.has(name) || retired.has(name) || isUsed(name);
      };
      const lowest = lowestFree.get(prefix) ?? 1;
      let n = Math.max(start, lowest);
      while (taken(n)) n += 1;
      const name = `${prefix}_${String(n)}`;
      reserved.add(name);
      if (n === lowest) lowestFree.set(prefix, n + 1);
      return name;
    },
    release(name) {
      if (reserved.delete(name)) retired.add(name);
    },
    retire(names) {
      for (const name of names) if (NUMBERED.test(name)) retired.add(name);
    },
  };
}

/** Names `allocate` could make; no others need remembering. */
const NUMBERED = /_\d+$/;

/**
 * Refuses what cannot be a binding's name: no identifier, a reserved word, the name of a language built-in that a binding would hide
 * from every cell, or a name that Unicode calls the same as another one (its NFKC form differs; ECMAScript would keep the two apart).
 */
export function requireBindable(name: string): void {
  if (!IDENTIFIER.test(name)) throw new InvalidNameError("name", name, "it must be a JavaScript identifier");
  if (RESERVED_WORDS.has(name)) throw new InvalidNameError("name", name, "it is a reserved word");
  if (BUILT_INS.has(name)) throw new InvalidNameError("name", name, "it would hide a built-in of JavaScript");
  const normal = name.normalize("NFKC");
  if (normal !== name) throw new InvalidNameError("name", name, `it looks like ${JSON.stringify(normal)}; write it so`);
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** ECMA-262 12.7.2 for strict code in an async function, and the literals. */
const RESERVED_WORDS: ReadonlySet<string> = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for " +
    "function if implements import in instanceof interface let new null package private protected public return static super switch this " +
    "throw true try typeof var void while with yield"
  ).split(" "),
);

/** ECMA-262 19 "The Global Object", and what every kind of runtime gives cells besides. */
const BUILT_INS: ReadonlySet<string> = new Set(
  (
    "globalThis Infinity NaN undefined isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent " +
    "AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError FinalizationRegistry " +
    "Float32Array Float64Array Function Int8Array Int16Array Int32Array Map Number Object Promise Proxy RangeError ReferenceError RegExp " +
    "Set SharedArrayBuffer String Symbol SyntaxError TypeError Uint8Array Uint8ClampedArray Uint16Array Uint32Array URIError WeakMap " +
    "WeakRef WeakSet Atomics Intl JSON Math Reflect Iterator console global setTimeout setInterval setImmediate clearTimeout " +
    "clearInterval clearImmediate queueMicrotask structuredClone"
  ).split(" "),
);
