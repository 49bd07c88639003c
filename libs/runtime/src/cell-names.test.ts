import { describe, expect, it } from "vitest";
import { createCellSession } from "./cell-session.ts";
import { compileCell } from "./cell.ts";

function gives(name: string, cells: readonly string[], expected: unknown): void {
  it(name, async () => {
    expect(await createCellSession().value(...cells)).toEqual(expected);
  });
}

describe("local names hide names of the top level", () => {
  const x = "let x = 'top'";
  gives(
    "parameters",
    [
      x,
      "const f = (x) => x; function g(x) { return x } [f(1), g(2), ((x = 3) => x)(), (({ x }) => x)({ x: 4 }), (([x]) => x)([5]), ((...x) => x)(6), x]",
    ],
    [1, 2, 3, 4, 5, [6], "top"],
  );
  gives(
    "a parameter's default sees the top level, not the body",
    [x, "function f(a = x) { var x = 'body'; return [a, x] } f()"],
    ["top", "body"],
  );
  gives("a parameter's default sees parameters", [x, "((x, y = x) => y)('p')"], "p");
  gives(
    "block scopes",
    [x, "{ let x = 1; { const x = 2; x } x } let seen = []; { const x = 3; seen.push(x) } seen.push(x); seen"],
    [3, "top"],
  );
  gives(
    "loop heads",
    [
      x,
      "const s = []; for (let x = 0; x < 1; x++) s.push(x); for (const x of [1]) s.push(x); for (const x in { k: 0 }) s.push(x); for await (const x of [2]) s.push(x); s.push(x); s",
    ],
    [0, 1, "k", 2, "top"],
  );
  gives(
    "the iterable of a loop is evaluated outside of the body's names",
    ["let list = [1, 2]; const out = []; for (const item of list) { let list = item; out.push(list) } out"],
    [1, 2],
  );
  gives(
    "catch parameters",
    [
      x,
      "const s = []; try { throw 1 } catch (x) { s.push(x) } try { throw { x: 2 } } catch ({ x }) { s.push(x) } try { throw [3] } catch ([x = 0]) { s.push(x) } s.push(x); s",
    ],
    [1, 2, 3, "top"],
  );
  gives("named function expressions", [x, "const f = function x(n) { return n ? x(n - 1) : typeof x }; [f(2), x]"], ["function", "top"]);
  gives("class names", [x, "const C = class x { static n = typeof x }; [C.n, x]"], ["function", "top"]);
  gives(
    "var of a function is hoisted in it",
    [x, "function f() { const before = x; if (true) { var x = 1 } return [before, x] } [f(), x]"],
    [[undefined, 1], "top"],
  );
  gives("function of a block is hoisted in it", [x, "let s; { s = x(); function x() { return 'block' } } [s, x]"], ["block", "top"]);
  gives("switch cases share one scope", [x, "switch (1) { case 1: let x = 'case'; case 2: x = x + '!' } x"], "top");
  gives("static blocks", [x, "class K { static { let x = 1; var y = x; this.v = y } } [K.v, x, typeof y]"], [1, "top", "undefined"]);
  gives(
    "a nested function sees the local it closes over",
    [x, "function outer() { let x = 1; return () => ++x } [outer()(), x]"],
    [2, "top"],
  );
  gives("local assignment does not reach the top level", [x, "(() => { let x; x = 1; x++; [x] = [5]; ({ x } = { x: 6 }) })(); x"], "top");
  gives("arrow parameters without parentheses, async arrows", [x, "[[1].map(x => x + 1), await (async x => x)(2), x]"], [[2], 2, "top"]);
  gives("an enum of a block", [x, "function f() { enum x { A = 3 } return x.A } [f(), x]"], [3, "top"]);
});

describe("what is a name and what is not", () => {
  gives(
    "property names, keys, labels and members are none",
    [
      "let a = 1; a: for (;;) { break a } const o = { a: 2, 'b': a, [a]: 3, a() { return a } }; class K { a = 4; #a = a; get p() { return this.#a } static a = 5 } [o.a(), o[1], new K().a, new K().p, K.a, o?.b]",
    ],
    [1, 3, 4, 1, 5, 1],
  );
  gives("shorthand properties", ["const a = 1, f = () => 2", "const o = { a, f }; [o.a, o.f()]"], [1, 2]);
  gives("shorthand of a local", ["((b) => ({ b }))(3)"], { b: 3 });
  gives(
    "destructuring targets of all forms",
    [
      "let a, b, c, d, e, o = {}",
      "[a, , b = 2, ...c] = [1, 0, undefined, 3, 4]; ({ d, x: e = a, ...o.rest } = { d: 5, y: 6 }); [a, b, c, d, e, o]",
    ],
    [1, 2, [3, 4], 5, 1, { rest: { y: 6 } }],
  );
  gives(
    "nested declarations with defaults, computed keys and rest",
    ["const key = 'k'", "const { a: { b = 1, ...more } = {}, [key + '1']: [c, ...d] = [2, 3], ...rest } = { z: 9 }; [b, more, c, d, rest]"],
    [1, {}, 2, [3], { z: 9 }],
  );
  gives("targets that are members", ["const o = { list: [] }", "[o.a, o['b'], o.list[0]] = [1, 2, 3]; for (o.c of [4]); o"], {
    a: 1,
    b: 2,
    c: 4,
    list: [3],
  });
  gives("parenthesised targets", ["let a, b", "(a) = 1; [(b)] = [2]; (a)++; [a, b]"], [2, 2]);
  gives(
    "updates and compound assignments",
    ["let n = 1, s = 'a', u", "n++; ++n; n **= 2; s += 'b'; u ??= 3; u &&= 4; u ||= 5; n--; [n, s, u]"],
    [8, "ab", 4],
  );
  gives(
    "optional chains",
    [
      "const o = { f() { return this === o }, n: null }, nothing = undefined",
      "[o?.f(), o.n?.x.y, nothing?.(), nothing?.[0], o?.['f']?.()]",
    ],
    [true, undefined, undefined, undefined, true],
  );
  gives(
    "tagged templates and templates",
    ["const tag = (s, ...v) => s.raw.join('|') + v.join(','), x = 1", "[tag`a${x}b\\n`, `${x}${`${x + 1}`}`]"],
    ["a|b\\n1", "12"],
  );
  gives(
    "private members and `in`",
    [
      "class P { #v = 1; static has(o) { return #v in o } #m() { return this.#v } get v() { return this.#m() } set v(n) { this.#v = n } static #s = 2; static s = P.#s }",
      "const p = new P(); p.v = 5; [P.has(p), P.has({}), p.v, P.s]",
    ],
    [true, false, 5, 2],
  );
  gives(
    "accessors and computed members of classes and objects",
    [
      "const k = 'dyn'",
      "class A { static [k] = 1; [k + 2]() { return 3 } get [k]() { return 4 } } const o = { get [k]() { return 5 }, set [k](v) {}, async *[k + 1]() {} }; [A.dyn, new A().dyn2(), new A().dyn, o.dyn]",
    ],
    [1, 3, 4, 5],
  );
  gives(
    "inheritance from names of the top level",
    [
      "class Base { constructor(v) { this.v = v } hi() { return 'hi ' + this.v } }",
      "class Derived extends Base { hi() { return super.hi() + '!' } } class Mixed extends ((b) => class extends b {})(Derived) {} new Mixed(1).hi()",
    ],
    "hi 1!",
  );
  gives(
    "instanceof, in, spread, yield and delete",
    [
      "class A {} const o = { p: 1 }, list = [1, 2]",
      "const g = function* () { yield list; yield* list }; delete o.p; [new A() instanceof A, 'p' in o, Math.max(...list), [...g()]]",
    ],
    [true, false, 2, [[1, 2], 1, 2]],
  );
  gives(
    "labels and continue",
    [
      "const out = []; outer: for (const a of [1, 2]) { for (const b of [1, 2]) { if (b === 2) continue outer; out.push(a * 10 + b) } } out",
    ],
    [11, 21],
  );
  gives("do while without a semicolon", ["let n = 0; do n++; while (n < 3) n"], 3);
  gives("regular expressions and division", ["let a = 4, g = 2", "[a / g / 1, /a/g.test('a'), 'x;'.replace(/;/, '')]"], [2, true, "x"]);
  gives("BigInt, numeric separators, exponent, nullish", ["const b = 1_000n", "[String(b ** 2n), 1_0, null ?? 2]"], ["1000000", 10, 2]);
  gives("direct eval sees globals only", ["const x = 1", "[eval('typeof x'), eval('1 + 1')]"], ["undefined", 2]);
});

describe("statements that rely on the end of the line", () => {
  gives("a call after an expression", ["let a = 1\nconst f = () => { a++ }\na = 5\nf()\na"], 6);
  gives("a destructuring after a declaration", ["const o = { p: 1 }\nconst { p } = o\nconst [q] = [2]\np + q"], 3);
  gives("a class, an enum, then a call", ["class A {}\nenum E { X }\nString(E.X) + typeof A"], "0function");
  gives(
    "class fields",
    [
      "const k = 'm'\nclass A {\n  x = 1\n  y\n  static z = 2\n  w\n  [k]() { return this.x }\n  get = 3;\n  *gen() { yield this.get }\n}\nconst a = new A()\n;[a.m(), a.y, A.z, ...a.gen()]",
    ],
    [1, undefined, 2, 3],
  );
  gives(
    "return, break and throw",
    ["function f(x) {\n  if (x) return\n  f(1)\n  return\n  (1)\n}\nlet n = 0\nwhile (true) {\n  if (n++) break\n}\nf()\nn"],
    2,
  );
  gives("a statement body of if, else and for", ["let n = 0, f = () => n++\nif (n) f()\nelse f()\nfor (const _ of [1, 2]) f()\nn"], 3);
  gives("increments across lines", ["let a = 1, b = 2\na\n++b\n;[a, b]"], [1, 3]);
});

describe("what is said of a cell's names", () => {
  it("declared, constant, var, free and imported names", () => {
    const cell = compileCell(
      "import a, { b as c, type T } from 'm'; import * as d from 'n'; const { e, f: [g] } = h; let i = j; var k; function l() { return o } class p {} enum q { A } q2 = typeof r; { var s; let t } export { u } from 'v'; interface W {}",
      { cell: 1 },
    );
    expect(cell.declared).toEqual(["a", "c", "d", "e", "g", "i", "k", "l", "p", "q", "s"]);
    expect(cell.consts).toEqual(["a", "c", "d", "e", "g"]);
    expect(cell.hoistedVars).toEqual(["k", "s"]);
    expect(cell.imports).toEqual(["m", "n", "v"]);
    expect([...cell.freeNames].sort()).toEqual(["h", "j", "o", "q2", "r"]);
    expect([...cell.names].sort()).toEqual([...cell.declared, ...cell.freeNames].sort());
  });
  it("a type is no name, and neither is a name used in types only", () => {
    const cell = compileCell("let a: Foo<Bar> = b as Baz; function f<T extends Q>(this: W, x: T): x is T { return x satisfies R }", {
      cell: 1,
    });
    expect(cell.freeNames).toEqual(["b"]);
  });
  it("generated names avoid what the cell uses, also by escapes", () => {
    expect(compileCell("$k$ + $h1$", { cell: 1 }).code).toContain("function($k2$,$h2$,$f2$)");
    expect(compileCell("\\u0024k$", { cell: 1 }).code).toContain("function($k1$,$h1$,$f1$)");
  });
});
