import { describe, expect, it } from "vitest";
import { inferType, sampleIndexes } from "./infer-type.ts";

class Light {
  level = 1;
}
const rowsOf = (length: number, row: (i: number) => unknown): unknown[] => Array.from({ length }, (_, i) => row(i));

describe("inferType", () => {
  it.each<[unknown, string, number?]>([
    [1, "number"],
    [1n, "bigint"],
    ["abc", "string", 3],
    [true, "boolean"],
    [undefined, "undefined"],
    [null, "null"],
    [Symbol("s"), "symbol"],
    [() => 1, "Function"],
    [Light, "typeof Light"],
    [new Date(), "Date"],
    [/x/, "RegExp"],
    [new TypeError("x"), "TypeError"],
    [new Light(), "Light"],
    [Promise.resolve(1), "Promise<unknown>"],
    [new Proxy({}, {}), "object"],
    [Object.create(null), "{}"],
    [new Float64Array(3), "Float64Array", 3],
    [new ArrayBuffer(8), "ArrayBuffer", 8],
    [[], "unknown[]", 0],
    [[1, 2], "number[]", 2],
    [[1, "a", null, undefined], "(number | string | null | undefined)[]", 4],
    [[[1], [2]], "number[][]", 2],
    [[1, , 2], "number[]", 3],
    [new (class Rows extends Array<number> {})(), "Rows", 0],
    [new Map([["a", 1]]), "Map<string, number>", 1],
    [new Map(), "Map<unknown, unknown>", 0],
    [new Set([1, "a"]), "Set<number | string>", 2],
    [{ a: 1, b: { c: [true] } }, "{ a: number; b: { c: boolean[] } }"],
    [{ "a-b": 1 }, '{ "a-b": number }'],
    [[{ a: 1 }, { a: null, b: "x" }], "{ a: number | null; b?: string }[]", 2],
    [[{ a: undefined, b: 1 }, { b: 2 }], "{ a?: undefined; b: number }[]", 2],
    [[new Light(), new Light()], "Light[]", 2],
    [[() => 1], "Function[]", 1],
  ])("%o is %s", (value, type, size) => {
    expect(inferType(value)).toEqual(size === undefined ? { type } : { type, size });
  });

  it("shows rows that repeat with a period with all they may hold", () => {
    const rows = rowsOf(5_000, (i) => ({
      id: i,
      meta: i % 5 === 0 ? null : { src: `s${String(i)}` },
      ...(i % 29 === 0 && { note: `n${String(i)}` }),
    }));
    expect(inferType(rows)).toEqual({ type: "{ id: number; meta: { src: string } | null; note?: string }[]", size: 5_000 });
  });

  it("shows few short strings that are met often as literals, and others as string", () => {
    expect(inferType(rowsOf(50, (i) => ["EU", "US", "APAC"][i % 3])).type).toBe('("EU" | "US" | "APAC")[]');
    expect(inferType(rowsOf(5, (i) => ["EU", "US"][i % 2])).type).toBe("string[]");
    expect(inferType(rowsOf(50, (i) => `id${String(i)}`)).type).toBe("string[]");
    expect(inferType(rowsOf(50, () => "same")).type).toBe("string[]");
    expect(inferType(rowsOf(50, (i) => ["a", "b".repeat(30)][i % 2])).type).toBe("string[]");
  });

  it("shows many keys with values of one type as a record with its size, and counts keys it leaves out", () => {
    const keys = (value: (i: number) => unknown): object =>
      Object.fromEntries(rowsOf(30, (i) => [`k${String(i)}`, value(i)]) as [string, unknown][]);
    expect(inferType(keys((i) => i))).toEqual({ type: "Record<string, number>", size: 30 });
    const mixed = inferType(
      keys((i) => (i % 2 ? 1 : "a")),
      { maxKeys: 2 },
    );
    expect(mixed).toEqual({ type: "{ k0: string; k1: number; /* +28 more */ }", size: 30 });
    expect(
      inferType(
        keys((i) => ({ [`own${String(i)}`]: i })),
        { maxKeys: 1 },
      ).type,
    ).toBe("{ k0: { own0: number }; /* +29 more */ }");
    expect(inferType([keys((i) => i), keys((i) => i)]).type).toBe("Record<string, number>[]");
  });

  it("stops at the depth it is given", () => {
    const value = { a: [{ b: { c: 1 } }], m: new Map([[1, 2]]), s: new Set([1]) };
    expect(inferType(value, { depth: 0 }).type).toBe("object");
    expect(inferType(value, { depth: 1 }).type).toBe("{ a: unknown[]; m: Map; s: Set }");
    expect(inferType(value, { depth: 2 }).type).toBe("{ a: object[]; m: Map<number, number>; s: Set<number> }");
  });

  it("ends on cycles", () => {
    const around: { self?: unknown } = {};
    around.self = around;
    expect(inferType(around).type).toBe("{ self: { self: { self: object } } }");
  });

  it("takes the names it is given for classes", () => {
    expect(inferType([new Light()], { classText: (_, name) => `app.${name}` }).type).toBe("app.Light[]");
  });

  it("runs no code of a value", () => {
    let ran = 0;
    const run = (): never => {
      ran += 1;
      throw new TypeError("it ran");
    };
    const sly = Object.defineProperty({ a: 1 }, "b", { get: run, enumerable: true });
    const odd = Object.defineProperty([1], 1, { get: run, enumerable: true });
    const proxy = new Proxy({}, { get: run, ownKeys: run, getPrototypeOf: run, getOwnPropertyDescriptor: run });
    expect(inferType([sly, odd, proxy, new Proxy(run, {})]).type).toBe(
      "({ a: number; b: unknown } | (number | unknown)[] | object | Function)[]",
    );
    expect(ran).toBe(0);
  });

  it("does not take a value it had no time to look at for a gap", () => {
    const rows = rowsOf(64, () => Object.fromEntries(rowsOf(20, (i) => [`k${String(i)}`, { x: 1, y: [1, 2] }]) as [string, unknown][]));
    expect(inferType(rows, { maxKeys: 12, depth: 4 }).type).toBe("Record<string, { x: number; y: number[] }>[]");
  });

  it("looks at a bounded number of values, however large the data is", () => {
    const wide = rowsOf(64, () =>
      Object.fromEntries(rowsOf(24, (i) => [`k${String(i)}`, rowsOf(64, (j) => ({ j }))]) as [string, unknown][]),
    );
    const tookMs = [1, 2, 3, 4, 5].map(() => {
      const startedMs = performance.now();
      inferType(wide);
      return performance.now() - startedMs;
    });
    expect(Math.min(...tookMs)).toBeLessThan(50);
  });
});

describe("sampleIndexes", () => {
  it("takes all of a short array, and ascending places of a long one with its start and end", () => {
    expect(sampleIndexes(3, 64)).toEqual([0, 1, 2]);
    for (const length of [65, 100, 5_000, 10_000_000]) {
      const indexes = sampleIndexes(length, 64);
      expect(new Set(indexes).size).toBe(64);
      expect(indexes).toEqual([...indexes].sort((a, b) => a - b));
      expect(indexes.slice(0, 25)).toEqual(Array.from({ length: 25 }, (_, i) => i));
      expect(indexes.slice(-4)).toEqual([4, 3, 2, 1].map((n) => length - n));
      expect(sampleIndexes(length, 64)).toEqual(indexes);
    }
    expect(sampleIndexes(9, 8)).toHaveLength(8);
  });
});
