const escapeMark: unique symbol = Symbol.for("karst.escape") as never; // registered symbols have no unique type
const envelopeMark: unique symbol = Symbol.for("karst.envelope") as never;

/**
 * What stands in for values that msgpackr would change. A message with such values is an Envelope: the tree, in which an Escape
 * holds the place of each, and the table that says what they are.
 *
 * E1. An Escape is a leaf: it holds a number only, so cycles never run through one, and msgpackr's references suffice for the rest.
 * E2. An entry is a plain array, its kind first; values in it are trees of their own, with Escapes where needed.
 */
export class Escape {
  /** Told by a registered symbol, not by class: when a process has two copies of this module, the one msgpackr heard last makes them. */
  static is(value: object): value is Escape {
    return escapeMark in value;
  }

  readonly [escapeMark] = true;
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/** -0, which msgpackr would write as 0. It is written as a float and needs no table. */
export class NegativeZero {}

export type Entry =
  /** A string, as UTF-16 code units. */
  | readonly ["text", Uint16Array]
  /** An object with keys that need care, or without prototype. Keys may be Escapes of texts. */
  | readonly ["object" | "bare", keys: readonly unknown[], values: readonly unknown[]]
  /** An array with holes. */
  | readonly ["sparse", length: number, indexes: readonly number[], values: readonly unknown[]]
  /** Enumerable own properties, then hidden ones. */
  | readonly [
      "error",
      className: string,
      keys: readonly unknown[],
      values: readonly unknown[],
      hiddenKeys: readonly unknown[],
      hiddenValues: readonly unknown[],
    ]
  | readonly ["regexp", source: unknown, flags: string, lastIndex: number]
  | readonly ["url", href: string]
  | readonly ["buffer", Uint8Array]
  | readonly ["ref", Readonly<Record<string, unknown>>];

export class Envelope {
  static is(value: object): value is Envelope {
    return envelopeMark in value;
  }

  readonly [envelopeMark] = true;
  readonly tree: unknown;
  readonly table: readonly unknown[];

  constructor(tree: unknown, table: readonly unknown[]) {
    this.tree = tree;
    this.table = table;
  }
}

/** Longest array with holes. A few bytes can declare one, and whoever walks it by index takes time by its length. */
export const LONGEST_SPARSE = 5_000_000;
