import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeBindings, NOTHING_TO_DESCRIBE } from "./describe.ts";
import { createInlineRuntime } from "./runtime.inline.ts";
import type { Binding } from "./runtime.ts";

class Light {
  level = 1;
  _inner = 2;
  dim(pct: number): number {
    return pct;
  }
}
const variable = (name: string, value: unknown, more: Partial<Binding> = {}): Binding => ({ kind: "variable", name, value, ...more });
const linesOf = (...bindings: Binding[]): string[] => describeBindings(bindings).split("\n");

describe("describeBindings", () => {
  it("gives a fixed text for nothing, and for nothing that may be shown", () => {
    expect(describeBindings([])).toBe(NOTHING_TO_DESCRIBE);
    expect(
      describeBindings([
        { kind: "hidden", name: "h", value: 1 },
        { kind: "type", name: "T", value: Light, doc: "hidden" },
      ]),
    ).toBe(NOTHING_TO_DESCRIBE);
  });

  it.each<[string, Binding, string]>([
    ["a number with its value", variable("n", 5), "declare let n: number; // = 5"],
    ["a short string with its value", variable("s", "hi"), 'declare let s: string; // = "hi"'],
    [
      "a long string with its length and start",
      variable("s", "x".repeat(1_000)),
      `declare let s: string; // length 1000, = "${"x".repeat(60)}"… 940 more characters`,
    ],
    [
      "a list with its length and first elements",
      variable("l", [1, 2, 3, 4]),
      "declare let l: number[]; // length 4, e.g. [1, 2, 3, … 1 more]",
    ],
    ["a map with its size", variable("m", new Map([["a", 1]])), 'declare let m: Map<string, number>; // size 1, e.g. Map(1) { "a" => 1 }'],
    ["a buffer with its bytes", variable("b", new ArrayBuffer(8)), "declare let b: ArrayBuffer; // 8 bytes, e.g. ArrayBuffer(8 bytes)"],
    ["what is not set yet", variable("u", undefined), "declare let u: unknown; // not set yet"],
    [
      "what is not set yet, by its schema",
      variable("u", undefined, { schema: z.array(z.date()) }),
      "declare let u: Date[]; // not set yet",
    ],
    ["a secret without its value", variable("key", "top secret", { preview: false }), "declare let key: string;"],
    ["a type given as text", variable("x", [1], { typeText: "Odd<number>" }), "declare let x: Odd<number>; // length 1, e.g. [1]"],
    [
      "a handle without its value",
      { kind: "handle", name: "h", value: {}, typeText: "{ run(): void }" },
      "declare const h: { run(): void };",
    ],
    [
      "a function given as text",
      { kind: "function", name: "f", value: () => 1, typeText: "(text: string): Date" },
      "declare function f(text: string): Date;",
    ],
    [
      "a function without input",
      { kind: "function", name: "f", value: () => 1, input: {}, output: z.void() },
      "declare function f(): Promise<void>;",
    ],
    [
      "a function with an output that is a promise",
      { kind: "function", name: "f", value: () => 1, output: z.promise(z.string()) },
      "declare function f(): Promise<string>;",
    ],
    ["an async generator", { kind: "function", name: "f", value: async function* () {} }, "declare function f(): AsyncIterable<any>;"],
    ["a type given as text", { kind: "type", name: "T", value: Light, typeText: "string | number" }, "type T = string | number;"],
    [
      "a type by schema",
      { kind: "type", name: "T", value: 1, schema: z.object({ a: z.int().describe("first") }) },
      "type T = { /** first */ a: number /* int */ };",
    ],
  ])("shows %s", (_, binding, line) => {
    expect(linesOf(binding)).toEqual([line]);
  });

  it("puts types first, then functions, then variables and handles, each in the order of injection", () => {
    const names = linesOf(
      variable("v1", 1, { preview: false }),
      { kind: "handle", name: "h", value: {}, typeText: "H" },
      { kind: "function", name: "f", value: () => 1, typeText: "(): void" },
      variable("v2", 2, { preview: false }),
      { kind: "type", name: "T", value: 1, typeText: "string" },
    ).map((line) => line.match(/(\w+)[:( ][^:]*[:=(]?/)?.[0] && line.replace(/^(?:declare )?(?:let|const|function|type) (\w+).*/, "$1"));
    expect(names).toEqual(["T", "f", "v1", "h", "v2"]);
  });

  it("shows descriptions as comments that the text cannot end", () => {
    expect(linesOf(variable("n", 1, { description: "one */ two\n three" }))[0]).toBe("/** one * / two three */");
  });

  it("declares the class of an instance once, before it is used, without private members", () => {
    expect(linesOf(variable("a", new Light()), variable("b", [new Light()]))).toEqual([
      "declare class Light { level: number; dim(pct); }",
      "declare let a: Light; // e.g. Light { level: 1 }",
      "declare let b: Light[]; // length 1, e.g. [Light { level: 1 }]",
    ]);
  });

  it("refers to a class or schema that is injected as a type by the name it has there", () => {
    const Row = z.object({ id: z.number() });
    expect(
      linesOf(
        { kind: "type", name: "Lamp", value: Light },
        { kind: "type", name: "Row", value: Row, schema: Row },
        variable("a", new Light(), { preview: false }),
        variable("rows", undefined, { schema: z.map(z.string(), Row) }),
      ),
    ).toEqual([
      "declare class Lamp { level: number; dim(pct); }",
      "type Row = { id: number };",
      "declare let a: Lamp;",
      "declare let rows: Map<string, Row>; // not set yet",
    ]);
  });

  it("writes types that contain themselves before what refers to them", () => {
    interface Tree {
      readonly children: Tree[];
    }
    const Tree: z.ZodType<Tree> = z.object({
      get children() {
        return z.array(Tree);
      },
    });
    expect(linesOf(variable("tree", undefined, { schema: Tree }))).toEqual([
      "type Recursive1 = { children: Recursive1[] };",
      "declare let tree: Recursive1; // not set yet",
    ]);
    expect(linesOf({ kind: "type", name: "Tree", value: Tree, schema: Tree })).toEqual(["type Tree = { children: Tree[] };"]);
  });

  it("does not declare classes that are built in", () => {
    expect(linesOf(variable("u", new URL("http://x/")), variable("d", new Date(0)))).toEqual([
      'declare let u: URL; // e.g. URL "http://x/"',
      "declare let d: Date; // e.g. 1970-01-01T00:00:00.000Z",
    ]);
  });

  it("shows docs of a class on several lines, or its signatures alone", async () => {
    await using runtime = createInlineRuntime();
    await runtime.execute(
      "class Lamp {\n /** Dims the light, over some time when that is given. */ dim(pct, fade = 1) {}\n /** Whether it is on. */ get on() { return true }\n async wait() {} }",
    );
    const lamp = await runtime.retrieve("Lamp");
    expect(linesOf({ kind: "type", name: "Lamp", value: lamp })).toEqual([
      "declare class Lamp {",
      "  /** Dims the light, over some time when that is given. */ dim(pct, fade?);",
      "  /** Whether it is on. */ readonly on;",
      "  wait(): Promise<any>;",
      "}",
    ]);
    expect(linesOf({ kind: "type", name: "Lamp", value: lamp, doc: "signatures" })).toEqual([
      "declare class Lamp { dim(pct, fade?); readonly on; wait(): Promise<any>; }",
    ]);
  });

  it("shows functions and classes in variables as what they are", async () => {
    await using runtime = createInlineRuntime();
    await runtime.execute("class Tally { add(n) {} }\nasync function load(path) {}");
    expect(runtime.describe({ names: ["Tally", "load"] }).split("\n")).toEqual([
      "declare class Tally { add(n); }",
      "declare function load(path): Promise<any>;",
    ]);
  });

  it("shows a class without public members by its name", () => {
    expect(linesOf({ kind: "type", name: "Bare", value: class {} })).toEqual(["declare class Bare {}"]);
    expect(linesOf({ kind: "type", name: "Odd", value: 5 })).toEqual(["type Odd = unknown;"]);
  });

  describe("within a budget", () => {
    const row = (width: number): object =>
      Object.fromEntries(
        Array.from({ length: width }, (_, i) => [`column${String(i)}`, i % 2 === 0 ? i : { nested: `text ${String(i)}` }]),
      );
    const many = Array.from({ length: 40 }, (_, i) => variable(`rows${String(i)}`, [row(20)], { description: `Rows number ${String(i)}` }));

    it.each([50, 200, 500, 1_000, 5_000, 20_000])("never exceeds %d characters", (budgetChars) => {
      expect(describeBindings(many, { budgetChars }).length).toBeLessThanOrEqual(budgetChars);
    });

    it("takes detail from all before it leaves any out", () => {
      const text = describeBindings(many, { budgetChars: 4_000 });
      for (const { name } of many) expect(text).toContain(name);
      expect(text).not.toContain("nested");
    });

    it("names those it leaves out, and counts them when even that is too long", () => {
      expect(describeBindings(many, { budgetChars: 700 })).toMatch(/\n\/\/ … not shown: .*rows39$|\n\/\/ … \d+ more names$/);
      expect(describeBindings(many, { budgetChars: 100 })).toMatch(/\n\/\/ … \d+ more names$/);
    });

    it("takes detail from one name that would fill it, and leaves it to the others", () => {
      const wide = variable("wide", [
        Object.fromEntries(
          Array.from({ length: 24 }, (_, i) => [
            `a_rather_long_column_name_${String(i)}`,
            i % 2 === 0 ? { first: i, second: `x${String(i)}` } : i,
          ]),
        ),
      ]);
      const text = describeBindings([wide, variable("small", { a: { b: 1 } })], { budgetChars: 2_400 });
      expect(text).toMatch(/declare let wide: \{ a_rather_long_column_name_0: object;/);
      expect(text).toMatch(/declare let small: \{ a: \{ b: number \} \};/);
    });

    it("counts the members of a class it leaves out", () => {
      class Wide {}
      for (let i = 0; i < 70; i += 1) Object.defineProperty(Wide.prototype, `m${String(i)}`, { value: () => i });
      function Old(): void {
        // A class made of a function is read by its properties.
      }
      Old.prototype = Wide.prototype;
      expect(describeBindings([{ kind: "type", name: "Old", value: Old }])).toMatch(/\+11 more/);
    });
  });

  it("gives the same text each time and runs no code of a value", () => {
    let ran = 0;
    const run = (): never => {
      ran += 1;
      throw new TypeError("it ran");
    };
    const bindings = [
      variable("sly", [Object.defineProperty({ a: 1 }, "g", { get: run, enumerable: true })]),
      variable("proxy", new Proxy({}, { get: run, ownKeys: run, getPrototypeOf: run, getOwnPropertyDescriptor: run })),
      variable("called", new Proxy(run, { apply: run })),
    ];
    expect(describeBindings(bindings)).toBe(describeBindings(bindings));
    expect(ran).toBe(0);
  });
});
