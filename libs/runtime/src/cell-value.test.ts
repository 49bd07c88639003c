import { describe, expect, it } from "vitest";
import { createCellSession } from "./cell-session.ts";
import { compileCell } from "./cell.ts";

/** Cells of one runtime and the value of the last. */
function gives(name: string, cells: readonly string[], expected: unknown): void {
  it(name, async () => {
    expect(await createCellSession().value(...cells)).toEqual(expected);
  });
}

/** Cells of one runtime; the last throws. */
function throws(name: string, cells: readonly string[], expected: { name: string; message: string | RegExp }): void {
  it(name, async () => {
    const report = await createCellSession().fails(...cells);
    expect(report.name).toBe(expected.name);
    expect(report.message).toMatch(expected.message);
  });
}

describe("the value of a cell", () => {
  gives("the last expression", ["1; 2; 3"], 3);
  gives("R8 without the trap: an expression after a declaration", ["const q = 2; [1, 2].map(x => x * q)"], [2, 4]);
  throws(
    "R8: a line that starts with a bracket goes on with the line before, as in the language",
    ["const q = await Promise.resolve(3)\n[1,2].map(x=>x*q)"],
    { name: "TypeError", message: /undefined/ },
  );
  gives("R7: a type assertion is no call", ["const as2 = 1\nString(as2)"], "1");
  gives("an expression after an await", ["await null; 'v'"], "v");
  gives("the value of an assignment", ["let x; x = 5"], 5);
  gives("a sequence", ["1, 2"], 2);
  gives("a string that looks like a directive", ["'use strict'"], "use strict");
  gives(
    "functions, types and stray semicolons after the expression do not count",
    ["main();; function main() { return 6 }\ninterface I {}\ntype T = number;"],
    6,
  );
  it("a declaration is no value, nor is a loop, a block or nothing", async () => {
    for (const cell of [
      "let a = 1",
      "1; let b = 2",
      "for (;;) break",
      "if (1) { 2 }",
      "class C {}",
      "",
      "// a comment",
      "try { 1 } finally {}",
    ]) {
      expect(await createCellSession().run(cell), cell).toEqual({ v: undefined, has: false, returned: false });
    }
  });
  it("undefined is a value when it is the last expression", async () => {
    expect(await createCellSession().run("undefined")).toEqual({ v: undefined, has: true, returned: false });
  });
  gives("R16: a native promise is awaited", ["Promise.resolve(11)"], 11);
  it("R16: another thenable is a value", async () => {
    const { v } = await createCellSession().run("({ then(r) { r(1) }, tag: 't' })");
    expect(v).toHaveProperty("tag", "t");
    const returned = await createCellSession().run("return { then(r) { r(1) }, tag: 'u' }");
    expect(returned.v).toHaveProperty("tag", "u");
  });
  gives("R6: braces on the last line are an object", ["const aa=1, bb=2\n{ aa, bb }"], { aa: 1, bb: 2 });
  gives("braces with keys are an object", ["const a = 1\n{a: a, b: 2}"], { a: 1, b: 2 });
  gives("a whole cell in braces is an object", ["{ a: 1, 'b-c': [2], ...{ d: 3 } }"], { a: 1, "b-c": [2], d: 3 });
  gives(
    "an object over several lines, with comments and a semicolon after it",
    ["const x = 1;\n{\n  x, // one\n  y: { z: 2 },\n}; // end"],
    { x: 1, y: { z: 2 } },
  );
  gives("an object with methods and accessors", ["{ f() { return 1 }, get g() { return 2 } }"], expect.objectContaining({ g: 2 }));
  gives("an array of objects keeps its shape", ["[\n{ a: 1 },\n{ a: 2 }\n]"], [{ a: 1 }, { a: 2 }]);
  gives("an empty block is an empty object", ["{}"], {});
  it("braces with statements stay a block", async () => {
    const session = createCellSession();
    expect(await session.run("let n = 0\n{ n = 1; n + 1 }")).toEqual({ v: undefined, has: false, returned: false });
    expect(await session.run("{ n++ }")).toEqual({ v: undefined, has: false, returned: false });
    expect(await session.value("n")).toBe(2);
  });
  gives("braces after `if` stay a block", ["let n = 0, m = 2; if (n) { m }\nn"], 0);
  gives("braces in the middle stay a block", ["let n = 1\n{ n }\nn + 1"], 2);
  it("a syntax error before the braces is not hidden by them", () => {
    expect(() => compileCell("const x =\n{a: 1, b: }", { cell: 1 })).toThrow(/Unexpected token/);
    expect(() => compileCell("if (x)\n{a: 1, b: 2}", { cell: 1 })).toThrow(/Unexpected token/);
  });
});

describe("return at the top level", () => {
  gives("R15: return in a branch is the value", ["const rr = 3; if (rr > 2) return rr*2; 99"], 6);
  it("is told from a last expression", async () => {
    const session = createCellSession();
    expect(await session.run("return 1")).toEqual({ v: 1, has: true, returned: true });
    expect(await session.run("return")).toEqual({ v: undefined, has: false, returned: true });
    expect(await session.run("for (const x of [1, 2]) { if (x === 2) return x, x * 2 }")).toEqual({ v: 4, has: true, returned: true });
    expect(await session.run("return (\n  3\n)")).toEqual({ v: 3, has: true, returned: true });
  });
  gives("a finally block runs", ["let log = []; try { return log } finally { log.push('done') }"], ["done"]);
  gives(
    "a return in a function is the function's",
    ["const f = () => { return 1 }; class K { m() { return 2 } get g() { return 3 } } [f(), new K().m(), new K().g]"],
    [1, 2, 3],
  );
});

describe("names of functions and classes", () => {
  gives(
    "R11: arrow, class, class expression",
    ["const f = () => {}; class K{}; const C = class {}; [f.name,K.name,C.name]"],
    ["f", "K", "C"],
  );
  gives(
    "let, var, assignment and logical assignment",
    [
      "let a = function () {}; var b = async () => {}; c = class {}; let d; d ??= () => {}; let e; e ||= function* () {}; [a, b, c, d, e].map(x => x.name)",
    ],
    ["a", "b", "c", "d", "e"],
  );
  gives(
    "defaults of destructuring",
    [
      "const { p = () => {}, q: r = class {} } = {}; const [s = function () {}] = []; let t; ({ t = () => {} } = {}); [p, r, s, t].map(x => x.name)",
    ],
    ["p", "r", "s", "t"],
  );
  gives(
    "parentheses and types around it",
    ["const f = (() => {}) as () => void; const g = (function () {}); [f.name, g.name]"],
    ["f", "g"],
  );
  gives("a function that has a name keeps it", ["const f = function own() { return own.name }; [f.name, f()]"], ["own", "own"]);
  gives("a static name is kept", ["const C = class { static name = 'mine' }; C.name"], "mine");
  gives(
    "a class knows itself inside, also after a redeclaration",
    ["class K { static make() { return new K() } v = 1 } const make = K.make", "class K { v = 2 }", "[make().v, new K().v]"],
    [1, 2],
  );
  gives("export default gives the name default", ["export default () => {}"], expect.objectContaining({ name: "default" }));
});

describe("export is dropped", () => {
  gives(
    "in front of declarations",
    [
      "export const a = 1; export let b = 2; export function f() { return 3 } export class K { v = 4 } export var e = 5, { g } = { g: 6 }",
      "[a, b, f(), new K().v, e, g]",
    ],
    [1, 2, 3, 4, 5, 6],
  );
  gives("a list of names, also of earlier cells", ["const a = 1", "const b = 2; export { a, b as c }; a + b"], 3);
  gives("export default of an expression is the value (RT-14)", ["const x = 2; export default x * 2"], 4);
  gives("export default of an object", ["export default { a: 1 };"], { a: 1 });
  gives("export default in the middle runs and is no value", ["let n = 0; export default (n = 1); n + 1"], 2);
  gives("export default of a named function declares it", ["export default function main() { return 7 }", "main()"], 7);
  gives("export default of a named class declares it", ["export default class Main { v = 8 }", "new Main().v"], 8);
  gives("export default async function", ["export default async function run() { return 9 }", "await run()"], 9);
});
