import { describe, expect, it } from "vitest";
import { createCellSession } from "./cell-session.ts";
import type { CellSession } from "./cell-session.ts";
import { compileCell } from "./cell.ts";

class Stopped extends Error {}

/** Guarded cells in which the flag goes up when `limit` checks have been made: every check after that throws. */
function guardedSession(limit: number): { session: CellSession; checks: () => number } {
  let checks = 0;
  const session = createCellSession(
    {
      guard: {
        k() {
          checks += 1;
          if (checks > limit) throw new Stopped("stopped");
        },
        a: (value) => value,
        i: (iterable) => iterable,
      },
    },
    { guard: true },
  );
  session.flag[0] = 1;
  return { session, checks: () => checks };
}

describe("guarded code stops", () => {
  const endless: readonly [string, string][] = [
    ["while (true)", "while (true) {}"],
    ["an empty while body", "while (true);"],
    ["for (;;)", "for (;;) {}"],
    ["do while", "do {} while (true)"],
    ["do with a bare body", "let n = 0; do n++; while (true)"],
    ["for of an endless generator", "function* g() { for (;;) yield 1 } for (const x of g());"],
    ["for of a growing set", "const s = new Set([1]); for (const x of s) { s.delete(x); s.add(x) }"],
    ["for in inside of a loop", "while (1) for (const k in { a: 1 }) k"],
    ["for await", "async function* g() { while (true) yield 1 } for await (const x of g()) x"],
    ["labelled loops", "outer: for (;;) { for (;;) continue outer }"],
    [
      "recursion through a function",
      "const f = () => { f() }; while (true) { try { f() } catch (e) { if (e.constructor.name === 'Stopped') throw e } }",
    ],
    [
      "an arrow with an expression body",
      "let n = 0; const step = () => n++; for (const _ of { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: step() }) }) });",
    ],
    ["a callback of a library function", "Array.from({ length: 1e7 }, () => 1)"],
    ["a microtask loop", "for (;;) await null"],
    ["promise recursion", "function f() { return Promise.resolve().then(f) } await f()"],
    ["getters, methods, constructors", "class A { get g() { return new A().m() } m() { return this.g } } while (true) { new A().g }"],
    ["a loop after return in finally", "try { throw 1 } catch { for (;;); } finally { for (;;); }"],
    ["the issue's triple", "try{for(;;){}}catch{for(;;){}}finally{for(;;){}}"],
    ["a static block", "class A { static { for (;;); } }"],
    ["a default parameter that loops", "const f = (x = (() => { for (;;); })()) => x; f()"],
    ["nested arrows", "const f = (n) => (m) => (k) => f(k)(n)(m); f(1)(2)(3)"],
  ];
  it.each(endless)("%s", async (_name, source) => {
    const { session } = guardedSession(1_000);
    await expect(session.run(source)).rejects.toBeInstanceOf(Stopped);
  });
  it("a catch clause does not swallow the stop", async () => {
    const { session } = guardedSession(10);
    await expect(session.run("let caught = 0; while (true) { try { while (true); } catch (e) { caught++ } }")).rejects.toBeInstanceOf(
      Stopped,
    );
    expect(session.scope.variables["caught"]).toBe(0);
  });
  it("while the flag is down the hook is not called", async () => {
    const { session, checks } = guardedSession(0);
    session.flag[0] = 0;
    expect(await session.value("let n = 0; for (let i = 0; i < 100; i++) n += i; n")).toBe(4950);
    expect(checks()).toBe(0);
  });
});

describe("awaits of guarded code", () => {
  it("await, for await and imports go through the hooks", async () => {
    const seen: unknown[] = [];
    const guard = { k: () => undefined, a: (v: unknown) => (seen.push(v), v), i: (v: unknown) => (seen.push("i"), v) };
    const session = createCellSession({ guard, import: () => Promise.resolve({ x: 1 }) }, { guard: true });
    expect(
      await session.value(
        "import { x } from 'm'; const f = async () => await 2; const a = await f(); for await (const v of [3]) a; (await (5, 6)) + x",
      ),
    ).toBe(7);
    expect(seen).toEqual([expect.any(Promise), 2, expect.any(Promise), "i", 6]);
  });
  it("a pending await ends when its hook rejects, and finally runs", async () => {
    let stop: (reason: Error) => void = () => undefined;
    const stopped = new Promise<never>((_resolve, reject) => {
      stop = reject;
    });
    const session = createCellSession(
      { guard: { k: () => undefined, a: (v) => Promise.race([v, stopped]), i: (v) => v } },
      { guard: true },
    );
    const running = session.run("let cleaned = 0; try { await new Promise(() => {}) } finally { cleaned = 1 }");
    stop(new Stopped("stopped"));
    await expect(running).rejects.toBeInstanceOf(Stopped);
    expect(session.scope.variables["cleaned"]).toBe(1);
  });
});

describe("guarded code means the same", () => {
  const cases: readonly [string, unknown][] = [
    ["const f = () => ({ a: 1 }); f()", { a: 1 }],
    ["const f = (x) => x, g = async () => await f(2); [f(1), await g()]", [1, 2]],
    ["const f = () => (1, 2); f()", 2],
    ["let n = 0; if (true) for (let i = 0; i < 3; i++) n += i; else n = 9; n", 3],
    ["let n = 3, s = []; while (n-- > 0) if (n === 1) continue; else s.push(n); s", [2, 0]],
    ["function f() { 'use strict'; return this } f()", undefined],
    [
      "class A { constructor(public x: number) { this.x++ } static s = (() => 4)() } class B extends A { constructor() { super(1); } } [new B().x, A.s]",
      [2, 4],
    ],
    ["let m; try { null.x } catch ({ message, ...rest }) { m = message } m", "Cannot read properties of null (reading 'x')"],
    ["const o = { get v() { return 1 }, set v(x) {}, *g() { yield 2 }, async h() { return 3 } }; [o.v, ...o.g(), await o.h()]", [1, 2, 3]],
    ["const f = a => b => a + b; f(1)(2)", 3],
    ["const f = (): number => <number>5; f()", 5],
    ["let r = []; for (var i = 0, j = 5; i < j; i++, j--) r.push(i * j); r", [0, 4, 6]],
    ["lbl: do { break lbl } while (false); 'after'", "after"],
  ];
  it.each(cases)("%s", async (source, expected) => {
    expect(await createCellSession({}, { guard: true }).value(source)).toEqual(expected);
    expect(await createCellSession().value(source)).toEqual(expected);
  });
  it("unguarded code reads no flag and calls no guard hook", () => {
    const { code } = compileCell("for (;;) { await x; try { y() } catch { } }", { cell: 1 });
    expect(code).not.toMatch(/\$f\$\[0\]|\$h\$\.[kai]\(/);
  });
});
