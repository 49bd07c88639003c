import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decode, encode } from "./codec.ts";
import { MalformedError } from "./errors.ts";
import { crossingValue } from "./testing/crossing-value.ts";
import { volume } from "./testing/config.ts";

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

  const spoiled = fc
    .tuple(
      crossingValue,
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 }), fc.constantFrom("set", "insert", "drop", "cut")), { minLength: 1, maxLength: 4 }),
    )
    .map(([value, changes]) => {
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
    fc.assert(fc.property(fc.uint8Array({ maxLength: 80 }), attempt), { numRuns: volume(3000) });
  });

  it("spoiled messages decode or are Malformed", () => {
    fc.assert(fc.property(spoiled, attempt), { numRuns: volume(3000) });
  });

  it("sequences of the format's own tokens decode or are Malformed, in an envelope too", () => {
    const token = fc.oneof(
      fc.constantFrom(
        0xd4,
        0x72,
        0x40,
        0x41,
        0x73,
        0,
        0x4b,
        0x4c,
        0xd6,
        0x69,
        0x70,
        0x74,
        0x42,
        0xff,
        0x90,
        0x91,
        0x92,
        0x93,
        0x80,
        0x81,
        0xa1,
        0xa0,
        0x61,
        0xc0,
        0xcb,
        0xdd,
        0xdf,
        0xc9,
        0xc7,
        1,
        2,
        3,
      ),
      fc.nat({ max: 255 }),
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
        attempt(Uint8Array.from(tokens));
      }),
      { numRuns: volume(3000) },
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), (tokens) => {
        attempt(Uint8Array.from([0xd4, 0x4c, 0, 0x92, ...tokens]));
      }),
      { numRuns: volume(3000) },
    );
  });

  it("every message cut short is Malformed, and so is one with anything behind it", () => {
    const { bytes } = encode({
      rows: [
        { a: 1, b: "two" },
        { a: -0, b: new Date(1) },
      ],
      e: "\uD800",
      m: new Map([[1, new Set([2n ** 80n])]]),
      u: new Float64Array(2),
    });
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
    for (const opening of [
      [0x91],
      [0x81, 0],
      [0xd4, 0x73, 0, 0x91],
      [0xd4, 0x72, 0x40, 0x91, 0xa1, 0x61],
      [0xdc, 0, 1],
      [0xd6, 0x69, 0, 0, 0, 1, 0x91],
    ]) {
      const deep = Uint8Array.from([...Array.from({ length: 50_000 }, () => opening).flat(), 0]);
      expect(() => decode(deep)).toThrow("nested deeper than");
    }
  });

  it("names for names, extensions and tokens that are not ours are refused", () => {
    const name = [0xd6, 0x69, 0, 0, 0, 1];
    const malformed: readonly (readonly number[])[] = [
      [...name, ...name, 0x90],
      [...name, 0xd6, 0x70, 0, 0, 0, 1],
      [0xd6, 0x70, 0, 0, 0, 9],
      [0xd6, 0x70, 0, 0, 0, 1], // names
      [0xc1],
      [0xc4, 1, 0],
      [0xd4, 0x65, 0, 0x93, 0xa1, 0x65, 0xa1, 0x65, 0xc0],
      [0xd4, 0x78, 0, 0x92, 0xa1, 0x61, 0xa0],
      [0xd6, 0x62, 0, 0, 0, 0],
      [0xd4, 0x13, 0], // not ours
      [0xd5, 0x72, 0x40, 0],
      [0xd4, 0x72, 0x40, 0x80],
      [0xd4, 0x72, 0x40, 0x91, 1, 1],
      [0x41],
      [0xd4, 0x72, 0x40, 0xd6, 0x70, 0, 0, 0, 3],
      [0xd4, 0x72, 0x40, 0xd6, 0x01, 0, 0, 0, 3], // records
      [0xd4, 0x73, 0, 0x80],
      [0xd4, 0x4b, 0, 0],
      [0x91, 0xd4, 0x4c, 0, 0x92, 0, 0x90],
      [0xd4, 0x4c, 0, 0x91, 0],
      [0xd4, 0x4c, 0, 0x92, 0, 0],
      [0xd4, 0x4c, 0, 0x92, 0xd4, 0x4b, 0, 0xff, 0x90], // sets, escapes
      [0xc7, 0, 0x74],
      [0xc7, 3, 0xff, 0, 0, 0],
      [0xc7, 2, 0x74, 99, 0],
      [0xc7, 4, 0x74, 8, 0, 0, 0],
      [0xd5, 0x13, 0, 0], // data
    ];
    for (const bytes of malformed) expect(() => decode(Uint8Array.from(bytes)), String(bytes)).toThrow(MalformedError);
  });

  it("references are refused where none are taken", () => {
    const { bytes } = encode([() => 1], {
      references: { export: () => ({ ref: "object", shape: "function", node: "n" as never, objectId: 1, label: "f" }) },
    });
    expect(() => decode(bytes)).toThrow("a reference, where none are taken");
  });

  it("what the importer throws passes", () => {
    const { bytes } = encode([() => 1], {
      references: { export: () => ({ ref: "object", shape: "function", node: "n" as never, objectId: 1, label: "f" }) },
    });
    expect(() =>
      decode(bytes, {
        references: {
          import: () => {
            throw new RangeError("broken");
          },
        },
      }),
    ).toThrow(RangeError);
  });
});
