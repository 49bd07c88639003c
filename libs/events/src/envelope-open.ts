import { Escape } from "./envelope.ts";
import type { Envelope } from "./envelope.ts";
import { makeEntry, malformed, serveOnce, tableOf } from "./envelope-entry.ts";
import type { Parts, Table } from "./envelope-entry.ts";
import { parseWireRef } from "./handle.ts";
import type { ReferenceImporter } from "./value.ts";
import { keyPath, mapKeyPath, mapValuePath, shownPath } from "./value-path.ts";

/** Where a container stands; a path is told from these only when one is asked for. */
interface Place {
  readonly parent: Place | undefined;
  readonly key: string | number | ((parent: string) => string);
}

/** A container to look through, or one of ours to fill. */
interface Task {
  readonly place: Place | undefined;
  readonly container: object | undefined;
  readonly parts: Parts | undefined;
}

/**
 * Puts the values that Escapes stand for in their places, in the tree as msgpackr read it.
 *
 * O1. Each entry is made once, when its first Escape is met; one with parts is filled later, so that cycles close.
 * O2. Deep values cost memory, not the call stack.
 */
class Opening {
  readonly #table: Table;
  readonly #references: ReferenceImporter | undefined;
  readonly #made = new Map<number, unknown>();
  readonly #seen = new Set<object>();
  readonly #tasks: Task[] = [];

  constructor(entries: readonly unknown[], references: ReferenceImporter | undefined) {
    this.#table = tableOf(entries);
    this.#references = references;
  }

  run(tree: unknown): unknown {
    const value = isObject(tree) ? this.#opened(tree, undefined, "") : tree;
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) {
      if (task.parts !== undefined) this.#fill(task.parts, task.place);
      else if (task.container !== undefined) this.#look(task.container, task.place);
    }
    return value;
  }

  /** What stands at `key` of `parent` in the end; containers are looked through later. */
  #opened(value: object, parent: Place | undefined, key: Place["key"]): unknown {
    if (Escape.is(value)) return this.#entry(value.index, parent, key);
    if (this.#seen.has(value)) return value;
    this.#seen.add(value);
    this.#tasks.push({ place: { parent, key }, container: value, parts: undefined });
    return value;
  }

  #entry(index: number, parent: Place | undefined, key: Place["key"]): unknown {
    if (this.#made.has(index)) return this.#made.get(index);
    const entry = this.#table.entries[index];
    if (!Array.isArray(entry)) return malformed("an escape without entry");
    const [kind, ...fields] = serveOnce(this.#table, entry as readonly unknown[]);
    if (kind === "ref") return this.#keep(index, this.#reference(fields[0], { parent, key }));
    const { value, parts } = makeEntry(this.#table, kind, fields);
    if (parts !== undefined) this.#tasks.push({ place: { parent, key }, container: undefined, parts });
    return this.#keep(index, value);
  }

  #keep(index: number, value: unknown): unknown {
    this.#made.set(index, value);
    return value;
  }

  #reference(data: unknown, place: Place): unknown {
    if (!isObject(data)) return malformed("a reference without its form");
    serveOnce(this.#table, data);
    const only: unknown = Reflect.get(data, "only");
    if (isObject(only)) serveOnce(this.#table, only);
    const ref = parseWireRef(data);
    if (this.#references === undefined) return malformed("a reference, where none are taken");
    return this.#references.import(ref, shownPath(pathOf(place)));
  }

  #fill({ items, keys, put, end }: Parts, place: Place | undefined): void {
    for (const [index, item] of items.entries()) put(index, isObject(item) ? this.#opened(item, place, keys[index] ?? index) : item);
    end?.();
  }

  /** The casts below: the container is msgpackr's own, and its class says what it is. */
  #look(container: object, place: Place | undefined): void {
    if (Array.isArray(container)) this.#lookThroughArray(container, place);
    else if (container instanceof Map) this.#lookThroughMap(container, place);
    else if (container instanceof Set) this.#lookThroughSet(container, place);
    else if (Object.getPrototypeOf(container) === Object.prototype) this.#lookThroughObject(container as Record<string, unknown>, place);
  }

  #lookThroughArray(array: unknown[], place: Place | undefined): void {
    for (let index = 0; index < array.length; index++) {
      const item = array[index];
      if (isObject(item)) array[index] = this.#opened(item, place, index);
    }
  }

  #lookThroughObject(object: Record<string, unknown>, place: Place | undefined): void {
    for (const key in object) {
      const item = object[key];
      if (!isObject(item)) continue;
      const opened = this.#opened(item, place, key);
      if (opened !== item) object[key] = opened;
    }
  }

  #lookThroughMap(map: Map<unknown, unknown>, place: Place | undefined): void {
    let changed = false;
    const entries: (readonly [unknown, unknown])[] = [];
    for (const [key, item] of map) {
      const index = entries.length;
      const openedKey = isObject(key) ? this.#opened(key, place, (parent) => mapKeyPath(parent, index)) : key;
      const opened = isObject(item) ? this.#opened(item, place, (parent) => mapValuePath(parent, openedKey, index)) : item;
      changed ||= openedKey !== key || opened !== item;
      entries.push([openedKey, opened]);
    }
    if (!changed) return;
    map.clear();
    for (const [key, item] of entries) map.set(key, item);
  }

  #lookThroughSet(set: Set<unknown>, place: Place | undefined): void {
    const items = [...set];
    const opened = items.map((item, index) => (isObject(item) ? this.#opened(item, place, index) : item));
    if (opened.every((item, index) => item === items[index] || typeof item === "number")) return; // a NaN is no change
    set.clear();
    for (const item of opened) set.add(item);
  }
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function pathOf(place: Place): string {
  const steps: Place["key"][] = [];
  for (let at = place; at.parent !== undefined; at = at.parent) steps.push(at.key);
  return steps.reduceRight<string>((path, key) => (typeof key === "function" ? key(path) : keyPath(path, key)), "");
}

/** @throws {MalformedError} when the envelope is not one that `walkValue` made; what the importer throws. */
export function openEnvelope({ tree, table }: Envelope, references?: ReferenceImporter): unknown {
  if (!Array.isArray(table)) return malformed("an envelope without its table");
  return new Opening(table as readonly unknown[], references).run(tree);
}
