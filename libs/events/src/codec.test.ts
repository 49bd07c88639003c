import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { decode, encode } from "./codec.ts";
import { NotSerialisableError, TooLargeError } from "./errors.ts";
import { crossingValue } from "./testing/crossing-value.ts";
import { difference } from "./testing/difference.ts";
import { volume } from "./testing/config.ts";

const crossed = (value: unknown): unknown => decode(encode(value).bytes);

function expectSame(value: unknown): void {
  expect(difference(crossed(value), value)).toBeUndefined();
}

describe("round trip", () => {
  it("any value that crosses comes back the same in every way", () => {
    fc.assert(fc.property(crossingValue, expectSame), { numRuns: volume(1500) });
  });

  it("trees of any plain thing come back the same", () => {
    const anything = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withSparseArray: true,
      withTypedArray: true,
      withObjectString: true,
    });
    fc.assert(fc.property(anything, expectSame), { numRuns: volume(1000) });
  });

  it("a value that came back crosses again as the same bytes", () => {
    fc.assert(
      fc.property(crossingValue, (value) => {
        const { bytes } = encode(value);
        expect(Buffer.compare(encode(decode(bytes)).bytes, bytes)).toBe(0);
      }),
      { numRuns: volume(300) },
    );
  });

  it("texts and bigints at the edges of msgpack's forms", () => {
    for (const length of [0, 1, 31, 32, 33, 84, 85, 86, 255, 256, 21_845, 21_846, 65_535, 65_536, 200_000])
      for (const unit of ["a", "é", "漢", "😀", "\uFEFF", "\u0000"])
        expectSame({ [unit.repeat(Math.min(length, 300))]: unit.repeat(length), next: 1 });
    for (const bits of [7, 8, 31, 32, 53, 62, 63, 64, 65, 127, 128, 1000, 65_536, 200_000])
      for (const by of [-1n, 0n, 1n]) for (const sign of [1n, -1n]) expectSame([sign * (2n ** BigInt(bits) + by)]);
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
    fc.assert(
      fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), (ms) => {
        expectSame(new Date(ms));
      }),
    );
    expectSame([new Date(NaN), new Date(8.64e15), new Date(-8.64e15), new Date(-1), new Date(0)]);
  });

  it("more shapes of objects than msgpackr numbers, met again and again, plain and beside what needs an envelope", () => {
    const shapes = Array.from({ length: 4 }, (_, round) =>
      Array.from({ length: 150 }, (_, shape) => ({
        [`k${String(shape)}`]: round,
        [`z${String(shape)}`]: { [`i${String(shape % 70)}`]: shape },
      })),
    ).flat();
    expectSame(shapes);
    expectSame({ shapes, escape: "\uD800", self: shapes[3] });
    expectSame([shapes[0], ...shapes, shapes[0], shapes[599]]);
  });

  it("what is nested as deep as the limit lets it, at any kind of depth", () => {
    for (const wrap of [
      (inner: unknown) => ({ d: inner }),
      (inner: unknown) => [inner],
      (inner: unknown) => new Map([[inner, 0]]),
      (inner: unknown) => new Set([inner]),
      (inner: unknown) => [inner, inner],
      (inner: unknown) => Object.assign(Object.create(null) as object, { inner }),
    ]) {
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
    const parts = chain
      .filter((_, index) => index % 300 === 0)
      .reverse()
      .map((part) => Object.assign(Object.create(null) as object, { part }));
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
    const nosy = new Proxy(
      { a: "x".repeat(50) },
      {
        getPrototypeOf: (target) => {
          inner.push(crossed({ nested: [1, 2, "three"] }));
          return Reflect.getPrototypeOf(target);
        },
      },
    );
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
      const value = {
        rows: Array.from({ length: 2000 }, (_, id) => ({ id, name: `é${String(id)}`, text: "long ".repeat(20) })),
        when: new Date(1),
        zero: -0,
      };
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
