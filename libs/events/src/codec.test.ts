import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { decode, encode } from "./codec.ts";
import { MalformedError, NotSerialisableError, TooLargeError } from "./errors.ts";
import { crossingValue } from "./testing/crossing-value.ts";
import { difference } from "./testing/difference.ts";

const crossed = (value: unknown): unknown => decode(encode(value).bytes);

function expectSame(value: unknown): void {
  expect(difference(crossed(value), value)).toBeUndefined();
}

describe("round trip", () => {
  it("any value that crosses comes back the same in every way", () => {
    fc.assert(fc.property(crossingValue, expectSame), { numRuns: 1500 });
  });

  it("trees of any plain thing come back the same", () => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withNullPrototype: true, withSparseArray: true, withTypedArray: true, withObjectString: true });
    fc.assert(fc.property(anything, expectSame), { numRuns: 1000 });
  });

  it("a value that came back crosses again as the same bytes", () => {
    fc.assert(fc.property(crossingValue, (value) => {
      const { bytes } = encode(value);
      expect(Buffer.compare(encode(decode(bytes)).bytes, bytes)).toBe(0);
    }), { numRuns: 300 });
  });

  it("texts and bigints at the edges of msgpack's forms", () => {
    for (const length of [0, 1, 31, 32, 33, 84, 85, 86, 255, 256, 21_845, 21_846, 65_535, 65_536, 200_000])
      for (const unit of ["a", "é", "漢", "😀", "\uFEFF", "\u0000"]) expectSame({ [unit.repeat(Math.min(length, 300))]: unit.repeat(length), next: 1 });
    for (const bits of [7, 8, 31, 32, 53, 62, 63, 64, 65, 127, 128, 1000, 65_536, 200_000]) for (const by of [-1n, 0n, 1n]) for (const sign of [1n, -1n]) expectSame([sign * (2n ** BigInt(bits) + by)]);
  });

  it("numbers and lengths at the edges of msgpack's forms", () => {
    const edges = [0x1f, 0x20, 0x3f, 0x40, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000];
    expectSame(edges.flatMap((edge) => [edge, -edge, edge - 1, 1 - edge, edge + 0.5]));
    for (const length of [15, 16, 65_535, 65_536]) {
      const items = Array.from({ length }, (_, index) => index);
      expectSame([items, new Set(items), new Map(items.map((item) => [item, String(item)]))]);
      expectSame(Object.fromEntries(items.map((item) => [`k${String(item)}`, item])));
      expectSame([new Uint8Array(length), new Float64Array(length), new ArrayBuffer(length)]);
    }
  });

  it("dates over all of their range", () => {
    fc.assert(fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), (ms) => { expectSame(new Date(ms)); }));
    expectSame([new Date(NaN), new Date(8.64e15), new Date(-8.64e15), new Date(-1), new Date(0)]);
  });

  it("more shapes of objects than msgpackr numbers, met again and again, plain and beside what needs an envelope", () => {
    const shapes = Array.from({ length: 4 }, (_, round) => Array.from({ length: 150 }, (_, shape) => ({ [`k${String(shape)}`]: round, [`z${String(shape)}`]: { [`i${String(shape % 70)}`]: shape } }))).flat();
    expectSame(shapes);
    expectSame({ shapes, escape: "\uD800", self: shapes[3] });
    expectSame([shapes[0], ...shapes, shapes[0], shapes[599]]);
  });

  it("what is nested as deep as the limit lets it, at any kind of depth", () => {
    for (const wrap of [(inner: unknown) => ({ d: inner }), (inner: unknown) => [inner], (inner: unknown) => new Map([[inner, 0]]), (inner: unknown) => new Set([inner]), (inner: unknown) => [inner, inner], (inner: unknown) => Object.assign(Object.create(null) as object, { inner })]) {
      let deep: unknown = 1;
      for (let level = 0; level < 1024; level++) deep = wrap(deep);
      const { bytes } = encode(deep, { limits: { depth: 5000 } });
      expect(encode(decode(bytes), { limits: { depth: 1024 } }).bytes.length).toBe(bytes.length);
      expect(() => encode([deep], { limits: { depth: 5000 } })).toThrow(NotSerialisableError);
    }
  });

  it("a value that is cut into many trees, which together nest deeper than it does, is read or refused", () => {
    const chain: Record<string, unknown>[] = Array.from({ length: 3000 }, () => ({}));
    for (const [index, link] of chain.entries()) link["next"] = chain[index + 1];
    // Each escape holds a later part of the chain, and the tree reaches the chain's head last.
    const parts = chain.filter((_, index) => index % 300 === 0).reverse().map((part) => Object.assign(Object.create(null) as object, { part }));
    expect(() => encode([...parts, chain[0]])).toThrow(NotSerialisableError);
    expectSame([...parts.slice(0, 1), chain[2900]]);
  });

  it("bytes stay as they are when more is encoded, and decoded values share nothing with them", () => {
    const first = encode({ a: new Uint8Array([1, 2, 3]), text: "x".repeat(100) }).bytes;
    const copy = Uint8Array.from(first);
    for (let index = 0; index < 100; index++) encode({ index, big: "y".repeat(5000) });
    expect(Buffer.compare(first, copy)).toBe(0);
    const value = decode(first);
    first.fill(0);
    expect(value).toEqual({ a: new Uint8Array([1, 2, 3]), text: "x".repeat(100) });
    expect(Reflect.ownKeys(first)).toHaveLength(first.length);
  });

  it("a message larger than the kept buffer crosses, and the next one too", () => {
    expectSame(Array.from({ length: 3000 }, (_, index) => "z".repeat(2000) + String(index)));
    expectSame({ small: true });
  });

  it("encoding inside of encoding, from a proxy's trap, spoils neither", () => {
    const inner: unknown[] = [];
    const nosy = new Proxy({ a: "x".repeat(50) }, { getPrototypeOf: (target) => { inner.push(crossed({ nested: [1, 2, "three"] })); return Reflect.getPrototypeOf(target); } });
    expect(crossed([{ before: 1 }, nosy, { after: 2 }])).toEqual([{ before: 1 }, { a: "x".repeat(50) }, { after: 2 }]);
    expect(inner.length).toBeGreaterThan(0);
    for (const value of inner) expect(value).toEqual({ nested: [1, 2, "three"] });
  });

  it("works where there is no Buffer, as in a browser", async () => {
    const sent = encode({ b: Buffer.from("hi"), text: `é${"x".repeat(90)}`, e: "\uD800" }).bytes;
    vi.resetModules();
    vi.stubGlobal("Buffer", undefined);
    try {
      const browser = await import("./codec.ts");
      expect(browser.decode(sent)).toEqual({ b: new Uint8Array([104, 105]), text: `é${"x".repeat(90)}`, e: "\uD800" });
      const value = { rows: Array.from({ length: 2000 }, (_, id) => ({ id, name: `é${String(id)}`, text: "long ".repeat(20) })), when: new Date(1), zero: -0 };
      expect(difference(browser.decode(browser.encode(value).bytes), value)).toBeUndefined();
    } finally {
      vi.unstubAllGlobals();
      vi.resetModules();
    }
  });
});

describe("limits", () => {
  it("a value over the byte limit is TooLarge, plain or not", () => {
    for (const value of [{ text: "x".repeat(2000) }, { text: "x".repeat(2000), e: "\uD800" }, { text: "x".repeat(2000), big: 2n ** 90n }]) {
      expect(() => encode(value, { limits: { bytes: 1000 } })).toThrow(TooLargeError);
      expect(encode(value, { limits: { bytes: 3000 } }).bytes.length).toBeLessThanOrEqual(3000);
    }
  });

  it("counts the distinct references", () => {
    expect(encode({ a: 1 }).refs).toBe(0);
    expect(encode({ a: "\uD800" }).refs).toBe(0);
  });
});

describe("bytes from outside", () => {
  /** Decodes, and lets nothing but the typed error through. */
  function attempt(bytes: Uint8Array): void {
    try {
      decode(bytes, { references: { import: (ref) => ref } });
    } catch (error) {
      expect(error).toBeInstanceOf(MalformedError);
    }
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  }

  const spoiled = fc.tuple(crossingValue, fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 }), fc.constantFrom("set", "insert", "drop", "cut")), { minLength: 1, maxLength: 4 })).map(([value, changes]) => {
    let bytes = [...encode(value).bytes];
    for (const [at, byte, change] of changes) {
      const index = at % Math.max(1, bytes.length);
      if (change === "set") bytes[index] = byte;
      else if (change === "insert") bytes.splice(index, 0, byte);
      else if (change === "drop") bytes.splice(index, 1);
      else bytes = bytes.slice(0, index);
    }
    return Uint8Array.from(bytes);
  });

  it("random ones decode or are Malformed", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), attempt), { numRuns: 3000 });
  });

  it("spoiled messages decode or are Malformed", () => {
    fc.assert(fc.property(spoiled, attempt), { numRuns: 3000 });
  });

  it("sequences of the format's own tokens decode or are Malformed, in an envelope too", () => {
    const token = fc.oneof(fc.constantFrom(0xd4, 0x72, 0x40, 0x41, 0x73, 0, 0x4b, 0x4c, 0xd6, 0x69, 0x70, 0x74, 0x42, 0xff, 0x90, 0x91, 0x92, 0x93, 0x80, 0x81, 0xa1, 0xa0, 0x61, 0xc0, 0xcb, 0xdd, 0xdf, 0xc9, 0xc7, 1, 2, 3), fc.nat({ max: 255 }));
    fc.assert(fc.property(fc.array(token, { maxLength: 40 }), (tokens) => { attempt(Uint8Array.from(tokens)); }), { numRuns: 3000 });
    fc.assert(fc.property(fc.array(token, { maxLength: 40 }), (tokens) => { attempt(Uint8Array.from([0xd4, 0x4c, 0, 0x92, ...tokens])); }), { numRuns: 3000 });
  });

  it("every message cut short is Malformed, and so is one with anything behind it", () => {
    const { bytes } = encode({ rows: [{ a: 1, b: "two" }, { a: -0, b: new Date(1) }], e: "\uD800", m: new Map([[1, new Set([2n ** 80n])]]), u: new Float64Array(2) });
    for (let length = 0; length < bytes.length; length++) expect(() => decode(bytes.subarray(0, length))).toThrow(MalformedError);
    for (const byte of [0, 0xc0, 0xff]) expect(() => decode(Uint8Array.from([...bytes, byte]))).toThrow(MalformedError);
  });

  it("huge declared lengths are refused before anything is allocated", () => {
    const before = process.memoryUsage().rss;
    for (const token of [0xdb, 0xdd, 0xdf, 0xc6, 0xc9]) {
      expect(() => decode(Uint8Array.from([token, 0xff, 0xff, 0xff, 0xff, 0x74]))).toThrow(MalformedError);
      expect(() => decode(Uint8Array.from([0x92, token, 0x7f, 0xff, 0xff, 0xff, 1]))).toThrow(MalformedError);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it("deep nesting is refused, at whatever kind of depth", () => {
    for (const opening of [[0x91], [0x81, 0], [0xd4, 0x73, 0, 0x91], [0xd4, 0x72, 0x40, 0x91, 0xa1, 0x61], [0xdc, 0, 1], [0xd6, 0x69, 0, 0, 0, 1, 0x91]]) {
      const deep = Uint8Array.from([...Array.from({ length: 50_000 }, () => opening).flat(), 0]);
      expect(() => decode(deep)).toThrow("nested deeper than");
    }
  });

  it("names for names, extensions and tokens that are not ours are refused", () => {
    const name = [0xd6, 0x69, 0, 0, 0, 1];
    const malformed: readonly (readonly number[])[] = [
      [...name, ...name, 0x90], [...name, 0xd6, 0x70, 0, 0, 0, 1], [0xd6, 0x70, 0, 0, 0, 9], [0xd6, 0x70, 0, 0, 0, 1], // names
      [0xc1], [0xc4, 1, 0], [0xd4, 0x65, 0, 0x93, 0xa1, 0x65, 0xa1, 0x65, 0xc0], [0xd4, 0x78, 0, 0x92, 0xa1, 0x61, 0xa0], [0xd6, 0x62, 0, 0, 0, 0], [0xd4, 0x13, 0], // not ours
      [0xd5, 0x72, 0x40, 0], [0xd4, 0x72, 0x40, 0x80], [0xd4, 0x72, 0x40, 0x91, 1, 1], [0x41], [0xd4, 0x72, 0x40, 0xd6, 0x70, 0, 0, 0, 3], [0xd4, 0x72, 0x40, 0xd6, 0x01, 0, 0, 0, 3], // records
      [0xd4, 0x73, 0, 0x80], [0xd4, 0x4b, 0, 0], [0x91, 0xd4, 0x4c, 0, 0x92, 0, 0x90], [0xd4, 0x4c, 0, 0x91, 0], [0xd4, 0x4c, 0, 0x92, 0, 0], [0xd4, 0x4c, 0, 0x92, 0xd4, 0x4b, 0, 0xff, 0x90], // sets, escapes
      [0xc7, 0, 0x74], [0xc7, 3, 0xff, 0, 0, 0], [0xc7, 2, 0x74, 99, 0], [0xc7, 4, 0x74, 8, 0, 0, 0], [0xd5, 0x13, 0, 0], // data
    ];
    for (const bytes of malformed) expect(() => decode(Uint8Array.from(bytes)), String(bytes)).toThrow(MalformedError);
  });

  it("references are refused where none are taken", () => {
    const { bytes } = encode([() => 1], { references: { export: () => ({ ref: "object", shape: "function", node: "n" as never, objectId: 1, label: "f" }) } });
    expect(() => decode(bytes)).toThrow("a reference, where none are taken");
  });

  it("what the importer throws passes", () => {
    const { bytes } = encode([() => 1], { references: { export: () => ({ ref: "object", shape: "function", node: "n" as never, objectId: 1, label: "f" }) } });
    expect(() => decode(bytes, { references: { import: () => { throw new RangeError("broken"); } } })).toThrow(RangeError);
  });
});
