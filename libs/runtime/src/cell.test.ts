import { describe, expect, it } from "vitest";
import { createCellSession } from "./cell-session.ts";

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

describe("names that live between cells", () => {
  gives("a let is read by a later cell", ["let x = 1", "x + 1"], 2);
  gives("R1: a let is declared again in a later cell", ["let x = 1", "let x = 2", "x"], 2);
  gives("a const is declared again as a const", ["const x = 1", "const x = 2; x"], 2);
  gives("a const is declared again as a let and then assigned", ["const x = 1", "let x = 2", "x = 3", "x"], 3);
  gives("a const is declared again as a var and then assigned", ["const x = 1", "var x = 2; x = 3; x"], 3);
  gives("a const is declared again as a function", ["const x = 1", "function x() { return 2 }", "x()"], 2);
  gives("a const is declared again as a class", ["const x = 1", "class x { static y = 2 }", "x.y"], 2);
  gives("R4: a let over a function", ["function f() { return 7 }", "let f = 8; f"], 8);
  gives("R4: a function over a let", ["function f() { return 7 }", "let f = 8; f", "function f() { return 9 }; f()"], 9);
  gives("a class over a class", ["class A { v = 1 }", "class A { v = 2 }", "new A().v"], 2);
  gives("a let without a value is undefined, also over an old one", ["let x = 1", "let x; x"], undefined);
  gives("a var without a value keeps the old one", ["var x = 1", "var x; x"], 1);
  gives("R3: a function of an old cell sees a new value", ["let n = 1; function get() { return n }", "let n = 42", "get()"], 42);
  gives("a closure of an old cell sees an assignment", ["let n = 1; const get = () => n", "n = 7", "get()"], 7);
  gives("a function of an old cell assigns for later cells", ["let n = 1; function set(v) { n = v }", "set(5)", "n"], 5);
  gives("a function refers to one that a later cell declares", ["function a() { return b() }", "function b() { return 3 }", "a()"], 3);
  gives(
    "R5: a memoised function calls itself through its new name",
    [
      "let calls = 0; function fib(n) { calls++; return n < 2 ? n : fib(n - 1) + fib(n - 2) }",
      "const memo = (f) => { const seen = new Map(); return (n) => { if (!seen.has(n)) seen.set(n, f(n)); return seen.get(n) } }",
      "const raw = fib; fib = memo(raw)",
      "[fib(20), calls]",
    ],
    [6765, 21],
  );
  it("R9, R10: a failed cell keeps what it assigned, and its names can be declared again", async () => {
    const session = createCellSession();
    await session.fails("let kept = 1; kept = 2; const later = (() => { throw new Error('x') })()");
    expect(await session.value("let kept2 = kept; const later = 5; [kept, kept2, later]")).toEqual([2, 2, 5]);
  });
  it("R10: a name whose new declaration failed keeps its old value", async () => {
    const session = createCellSession();
    await session.fails("const x = 1", "const x = nope");
    expect(await session.value("x")).toBe(1);
  });
  gives("R19: a name may hide a global", ["const Map = 5", "Map + 1"], 6);
  it("R19: when the variable is dropped the global is there again", async () => {
    const session = createCellSession();
    await session.value("const Map = 5", "Map");
    delete session.scope.variables["Map"];
    expect(await session.value("new Map().size")).toBe(0);
  });
  gives("R17: an escaped name is the name", ["const caf\\u00e9 = 1", "café"], 1);
  gives("an escaped name is read by its escape", ["const café = 1", "caf\\u{e9} + 1"], 2);
  gives("names of other scripts", ["const 数 = 2, Ω = 3", "数 * Ω"], 6);
  gives("several declarators", ["let a = 1, b = a + 1, c", "[a, b, c]"], [1, 2, undefined]);
  gives(
    "a name called __proto__ is a variable like others",
    ["const __proto__ = () => 1; const o = { __proto__ }", "[__proto__(), __proto__.name, Object.keys(o)]"],
    [1, "__proto__", ["__proto__"]],
  );
  gives("names that the compiler uses itself", ["const $k$ = 1, $h$ = 2, $f$ = 3; let $m$ = 4", "$k$ + $h$ + $f$ + $m$"], 10);
  gives("a dollar sign is a name", ["const $ = (s) => s + '!', _ = 2", "$('a') + _"], "a!2");
  gives("a redeclared name has its old value before its new definition", ["let x = 1", "const before = x; let x = 2; [before, x]"], [1, 2]);
  gives("a definite declaration takes its value later", ["let x!: number\nx = 5", "x"], 5);
  gives("declarations that await (RT-2)", ["const r = await Promise.resolve(3)", "r"], 3);
  gives("destructuring that awaits", ["const { a, b: [c] } = await Promise.resolve({ a: 1, b: [2] })", "a + c"], 3);
});

describe("constants", () => {
  throws("R2: assigning in a later cell throws", ["const k = 1", "k = 2"], {
    name: "TypeError",
    message: "Assignment to constant variable 'k'.",
  });
  throws("assigning in the same cell throws", ["const k = 1; k = 2"], {
    name: "TypeError",
    message: "Assignment to constant variable 'k'.",
  });
  throws("k++ throws", ["const k = 1", "k++"], { name: "TypeError", message: "Assignment to constant variable 'k'." });
  throws("k += 1 throws", ["const k = 1; k += 1"], { name: "TypeError", message: "Assignment to constant variable 'k'." });
  throws("k ??= 1 throws when it would assign", ["const k = null", "k ??= 1"], {
    name: "TypeError",
    message: "Assignment to constant variable 'k'.",
  });
  throws("a destructuring target throws", ["const k = 1", "[k] = [2]"], {
    name: "TypeError",
    message: "Assignment to constant variable 'k'.",
  });
  throws("a shorthand destructuring target throws", ["const k = 1", "({ k } = { k: 2 })"], {
    name: "TypeError",
    message: "Assignment to constant variable 'k'.",
  });
  throws("a for-of target throws", ["const k = 1", "for (k of [2]);"], {
    name: "TypeError",
    message: "Assignment to constant variable 'k'.",
  });
  throws(
    "a function that was compiled before the name was constant throws",
    ["let k = 1; function set() { k = 2 }", "const k = 3", "set()"],
    {
      name: "TypeError",
      message: "Assignment to constant variable 'k'.",
    },
  );
  it("R2: the value is still the old one", async () => {
    const session = createCellSession();
    await session.fails("const k = 1", "k = 2");
    expect(await session.value("k")).toBe(1);
  });
  gives(
    "a function compiled while the name was constant may assign after a let took it",
    ["const k = 1; function set() { k = 2 }", "let k = 5", "set(); k"],
    2,
  );
  gives(
    "a caught message names the variable",
    ["const k = 1", "try { k = 2 } catch (e) { e.message } k", "let m; try { k = 2 } catch (e) { m = e.message } m"],
    "Assignment to constant variable 'k'.",
  );
  gives(
    "a caught message of a late constant names the variable",
    ["let k = 1; function set() { try { k = 2 } catch (e) { return e.message } }", "const k = 3", "set()"],
    "Assignment to constant variable 'k'.",
  );
  it("consts() names them", async () => {
    const session = createCellSession();
    await session.run("const a = 1, { b } = { b: 2 }; let c = 3; class D {}");
    expect([...session.scope.consts()]).toEqual(["a", "b"]);
  });
});

describe("functions and var at the top level", () => {
  gives("a function is called before its line", ["const v = f(); function f() { return 4 } v"], 4);
  gives("two functions of one name: the last one counts", ["function f() { return 1 } function f() { return 2 } f()"], 2);
  gives("a var in a block is a name of the cell", ["if (true) { var inner = 3 }", "inner"], 3);
  gives("a var is undefined before it is set", ["const before = hoisted; var hoisted = 1; [before, hoisted]"], [undefined, 1]);
  gives("a var in a block that never runs is undefined, not missing", ["if (false) { var never = 1 }", "typeof never"], "undefined");
  gives("a var of a for loop stays", ["for (var i = 0, n = 3; i < n; i++) var last = i", "[i, n, last]"], [3, 3, 2]);
  gives("a var of a for-of loop stays", ["for (var item of [1, 2]);", "item"], 2);
  gives("a destructured var of a for-of loop stays", ["for (var [a, { b }] of [[1, { b: 2 }]]);", "a + b"], 3);
  gives("a var of a for-in loop stays", ["for (var key in { p: 1 });", "key"], "p");
  gives("a var in try is a name of the cell (RT-2)", ["try { var r = await Promise.resolve(1) } finally { var s = 2 }", "r + s"], 3);
  gives(
    "a var in a switch, a label and a catch",
    ["switch (1) { case 1: var a = 1 } l: { var b = 2; break l } try { throw 0 } catch { var c = 3 }", "a + b + c"],
    6,
  );
  gives(
    "a var does not reset itself in a loop",
    ["let seen = []; for (const i of [1, 2]) { var v; if (i === 1) v = 'set'; seen.push(v) } seen"],
    ["set", "set"],
  );
  gives(
    "let and const of blocks stay inside",
    ["{ let a = 1; const b = 2 } for (let c of [1]); for (const d in {});", "[typeof a, typeof b, typeof c, typeof d]"],
    ["undefined", "undefined", "undefined", "undefined"],
  );
  gives("a function in a block stays inside (strict mode)", ["{ function inside() {} }", "typeof inside"], "undefined");
  gives(
    "async functions and generators",
    [
      "async function a() { return 1 } function* g() { yield 2 } async function* ag() { yield 3 }",
      "const out = [await a(), ...g()]; for await (const v of ag()) out.push(v); out",
    ],
    [1, 2, 3],
  );
  gives(
    "a loop variable is new in each turn",
    ["const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); fs.map((f) => f())"],
    [0, 1, 2],
  );
});

describe("names that are not there", () => {
  throws("reading one throws", ["nope"], { name: "ReferenceError", message: "nope is not defined" });
  throws("calling one throws", ["nope()"], { name: "ReferenceError", message: "nope is not defined" });
  throws("reading one in a function of an old cell throws", ["function f() { return nope }", "f()"], {
    name: "ReferenceError",
    message: "nope is not defined",
  });
  throws("reading a name before its cell defines it throws", ["early; let early = 1"], {
    name: "ReferenceError",
    message: "early is not defined",
  });
  throws("an update of one throws", ["nope++"], { name: "ReferenceError", message: "nope is not defined" });
  gives("typeof one is undefined", ["[typeof nope, typeof (nope), typeof Math, typeof 1]"], ["undefined", "undefined", "object", "number"]);
  gives(
    "typeof sees variables, functions and globals",
    ["const a = 1; function f() {}", "[typeof a, typeof f, typeof Map, typeof a.b]"],
    ["number", "function", "function", "undefined"],
  );
  gives("assigning to one creates it", ["made = 5", "made + 1"], 6);
  gives("assigning to one by a pattern creates it", ["[m1, { m2 }] = [1, { m2: 2 }]", "m1 + m2"], 3);
  gives(
    "a name defined after a cell that missed it is found by that cell's function",
    ["function f() { return late }", "let late = 1", "f()"],
    1,
  );
  gives(
    "undefined, NaN and Infinity are what they are",
    ["[undefined, NaN, Infinity, void 0]"],
    [undefined, Number.NaN, Infinity, undefined],
  );
  it("a property of globalThis is a plain name for later cells, and for that runtime only", async () => {
    const session = createCellSession();
    expect(await session.value("globalThis.shared = 1", "shared = shared + 1", "[shared, globalThis.shared]")).toEqual([2, 2]);
    expect(await createCellSession().value("typeof shared")).toBe("undefined");
    expect("shared" in globalThis).toBe(false);
  });
});

describe("strict mode", () => {
  gives(
    "this is undefined at the top level and in functions",
    ["const a = this; function f() { return this } [a, f(), (() => this)()]"],
    [undefined, undefined, undefined],
  );
  gives(
    "a function called by name gets no this, whatever surrounds the name",
    ["function f() { return this } const o = { f }", "[f(), (f)(), f?.(), f``, o.f() === o, (0, f)()]"],
    [undefined, undefined, undefined, undefined, true, undefined],
  );
  throws("arguments is no name of the top level", ["arguments"], { name: "ReferenceError", message: "arguments is not defined" });
  gives("arguments of functions are theirs", ["function f() { return (() => arguments.length)() } f(1, 2)"], 2);
  throws("a frozen object refuses", ["const o = Object.freeze({ a: 1 }); o.a = 2"], {
    name: "TypeError",
    message: "Cannot assign to read only property 'a'",
  });
  gives("new.target", ["function F() { return new.target === F } [F(), new F() instanceof Object]"], [false, true]);
});
