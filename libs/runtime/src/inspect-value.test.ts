import { describe, expect, it } from "vitest";
import { inspectValue } from "./inspect-value.ts";

class Light {
  level = 1;
  _hidden = 2;
}

describe("inspectValue", () => {
  it.each<[string, unknown, string]>([
    ["a string in quotes", 'a"b', '"a\\"b"'],
    ["negative zero", -0, "-0"],
    ["a bigint", 12n, "12n"],
    ["undefined", undefined, "undefined"],
    ["null", null, "null"],
    ["a symbol", Symbol("s"), "Symbol(s)"],
    ["a function by name", function named() {}, "[function named]"],
    [
      "a function without name",
      (
        () => () =>
          1
      )(),
      "[function]",
    ],
    ["a class", Light, "[class Light]"],
    ["a class that extends one", class Lamp extends Light {}, "[class Lamp extends Light]"],
    ["an empty array", [], "[]"],
    ["an empty object", {}, "{}"],
    ["keys as they would be written", { a: 1, "b-c": 2 }, '{ a: 1, "b-c": 2 }'],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a date that is none", new Date(NaN), "Invalid Date"],
    ["a regular expression", /a\/b/dgimsuy, "/a\\/b/dgimsuy"],
    ["a map", new Map([["a", { b: 1 }]]), 'Map(1) { "a" => { b: 1 } }'],
    ["a set", new Set([1, "x"]), 'Set(2) { 1, "x" }'],
    ["an empty map", new Map(), "Map(0) {}"],
    ["a typed array", new Float32Array([1, 2]), "Float32Array(2) [1, 2]"],
    ["a buffer", new ArrayBuffer(8), "ArrayBuffer(8 bytes)"],
    ["a view", new DataView(new ArrayBuffer(4)), "DataView(4 bytes)"],
    ["a promise", Promise.resolve(1), "[Promise]"],
    ["a boxed string", Object("x"), '[String: "x"]'],
    ["a boxed symbol", Object(Symbol("x")), "[Symbol: Symbol(x)]"],
    ["a URL", new URL("http://x/y"), 'URL "http://x/y"'],
    ["an instance", new Light(), "Light { level: 1, _hidden: 2 }"],
    ["an array of a class", new (class Rows extends Array<number> {})(2), "Rows(2) [<2 empty>]"],
    ["holes", [1, , , 2], "[1, <2 empty>, 2]"],
    ["a match with its names", "ab".match(/b/), '["b", index: 1, input: "ab", groups: undefined]'],
    ["an error", new TypeError("no"), "TypeError: no"],
    ["an error without message", new RangeError(), "RangeError"],
    ["an error with more", Object.assign(new Error("no"), { code: "E1" }), 'Error: no { code: "E1" }'],
    ["a cause", new Error("no", { cause: "why" }), 'Error: no { [cause]: "why" }'],
    ["collected errors", new AggregateError([new Error("a")], "all"), "AggregateError: all { [errors]: [Error: a] }"],
    ["an error of a class of its own", new (class OddError extends Error {})("x"), "OddError: x"],
    ["an object without prototype", Object.assign(Object.create(null) as object, { a: 1 }), "{ a: 1 }"],
  ])("shows %s", (_, value, text) => {
    expect(inspectValue(value)).toBe(text);
  });

  it("runs no code of a value", () => {
    let ran = 0;
    const run = (): never => {
      ran += 1;
      throw new TypeError("it ran");
    };
    const hostile = Object.defineProperties(
      {},
      {
        getter: { get: run, enumerable: true },
        toJSON: { value: run, enumerable: true },
        [Symbol.toStringTag]: { get: run },
        [Symbol.for("nodejs.util.inspect.custom")]: { value: run },
        [Symbol.toPrimitive]: { value: run },
      },
    );
    const proxy = new Proxy({}, { get: run, ownKeys: run, getPrototypeOf: run, getOwnPropertyDescriptor: run, has: run });
    class Sly extends Map<unknown, unknown> {
      static override get name(): string {
        return run();
      }
      override get size(): number {
        return run();
      }
      override forEach = run;
      override [Symbol.iterator] = run;
    }
    const error = Object.defineProperty(new Error("kept"), "stack", { get: run });
    const text = inspectValue([hostile, proxy, new Sly(), error, new Proxy(run, {})]);
    expect(text).toMatch(/getter: \[getter\]/);
    expect(text).toMatch(/\[Proxy\]/);
    expect(text).toMatch(/Error: kept/);
    expect(ran).toBe(0);
  });

  it("marks cycles, and shows what only stands twice", () => {
    const shared = { s: 1 };
    const around: Record<string, unknown> = { a: shared, b: shared };
    around["self"] = around;
    expect(inspectValue(around)).toBe("{ a: { s: 1 }, b: { s: 1 }, self: [Circular] }");
    const map = new Map<string, unknown>();
    map.set("me", map);
    expect(inspectValue(map)).toBe('Map(1) { "me" => [Circular] }');
  });

  it("names what lies deeper than the levels it shows", () => {
    expect(inspectValue({ a: { b: [1], c: new Light(), d: new Map([[1, 2]]), e: {} } }, { depth: 2 })).toBe(
      "{ a: { b: [Array(1)], c: [Light], d: [Map(1)], e: [Object] } }",
    );
  });

  it("counts what it leaves out", () => {
    expect(inspectValue(Array(5).fill(0), { maxItems: 2 })).toBe("[0, 0, … 3 more]");
    expect(inspectValue({ a: 1, b: 2, c: 3 }, { maxKeys: 1 })).toBe("{ a: 1, … 2 more }");
    expect(inspectValue(new Set([1, 2, 3]), { maxItems: 1 })).toBe("Set(3) { 1, … 2 more }");
    expect(inspectValue(new Uint8Array(4), { maxItems: 1 })).toBe("Uint8Array(4) [0, … 3 more]");
    expect(inspectValue("abcdef", { maxStringChars: 2 })).toBe('"ab"… 4 more characters');
  });

  it("hides the private names of instances only, when asked to", () => {
    expect(inspectValue([new Light(), { _id: 1 }], { hidePrivate: true })).toBe("[Light { level: 1 }, { _id: 1 }]");
  });

  it("breaks long objects into lines and packs short entries", () => {
    expect(inspectValue({ list: Array.from({ length: 30 }, (_, i) => i * 1_000), text: "x".repeat(60) })).toBe(
      [
        "{",
        "  list: [",
        "    0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000, 10000, 11000, 12000, 13000, 14000,",
        "    15000, 16000, 17000, 18000, 19000, 20000, 21000, 22000, 23000, 24000, 25000, 26000, 27000, 28000,",
        "    29000",
        "  ],",
        `  text: "${"x".repeat(60)}"`,
        "}",
      ].join("\n"),
    );
    expect(inspectValue({ list: Array.from({ length: 30 }, (_, i) => i * 1_000) }, { lineChars: Infinity })).not.toContain("\n");
  });

  it.each<[string, unknown]>([
    ["a long string", "x".repeat(1e6)],
    ["a wide array", Array.from({ length: 1e5 }, (_, i) => ({ i, text: "abc" }))],
    ["a deep object", JSON.parse('{"a":'.repeat(500) + "1" + "}".repeat(500))],
    ["many wide levels", Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => "word")))],
    ["a large bigint", 10n ** 20_000n],
    ["a map of maps", new Map(Array.from({ length: 1_000 }, (_, i) => [`key${String(i)}`, new Map([[i, "x".repeat(100)]])]))],
  ])("stays within maxChars for %s", (_, value) => {
    for (const maxChars of [10, 200, 3_000]) expect(inspectValue(value, { maxChars }).length).toBeLessThanOrEqual(maxChars);
  });

  it("gives the same text each time", () => {
    const make = (): unknown => ({ m: new Map([[{ a: 1 }, new Set([1])]]), d: new Date(5), s: [1, "a", null] });
    expect(inspectValue(make())).toBe(inspectValue(make()));
  });

  it("starts an error the way it is told to", () => {
    expect(inspectValue({ e: new Error("x") }, { errorText: (error) => `<${error.message}>` })).toBe("{ e: <x> }");
  });
});
