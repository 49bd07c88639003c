import { deepStrictEqual } from "node:assert";
import { expect } from "vitest";
import { ALL, errorOf, ON_NODE, runCells, valueOf } from "./contract-case.ts";
import type { ContractCase } from "./contract-case.ts";

const FIB = `let calls = 0
function fib(n) { calls++; return n < 2 ? n : fib(n - 1) + fib(n - 2) }
const memo = (f) => { const seen = new Map(); return (n) => { if (!seen.has(n)) seen.set(n, f(n)); return seen.get(n) } }
const raw = fib
fib = memo(raw)
fib(20)
calls`;

const TYPESCRIPT_CLASS = `abstract class Shape {
  constructor(protected readonly w: number, public h = 2) {}
  abstract area(): number
}
class R extends Shape {
  scale(by: number): R
  scale(by: number, h: number): R
  scale(by: number, h?: number): R { return new R(this.w * by, (h ?? this.h) * by) }
  area(): number { return this.w * this.h }
}
new R(4).area()`;

/** What cells mean: persistence, declarations, values, TypeScript (R1, R4 of the port; reference rows R1 to R19). */
export const cellCases: readonly ContractCase[] = [
  {
    title: "R1 a let can be declared again in a later cell",
    kinds: ALL,
    run: async (open) => {
      expect(await valueOf(await open(), "let x = 1", "let x = 2", "x")).toBe(2);
    },
  },
  {
    title: "R1 two lets of one name in one cell are a syntax error",
    kinds: ALL,
    run: async (open) => {
      expect((await errorOf(await open(), "let x = 1; let x = 2")).code).toBe("CellSyntax");
    },
  },
  {
    title: "R1 a constant refuses assignment in a later cell, keeps its value, and can be declared again",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runCells(runtime, "const k = 1");
      const error = await errorOf(runtime, "k = 2");
      expect(error.name).toBe("TypeError");
      expect(error.message).toMatch(/constant.*k/);
      expect(await valueOf(runtime, "k")).toBe(1);
      expect(await valueOf(runtime, "const k = 3", "k")).toBe(3);
    },
  },
  {
    title: "R1 functions of old cells see what names hold now",
    kinds: ALL,
    run: async (open) => {
      expect(await valueOf(await open(), "let n = 1; function get(){ return n }", "let n = 42", "get()")).toBe(42);
    },
  },
  {
    title: "R1 a function gives way to a let and a let to a function",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      expect(await valueOf(runtime, "function f(){return 7}", "let f = 8; f")).toBe(8);
      expect(await valueOf(runtime, "function f(){return 9}; f()")).toBe(9);
    },
  },
  {
    title: "R1 a function that is replaced by its memoised self recurses through the new one",
    kinds: ALL,
    run: async (open) => {
      expect(await valueOf(await open(), FIB)).toBeLessThan(100);
    },
  },
  {
    title: "R1 names that came from an await, destructured too, are there in the next cell",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      expect(await valueOf(runtime, "const { a, b: [c] } = await Promise.resolve({ a: 1, b: [2] })", "a + c")).toBe(3);
      expect(await valueOf(runtime, "for await (var each of [1, 2]) {}", "each")).toBe(2);
    },
  },
  {
    title: "R4 a cell that fails keeps what it had assigned",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await errorOf(runtime, "let kept = 1; kept = 2; throw new Error('x')");
      expect(await valueOf(runtime, "let kept2 = kept; kept2")).toBe(2);
    },
  },
  {
    title: "R4 every name of a cell that failed can be declared again",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      await runCells(runtime, "let old = 1");
      await errorOf(runtime, "throw new Error('early'); const a = 1; let b = 2; class C {}; function d() {}; old = 5");
      expect(await valueOf(runtime, "old")).toBe(1);
      expect(await valueOf(runtime, "let a = 1; const b = 2; function C() {}; class d {}; [a, b]")).toEqual([1, 2]);
    },
  },
  {
    title: "value: the last expression is the value of a cell, and a cell without one has none",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const { hasValue, value, valueText, returned } = await runCells(runtime, "1 + 2");
      expect({ hasValue, value, valueText, returned }).toEqual({ hasValue: true, value: 3, valueText: "3", returned: false });
      const none = await runCells(runtime, "let quiet = 1");
      expect(none.hasValue).toBe(false);
      expect(none).not.toHaveProperty("value");
    },
  },
  {
    title: "value: an object literal in braces at the end of a cell is a value",
    kinds: ALL,
    run: async (open) => {
      expect(await valueOf(await open(), "const aa=1, bb=2\n{ aa, bb }")).toEqual({ aa: 1, bb: 2 });
    },
  },
  {
    title: "value: a promise as the value is awaited, another thenable is not",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      expect(await valueOf(runtime, "Promise.resolve(11)")).toBe(11);
      expect(await valueOf(runtime, "({then(r){r(1)}, tag:'t'}).tag")).toBe("t");
      expect((await runCells(runtime, "({then(r){r(1)}, tag:'t'})")).value).toMatchObject({ tag: "t" });
    },
  },
  {
    title: "value: a top-level return ends the cell with that value",
    kinds: ALL,
    run: async (open) => {
      const { value, returned } = await runCells(await open(), "const rr = 3; if (rr > 2) return rr*2; 99");
      expect({ value, returned }).toEqual({ value: 6, returned: true });
    },
  },
  {
    title: "syntax: the meaning of JavaScript is kept where a semicolon is missing",
    kinds: ALL,
    run: async (open) => {
      const error = await errorOf(await open(), "const q = await Promise.resolve(3)\n[1,2].map(x=>x*q)");
      expect(error.name).toBe("TypeError");
    },
  },
  {
    title: "syntax: a name that looks like a TypeScript keyword is a name",
    kinds: ALL,
    run: async (open) => {
      expect(await valueOf(await open(), "const as2 = 1\nString(as2)")).toBe("1");
    },
  },
  {
    title: "syntax: functions and classes keep their names",
    kinds: ALL,
    run: async (open) => {
      expect(await valueOf(await open(), "const f = () => {}; class K{}; const C = class {}; [f.name,K.name,C.name]")).toEqual([
        "f",
        "K",
        "C",
      ]);
    },
  },
  {
    title: "syntax: enums of TypeScript work in later cells",
    kinds: ALL,
    run: async (open) => {
      expect(await valueOf(await open(), "enum E {A, B=5, C}", "[E.C, E[5]]")).toEqual([6, "B"]);
    },
  },
  {
    title: "syntax: abstract classes, parameter properties and overloads of TypeScript work",
    kinds: ALL,
    run: async (open) => {
      expect(await valueOf(await open(), TYPESCRIPT_CLASS)).toBe(8);
    },
  },
  {
    title: "syntax: annotations, casts and a trailing semicolon are taken",
    kinds: ALL,
    run: async (open) => {
      expect(await valueOf(await open(), "let x: number = 1; x as number;")).toBe(1);
    },
  },
  {
    title: "syntax: an identifier written with an escape is the same name",
    kinds: ALL,
    run: async (open) => {
      expect(await valueOf(await open(), "const caf\\u00e9 = 1; café")).toBe(1);
    },
  },
  {
    title: "syntax: JSX and decorators are refused by name with line and caret",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const jsx = await errorOf(runtime, "const a = 1\nconst el = <div/>");
      expect(jsx).toMatchObject({ code: "CellSyntax", name: "SyntaxError", line: 2 });
      expect(jsx.report).toMatch(/JSX[\s\S]*\n\s*\^/);
      expect((await errorOf(runtime, "@d class A{}")).report).toMatch(/decorator/i);
    },
  },
  {
    title: "names: a cell may use a built-in name for its own; reset gives it back",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      expect(await valueOf(runtime, "const Map = 5", "Map + 1")).toBe(6);
      await runtime.reset();
      expect(await valueOf(runtime, "new Map().size")).toBe(0);
    },
  },
  {
    title: "names: ordinary code with computed keys and suspicious names runs",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      const code = `const acc = {}, r = { region: 'EU' }, m = [[7]], i = 0, j = 0
acc[r.region] = 1
const order = { process: () => 'done' }, model = { eval: (x) => x * 2 }
;[acc.EU, m[i][j], order.process(), model.eval(4)]`;
      expect(await valueOf(runtime, code)).toEqual([1, 7, "done", 8]);
      expect(await valueOf(runtime, "const process = 1; process")).toBe(1);
    },
  },
  {
    title: "names: a property set on globalThis is a name for later cells, and typeof of an unknown one is safe",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      expect(await valueOf(runtime, "typeof nobody")).toBe("undefined");
      expect(await valueOf(runtime, "globalThis.shared = 5", "shared + 1")).toBe(6);
      expect((await runCells(runtime, "let shared = 7; globalThis.other = 1")).diff).toMatchObject({
        added: [{ name: "other" }],
        changed: [{ name: "shared" }],
      });
      expect([runtime.has("shared"), await runtime.retrieve("shared"), await runtime.retrieve("other")]).toEqual([true, 7, 1]);
    },
  },
  {
    title: "names: assigning to an unknown name makes it",
    kinds: ALL,
    run: async (open) => {
      expect(await valueOf(await open(), "made = 3", "made")).toBe(3);
    },
  },
  {
    title: "modules: an allowed module can be imported, its names are there in the next cell",
    kinds: ON_NODE,
    run: async (open) => {
      const runtime = await open({ modules: { "node:path": "node:path" } });
      expect(await valueOf(runtime, "import path, {join as jn} from 'node:path'", "jn('x','y')")).toBe("x/y");
      expect(await valueOf(runtime, "(await import('path')).basename('/a/b')")).toBe("b");
    },
  },
  {
    title: "modules: what was not allowed is refused by name, with what there is",
    kinds: ALL,
    run: async (open) => {
      const runtime = await open();
      expect((await errorOf(runtime, "import fs from 'node:fs'")).message).toMatch(/node:fs.*no modules/);
      expect((await errorOf(runtime, "await import('node:fs')")).message).toMatch(/node:fs/);
    },
  },
  {
    title: "modules: an export that a module lacks is a syntax error that names both",
    kinds: ON_NODE,
    run: async (open) => {
      const error = await errorOf(await open({ modules: { "node:path": "node:path" } }), "import { nothing } from 'node:path'");
      expect(error.message).toMatch(/node:path.*nothing/);
    },
  },
  {
    title: "values: what a cell made is deeply equal to the same thing made by the host",
    kinds: ON_NODE,
    run: async (open) => {
      const runtime = await open();
      await runCells(runtime, "const made = { a: [1, { b: new Date(0) }], m: new Map([[1, new Set([2])]]), e: undefined, z: -0 }");
      deepStrictEqual(await runtime.retrieve("made"), { a: [1, { b: new Date(0) }], m: new Map([[1, new Set([2])]]), e: undefined, z: -0 });
    },
  },
];
