import { describe, expect, it } from "vitest";
import { reportError } from "./cell-error.ts";
import { createCellSession } from "./cell-session.ts";

const none = (): undefined => undefined;

/** The report of the last of the cells. */
async function report(...cells: string[]): Promise<string> {
  return (await createCellSession().fails(...cells)).report;
}

describe("where it went wrong", () => {
  it("E1: a throw in an async function of a TypeScript cell shows the cell's lines and columns, and no frame of the host", async () => {
    const cell =
      "type Row = { n: number }\nconst rows: Row[] = [{ n: 1 }]\nasync function total(xs: Row[]): Promise<number> {\n  let t = 0\n  for (const x of xs) t += (x as any).b.c;\n  return t\n}\nawait total(rows)";
    expect(await report(cell)).toBe(
      "TypeError: Cannot read properties of undefined (reading 'c')\n  at total (cell 1, line 5, col 41)\n      for (const x of xs) t += (x as any).b.c;\n  at (cell 1, line 8, col 12)\n      await total(rows)",
    );
  });
  it("E1: the same guarded", async () => {
    const session = createCellSession({}, { guard: true });
    const {
      report: text,
      line,
      column,
    } = await session.fails("const f = (x: any): void => x.y.z\nclass K { m(): void { f(1) } }\n\nnew K().m()");
    expect(text).toBe(
      "TypeError: Cannot read properties of undefined (reading 'z')\n  at f (cell 1, line 1, col 33)\n      const f = (x: any): void => x.y.z\n  at K.m (cell 1, line 2, col 24)\n      class K { m(): void { f(1) } }\n  at (cell 1, line 4, col 9)\n      new K().m()",
    );
    expect({ line, column }).toEqual({ line: 1, column: 33 });
  });
  it("columns of the first line count from the source", async () => {
    expect(await createCellSession().fails("let a = 1; let b = a.x.y")).toMatchObject({ cell: 1, line: 1, column: 24 });
    expect(await createCellSession().fails("const k = null, { z } = k")).toMatchObject({ line: 1 });
    expect(await createCellSession().fails("function f() {}; function g() {}\nf(); nope")).toMatchObject({ line: 2, column: 6 });
  });
  it("frames of earlier cells are shown with their own source", async () => {
    expect(await report("function old(x) {\n  return x.a.b\n}", "const v = 1", "\n\nold({})")).toBe(
      "TypeError: Cannot read properties of undefined (reading 'b')\n  at old (cell 1, line 2, col 14)\n      return x.a.b\n  at (cell 3, line 3, col 4)\n      old({})",
    );
  });
  it("frames of a cell that is gone show the line alone", async () => {
    const session = createCellSession();
    const thrown: unknown = await session.run("\nnull.x").catch((error: unknown) => error);
    expect(reportError(thrown, none).report).toBe("TypeError: Cannot read properties of null (reading 'x')\n  at (cell 1, line 2)");
  });
  it("a frame of the host between cell frames is left out", async () => {
    const text = await report("const f = (x) => { throw new Error('in callback ' + x) }\n;[1].map(f)");
    expect(text).toBe(
      "Error: in callback 1\n  at f (cell 1, line 1, col 26)\n      const f = (x) => { throw new Error('in callback ' + x) }\n  at (cell 1, line 2, col 6)\n      ;[1].map(f)",
    );
  });
  it("a stack overflow folds its frames", async () => {
    const text = await report("function deep(n) {\n  return deep(n + 1)\n}\ndeep(0)");
    expect(text).toMatch(/^RangeError: Maximum call stack size exceeded\n {2}at deep \(cell 1, line \d, col \d+\)\n/);
    expect(text).toMatch(/the frame above \d more times/);
    expect(text.split("\n").length).toBeLessThan(8);
  });
  it("two functions that call each other fold too", async () => {
    expect(await report("const even = (n) => odd(n)\nconst odd = (n) => even(n)\neven(0)")).toMatch(/the 2 frames above \d more times?/);
  });
  it("a message that looks like a frame is no frame", async () => {
    const text = await report("throw new Error('first\\n    at fake (cell:1:1:1)')");
    expect(text.split("\n").filter((line) => line.includes("(cell 1"))).toHaveLength(1);
  });
  it("many frames are counted, not listed", async () => {
    const functions = Array.from({ length: 30 }, (_, n) => `function f${String(n)}() { f${String(n + 1)}() }`).join("\n");
    const text = await report(
      `Error.stackTraceLimit = 50; try {\n${functions}\nfunction f30() { throw new Error('deep') }\nf0()\n} finally { Error.stackTraceLimit = 10 }`,
    );
    expect(text).toMatch(/… \d+ more frames$/);
  });
  it("code that eval made shows the cell that called it", async () => {
    expect(await report("\neval('null.x')")).toBe(
      "TypeError: Cannot read properties of null (reading 'x')\n  at (cell 1, line 2, col 5)\n      eval('null.x')",
    );
  });
});

describe("what is said", () => {
  it("E2: generated names are in no message", async () => {
    expect((await createCellSession().fails("notFn = 5; notFn()")).message).toBe("notFn is not a function");
    expect((await createCellSession().fails("const o = {}; o.list.map(x => x)")).message).toBe(
      "Cannot read properties of undefined (reading 'map')",
    );
    for (const cell of [
      "let o = {}; o.f()",
      "let c = 1; new c()",
      "let it = 1; for (const x of it);",
      "let it = 1; [...it]",
      "let n = null; const { a } = n",
      "let n; n.a.b",
      "let f = 1; f`x`",
      "let f = 1; f?.()",
      "let n = null; ({ a } = n)",
      "let [z] = 1",
      "class A extends undefinedThing {}",
      "let s = 1; s.x.y()",
      "let p = {}; p.q.r()",
      "let B = 1; class A extends B {}",
      "let g = 1; await g()",
      "let k = 1; 'a' in k",
      "let k = 1; ({}) instanceof k",
    ]) {
      const { report: text } = await createCellSession().fails(cell);
      expect(text, cell).toMatch(/Error: /);
      expect(text, cell).not.toMatch(/\$k|\$h|\$f|KarstScope|\(0/);
    }
  });
  it("E2: nor in a message that the cell itself catches", async () => {
    expect(
      await createCellSession().value(
        "let f = 1, m = []; try { f() } catch (e) { m.push(e.message) } try { f() } catch ({ message }) { m.push(message) } m",
      ),
    ).toEqual(["f is not a function", "f is not a function"]);
  });
  it("E5: causes are chained", async () => {
    const text = await report("function load() {\n  try { null.x } catch (cause) { throw new RangeError('outer', { cause }) }\n}\nload()");
    expect(text).toBe(
      [
        "RangeError: outer",
        "  at load (cell 1, line 2, col 40)",
        "      try { null.x } catch (cause) { throw new RangeError('outer', { cause }) }",
        "  at (cell 1, line 4, col 5)",
        "      load()",
        "Caused by: TypeError: Cannot read properties of null (reading 'x')",
        "  at load (cell 1, line 2, col 14)",
        "      try { null.x } catch (cause) { throw new RangeError('outer', { cause }) }",
        "  at (cell 1, line 4, col 5)",
        "      load()",
      ].join("\n"),
    );
  });
  it("E5: the errors of an AggregateError are listed", async () => {
    const text = await report("await Promise.any([Promise.reject(new TypeError('one')), Promise.reject('two')])");
    expect(text).toMatch(/^AggregateError: All promises were rejected/);
    expect(text).toContain("  [1 of 2] TypeError: one\n    at (cell 1, line 1, col 35)");
    expect(text).toContain("  [2 of 2] Uncaught 'two'".replaceAll("'", '"'));
  });
  it("long collections are counted", () => {
    const errors = Array.from({ length: 9 }, (_, n) => new Error(String(n)));
    expect(reportError(new AggregateError(errors, "many"), none).report).toBe(
      "AggregateError: many\n  [1 of 9] Error: 0\n  [2 of 9] Error: 1\n  [3 of 9] Error: 2\n  [4 of 9] Error: 3\n  [5 of 9] Error: 4\n  … 4 more errors",
    );
  });
  it("a cause that is no error, a cycle of causes and a long chain end", () => {
    expect(reportError(new Error("a", { cause: { code: 5 } }), none).report).toBe("Error: a\nCaused by: Uncaught { code: 5 }");
    const a = new Error("a");
    a.cause = new TypeError("b", { cause: a });
    expect(reportError(a, none).report).toBe("Error: a\nCaused by: TypeError: b\nCaused by: [Error above]");
    let chain = new Error("0");
    for (let n = 1; n < 20; n += 1) chain = new Error(String(n), { cause: chain });
    const lines = reportError(chain, none).report.split("\n");
    expect(lines).toHaveLength(7);
    expect(lines.at(-1)).toBe("Caused by: …");
  });
  it("a class that extends Error is called by its own name", async () => {
    expect(await report("class OutOfStock extends Error {}\nthrow new OutOfStock('none left')")).toMatch(/^OutOfStock: none left\n/);
    expect(await report("const e = new Error('m'); e.name = 'Named'; throw e")).toMatch(/^Named: m\n/);
    expect(await report("throw new Error")).toMatch(/^Error\n {2}at/);
  });
  it("what is no error is shown as a value", async () => {
    expect(await report("throw 'text'")).toBe('Uncaught "text"');
    expect(await report("throw undefined")).toBe("Uncaught undefined");
    expect(await report("throw { code: 5, list: [1, 2] }")).toBe("Uncaught { code: 5, list: [1, 2] }");
    expect(await createCellSession().fails("throw null")).toEqual({ name: "Uncaught", message: "null", report: "Uncaught null" });
  });
  it("an error of another realm counts as one", () => {
    expect(reportError({ name: "RangeError", message: "far", stack: "RangeError: far\n    at f (cell:1:1:1)" }, none).report).toBe(
      "RangeError: far\n  at f (cell 1, line 1)",
    );
  });
  it("a long message is cut, and says by how much", () => {
    const { message } = reportError(new Error("x".repeat(5_000)), none);
    expect(message).toBe(`${"x".repeat(2_000)} … 3000 more characters`);
  });
  it("a missing name is answered with the names there are", async () => {
    const session = createCellSession();
    const thrown: unknown = await session.run("fs.readFile").catch((error: unknown) => error);
    const names = { names: () => ["rows", "light"] };
    expect(reportError(thrown, (cell) => session.compiled(cell), names).report).toBe(
      "ReferenceError: fs is not defined\n  defined here: rows, light\n  at (cell 1, line 1, col 1)\n      fs.readFile",
    );
    expect(reportError(thrown, none, { names: () => [] }).report).toContain("no names are defined here yet");
    expect(reportError(thrown, none, { names: () => Array.from({ length: 60 }, (_, n) => `n${String(n)}`) }).report).toContain(
      "n39, and 20 more",
    );
    expect(reportError(new Error("x is not defined"), none, names).report).not.toContain("defined here");
  });
});

describe("hostile errors", () => {
  const throwing = (key: string): Error =>
    Object.defineProperty(new Error("m"), key, {
      get() {
        throw new Error("read");
      },
    });
  it.each(["message", "name", "stack", "cause", "constructor", "errors"])("a %s that throws when read", (key) => {
    expect(reportError(throwing(key), none).report).toMatch(/Error/);
  });
  it("proxies, revoked proxies, functions, odd property types", () => {
    const trap = new Proxy(
      {},
      {
        get() {
          throw new Error("trap");
        },
        has() {
          throw new Error("trap");
        },
        getPrototypeOf() {
          throw new Error("trap");
        },
      },
    );
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    for (const thrown of [trap, revoked.proxy, () => 1, Symbol("s"), 5n, Object.create(null)])
      expect(reportError(thrown, none).report).toMatch(/^Uncaught /);
    const odd = Object.assign(new Error("m"), { message: 5, name: {}, stack: [], cause: null, errors: "no" });
    expect(reportError(odd, none).report).toBe("Error\nCaused by: Uncaught null");
  });
  it("other file names are mapped by the caller", () => {
    const error = new Error("m");
    error.stack = "Error: m\n    at f (eval_3.js:2:5)\n    at <anonymous> (eval_3.js:9)";
    expect(reportError(error, none, { fileOf: (file) => (file === "eval_3.js" ? 3 : undefined) })).toMatchObject({
      cell: 3,
      line: 2,
      report: "Error: m\n  at f (cell 3, line 2)\n  at (cell 3, line 9)",
    });
  });
});
