import type { ObjRef, WireRef } from "./handle.ts";

/**
 * Which values may cross a boundary, and how. value-kind.ts tells what a value is, value-walk.ts does what is said here.
 *
 * V1. By value, and equal on the other side: null, undefined, booleans, numbers (with -0, NaN, the infinities), bigints, strings
 *     (with lone surrogates), plain objects (also without prototype, also with an own `__proto__`), arrays with their holes, Date
 *     (also invalid), Map, Set, RegExp with lastIndex, URL, ArrayBuffer, typed arrays, DataView, Node's Buffer, errors; with
 *     cycles and the identity of what is shared.
 * V2. By reference: functions, async iterables, instances of classes, what has a `toRef` method, what `byReference` marks.
 * V3. Everything else is refused by NotSerialisableError with the path to it: symbols, promises, weak collections, iterators,
 *     boxed primitives, SharedArrayBuffer; accessors, hidden (non-enumerable) and symbol-keyed properties of plain objects;
 *     properties put on an array, a Map, a Date and their like. No getter is ever called.
 * V4. Errors keep class (a subclass of its own kind arrives as the nearest builtin, or KarstError, with its name), message, stack,
 *     cause, errors and their own properties. Hidden functions and hidden symbol-keyed properties of errors, which Node puts
 *     there, stay behind.
 * V5. Frozen and sealed arrive open, hidden elements of arrays shown. A view crosses with the bytes that it shows; two views of one buffer arrive apart. Objects of
 *     another realm arrive as the receiver's own.
 * V6. An array longer than 1,024 is not searched for hidden properties, nor a typed array longer than that for any.
 */

/** How large a value may be that crosses. */
export interface ValueLimits {
  /** Containers inside each other. Default 512, at most 1,024. */
  readonly depth?: number;
  /** Values in all, holes included. Default 5,000,000. */
  readonly nodes?: number;
  /** Encoded size. Default none. */
  readonly bytes?: number;
}

/** Deepest nesting that any limit allows: so deep a message is read without exhausting the stack. */
export const DEEPEST = 1024;

/** The limits with their defaults. */
export function withDefaults(limits: ValueLimits = {}): Required<ValueLimits> {
  return { depth: Math.min(limits.depth ?? 512, DEEPEST), nodes: limits.nodes ?? 5_000_000, bytes: limits.bytes ?? Infinity };
}

/** Gives live things their references when a value leaves. */
export interface ReferenceExporter {
  /**
   * The reference under which the receiver reaches `live`, or undefined to refuse it. Called once for each live thing of a value,
   * in the order met; not for what has a `toRef` method, which answers for itself.
   */
  export(live: object, shape: ObjRef["shape"], path: string): WireRef | undefined;
}

/** Turns references into what the receiver holds when a value arrives. */
export interface ReferenceImporter {
  /** Called once for each distinct reference of a value. What it throws, `decode` throws. */
  import(ref: WireRef, path: string): unknown;
}

const mark: unique symbol = Symbol.for("karst.byReference") as never; // registered, so that it holds across copies of this module

/** A live thing that its owner wants to cross by reference, whatever it is. */
export class ByReference<T extends object = object> {
  static is(value: object): value is ByReference {
    return mark in value;
  }

  readonly [mark] = true;
  readonly live: T;

  constructor(live: T) {
    this.live = live;
  }
}

/** Marks `live` so that it crosses by reference, also where it would cross by value. */
export function byReference<T extends object>(live: T): ByReference<T> {
  return new ByReference(live);
}
