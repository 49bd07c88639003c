import { isKarstError } from "./error.ts";
import { NotSerialisableError } from "./errors.ts";
import { Escape, LONGEST_SPARSE, NegativeZero } from "./envelope.ts";
import type { Entry } from "./envelope.ts";
import { errorClassName } from "./error-class.ts";
import { errorProperties } from "./error-properties.ts";
import { ByReference } from "./value.ts";
import type { ReferenceExporter, ValueLimits } from "./value.ts";
import { bytesProblem, extraBytesKey, isDense, isLocal, kindOf, localBytes, shownBytes } from "./value-kind.ts";
import type { Refusal, ValueKind } from "./value-kind.ts";
import { elementsOf, propertiesOf } from "./value-parts.ts";
import type { Parts, Problem } from "./value-parts.ts";
import { elementPath, keyPath, mapKeyPath, mapValuePath, propertyPath, shownPath } from "./value-path.ts";
import { isSafeText } from "./plain-buffer.ts";
import { referenceEntry } from "./value-reference.ts";
import { isAwkwardKey } from "./plain-writer.ts";

/** A value made ready for msgpackr. */
export interface Walked {
  readonly tree: unknown;
  /** What the Escapes in the tree stand for; empty when there are none. */
  readonly table: readonly Entry[];
  readonly refs: number;
}

/** A container with items still to be walked; the open ones make the path. */
interface Open {
  readonly items: readonly unknown[];
  /** Where each item stands: a property's name, an element's index. */
  readonly keys: readonly (string | number)[];
  next: number;
  readonly put: (key: string | number, walked: unknown) => void;
  readonly path: (parent: string, key: string | number) => string;
}

/** Items of an object or an array that are no leaves: what they are, where they stand and where they go. */
interface Waiting {
  readonly items: unknown[];
  readonly keys: (string | number)[];
  readonly slots: (string | number)[];
}

const isLeaf = (value: unknown): boolean => typeof value !== "function" && (typeof value !== "object" || value === null);

const negativeZero = new NegativeZero();

/**
 * The thorough way through a value: copies it as far as needed, with Escapes for what msgpackr would change.
 *
 * W1. It goes in the order in which msgpackr goes, with a stack of its own: deep values cost memory, not the call stack.
 * W2. One object is one object in the result: `made` knows what stands for each.
 * W3. No getter is called; the exporter and `toRef` are the only foreign code that runs (and proxies' traps).
 */
class Walk {
  readonly table: Entry[] = [];
  refs = 0;
  readonly #open: Open[] = [];
  readonly #made = new Map<object, unknown>();
  readonly #referred = new Map<object, Escape>();
  readonly #references: ReferenceExporter | undefined;
  readonly #limits: Required<ValueLimits>;
  #nodes = 0;

  constructor(limits: Required<ValueLimits>, references: ReferenceExporter | undefined) {
    this.#limits = limits;
    this.#references = references;
  }

  /** A typed error passes; anything else that a proxy's trap or the exporter throws names the path. */
  run(value: unknown): unknown {
    try {
      return this.#run(value);
    } catch (error) {
      if (isKarstError(error)) throw error;
      throw new NotSerialisableError(shownPath(this.#path()), `looking at it threw ${String(error)}`, error);
    }
  }

  #run(value: unknown): unknown {
    const tree = this.#walk(value);
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      if (top.next === top.items.length) {
        this.#open.pop();
        continue;
      }
      const index = top.next++;
      top.put(top.keys[index] ?? index, this.#walk(top.items[index]));
    }
    return tree;
  }

  #walk(value: unknown): unknown {
    return (typeof value === "object" && value !== null) || typeof value === "function" ? this.#walkObject(value) : this.#leaf(value);
  }

  #leaf(value: unknown, key?: string | number): unknown {
    switch (typeof value) {
      case "string":
        return isSafeText(value) ? value : this.#escape(["text", codeUnits(value)]);
      case "number":
        return value === 0 && 1 / value < 0 ? negativeZero : value;
      case "symbol":
        return this.#refuse(`a symbol, ${value.toString()}`, key);
      default:
        return value;
    }
  }

  #walkObject(value: object): unknown {
    const made = this.#made.get(value);
    if (made !== undefined) return made;
    const kind = kindOf(value);
    if (kind === "instance" && ByReference.is(value)) return this.#referenceTo(value.live);
    if (this.#open.length >= this.#limits.depth) this.#refuse(`nested deeper than ${String(this.#limits.depth)}`);
    this.#count(1);
    return this.#walkKind(value, kind);
  }

  /** Every case keeps what it makes in `made` before its items are walked, so that cycles come back to it. The casts: the kind says so. */
  #walkKind(value: object, kind: ValueKind | Refusal): unknown {
    switch (kind) {
      case "object":
      case "bare":
        return this.#walkProperties(value, kind);
      case "array":
        return this.#walkArray(value as readonly unknown[]);
      case "map":
        return this.#walkMap(value as ReadonlyMap<unknown, unknown>);
      case "set":
        return this.#walkSet(value as ReadonlySet<unknown>);
      case "date":
        return this.#keepBuiltin(value, isLocal(value) ? value : new Date(Date.prototype.getTime.call(value)));
      case "bytes":
      case "buffer":
        return this.#walkBytes(value, kind);
      case "url":
        return this.#keepBuiltin(value, this.#escape(["url", Reflect.get(URL.prototype, "href", value)]));
      case "regexp":
        return this.#walkRegExp(value as RegExp);
      case "error":
        return this.#walkError(value);
      default:
        return this.#reference(value, kind);
    }
  }

  #walkProperties(value: object, kind: "object" | "bare"): unknown {
    const { keys, items } = this.#partsOf(propertiesOf(value));
    if (kind === "object" && !keys.some(isAwkwardKey)) {
      const copy: Record<string, unknown> = {};
      return this.#enter(value, copy, copy, keys, items);
    }
    const values: unknown[] = [];
    return this.#enter(value, this.#escape([kind, keys.map((key) => this.#walk(key)), values]), values, keys, items);
  }

  #walkArray(value: readonly unknown[]): unknown {
    const copy: unknown[] = [];
    if (isDense(value)) return this.#enter(value, copy, copy, undefined, value);
    if (value.length > LONGEST_SPARSE) return this.#refuse(`an array with holes, longer than ${String(LONGEST_SPARSE)}`);
    this.#count(value.length);
    const { keys, items } = this.#partsOf(elementsOf(value));
    return this.#enter(value, this.#escape(["sparse", value.length, keys, copy]), copy, keys, items);
  }

  #partsOf<Key extends string | number>(parts: Parts<Key> | Problem): Parts<Key> {
    return "problem" in parts ? this.#refuse(parts.problem, parts.key) : parts;
  }

  #walkMap(value: ReadonlyMap<unknown, unknown>): unknown {
    this.#refuseProperties(value, "a Map");
    const items: unknown[] = [];
    Map.prototype.forEach.call(value, (item, key) => items.push(key, item));
    const copy = new Map<unknown, unknown>();
    let heldKey: unknown;
    const path = (parent: string, at: number): string =>
      at % 2 === 0 ? mapKeyPath(parent, at / 2) : mapValuePath(parent, items[at - 1], (at - 1) / 2);
    return this.#enterEach(value, copy, items, path, (at, walked) => {
      if (at % 2 === 0) heldKey = walked;
      else copy.set(heldKey, walked);
    });
  }

  #walkSet(value: ReadonlySet<unknown>): unknown {
    this.#refuseProperties(value, "a Set");
    const items: unknown[] = [];
    Set.prototype.forEach.call(value, (item) => items.push(item));
    const copy = new Set<unknown>();
    return this.#enterEach(value, copy, items, elementPath, (_, walked) => copy.add(walked));
  }

  #walkBytes(value: object, kind: "bytes" | "buffer"): unknown {
    const problem = bytesProblem(value);
    if (problem !== undefined) return this.#refuse(problem);
    const extra = extraBytesKey(value);
    if (extra !== undefined) return this.#refuse("a property put on bytes", extra);
    return this.#keep(value, kind === "buffer" ? this.#escape(["buffer", shownBytes(value)]) : localBytes(value));
  }

  #walkRegExp(value: RegExp): unknown {
    const extra = Reflect.ownKeys(value).find((key) => key !== "lastIndex");
    if (extra !== undefined) return this.#refuse("a property put on a RegExp", extra);
    if (typeof value.lastIndex !== "number") return this.#refuse("a lastIndex that is no number", "lastIndex");
    return this.#keep(value, this.#escape(["regexp", this.#walk(value.source), value.flags, value.lastIndex]));
  }

  #walkError(value: object): unknown {
    const className = errorClassName(value);
    const properties = errorProperties(value, className);
    const bad = properties.find(({ problem }) => problem !== undefined);
    if (bad?.problem !== undefined) return this.#refuse(bad.problem, bad.symbol ?? bad.key);
    const shown = properties.filter((property) => !property.hidden);
    const hidden = properties.filter((property) => property.hidden);
    const values: unknown[] = [];
    const hiddenValues: unknown[] = [];
    const keysOf = (part: typeof shown): unknown[] => part.map(({ key }) => this.#walk(key));
    const ordered = [...shown, ...hidden];
    const stands = this.#escape(["error", className, keysOf(shown), values, keysOf(hidden), hiddenValues]);
    const path = (parent: string, at: number): string => propertyPath(parent, ordered[at]?.key ?? "");
    return this.#enterEach(
      value,
      stands,
      ordered.map((property) => property.value),
      path,
      (at, walked) => (at < shown.length ? values : hiddenValues).push(walked),
    );
  }

  /**
   * Opens an object or an array whose items go to `target`: by `keys` into an object, one after the other into an array. Leaves
   * are put there at once, and of the rest only the place is kept.
   */
  #enter(
    value: object,
    stands: unknown,
    target: object,
    keys: readonly (string | number)[] | undefined,
    items: readonly unknown[],
  ): unknown {
    this.#count(items.length);
    const slots = target as Record<string | number, unknown>; // cast: an object or array that we made
    let waiting: Waiting | undefined; // made only when there is something: most objects hold leaves alone
    for (let index = 0; index < items.length; index++) {
      const item = items[index];
      const key = keys?.[index] ?? index;
      const slot = Array.isArray(target) ? index : key;
      if (isLeaf(item)) slots[slot] = this.#leaf(item, key);
      else {
        slots[slot] = undefined;
        waiting ??= { items: [], keys: [], slots: [] };
        waiting.items.push(item);
        waiting.keys.push(key);
        waiting.slots.push(slot);
      }
    }
    if (waiting !== undefined) this.#openWaiting(waiting, slots);
    return this.#keep(value, stands);
  }

  #openWaiting({ items, keys, slots }: Waiting, target: Record<string | number, unknown>): void {
    let at = 0;
    const put = (_: unknown, walked: unknown): void => {
      target[slots[at++] ?? ""] = walked;
    };
    this.#open.push({ items, keys, next: 0, path: keyPath, put });
  }

  /** Opens any other container: `put` is called for each item in turn. */
  #enterEach(
    value: object,
    stands: unknown,
    items: readonly unknown[],
    path: (parent: string, at: number) => string,
    put: (at: number, walked: unknown) => void,
  ): unknown {
    this.#count(items.length);
    this.#open.push({
      items,
      keys: [],
      next: 0,
      path: (parent, at) => path(parent, Number(at)),
      put: (at, walked) => {
        put(Number(at), walked);
      },
    });
    return this.#keep(value, stands);
  }

  #keep(value: object, stands: unknown): unknown {
    this.#made.set(value, stands);
    return stands;
  }

  #keepBuiltin(value: object, stands: unknown): unknown {
    this.#refuseProperties(value, `a ${stands instanceof Date ? "Date" : "URL"}`);
    return this.#keep(value, stands);
  }

  #escape(entry: Entry): Escape {
    return new Escape(this.table.push(entry) - 1);
  }

  #referenceTo(live: unknown): unknown {
    return isLeaf(live) ? this.#refuse("byReference of a primitive") : this.#reference(live as object, kindOf(live as object)); // casts: no leaf
  }

  #reference(live: object, kind: ValueKind | Refusal): unknown {
    if (typeof kind === "object") return this.#refuse(kind.refused);
    const referred = this.#referred.get(live);
    if (referred !== undefined) return referred;
    const entry = referenceEntry(live, kind, this.#references, () => shownPath(this.#path()));
    if ("refused" in entry) return this.#refuse(entry.refused);
    this.refs++;
    const stands = this.#escape(entry);
    this.#referred.set(live, stands);
    return stands;
  }

  #count(nodes: number): void {
    this.#nodes += nodes;
    if (this.#nodes > this.#limits.nodes) this.#refuse(`more than ${String(this.#limits.nodes)} values`);
  }

  #refuseProperties(value: object, what: string): void {
    const [extra] = Reflect.ownKeys(value);
    if (extra !== undefined) this.#refuse(`a property put on ${what}`, extra);
  }

  #path(): string {
    let path = "";
    for (const { path: step, keys, next } of this.#open) path = step(path, keys[next - 1] ?? next - 1);
    return path;
  }

  /** `key`: the property or element of the container at hand that is to blame. */
  #refuse(reason: string, key?: string | symbol | number): never {
    const path = this.#path();
    throw new NotSerialisableError(shownPath(key === undefined ? path : keyPath(path, key)), reason);
  }
}

function codeUnits(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}

/** @throws {NotSerialisableError} with the path to what may not cross. */
export function walkValue(value: unknown, limits: Required<ValueLimits>, references?: ReferenceExporter): Walked {
  const walk = new Walk(limits, references);
  return { tree: walk.run(value), table: walk.table, refs: walk.refs };
}
