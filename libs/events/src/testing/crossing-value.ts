import fc from "fast-check";
import { defineValue } from "../define-value.ts";
import { KarstError } from "../error.ts";
import { nodeBuffer, typedArrayClasses } from "../value-kind.ts";

/** Values that cross by value, of every kind that value.ts names: for tests of whatever carries values. */

/** Any UTF-16, also what is no text: lone surrogates, BOMs, NULs. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 90 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom("", "\uD800", "a\uDC00b", "\uFEFF", `\uFEFF${"x".repeat(70)}`, "é".repeat(100), "__proto__"),
);

export const anyKey: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 6 }) },
  { weight: 1, arbitrary: anyText },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "__proto__",
      "__keys__",
      "constructor",
      "toJSON",
      "then",
      "hasOwnProperty",
      "length",
      "0",
      "7",
      "-1",
      "\uD800",
    ),
  },
);

const anyBigInt = fc.oneof(
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
  fc
    .tuple(fc.nat({ max: 2100 }), fc.integer({ min: -1, max: 1 }), fc.boolean())
    .map(([bits, by, below]) => (below ? -1n : 1n) * (2n ** BigInt(bits) + BigInt(by))),
);

const anyNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, NaN, Infinity, -Infinity, 2 ** 31, 2 ** 32, -(2 ** 31) - 1, 2 ** 53, 5e-324),
);

/** What needs no other value: primitives, dates, bytes and the like; a new object each time. */
export const anyLeaf: fc.Arbitrary<() => unknown> = fc.oneof(
  fc.oneof(fc.constantFrom(undefined, null, true, false), anyNumber, anyText, anyBigInt).map((value) => () => value),
  fc
    .oneof(
      fc.date({ noInvalidDate: false }).map((date) => date.getTime()),
      fc.constantFrom(8.64e15, -8.64e15, -1, 2 ** 34 * 1000),
    )
    .map((ms) => () => new Date(ms)),
  fc.tuple(fc.constantFrom("a", "(?<x>é)+", "[\uD800]", "\\/"), fc.constantFrom("", "g", "giy", "dsu", "m"), fc.nat({ max: 9 })).map(
    ([source, flags, lastIndex]) =>
      () =>
        Object.assign(new RegExp(source, flags), { lastIndex }),
  ),
  fc.webUrl({ withFragments: true, withQueryParameters: true }).map((href) => () => new URL(href)),
  fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.nat({ max: typedArrayClasses.length + 2 })).map(
    ([bytes, of]) =>
      () =>
        bytesAs(bytes, of),
  ),
);

function bytesAs(bytes: Uint8Array, of: number): unknown {
  const copy = bytes.slice(0, bytes.length - (bytes.length % 8));
  const typed = typedArrayClasses[of];
  if (typed !== undefined) return new typed(copy.buffer);
  if (of === typedArrayClasses.length) return copy.buffer;
  return of === typedArrayClasses.length + 1 || nodeBuffer === undefined ? new DataView(copy.buffer) : nodeBuffer.from(bytes);
}

/** One object of a graph before its links are made: `link` fills it with any others. */
interface Node {
  readonly value: unknown;
  readonly link: (pick: (at: number) => unknown) => void;
}

const links = fc.array(fc.nat(), { maxLength: 5 });
const keyedLinks = fc.uniqueArray(fc.tuple(anyKey, fc.nat()), { maxLength: 5, selector: ([key]) => key });

function objectNode(object: object, keyed: readonly (readonly [string, number])[]): Node {
  return {
    value: object,
    link: (pick) => {
      for (const [key, at] of keyed) defineValue(object, key, pick(at), true);
    },
  };
}

/** By Reflect: our code throws no plain Error, and what crosses may be one. */
const plainError = (): Error => Reflect.construct<[string], Error>(Error, ["plain"]);

const errorMakers: readonly (() => Error)[] = [
  plainError,
  () => new TypeError("typed"),
  () => new RangeError(),
  () => new SyntaxError("\uD800"),
  () => new AggregateError([], "many"),
  () => new KarstError("NotFound", "gone", { retryable: true }),
  () => new DOMException("stopped", "AbortError"),
  () => {
    class OwnError extends URIError {
      override readonly name = "OwnError";
    }
    return asBuiltin(new OwnError("own"));
  },
];

/** What an error of a class of its own arrives as, so that it can be compared. */
function asBuiltin(error: Error): Error {
  return Object.setPrototypeOf(error, URIError.prototype) as Error; // setPrototypeOf returns its argument
}

const anyNode: fc.Arbitrary<() => Node> = fc.oneof(
  anyLeaf.map((make) => () => ({ value: make(), link: () => undefined })),
  keyedLinks.map((keyed) => () => objectNode({}, keyed)),
  keyedLinks.map((keyed) => () => objectNode(Object.create(null) as object, keyed)),
  fc.array(fc.option(fc.nat(), { freq: 4 }), { maxLength: 6 }).map((slots) => () => {
    const array: unknown[] = [];
    array.length = slots.length;
    return {
      value: array,
      link: (pick: (at: number) => unknown) => {
        for (const [index, at] of slots.entries()) if (at !== null) array[index] = pick(at);
      },
    };
  }),
  links.map((ats) => () => {
    const map = new Map<unknown, unknown>();
    return {
      value: map,
      link: (pick: (at: number) => unknown) => {
        for (const [index, at] of ats.entries()) map.set(index % 2 === 0 ? pick(at) : `k${String(index)}`, pick(at + 1));
      },
    };
  }),
  links.map((ats) => () => {
    const set = new Set();
    return {
      value: set,
      link: (pick: (at: number) => unknown) => {
        for (const at of ats) set.add(pick(at));
      },
    };
  }),
  fc.tuple(fc.nat({ max: errorMakers.length - 1 }), fc.option(fc.nat()), keyedLinks).map(([which, cause, keyed]) => () => {
    const error = errorMakers[which % errorMakers.length]?.() ?? new TypeError();
    const link = (pick: (at: number) => unknown): void => {
      if (cause !== null) defineValue(error, "cause", pick(cause), false);
      if (error instanceof AggregateError) defineValue(error, "errors", [pick(3), pick(4)], false);
      for (const [key, at] of keyed) if (!Object.hasOwn(error, key) && key !== "constructor") defineValue(error, key, pick(at), true);
    };
    return { value: error, link };
  }),
);

/** A value of any shape, with cycles and shared parts. */
export const crossingValue: fc.Arbitrary<unknown> = fc.array(anyNode, { minLength: 1, maxLength: 14 }).map((makers) => {
  const nodes = makers.map((make) => make());
  for (const { link } of nodes) link((at) => nodes[at % nodes.length]?.value);
  return nodes[0]?.value;
});
