import { describe, expect, it } from "vitest";
import { createCellSession } from "./cell-session.ts";

function gives(name: string, cells: readonly string[], expected: unknown): void {
  it(name, async () => {
    expect(await createCellSession().value(...cells)).toEqual(expected);
  });
}

describe("types are erased", () => {
  gives(
    "annotations",
    [
      "let x: number = 1; const f = (a: string, b?: number, ...c: boolean[]): string => a + b + c; var { p, q }: { p: number; q: string } = { p: 2, q: 's' }; let [r]: [number] = [3]; [x, f('a'), p, q, r]",
    ],
    [1, "aundefined", 2, "s", 3],
  );
  gives("RT-14: an annotation and an assertion at the end", ["let x: number = 1; x as number;"], 1);
  gives(
    "as, satisfies, as const, non-null, angle brackets",
    [
      "const a = 1 as number as unknown, b = { v: 2 } satisfies { v: number }, c = [3] as const, d = (null as any)?.x!, e = <number>(<unknown>5); [a, b.v, c[0], d, e]",
    ],
    [1, 2, 3, undefined, 5],
  );
  gives(
    "assertions of targets",
    ["let a: any, o: any = {}; (a as any) = 1; (<any>o).x = 2; o!.y = 3; [a!, o['z']] = [4, 5]; (a as number)++; [a, o]"],
    [5, { x: 2, y: 3, z: 5 }],
  );
  gives(
    "assertions around a called name give it no this",
    ["function f(this: any) { return this } [(f as any)(), f!(), (<any>f)(), f<string>`x`]"],
    [undefined, undefined, undefined, undefined],
  );
  gives(
    "generics of functions, calls, classes and arrows",
    [
      "function id<T extends object = {}>(x: T): T { return x } class Box<T> { constructor(public v: T) {} map<U>(f: (v: T) => U): Box<U> { return new Box<U>(f(this.v)) } } const g = <T,>(x: T) => x, h = async <T>(x: T): Promise<T> => x; [id<{ a: 1 }>({ a: 1 }), new Box<number>(2).map<string>(String).v, g<number>(3), await h(4), new Map<string, Array<number>>().size]",
    ],
    [{ a: 1 }, "2", 3, 4, 0],
  );
  gives("instantiation expressions", ["const make = Array<number>; const f = Map<string, number>; [make(2).length, new f().size]"], [2, 0]);
  gives(
    "interfaces, aliases and declarations",
    [
      "interface A { x: number }\ntype B<T> = { [K in keyof T]?: T[K] } | A\ndeclare const missing: number\ndeclare function gone(): void\ndeclare class Lost {}\ndeclare module 'm' { export const z: number }\ndeclare global { interface Window {} }\nlet b: B<A> = { x: 1 }\nb.x",
    ],
    1,
  );
  gives(
    "declarations of blocks and functions",
    [
      "function f() { declare const a: number; declare class B {} declare function c(): void; declare enum D { A } interface E {} type F = 1; return [typeof a, typeof B] } f()",
    ],
    ["undefined", "undefined"],
  );
  gives(
    "exported declarations and defaults of types",
    [
      "export declare const a: number; export declare class B {} export default interface C {} export type D = 1; export type { E } from 'nowhere'; 1",
    ],
    1,
  );
  gives("a definite mark without a type", ["let x! = 1; x"], 1);
  gives(
    "comments where types are erased",
    [
      "class A /* a */ implements /* b */ I { /* c */ private /* private */ static /* d */ x /* e */ ? /* f */ : number = 1 /* g */ }\nconst f = (a /* , */ : T /* ) */, b /* = */ ? : U) /* : */ : V /* => */ => [a, b];\n[A.x, f(1)]",
    ],
    [1, [1, undefined]],
  );
  gives("a declared name stays free", ["declare const injected: number; typeof injected"], "undefined");
  gives(
    "type predicates, this parameters and overloads",
    [
      "function isS(x: unknown): x is string { return typeof x === 'string' }\nfunction over(a: string): string\nfunction over(a: number): number\nfunction over(this: any, a: any) { return a }\nfunction only(this: Date,) { return arguments.length }\nfunction must(x: any): asserts x is string {}\n[isS('a'), over(1), only(), must('')]",
    ],
    [true, 1, 0, undefined],
  );
  gives(
    "optional and definite members",
    [
      "class Z {} class A extends Z { a?: number; b!: string; readonly c: number = 1; declare d: string; static readonly e?: number = 2; private f = 3; protected g?: number; override toString(): string { return 'A' } h?(): void; m?() { return this.f } } [Object.keys(new A()), A.e, String(new A())]",
    ],
    [["a", "b", "c", "f", "g"], 2, "A"],
  );
  gives(
    "names that look like modifiers",
    [
      "class A { readonly = 1; declare = 2; static = 3; abstract() { return 4 } private() { return 5 } static override = 6; get = 7; set; async = 8; type = 9 } const a = new A(); const type = 1, declare = 2, as = 3, of = 4; [a.readonly, a.declare, a.static, a.abstract(), a.private(), A.override, a.get, a.async, a.type, type + declare + as + of]",
    ],
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
  );
  gives(
    "index signatures and implements",
    [
      "interface I {} interface J<T> {} class A<T> implements I, J<T> { [key: string]: any; static [key: string]: any; v = 1 } class B extends A<number> implements I { w = 2 } const C = class implements I { x = 3 }; [new B().v, new B().w, new C().x]",
    ],
    [1, 2, 3],
  );
  gives("optional chaining through non-null", ["const a: any = undefined; a?.b!.c"], undefined);
  gives(
    "catch annotations and for annotations",
    [
      "let m; try { throw 1 } catch (e: unknown) { m = e } try { throw { code: 2 } } catch ({ code }: any) { m += code } for (const x: number of [3]) m += x; m",
    ],
    6,
  );
  gives(
    "type-only imports and exports",
    [
      "import type { A } from 'nowhere'; import { type B } from 'node:path'; import type C from 'nowhere'; export type { A }; export type D = A; export interface E {} import type F = require('nowhere'); 1",
    ],
    1,
  );
  gives(
    "a namespace of types",
    [
      "namespace N { export interface A {} export type B = A; namespace M { export type C = B } } declare namespace O { const x: number } 1",
    ],
    1,
  );
  gives(
    "accessor types and object members",
    [
      "const o = { get a(): number { return 1 }, set a(v: number) {}, m<T>(x: T): T { return x }, async *g<T>(): AsyncGenerator<T> {} }; [o.a, o.m<number>(2)]",
    ],
    [1, 2],
  );
  gives(
    "const type parameters, also of signatures",
    [
      "function f<const T extends readonly unknown[]>(x: T): T { return x } interface I { pick<const K>(k: K): void; other<A, const B>(b: B): void } f([1])",
    ],
    [1],
  );
  gives(
    "words of TypeScript as names",
    [
      "let type = 1; type; type = 2; if (type) type; else type; const f = async type => type, g = async module => module; [await f(3), await g(4), type]",
    ],
    [3, 4, 2],
  );
  gives(
    "optional calls with type arguments",
    ["const f = <T,>(x: T) => x, o: any = { f }, n: any = null; [f?.<number>(1), o?.f?.<string>(2), n?.<number>(3)]"],
    [1, 2, undefined],
  );
  gives(
    "generic async arrows after an await",
    ["const a = await 1; const f = async <T>(x: T): Promise<T> => { await x; const g = async <U,>(y: U) => y; return g(x) as T }; f(a)"],
    1,
  );
  gives("a `!` after an index and a call", ["const m = new Map([['a', [1]]]); m.get('a')![0]! + 1"], 2);
});

describe("erased types leave the meaning of line ends", () => {
  gives("a line that ends in a type", ["let a = 1 as number\n;[1].map(String)\nlet b: number\n(a)\nconst c = a as any\n`x`\n"], "x");
  gives("a type alias between two expressions", ["let n = 1\ntype T = number\n(n)"], 1);
  gives("an interface between two expressions", ["let n = 1, f = [2]\nn\ninterface I {}\n[f]"], [[2]]);
  gives("an arrow whose return type spans lines", ["const f = (a: number): {\n  x: number\n} => ({ x: a })\nf(1)"], { x: 1 });
  gives("an async arrow whose type parameters span lines", ["const f = async <\n  T,\n>(a: T): Promise<\n  T\n> => a\nf(2)"], 2);
  gives("a returned arrow whose type parameters span lines", ["function f() { return <\nT\n>(a: T) => a }\nf()(3)"], 3);
  gives("a returned assertion that spans lines", ["function f() { return <\n  number\n>\n  4 }\nf()"], 4);
  gives(
    "class fields without semicolons",
    [
      "class A {\n  a: number\n  ['b']: string = 'x'\n  c?: number\n  *d() { yield this.b }\n  readonly e = 1\n  static f: number\n  g!: string\n}\n;[...new A().d()]",
    ],
    ["x"],
  );
  gives("an overload before the function", ["const x = 1\nfunction f(a: number): number\nfunction f(a: any) { return a }\nf(x)"], 1);
});

describe("enum", () => {
  gives("R12: numbers count on and map both ways", ["enum E {A, B=5, C}", "[E.C, E[5], E.A]"], [6, "B", 0]);
  gives("texts", ["enum S { A = 'a', B = `b`, C = 'c' + 'd', D = A + B }", "S"], { A: "a", B: "b", C: "cd", D: "ab" });
  gives(
    "constant expressions",
    [
      "enum F { R = 1 << 0, W = 1 << 1, RW = R | W, All = ~0, N = -1, M = (2 ** 3) % 5, X = F.RW + 1, Y = F['R'], Z }",
      "[F.R, F.W, F.RW, F.All, F.N, F.M, F.X, F.Y, F.Z]",
    ],
    [1, 2, 3, -1, -1, 3, 4, 1, 2],
  );
  gives(
    "computed members see the cell and the members before",
    ["const base = 10", "enum C { A = base, B = A + 1, L = 'abc'.length, M = Math.max(B, 2) }", "[C.A, C.B, C.L, C.M, C[10]]"],
    [10, 11, 3, 11, "A"],
  );
  gives("const enum and exported enum", ["const enum K { A = 1, B }; export enum L { X = 'x' }", "[K.B, K[1], L.X]"], [2, "A", "x"]);
  gives("names that are texts", ["enum Q { 'a-b' = 1, \"c\" }", "[Q['a-b'], Q.c, Q[2]]"], [1, 2, "c"]);
  gives("enums of one name in one cell are one", ["enum M { A } enum M { B = 1 }", "M"], { 0: "A", 1: "B", A: 0, B: 1 });
  gives("a later cell's enum takes the place of the old", ["enum M { A }", "enum M { B }", "Object.keys(M)"], ["0", "B"]);
  gives("several lines, comments, trailing comma", ["enum E {\n  A, // first\n  /* second */ B = 4,\n  C,\n}\nE.C"], 5);
  gives("declared enums are erased", ["declare enum D { A } declare const enum D2 { A } typeof D"], "undefined");
  gives("in a function, twice", ["function f() { enum E { A = 1 } enum E { B = 2 } return [E.A, E.B] } f()"], [1, 2]);
  gives("an empty enum", ["enum E {}", "E"], {});
  gives(
    "every operator of constant members",
    [
      "enum O { A = 7 - 2, B = 3 * 4, C = 9 / 2, D = 2 ** 5, E = -16 >> 2, F = -1 >>> 28, G = 6 & 3, H = 6 ^ 3, I = +3, J = (1 + 1), K = -0, L = 5 % 3, M = 1 | 8, N = 1 << 4 }",
      "[O.A, O.B, O.C, O.D, O.E, O.F, O.G, O.H, O.I, O.J, Object.is(O.K, -0), O.L, O.M, O.N]",
    ],
    [5, 12, 4.5, 32, -4, 15, 2, 5, 3, 2, true, 2, 9, 16],
  );
  gives(
    "templates, comparisons and other enums in members",
    [
      "enum A { X = 'x' } const n = 2",
      "enum B { T = `${A.X}-${1}`, U = n > 1 ? 5 : 6, V = A['X'].length, W = (await Promise.resolve(4)) + n, Y = `${1 + 1}b` + 'c', Z = n ** 3 }",
      "[B.T, B.U, B[5], B.V, B.W, B.Y, B.Z, 'x-1' in B]",
    ],
    ["x-1", 5, "U", 1, 6, "2bc", 8, false],
  );
  it("a member that throws leaves the old enum", async () => {
    const session = createCellSession();
    await session.fails("enum E { A = 1 }", "enum E { B = 2, C = nope }");
    expect(await session.value("E.A")).toBe(1);
  });
  gives(
    "a member with the name of a variable hides it inside only",
    ["const A = 'top'", "enum E { A = 3, B = A }", "[E.B, A]"],
    [3, "top"],
  );
});

describe("parameter properties", () => {
  gives(
    "R13: abstract class, overloads, defaults",
    [
      "abstract class S { abstract area(): number; describe() { return 'area ' + this.area() } }\nclass R extends S { constructor(w: number);\nconstructor(protected readonly w: number, public h = 2) { super() } area(): number; area() { return this.w * this.h } }",
      "const r = new R(4); [r.area(), r.describe(), Object.keys(r)]",
    ],
    [8, "area 8", ["w", "h"]],
  );
  gives(
    "without a superclass they are set first",
    [
      "class A { constructor(private x: number, readonly y?: string, public override z = x) { this.x += 1 } } const a = new A(1); [a.x, a.y, a.z]",
    ],
    [2, undefined, 1],
  );
  gives(
    "they are fields before the others",
    ["class A { z = 1; constructor(public x: number, private y = 2) {} } Object.keys(new A(1))"],
    ["x", "y", "z"],
  );
  gives(
    "after statements before super()",
    [
      "class B { constructor(v) { this.v = v } } class A extends B { constructor(public x: number) { const twice = x * 2; super(twice); this.sum = this.x + this.v } } new A(2)",
    ],
    expect.objectContaining({ v: 4, x: 2, sum: 6 }),
  );
  gives(
    "with `super()` without a semicolon",
    ["class B {} class A extends B {\n  constructor(public x: number) {\n    super()\n    ;[this.x]\n  }\n}\nnew A(3).x"],
    3,
  );
});
