import { describe, expect, it } from "vitest";
import { describeName, diffNames, stampNames } from "./diff.ts";
import type { NamespaceDiff } from "./runtime.ts";

/** The diff that `change` makes in a namespace. */
function diffOf(names: Record<string, unknown>, change: (names: Record<string, unknown>) => void): NamespaceDiff {
  const wide = new WeakSet<object>();
  const before = stampNames(Object.entries(names), wide);
  change(names);
  return diffNames(before, stampNames(Object.entries(names), wide));
}
const changedBy = (value: unknown, change: (value: never) => void): boolean =>
  diffOf({ value }, (names) => {
    change(names["value"] as never);
  }).changed.length === 1;

describe("diff of names", () => {
  it("tells added, changed and removed names", () => {
    const diff = diffOf({ a: 1, b: 2, c: NaN }, (names) => {
      names["a"] = "text";
      delete names["b"];
      names["d"] = [1];
    });
    expect(diff).toEqual({
      added: [{ name: "d", type: "number[]", size: 1 }],
      changed: [{ name: "a", type: "string", size: 4 }],
      removed: ["b"],
    });
  });

  it.each<[string, unknown, (value: never) => void]>([
    ["a push", [1, 2], (list: number[]) => void list.push(3)],
    ["an element at the end", [1, 2, 3], (list: number[]) => void (list[2] = 9)],
    ["a field of the first row", [{ a: 1 }, { a: 2 }], ([row]: [{ a: unknown }]) => void (row.a = new Date(0))],
    ["a new field in every row", [{ a: 1 }], (rows: Record<string, number>[]) => void rows.map((row) => (row["b"] = 1))],
    ["a list inside an object", { list: [1] }, ({ list }: { list: number[] }) => void list.push(2)],
    ["a map's size", new Map([["a", 1]]), (map: Map<string, number>) => void map.set("b", 1)],
    ["a map's value", new Map([["a", 1]]), (map: Map<string, number>) => void map.set("a", 2)],
    ["a set's member", new Set([1]), (set: Set<number>) => void (set.delete(1), set.add(2))],
    ["a property", { a: 1 }, (object: { a: number }) => void (object.a = 2)],
    [
      "a deleted property",
      { a: 1, b: 1 },
      (object: { b?: number }) => {
        delete object.b;
      },
    ],
    ["a field of an instance", new (class Light { level = 1 })(), (light: { level: number }) => void (light.level = 2)], // prettier-ignore
    ["a date", new Date(0), (date: Date) => void date.setTime(1)],
    ["a typed array", new Uint8Array(3), (bytes: Uint8Array) => void (bytes[0] = 1)],
    ["a property of an error", new Error("x"), (error: { code?: number }) => void (error.code = 1)],
  ])("sees %s that changed in place", (_, value, change) => {
    expect(changedBy(value, change)).toBe(true);
  });

  it("sees no change where there is none", () => {
    const values = [
      [1, { a: [1] }],
      new Map([[{}, 1]]),
      new Set([NaN]),
      { a: NaN, b: -0 },
      new Date(NaN),
      () => 1,
      Symbol.iterator,
      new Proxy({}, {}),
    ];
    for (const value of values) expect(changedBy(value, () => undefined)).toBe(false);
  });

  it("runs no code of a value", () => {
    let ran = 0;
    const run = (): unknown => (ran += 1);
    const value = [
      Object.defineProperty({}, "g", { get: run, enumerable: true }),
      new Proxy({}, { get: run, ownKeys: run as never, getOwnPropertyDescriptor: run as never }),
    ];
    expect(changedBy(value, () => undefined)).toBe(false);
    expect(ran).toBe(0);
  });

  it("costs the same for ten rows and for a million", () => {
    const wide = new WeakSet<object>();
    const cost = (length: number): number => {
      const rows = Array.from({ length }, (_, i) => ({ i }));
      for (let n = 0; n < 200; n += 1) stampNames([["rows", rows]], wide);
      const startedMs = performance.now();
      for (let n = 0; n < 1_000; n += 1) stampNames([["rows", rows]], wide);
      return performance.now() - startedMs;
    };
    expect(cost(1_000_000)).toBeLessThan(cost(10) * 10 + 50);
  });

  it("enumerates an object with very many keys once only, and then tells it apart by identity", () => {
    const wide = new WeakSet<object>();
    const huge = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`k${String(i)}`, i]));
    const first = stampNames([["huge", huge]], wide);
    expect(wide.has(huge)).toBe(true);
    expect(diffNames(first, stampNames([["huge", huge]], wide)).changed).toEqual([]);
    expect(diffNames(first, stampNames([["huge", { ...huge }]], wide)).changed).toHaveLength(1);
  });
});

describe("describeName", () => {
  it("shortens a type that would fill the line", () => {
    const row = Object.fromEntries(
      ["alpha", "beta", "gamma", "delta"].map((key) => [key, { [key]: [{ deeper: new Date() }], more: "text" }]),
    );
    const { type } = describeName("rows", [row]);
    expect(type.length).toBeLessThanOrEqual(80);
    expect(describeName("n", 1)).toEqual({ name: "n", type: "number" });
  });
});
